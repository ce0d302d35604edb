# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash

# Sourced by docs/quickstart.sh and test/run.sh: options, what this machine has, what is missing,
# whether CUDA fits, and the build. Nothing here asks a question.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=test/support/fetch.sh
source "$root/test/support/fetch.sh"
install=yes arch='' build_dir='' arguments=()
export all=no # read by test/run.sh
# shellcheck disable=SC2034 # read by test/run.sh and .ci/run
packages_of_tests=(g++ cmake make libboost-test-dev libtbb-dev libfmt-dev libcli11-dev libpng-dev
  python3-numpy)
cxx=${CXX:-g++} cuda_cxx=${CUDAHOSTCXX:-${CXX:-g++}} # the second: of nvcc, as CMake calls it

say() { printf '%s\n' "$*"; }
die() { say "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

parse_options() { # <usage> <default build directory> <arguments>...
  local usage=$1
  build_dir=$2
  shift 2
  while (($#)); do
    case $1 in
      --no-install) install=no ;;
      --all) [[ $usage == *--all* ]] || die "unknown option --all. $usage"
        all=yes ;;
      --arch | --build-dir) (($# > 1)) || die "$1 needs a value. $usage"
        if [[ $1 == --arch ]]; then arch=${2#sm_}; else build_dir=$2; fi
        shift ;;
      -h | --help) say "$usage"; exit 0 ;;
      -*) die "unknown option $1. $usage" ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  mkdir -p "$build_dir" 2>/dev/null || die "cannot write to $build_dir: name another with --build-dir"
  build_dir=$(cd "$build_dir" && pwd)
}

# --- what this machine has ------------------------------------------------------------------------

compiles() { # <header> <linker flags>...: whether a program with both is built
  printf '#include <%s>\nint main() {}\n' "$1" |
    "$cxx" -std=c++17 -x c++ - -x none "${@:2}" -o "$build_dir/probe" >/dev/null 2>&1
}

has() { # <Debian package>
  case $1 in
    g++) have "$cxx" ;;
    cmake) have cmake && cmake_is_new_enough ;;
    make) have make ;;
    libboost-test-dev) compiles boost/test/detail/config.hpp -lboost_unit_test_framework ;;
    libtbb-dev) compiles tbb/blocked_range.h -ltbb ;;
    libfmt-dev) [[ -d $build_dir/headers/fmt ]] || compiles fmt/core.h -lfmt ;;
    libcli11-dev) [[ -d $build_dir/headers/CLI ]] || compiles CLI/Version.hpp ;;
    libpng-dev) compiles png.h -lpng ;;
    libthrust-dev) [[ -n $thrust_dir ]] || (($(thrust_version /usr/include) >= 101700)) ;;
    python3-numpy) python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null ;;
    *) have "$1" ;;
  esac
}

left_out() { # <Debian package>: what goes without it
  case $1 in
    libtbb-dev) say "the TBB system is left out" ;;
    libpng-dev) say "PNG images are left out" ;;
    libfmt-dev | libcli11-dev) say "the example histogram_file is left out" ;;
    python3-numpy) say "the comparison with NumPy is skipped" ;;
    libboost-test-dev) say "the test programs are left out (examples and compile tests remain)" ;;
    g++ | cmake | make | libthrust-dev) say "nothing can be built" ;;
    *) say "what needs it is left out" ;;
  esac
}

cmake_is_new_enough() {
  local version
  version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
  [[ $(printf '%s\n' 3.22 "$version" | sort -V | head -1) == 3.22 ]]
}

thrust_version() { # <include directory>: 300001 for 3.0.1, 0 where there is none
  local version
  version=$(sed -n 's/^ *# *define THRUST_VERSION \([0-9]*\).*/\1/p' "$1/thrust/version.h" 2>/dev/null) || true
  say "${version:-0}"
}

# --- what is missing ------------------------------------------------------------------------------

install_missing() { # <Debian packages>...: installs those that are missing, or names them
  local missing=() package as_root=(sudo -n)
  for package in "$@"; do has "$package" || missing+=("$package"); done
  ((${#missing[@]})) || return 0

  if ((EUID == 0)); then as_root=(); fi
  if [[ $install == no ]]; then
    say "missing, not installed because of --no-install: ${missing[*]}"
  elif ! have apt-get; then
    say "missing, and there is no apt-get to install it: ${missing[*]}"
  elif ! "${as_root[@]}" true 2>/dev/null; then
    say "missing, and neither root nor sudo -n to install it: ${missing[*]}"
  else
    apt_get "${missing[@]}"
  fi
  has libthrust-dev || fetch_thrust
  fetch_headers
  for package in "${missing[@]}"; do
    has "$package" || say "without $package: $(left_out "$package")"
  done
}

apt_get() { # <Debian packages>...
  local get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
  local line=("${get[@]}" install -y --no-install-recommends "$@")
  say "${line[*]}"
  "${line[@]}" >"$build_dir/apt.log" 2>&1 ||
    { say "${get[*]} update, and again" && "${get[@]}" update && "${line[@]}"; } \
      >"$build_dir/apt.log" 2>&1 ||
    say "apt-get failed: $(grep -m1 '^E:' "$build_dir/apt.log" || tail -1 "$build_dir/apt.log")"
}

# --- CUDA -----------------------------------------------------------------------------------------

# Sets nvcc, toolkit (13.0), and thrust_dir where the toolkit's Thrust will do for the host.
find_toolkit() {
  nvcc='' toolkit='' thrust_dir='' toolkit_thrust=0
  local candidate place toolkit_headers
  for candidate in "${CUDACXX:-}" "$(command -v nvcc || true)" "${CUDA_HOME:-}/bin/nvcc" \
    "${CUDA_PATH:-}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    [[ -n $candidate ]] && candidate=$(command -v "$candidate") || continue
    toolkit=$("$candidate" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p') || true
    if [[ -n $toolkit ]]; then nvcc=$candidate && break; fi
  done
  [[ -n $nvcc ]] || return 0
  place=$(cd "$(dirname "$(readlink -f "$nvcc")")/.." && pwd)
  toolkit_headers=$place/include/cccl
  [[ -f $toolkit_headers/thrust/version.h ]] || toolkit_headers=$place/include
  [[ -f $toolkit_headers/thrust/version.h ]] || toolkit_headers=$(headers_of_nvcc) # conda's, Debian's
  toolkit_thrust=$(thrust_version "$toolkit_headers")
  if ((toolkit_thrust >= 101700)); then
    for candidate in "$place"/{lib64,lib}/cmake/thrust "${toolkit_headers%/cccl}"/../{lib,share}/cmake/thrust; do
      if [[ -f $candidate/thrust-config.cmake ]]; then thrust_dir=$candidate && break; fi
    done
  fi
}

headers_of_nvcc() { # the folder in which it finds Thrust
  "$nvcc" -ccbin "$cuda_cxx" -x cu -M -include thrust/version.h /dev/null 2>/dev/null |
    sed -n 's|^ *\(.*\)/thrust/version\.h.*|\1|p' | head -1 || true
}

# Whether there is a Thrust for CUDA: nvcc's own or, where that is too old, one that is fetched.
find_thrust_for_cuda() {
  local before=$thrust_dir
  if ((toolkit_thrust >= 200800)); then return 0; fi
  fetch_thrust
  if (($(thrust_version "$(find "$build_dir/cccl" -path '*/include/thrust' -prune 2>/dev/null)/..") >= 200800)); then
    return 0
  fi
  thrust_dir=$before
  return 1
}

# Sets cuda to run (a GPU is here), build (compiles, nothing to run it on) or no, and why.
probe_cuda() { # <yes: for a build without a GPU, too>
  cuda=no why=''
  local gpu=no
  if have nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then gpu=yes; fi
  if [[ -z $nvcc ]]; then
    why="no CUDA toolkit found"
  elif ((${toolkit%%.*} < 12)); then
    why="the CUDA toolkit $toolkit is older than 12"
  elif [[ $gpu == no && $1 == no ]]; then
    why="no NVIDIA GPU here"
  elif ! find_thrust_for_cuda; then
    why="the CUDA toolkit $toolkit has no Thrust (CCCL) of 2.8 or newer, and none was fetched"
  else
    if [[ -z $arch && $gpu == yes ]]; then
      arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | tr -d . | sort -u | paste -sd ';')
    fi
    : "${arch:=90}"
    run_probe "$gpu"
  fi
}

run_probe() { # <yes: there is a GPU>
  local source=$build_dir/probe.cu program=$build_dir/probe said
  cat >"$source" <<'CU'
#include <cstdio>
#include <vector>
__global__ void kernel(int* p) { *p = 42; }
int main() {
  int *p = nullptr, value = 0;
  cudaMalloc(&p, sizeof(int));
  kernel<<<1, 1>>>(p);
  cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDefault);
  auto status = cudaGetLastError();
  std::printf("%s\n", cudaGetErrorString(status));
  return status != cudaSuccess || value != 42;
}
CU
  if ! said=$("$nvcc" -std=c++17 -ccbin "$cuda_cxx" -arch="sm_${arch%%[;-]*}" "$source" -o "$program" 2>&1); then
    why="the toolkit $toolkit does not compile for sm_${arch%%[;-]*} here: $(head -1 <<<"$said")"
  elif [[ $1 == no ]]; then
    cuda=build why="no NVIDIA GPU here"
  elif ! said=$("$program" 2>&1); then
    cuda=build why="the GPU does not run a program of CUDA $toolkit: $said"
  else
    cuda=run
  fi
}

# CUDA is built where its programs run or, on demand, where they only compile.
decide_cuda() { # <yes: build without a GPU too>
  probe_cuda "$1"
  if [[ $cuda == build && $1 == yes ]]; then
    say "CUDA is built for sm_$arch and not run: $why"
  elif [[ $cuda != run ]]; then
    cuda=no
    say "without CUDA: $why"
  fi
}

# --- the build ------------------------------------------------------------------------------------

configure() { # <cmake options>...
  local options=("-DTHRUST_HIST_CUDA_ARCHITECTURES=$arch" "$@")
  if [[ $cuda == no ]]; then
    options+=(-DTHRUST_HIST_ENABLE_CUDA=OFF)
  else
    options+=(-DTHRUST_HIST_ENABLE_CUDA=ON "-DCMAKE_CUDA_COMPILER=$nvcc" "-DCMAKE_CUDA_HOST_COMPILER=$cuda_cxx")
  fi
  [[ -z $thrust_dir ]] || options+=("-DThrust_DIR=$thrust_dir")
  [[ ! -d $build_dir/headers ]] || options+=("-DTHRUST_HIST_EXAMPLE_HEADERS=$build_dir/headers")
  logged cmake -S "$root" -B "$build_dir" -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release \
    "${options[@]}"
}

build() { # <targets>...
  logged cmake --build "$build_dir" -j "$(nproc)" --target "$@"
}

# Where only the build for CUDA fails: one line, then the host systems. With --all it must not fail.
configure_and_build() { # <target> <cmake options>...
  local target=$1
  shift
  if [[ $cuda == run && $all == no ]]; then
    if (configure "$@" && build "$target") >/dev/null; then return; fi
    cp "$build_dir/last.log" "$build_dir/cuda.log"
    cuda=no why="the build for CUDA failed, see $build_dir/cuda.log"
    say "without CUDA: $why: $(grep -m1 -iw error "$build_dir/cuda.log" || tail -1 "$build_dir/cuda.log")"
  fi
  configure "$@"
  build "$target"
}

logged() { # runs a command, shows its output only if it fails
  "$@" >"$build_dir/last.log" 2>&1 && return
  local status=$?
  say "failed: $*"
  tail -40 "$build_dir/last.log"
  return $status
}
