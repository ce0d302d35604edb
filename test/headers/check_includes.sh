#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Who may include whom: public headers -> detail/dispatch -> system/<x> -> (cuda) launch, kernels;
# omp, tbb -> host -> sequential. Only detail/policy.h names the insides of Thrust. Kernels are launched in one place,
# which sends them off early, so each waits first; fold_shared begins its table before, if that keeps to shared memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

headers() { find thrust_hist -name '*.h' -o -name '*.cuh' | LC_ALL=C sort; }

layer() { # <path>: sets `layer` to that which a header belongs to
  case $1 in
    thrust_hist/system/cuda/kernels/*) layer=kernels ;;
    # Numbers that the plan makes and kernels read.
    thrust_hist/system/cuda/buckets.h | thrust_hist/system/cuda/fold_buckets.h | \
      thrust_hist/system/cuda/frequent_bins.h | thrust_hist/system/cuda/rule_room.h | \
      thrust_hist/system/cuda/lone_block.h | thrust_hist/system/cuda/discovery_plan.h | \
      thrust_hist/system/cuda/code_buckets.h | thrust_hist/system/cuda/key_sample.h | \
      thrust_hist/system/cuda/part_sample.h | thrust_hist/system/cuda/sample_memory.h | \
      thrust_hist/system/cuda/range_buckets.h | thrust_hist/system/cuda/wide_buckets.h | \
      thrust_hist/system/cuda/ordered_buckets.h | thrust_hist/system/cuda/ordered_slices.h | \
      thrust_hist/system/cuda/paired_buckets.h | thrust_hist/system/cuda/sum_rows.h | \
      thrust_hist/system/cuda/sample_ranges.h | thrust_hist/system/cuda/run_tiles.h | \
      thrust_hist/system/cuda/settled_pieces.h | thrust_hist/system/cuda/code_stretches.h | \
      thrust_hist/system/cuda/sorted_bits.h | thrust_hist/system/cuda/prefix_groups.h) layer=layout ;;
    thrust_hist/system/cuda/plan.h | thrust_hist/system/cuda/plan_batches.h | \
      thrust_hist/system/cuda/tuning.h | thrust_hist/system/cuda/counting_problem.h | \
      thrust_hist/system/cuda/device_facts.h | thrust_hist/system/cuda/tables.h) layer=plan ;;
    thrust_hist/system/*/*) layer=${1#thrust_hist/system/} layer=${layer%%/*} ;;
    thrust_hist/detail/dispatch* | thrust_hist/detail/*_dispatch.h) layer=dispatch ;;
    thrust_hist/detail/*) layer=detail ;;
    thrust_hist/*) layer=public ;;
    *) layer=foreign ;;
  esac
}

allowed() { # <layer>: sets `allowed` to the layers it may include
  case $1 in
    public) allowed="public dispatch detail" ;;
    dispatch) allowed="public detail dispatch sequential host omp tbb cuda" ;;
    detail) allowed="public detail" ;;
    sequential) allowed="public detail sequential" ;;
    host) allowed="public detail sequential host" ;;
    omp) allowed="public detail host omp" ;;
    tbb) allowed="public detail host tbb" ;;
    cuda) allowed="public detail plan layout kernels cuda" ;;
    plan) allowed="public detail plan layout" ;;
    layout) allowed="public detail plan layout" ;;
    kernels) allowed="public detail layout kernels" ;;
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
algorithms=" ${algorithms//$'\n'/ } "

mapfile -t all < <(headers)
for header in "${all[@]}"; do
  layer "$header"
  from=$layer
  allowed "$from"
  while read -r included; do
    layer "$included"
    if [[ $layer == foreign ]]; then continue; fi
    [[ -f $included ]] || finding "$header includes $included, which does not exist"
    [[ " $allowed " == *" $layer "* ]] || finding "$header ($from) includes $included ($layer)"
    if [[ $from != public && $algorithms == *" ${included#thrust_hist/} "* ]]; then
      finding "$header ($from) includes the algorithm $included"
    fi
  done < <(sed -n 's/^ *# *include *<\(thrust_hist\/[^>]*\)>.*/\1/p' "$header")
  if [[ $from == plan ]] && grep -nE 'include *<(cuda|cub/)|\.cuh>' "$header"; then
    finding "$header: the plan is without CUDA headers"
  fi
done

# What has to hold for the lines of all headers, comments aside, but for one of them.
none_has() { # <extended regular expression> <header that may> <what it means>
  local line
  while read -r line; do finding "$line: $3"; done < <(
    unwanted=$1 but_for=$2 awk 'FILENAME != ENVIRON["but_for"] {
        line = $0
        sub(/\/\/.*/, "", line)
        if (line ~ ENVIRON["unwanted"]) print FILENAME ":" FNR
      }' "${all[@]}")
}
none_has '^ *# *include *"' none 'includes of thrust_hist use <>'
none_has 'include *<cub/cub[.]cuh>' none 'cub/cub.cuh takes 6 s'
none_has '(thrust|THRUST_NS_QUALIFIER)::(detail|cuda_cub)::' thrust_hist/detail/policy.h \
  'only detail/policy.h names the insides of Thrust'
none_has 'include *<thrust/(.*/)?detail/' thrust_hist/detail/policy.h \
  'only detail/policy.h includes the insides of Thrust'
none_has '<<<|cudaLaunch' thrust_hist/system/cuda/launch.cuh 'only launch.cuh launches kernels'

while read -r line; do finding "$line"; done < <(awk '
  function ends(file) {
    if (kernel != "") print file ": does not begin with take_turn(): " kernel
    if (file != "" && !is_licensed) print file ": the two-line SPDX header is missing"
    if (file != "" && !is_once) print file ": #pragma once is missing"
  }
  FNR == 1 { ends(last); last = FILENAME; kernel = ""; is_licensed = is_once = 0 }
  FNR <= 2 && /SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception/ { is_licensed = 1 }
  /^#pragma once$/ { is_once = 1 }
  /__global__/ && !/^ *\/\// { kernel = $0 }
  kernel != "" && /\{ *$/ {
    getline
    if (kernel !~ / fold_shared\(/ && !/^ *cuda::take_turn\(\);$/)
      print FILENAME ": does not begin with take_turn(): " kernel
    kernel = ""
  }
  END { ends(last) }' "${all[@]}")

((findings == 0)) || { echo "$findings findings"; exit 1; }
echo "${#all[@]} headers include only what they may"
