#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Who may include whom: public headers -> detail/dispatch -> system/<x> -> (cuda) launch, kernels;
# omp, tbb -> host -> sequential. Only detail/policy.h names the insides of Thrust. Kernels are launched in one place,
# which sends them off early, so each waits first; fold_shared begins its table before, if that keeps to shared memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

headers() { find thrust_hist -name '*.h' -o -name '*.cuh' | LC_ALL=C sort; }

layer() { # <path>: the layer that a header belongs to
  case $1 in
    thrust_hist/system/cuda/kernels/*) echo kernels ;;
    # Numbers that the plan makes and kernels read.
    thrust_hist/system/cuda/buckets.h | thrust_hist/system/cuda/fold_buckets.h | \
      thrust_hist/system/cuda/lone_block.h | \
      thrust_hist/system/cuda/code_buckets.h | thrust_hist/system/cuda/key_sample.h | \
      thrust_hist/system/cuda/part_sample.h | thrust_hist/system/cuda/sample_memory.h | \
      thrust_hist/system/cuda/range_buckets.h | thrust_hist/system/cuda/wide_buckets.h | \
      thrust_hist/system/cuda/ordered_buckets.h | thrust_hist/system/cuda/ordered_slices.h | \
      thrust_hist/system/cuda/paired_buckets.h | thrust_hist/system/cuda/sum_rows.h | \
      thrust_hist/system/cuda/sample_ranges.h | thrust_hist/system/cuda/run_tiles.h | \
      thrust_hist/system/cuda/settled_pieces.h | thrust_hist/system/cuda/code_stretches.h | \
      thrust_hist/system/cuda/sorted_bits.h) echo layout ;;
    thrust_hist/system/cuda/plan.h | thrust_hist/system/cuda/plan_batches.h | \
      thrust_hist/system/cuda/tuning.h | thrust_hist/system/cuda/counting_problem.h | \
      thrust_hist/system/cuda/device_facts.h | thrust_hist/system/cuda/tables.h) echo plan ;;
    thrust_hist/system/*/*) path=${1#thrust_hist/system/} && echo "${path%%/*}" ;;
    thrust_hist/detail/dispatch* | thrust_hist/detail/*_dispatch.h) echo dispatch ;;
    thrust_hist/detail/*) echo detail ;;
    thrust_hist/*) echo public ;;
    *) echo foreign ;;
  esac
}

allowed() { # <layer>: the layers it may include
  case $1 in
    public) echo "public dispatch detail" ;;
    dispatch) echo "public detail dispatch sequential host omp tbb cuda" ;;
    detail) echo "public detail" ;;
    sequential) echo "public detail sequential" ;;
    host) echo "public detail sequential host" ;;
    omp) echo "public detail host omp" ;;
    tbb) echo "public detail host tbb" ;;
    cuda) echo "public detail plan layout kernels cuda" ;;
    plan) echo "public detail plan layout" ;;
    layout) echo "public detail plan layout" ;;
    kernels) echo "public detail layout kernels" ;;
  esac
}

findings=0
finding() {
  echo "$1"
  findings=$((findings + 1))
}

# The algorithms are public too, but nothing below them may include them.
algorithms='histogram.h histogram_even.h histogram_range.h histogram_by_key.h transform_histogram.h
  sparse_histogram.h reduce.h thrust_hist.h'

while read -r header; do
  from=$(layer "$header")
  while read -r included; do
    to=$(layer "$included")
    if [[ $to == foreign ]]; then continue; fi
    [[ -f $included ]] || finding "$header includes $included, which does not exist"
    [[ " $(allowed "$from") " == *" $to "* ]] ||
      finding "$header ($from) includes $included ($to)"
    if [[ $from != public && " ${algorithms//$'\n'/ } " == *" ${included#thrust_hist/} "* ]]; then
      finding "$header ($from) includes the algorithm $included"
    fi
  done < <(sed -n 's/^ *# *include *<\(thrust_hist\/[^>]*\)>.*/\1/p' "$header")

  if grep -nE '^ *# *include *"' "$header"; then finding "$header: includes of thrust_hist use <>"; fi
  if grep -nE 'include *<cub/cub\.cuh>' "$header"; then finding "$header: cub/cub.cuh takes 6 s"; fi
  if [[ $from == plan ]] && grep -nE 'include *<(cuda|cub/)|\.cuh>' "$header"; then
    finding "$header: the plan is without CUDA headers"
  fi
  if [[ $header != thrust_hist/detail/policy.h ]] &&
    sed 's|//.*||' "$header" | grep -nE '(thrust|THRUST_NS_QUALIFIER)::(detail|cuda_cub)::'; then
    finding "$header: only detail/policy.h names the insides of Thrust"
  fi
  if [[ $header != thrust_hist/detail/policy.h ]] && grep -nE 'include *<thrust/(.*/)?detail/' "$header"; then
    finding "$header: only detail/policy.h includes the insides of Thrust"
  fi
  if [[ $header != thrust_hist/system/cuda/launch.cuh ]] && grep -nE '<<<|cudaLaunch' "$header"; then
    finding "$header: only launch.cuh launches kernels"
  fi
  hasty=$(awk '/__global__/ && !/^ *\/\// { kernel = $0 }
    kernel != "" && /\{ *$/ { getline; if (kernel !~ / fold_shared\(/ && !/^ *cuda::take_turn\(\);$/) print kernel; kernel = "" }
    END { if (kernel != "") print kernel }' "$header")
  [[ -z $hasty ]] || finding "$header: does not begin with take_turn(): $hasty"
  head -2 "$header" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' ||
    finding "$header: the two-line SPDX header is missing"
  grep -qx '#pragma once' "$header" || finding "$header: #pragma once is missing"
done < <(headers)

((findings == 0)) || { echo "$findings findings"; exit 1; }
echo "$(headers | wc -l) headers include only what they may"
