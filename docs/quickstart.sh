#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# From a fresh machine to a histogram: installs what is missing, builds the example histogram_file
# and runs it on FILE, or on real text of this machine.
set -euo pipefail
# shellcheck source=test/support/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test/support/setup.sh"

usage="usage: bash docs/quickstart.sh [FILE] [--no-install] [--arch 90] [--build-dir DIR]
  FILE          counted byte by byte (default: text of this machine, repeated to 64 MB)
  --no-install  install nothing, name what is missing
  --arch        CUDA architecture (default: this machine's GPU)
  --build-dir   default: build/quickstart"
parse_options "$usage" "$root/build/quickstart" "$@"
((${#arguments[@]} <= 1)) || die "one FILE at most. $usage"
file=${arguments[0]-}
if ((${#arguments[@]})); then # before anything is installed or built
  [[ -e $file ]] || die "$file: no such file"
  [[ -f $file ]] || die "$file is not a regular file"
  [[ -r $file ]] || die "$file cannot be read"
  [[ -s $file ]] || die "$file is empty: there is nothing to count"
fi

sample_text() { # real text, repeated to 64 MB
  local place once=$build_dir/once.txt text=$build_dir/sample.txt
  if [[ ! -s $text ]]; then
    for place in /usr/share/common-licenses /usr/share/perl /usr/share/doc /usr/include "$root"; do
      find "$place" -type f -size -1000k -size +1k ! -name '*.gz' ! -name '*.png' 2>/dev/null | sort | head -400 | tr '\n' '\0' |
        xargs -0 cat 2>/dev/null || true
    done | head -c 16000000 >"$once" || true
    [[ -s $once ]] || cp "$root/LICENSE" "$once"
    while (($(stat -c %s "$text.part" 2>/dev/null || say 0) < 64000000)); do
      cat "$once" >>"$text.part"
    done
    mv "$text.part" "$text"
    rm "$once"
  fi
  say "$text"
}

find_toolkit
packages=(g++ cmake make libfmt-dev libcli11-dev)
[[ -n $thrust_dir ]] || packages+=(libthrust-dev)
install_missing "${packages[@]}"
for needed in g++ cmake make libthrust-dev; do
  has "$needed" || die "nothing can run without $needed"
done
example=histogram_file
if ! has libfmt-dev || ! has libcli11-dev; then
  example=drop_in_cpp # on one thread, which every compiler can do
  say "${file:-text of this machine} is not counted: histogram_file needs fmt and CLI11." \
    "Instead drop_in runs, on numbers of its own"
elif [[ -z $file ]]; then
  file=$(sample_text)
fi

# One host system is enough here; without TBB the build is shorter.
options=(-DTHRUST_HIST_BUILD_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
decide_cuda no
say "building $example in $build_dir ..."
configure_and_build "$example" "${options[@]}"

if [[ $example == histogram_file ]]; then
  "$build_dir/docs/examples/histogram_file" "$file" ${why:+--no-cuda-because "$why"}
else
  "$build_dir/docs/examples/$example"
fi
