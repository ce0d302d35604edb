#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Runs the benchmarks of the GPU and saves their results as JSON lines: perf/run.sh [BINARIES [RESULTS]].
# BINARIES has counting, many_bins and reduce (default: build/perf, where they are built if nvcc is
# there); RESULTS is where perf/results/<gpu>/<date>/ begins (default: perf/results).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binaries=${1:-$here/../build/perf}
results=${2:-$here/results}

if [[ ! -x $binaries/counting ]] && command -v nvcc >/dev/null; then
  mkdir -p "$binaries"
  for name in counting many_bins reduce; do
    nvcc -std=c++17 -O3 --extended-lambda -arch=native "-I$here/.." "$here/$name.cu" -o "$binaries/$name"
  done
fi
IFS=, read -r gpu driver < <(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)
export THRUST_HIST_DRIVER=${driver# }
THRUST_HIST_COMMIT=${THRUST_HIST_COMMIT:-$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)}
export THRUST_HIST_COMMIT
folder=$results/$(echo "$gpu" | tr '[:upper:] ' '[:lower:]-')/$(date -u +%F)
mkdir -p "$folder"
"$binaries/counting" >"$folder/counting.jsonl"
"$binaries/reduce" >"$folder/reduce.jsonl"
"$binaries/many_bins" >"$folder/many_bins.jsonl"
"$binaries/many_bins" --sweep --ours --log2 26 >"$folder/sweep.jsonl"
echo "results in $folder; python3 perf/plot.py $folder docs draws them"
