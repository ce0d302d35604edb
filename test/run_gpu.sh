#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Runs the CUDA tests of a finished build, which may have been made on another machine: no CMake and
# no CTest. One process and one time limit a suite, totals after each, and a record of the run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage="usage: bash test/run_gpu.sh [--build-dir DIR] [--record FILE] [--limit SECONDS] [--sanitize] [SUITE...]
  --build-dir  the build, or the folder with test_cuda (default: beside this script, then build/test)
  --record     write the record to FILE too (always to test/gpu_record.txt, unless SUITEs are named)
  --limit      of one suite (default: 600 seconds)
  --sanitize   compute-sanitizer (memcheck, racecheck, initcheck) over the tests labelled small"

build_dir='' copy='' limit=600 sanitize=no chosen=()
while (($#)); do
  case $1 in
    --build-dir | --record | --limit) (($# > 1)) || { echo "$usage" >&2; exit 2; }
      case $1 in --build-dir) build_dir=$2 ;; --record) copy=$2 ;; *) limit=$2 ;; esac
      shift ;;
    --sanitize) sanitize=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) echo "unknown option $1. $usage" >&2; exit 2 ;;
    *) chosen+=("$1") ;;
  esac
  shift
done

programs=()
for place in ${build_dir:+"$build_dir/test" "$build_dir"} ${build_dir:-"$here" "$here/../build/test/test"}; do
  for program in "$place"/test_cuda*; do
    if [[ -f $program && -x $program ]]; then programs+=("$program"); fi
  done
  ((${#programs[@]} == 0)) || break
done
((${#programs[@]})) || { echo "no test_cuda found: build with test/run.sh, or name --build-dir" >&2; exit 2; }
gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1) ||
  { echo "no NVIDIA GPU here" >&2; exit 2; }

# --- the record -----------------------------------------------------------------------------------

record=$(mktemp)
kept=$here/gpu_record.txt
tree=$(bash "$here/support/tree_hash.sh")
built_with=$(cat "$(dirname "${programs[0]}")/toolkit.txt" 2>/dev/null || echo unknown)
header() {
  printf '%s\n' "date    $(date -u '+%F %H:%M UTC')" "gpu     ${gpu%%,*}" "driver  ${gpu##*, }" \
    "toolkit $built_with" "tree    $tree" ''
}
if [[ $sanitize == yes ]] && grep -qx "tree    $tree" "$kept" 2>/dev/null; then
  grep -v '^compute-sanitizer' "$kept" >"$record" || true # the same tree: the tests' totals stay
else
  header >"$record"
fi
note() { printf '%s\n' "$*" | tee -a "$record"; }
keep_record() {
  if ((${#chosen[@]} == 0)); then cp "$record" "$kept"; fi
  [[ -z $copy ]] || cp "$record" "$copy"
  rm "$record"
}

# --- running --------------------------------------------------------------------------------------

log=$(mktemp)
trap 'rm -f "$log"' EXIT
all_passed=0 all_failed=0 all_skipped=0

run_suite() { # <program> <suite>
  local status=0 start=$SECONDS passed failed skipped outcome=''
  timeout -k 10 "$limit" "$1" "--run_test=$2" --log_level=test_suite --report_level=short \
    --color_output=no >"$log" 2>&1 || status=$?
  passed=$(sed -n 's/^ *\([0-9]*\) test cases\{0,1\} out of .* passed.*/\1/p' "$log")
  failed=$(sed -n 's/^ *\([0-9]*\) test cases\{0,1\} out of .* failed.*/\1/p' "$log")
  skipped=$(grep -c 'skipped because precondition failed' "$log" || true)
  : "${passed:=0}" "${failed:=0}"
  case $status in
    0) ;;
    124 | 137) outcome=" TIMED OUT" failed=$((failed + 1)) ;;
    *) if ((failed == 0)); then outcome=" EXIT $status" failed=1; fi ;;
  esac
  ((status == 0)) || grep -E 'error: |fatal|terminate|what\(\)' "$log" | head -20 || tail -5 "$log"
  note "$(printf '%-36s passed %4d  failed %3d  skipped %3d  %4d s%s' "$(basename "$1").$2" \
    "$passed" "$failed" "$skipped" $((SECONDS - start)) "$outcome")"
  all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed))
  all_skipped=$((all_skipped + skipped))
}

sanitize_program() { # <program>
  local tool status summary
  local sanitizer=${COMPUTE_SANITIZER:-$(command -v compute-sanitizer || echo "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer")}
  for tool in memcheck racecheck initcheck; do
    status=0
    # Tests provoke failing CUDA calls on purpose, so those are no findings.
    timeout -k 10 "$limit" "$sanitizer" --tool "$tool" --error-exitcode 99 --report-api-errors no \
      "$1" --run_test=@small --color_output=no >"$log" 2>&1 || status=$?
    summary=$(grep -E 'SUMMARY' "$log" | tail -1 | sed 's/^=* //' || true)
    ((status == 0)) || { grep -E '^=|error: ' "$log" || true; tail -3 "$log"; } | head -40
    note "compute-sanitizer $tool $(basename "$1"): ${summary:-no summary}, exit $status"
    ((status == 0)) || all_failed=$((all_failed + 1))
  done
}

for program in "${programs[@]}"; do
  if [[ $sanitize == yes ]]; then
    sanitize_program "$program"
    continue
  fi
  suites=("${chosen[@]}")
  ((${#suites[@]})) || mapfile -t suites < <("$program" --list_content 2>&1 | sed -n 's/^\([A-Za-z0-9_]*\).*/\1/p' | grep .)
  for suite in "${suites[@]}"; do run_suite "$program" "$suite"; done
done
[[ $sanitize == yes ]] ||
  note "all: passed $all_passed, failed $all_failed, skipped $all_skipped"
keep_record
((all_failed == 0))
