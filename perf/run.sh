#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Runs the benchmarks of the GPU and saves their results as JSON lines:
#
#   bash perf/run.sh [--budget SECONDS] [--binaries DIR] [--results DIR] [NAME...]
#
# NAME is a row of the table below; default: all. The programs lie in --binaries (default:
# build/perf), where those that are missing are built if nvcc is there. --results is where
# <gpu>/<date>/ begins (default: perf/results). What a file there has already is not measured again,
# so a run that was cut off, or that used up its budget (for all programs together), is continued by
# running it again; THRUST_HIST_DATE=YYYY-MM-DD continues one of another day.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binaries=$here/../build/perf
results=$here/results
budget=1000000

# The name of the file of results, then what makes it.
table='
calls          calls
discover       discover
inputs         inputs
images         images
ranges         ranges
counting       counting
sizes          sizes
reduce         reduce
many_bins      many_bins
many_bins_f32  many_bins --type f32
folds          folds sums
fold_calls     folds calls
fold_types     fold_types
fold_wide      fold_wide
fold_structs   fold_structs
fold_images    fold_images
fold_emitted   fold_emitted
fold_rules     fold_rules
joint          joint
sparse         sparse table
sparse_types   sparse_types table
sparse_sums    sparse_sums table
sparse_calls   sparse calls
sparse_types_calls  sparse_types calls
sparse_sums_calls   sparse_sums calls
sparse_sweep   sparse sweep
sparse_sums_sweep  sparse_sums sweep
cap            many_bins --ours --cap 67108864
sweep          many_bins --sweep --log2 26
textbook       counting u8 u32 f32 --no-sort --textbook
'

wanted=()
while (($#)); do
  case $1 in
    --budget) budget=$2 && shift 2 ;;
    --binaries) binaries=$2 && shift 2 ;;
    --results) results=$2 && shift 2 ;;
    -*) sed -n '5,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
    *) wanted+=("$1") && shift ;;
  esac
done

build() { # <program>
  [[ -x $binaries/$1 ]] && return
  mkdir -p "$binaries"
  nvcc -std=c++17 -O3 --extended-lambda -arch=native "-I$here/.." "$here/$1.cu" -o "$binaries/$1"
}

is_wanted() { # <name>
  ((${#wanted[@]} == 0)) || [[ " ${wanted[*]} " == *" $1 "* ]]
}

query=(nvidia-smi "--query-gpu=name,driver_version" "--format=csv,noheader")
IFS=, read -r gpu driver < <("${query[@]}" | head -1)
export THRUST_HIST_DRIVER=${driver# }
commit=$(git -C "$here" describe --always --dirty 2>/dev/null || echo unknown)
export THRUST_HIST_COMMIT=${THRUST_HIST_COMMIT:-$commit}
date=${THRUST_HIST_DATE:-$(date -u +%F)}
folder=$results/$(echo "$gpu" | tr '[:upper:] ' '[:lower:]-')/$date
mkdir -p "$folder"

status=0
while read -r name program arguments; do
  if [[ -z $name ]] || ! is_wanted "$name"; then
    continue
  fi
  build "$program"
  left=$((budget - SECONDS))
  ((left > 0)) || break
  echo "$name: $program $arguments" >&2
  file=$folder/$name.jsonl
  touch "$file"
  if [[ -n $(tail -c 1 "$file") ]]; then
    sed -i '$d' "$file" # a run before was cut off within its last line
  fi
  # The program reads the file before it prints. Unquoted: the words of the table.
  # shellcheck disable=SC2086,SC2094
  "$binaries/$program" $arguments --budget "$left" --rows "$file" >>"$file" || status=$?
done <<<"$table"
python3 "$here/results.py" "$folder" || status=$?
echo "python3 perf/plot.py $folder docs draws them"
exit "$status"
