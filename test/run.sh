#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Builds and runs the tests: installs what is missing, builds for every system of this machine.
set -euo pipefail
# shellcheck source=test/support/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/support/setup.sh"

usage="usage: bash test/run.sh [--no-install] [--arch 90] [--build-dir DIR] [--all]
  --no-install  install nothing, name what is missing
  --arch        CUDA architecture (default: this machine's GPU)
  --build-dir   default: build/test
  --all         what CI runs: CUDA tests are built without a GPU too, thrust::device on every system"
parse_options "$usage" "$root/build/test" "$@"
((${#arguments[@]} == 0)) || die "unknown argument ${arguments[0]}. $usage"

find_toolkit
packages=("${packages_of_tests[@]}")
[[ -n $thrust_dir ]] || packages+=(libthrust-dev)
install_missing "${packages[@]}"
for needed in g++ cmake make libthrust-dev; do
  has "$needed" || die "nothing can run without $needed"
done

decide_cuda "$all"
options=()
if [[ $all == yes ]]; then
  systems='omp;cpp'
  ! has libtbb-dev || systems+=';tbb'
  options=("-DTHRUST_HIST_TEST_DEVICE_SYSTEMS=$systems" -DTHRUST_HIST_TEST_CUDA_HEADERS=ON)
  # Nobody runs what is made for the GPU: see .ci/run.
  [[ $cuda != build || $arch != *-virtual ]] || options+=(-DTHRUST_HIST_TEST_PTX_ONLY=ON)
fi
say "building in $build_dir ..."
configure_and_build all "${options[@]}"
ctest --test-dir "$build_dir" --output-on-failure -j "$(nproc)"
