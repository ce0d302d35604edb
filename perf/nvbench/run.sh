#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Builds and runs the check of our clock by NVBench: perf/nvbench/run.sh [ARGUMENT OF NVBENCH...]
# NVBench comes from the Python package cuda-bench, which has its headers and library; it goes to
# build/nvbench. With --build-only it is built and not run; NVCC_ARCH: see -arch of nvcc.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
place=$top/build/nvbench
mkdir -p "$place"
if [[ ! -d $place/cuda ]]; then
  python3 -m pip download --quiet --no-deps --dest "$place" cuda-bench
  python3 -m zipfile -e "$place"/*.whl "$place"
fi
major=$(nvcc --version | sed -n 's/.*release \([0-9]*\).*/\1/p')
nvbench=$place/cuda/bench/cu$major/nvbench
# The library calls NVML, which comes with the driver: a machine that only builds does not have it.
nvcc -std=c++17 -O3 --extended-lambda "-arch=${NVCC_ARCH:-native}" "-I$top" "-I$nvbench/include" \
  "$here/counting.cu" -o "$place/counting" "-L$nvbench/lib" \
  -Xlinker --whole-archive -lnvbench_main -Xlinker --no-whole-archive -lnvbench \
  -Xlinker --allow-shlib-undefined -L"$(dirname "$(command -v nvcc)")/../lib64/stubs" -lcuda \
  -Xlinker "-rpath=\$ORIGIN/cuda/bench/cu$major/nvbench/lib"
[[ ${1:-} == --build-only ]] || "$place/counting" "$@"
