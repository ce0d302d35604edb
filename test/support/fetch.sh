# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # thrust_dir, build_dir, install, root: of setup.sh

# A part of setup.sh: header files alone, where nothing can be installed. Both ways need no root, check what
# they download, and write to the build directory only.

from_pypi() { # <folder in the build directory> <requirements>...
  local place=$build_dir/$1
  shift
  if [[ $install == no ]] || ! have python3 || ! have cmake; then return 1; fi
  mkdir -p "$place"
  say "python3 -m pip download --no-deps --dest $place $*"
  (python3 -m pip download --no-deps --dest "$place" "$@" && cd "$place" &&
    for wheel in *.whl; do cmake -E tar xf "$wheel" || exit; done) >"$build_dir/pip.log" 2>&1
}
from_debian() { # <folder in the build directory> <packages>...
  local place=$build_dir/$1
  shift
  if [[ $install == no ]] || ! have apt-get || ! have dpkg-deb; then return 1; fi
  mkdir -p "$place"
  say "apt-get download $*"
  (cd "$place" && apt-get download "$@" &&
    for package in *.deb; do dpkg-deb -x "$package" . || exit; done) >"$build_dir/apt.log" 2>&1
}

fetch_thrust() { # newer than the distribution's, and its own where that one cannot be had
  local place=$build_dir/cccl found headers
  found=$(find "$place" -name thrust-config.cmake -print -quit 2>/dev/null) || true
  if [[ -z $found ]]; then
    from_pypi cccl --only-binary :all: -r "$root/test/support/cccl.txt" ||
      from_debian cccl libthrust-dev libcub-dev || return 0
    found=$(find "$place" -name thrust-config.cmake -print -quit)
  fi
  headers=$(find "$place" -path '*/thrust/version.h' -print -quit)
  if [[ -n $found && -n $headers ]] && (($(thrust_version "${headers%/thrust/version.h}") >= 101700)); then
    thrust_dir=$(dirname "$found")
  fi
}

fetch_headers() { # of fmt and CLI11, to be used without a library
  local place=$build_dir/fetched
  if has libfmt-dev && has libcli11-dev; then return 0; fi
  # The files are the same on every machine, so the wheel of one will do.
  from_debian fetched libfmt-dev libcli11-dev || from_pypi fetched --only-binary :all: \
    --platform manylinux_2_28_x86_64 -r "$root/test/support/headers.txt" || return 0
  rm -rf "$place/headers"
  mkdir "$place/headers"
  find "$place" -type d \( -path '*/include/fmt' -o -path '*/include/CLI' \) -prune \
    -exec cp -r -t "$place/headers" {} +
  rm -rf "$build_dir/headers"
  mv "$place/headers" "$build_dir/headers" # all of it or nothing
  rm -rf "$place"
}
