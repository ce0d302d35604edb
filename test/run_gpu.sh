#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Runs the CUDA tests of a finished build, which may have been made on another machine: no CMake and
# no CTest. One process and one time limit a suite, totals after each, and a record of the run; then the
# examples and other programs of CUDA, as far as they were built. Needs bash 5.1 (wait -p).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage="usage: bash test/run_gpu.sh [--build-dir DIR] [--record FILE] [--add] [--limit SECONDS] [--jobs N] [--sanitize [--tool TOOL]...] [NAME...]
  --build-dir  the build, or the folder with test_cuda (default: beside this script, then build/test)
  NAME         of a suite or a program (example.drop_in), or a pattern with *: these alone (default: all)
  --record     write the record to FILE too (always to test/gpu_record.txt, unless NAMEs are given)
  --add        to the record of the same tree, where there is one: what runs now takes the place of what
               ran before, the rest stays. So a record can be made in pieces, by builds of a part of the tests
  --limit      of one suite (default: 600 seconds)
  --sanitize   compute-sanitizer over the suites labelled small: memcheck, initcheck, and racecheck, which
               leaves out those labelled locks
  --tool       this tool of compute-sanitizer, and others named so, instead of all three
  --jobs       so many suites at once, which takes as much of the GPU's memory more (default: one, and under the
               sanitizer half the cores, at most 16)"

build_dir='' copy='' limit=600 adds=no sanitize=no tools=() chosen=() jobs=''
while (($#)); do
  case $1 in
    --build-dir | --record | --limit | --tool | --jobs) (($# > 1)) || { echo "$usage" >&2; exit 2; }
      case $1 in
        --build-dir) build_dir=$2 ;;
        --record) copy=$2 ;;
        --limit) limit=$2 ;;
        --tool) tools+=("$2") ;;
        *) jobs=$2 ;;
      esac
      shift ;;
    --add) adds=yes ;;
    --sanitize) sanitize=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) echo "unknown option $1. $usage" >&2; exit 2 ;;
    *) chosen+=("$1") ;;
  esac
  shift
done
if [[ ${chosen[*]} == *[][?]* ]]; then
  echo "of patterns Boost.Test knows * alone" >&2
  exit 2
fi
if [[ $adds == yes && " ${chosen[*]} " == */* ]]; then
  echo "--add takes whole suites" >&2
  exit 2
fi
if [[ -z $jobs && $sanitize == yes ]]; then jobs=$(($(nproc) / 2 <= 16 ? $(nproc) / 2 : 16)); fi
[[ $jobs =~ ^[0-9]+$ ]] && ((jobs > 0)) || jobs=1
((${#tools[@]})) || tools=(memcheck initcheck racecheck)

programs=()
for place in ${build_dir:+"$build_dir/test" "$build_dir"} ${build_dir:-"$here" "$here/../build/test/test"}; do
  for program in "$place"/test_cuda*; do
    if [[ -f $program && -x $program ]]; then programs+=("$program"); fi
  done
  ((${#programs[@]} == 0)) || break
done
((${#programs[@]})) || { echo "no test_cuda found: build with test/run.sh --all, or name --build-dir" >&2; exit 2; }
built=$(dirname "${programs[0]}")
[[ ! -f $built/../gpu_programs.txt ]] || built=$(cd "$built/.." && pwd)
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
  # The same tree: the tests' totals stay, and what other tools said.
  grep -vE "^compute-sanitizer ($(IFS='|' && echo "${tools[*]}")) " "$kept" >"$record" || true
else
  header >"$record"
fi
note() { printf '%s\n' "$*" | tee -a "$record"; }
# What ran before and not now, then what ran, then the sum of all.
merge_records() {
  local merged
  merged=$(mktemp)
  header >"$merged"
  awk '/^(date|gpu|driver|toolkit|tree|all:|compute-sanitizer) / || !NF { next }
    FNR == NR { now[$1]; next } !($1 in now)' "$record" "$kept" >>"$merged"
  grep -vE '^((date|gpu|driver|toolkit|tree) |all:|$)' "$record" >>"$merged" || true
  awk '/ passed +[0-9]+  failed/ { passed += $3; failed += $5; skipped += $7; next }
    / skipped: / { ++skipped; next } / FAILED: / { ++failed; next } / passed +[0-9]+ s$/ { ++passed }
    END { printf "all: passed %d, failed %d, skipped %d\n", passed, failed, skipped }' "$merged" | tee -a "$merged"
  grep '^compute-sanitizer ' "$kept" >>"$merged" || true
  mv "$merged" "$record"
}
keep_record() {
  [[ $sanitize == no ]] || adds=no # its totals are of all suites
  if [[ $adds == yes ]] && grep -qx "tree    $tree" "$kept" 2>/dev/null; then merge_records; fi
  if ((${#chosen[@]} == 0)) || [[ $adds == yes ]]; then cp "$record" "$kept"; fi
  [[ -z $copy ]] || cp "$record" "$copy"
  rm "$record"
}

# --- running --------------------------------------------------------------------------------------

scratch=$(mktemp -d)
running=() # what processes run, by their ids
trap '((${#running[@]} == 0)) || kill "${!running[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT
all_passed=0 all_failed=0 all_skipped=0

# All GPUs at hand take suites in turn: each sees all of them, beginning with another one; unless CUDA_VISIBLE_DEVICES
# says which there are.
gpus=$(nvidia-smi --list-gpus | grep -c '^GPU ')
gpus_for() { # <number>
  local i order=()
  for ((i = 0; i < gpus; ++i)); do order+=($((($1 + i) % gpus))); done
  (IFS=, && echo "${CUDA_VISIBLE_DEVICES:-${order[*]}}")
}
started=0
start_suite() { # <program> <suite> <number>
  CUDA_VISIBLE_DEVICES=$(gpus_for "$started") \
    timeout -k 10 "$limit" "$1" "--run_test=$2" --log_level=test_suite --report_level=short \
    --color_output=no >"$scratch/of_$3" 2>&1 &
  running[$!]=$3 began[$!]=$SECONDS started=$((started + 1))
}

# Waits for one suite to end. What it came to stands in the record where the suite has its number.
finish_suite() { # <program> <suite>...
  local status=0 ended='' number log passed failed skipped outcome=''
  wait -n -p ended "${!running[@]}" || status=$?
  number=${running[$ended]} log=$scratch/of_${running[$ended]}
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
  printf '%-36s passed %4d  failed %3d  skipped %3d  %4d s%s\n' "$(basename "$1").${*:number+2:1}" \
    "$passed" "$failed" "$skipped" $((SECONDS - began[ended])) "$outcome" | tee "$log.line"
  all_passed=$((all_passed + passed)) all_failed=$((all_failed + failed))
  all_skipped=$((all_skipped + skipped))
  unset "running[$ended]"
}

# The numbers of so many suites, those first that took longest when the last record was made, or that it does not have:
# a long one that begins late is all that runs in the end.
longest_first() { # <program> <suite>...
  local number name
  for ((number = 0; number < $# - 1; ++number)); do
    name=$(basename "$1").${*:number+2:1}
    printf '%s %s\n' "$(awk -v name="$name" '$1 == name { print $(NF - 1); found = 1 }
      END { if (!found) print 9999 }' "$kept" 2>/dev/null || echo 9999)" "$number"
  done | sort -s -k1,1nr | cut -d' ' -f2
}
run_suites() { # <program> <suite>...
  local number began=() suites=("${@:2}") order
  ((${#suites[@]})) || return 0
  mapfile -t order < <(longest_first "$@")
  for number in "${order[@]}"; do
    if ((${#running[@]} >= jobs)); then finish_suite "$@"; fi
    start_suite "$1" "${suites[number]}" "$number"
  done
  while ((${#running[@]})); do finish_suite "$@"; done
  for number in "${!suites[@]}"; do cat "$scratch/of_$number.line" >>"$record"; done
}

# Waits for one program to end. What it came to stands in the record where the program has its number.
finish_program() { # <name>...
  local status=0 ended='' number outcome=passed
  wait -n -p ended "${!running[@]}" || status=$?
  number=${running[$ended]}
  case $status in
    0) all_passed=$((all_passed + 1)) ;;
    77) outcome="skipped: $(tail -1 "$scratch/of_$number")" all_skipped=$((all_skipped + 1)) ;;
    *) outcome="FAILED: exit $status" all_failed=$((all_failed + 1)) && tail -5 "$scratch/of_$number" ;;
  esac
  say_of_program "${*:number+1:1}" "$outcome" $((SECONDS - began[ended])) | tee "$scratch/of_$number.line"
  unset "running[$ended]"
}
say_of_program() { printf '%-36s %s  %4d s\n' "$@"; }

# Examples, consumers, comparisons with other programs: gpu_programs.txt of the build names them, `77` is
# what they say where something else than the GPU is missing. One that was not built is no failure. Each has a folder to
# run in.
run_programs() {
  local words wanted counted number names=() began=()
  [[ -f $built/gpu_programs.txt ]] || return 0
  while IFS=$'\t' read -r -a words; do
    counted=yes
    for wanted in "${chosen[@]}"; do
      counted=no
      # shellcheck disable=SC2053 # a pattern, as for suites
      if [[ ${words[0]} == $wanted ]]; then has_suite[$wanted]=yes counted=yes && break; fi
    done
    [[ $counted == yes ]] || continue
    number=${#names[@]} names+=("${words[0]}")
    words=("${words[@]:1}")
    words=("${words[@]//@build@/$built}") words=("${words[@]//@source@/$here/..}")
    # The program, which for one that others start is not the first word.
    if [[ ! -e $(printf '%s\n' "${words[@]}" | grep -m1 "^$built/") ]]; then
      if [[ $adds == yes ]]; then # another build may have it
        unset "names[number]"
        continue
      fi
      say_of_program "${names[number]}" 'skipped: not built' 0 | tee "$scratch/of_$number.line"
      all_skipped=$((all_skipped + 1))
      continue
    fi
    if ((${#running[@]} >= jobs)); then finish_program "${names[@]}"; fi
    mkdir "$scratch/in_$number"
    (cd "$scratch/in_$number" && export CUDA_VISIBLE_DEVICES && CUDA_VISIBLE_DEVICES=$(gpus_for "$number") &&
      exec timeout -k 10 "$limit" "${words[@]}") \
      >"$scratch/of_$number" 2>&1 </dev/null &
    running[$!]=$number began[$!]=$SECONDS
  done <"$built/gpu_programs.txt"
  while ((${#running[@]})); do finish_program "${names[@]}"; done
  for number in "${!names[@]}"; do cat "$scratch/of_$number.line" >>"$record"; done
  suites_run=$((suites_run + ${#names[@]}))
}

# Boost's filters do not narrow its lists, but the list as a graph names the labels: a node's text is
# "name|file(line)|labels: @a @b", and the root is node tu1.
list_suites() { # <program> [label]: the top-level suites, or those with the label; fails as it does
  "$1" --list_content=DOT >"$scratch/list" 2>&1 || return 1
  awk -F'"' -v wanted="${2:+@$2}" '
    /label="/ { node = $2 }
    /^tu1 -> / { split(node, part, "|"); if (index(part[3], wanted)) print part[1] }' "$scratch/list"
}
# What names the cases of a suite; a pattern where Boost's filters would take a name for something else.
list_cases() { # <program> <suite>
  "$1" --list_content=DOT 2>&1 | awk -F'"' -v suite="$2" '
    /label="/ { node = $2; sub(/\|.*/, "", node) }
    /^tu1 -> / { inside = node == suite; split($0, end, /[>;] */); id = end[2]; next }
    inside && $0 ~ "^" id " -> " { sub(/[^A-Za-z0-9_<>].*/, "*", node); if (!seen[node]++) print suite "/" node }'
}

# Sets `suites` of its caller to those of a program that are to run: those it has of the chosen ones,
# else all, or those labelled small. A chosen one may be a path of Boost: only its suite is looked for.
choose_suites() { # <program>
  local label='' all wanted suite
  [[ $sanitize == no || ${#chosen[@]} -gt 0 ]] || label=small
  suites=()
  if ! list_suites "$1" "$label" >"$scratch/suites"; then
    note "$(basename "$1"): LISTING ITS SUITES FAILED"
    tail -5 "$scratch/list"
    all_failed=$((all_failed + 1))
    return 0
  fi
  mapfile -t all <"$scratch/suites"
  ((${#chosen[@]})) || { suites=("${all[@]}"); return 0; }
  for wanted in "${chosen[@]}"; do
    for suite in "${all[@]}"; do
      # shellcheck disable=SC2053 # a pattern, as Boost takes them
      if [[ $suite == ${wanted%%/*} ]]; then
        suites+=("$wanted") has_suite[$wanted]=yes
        break
      fi
    done
  done
}

start_sanitized() { # <tool> <program> <suite>
  # Tests provoke failing CUDA calls on purpose, so those are no findings; and a suite whose cases
  # are all skipped on this machine uses no CUDA.
  local few=''
  [[ $1 != racecheck ]] || few=THRUST_HIST_TEST_FEWER=1 # see support/fewer.h
  env $few timeout -k 10 "$limit" "$sanitizer" --tool "$1" --error-exitcode 99 --report-api-errors no \
    --require-cuda-init no "$2" "--run_test=$3" --color_output=no >"$scratch/of_${3//\//.}" 2>&1 &
  running[$!]=$3 began[$!]=$SECONDS
}

# Waits for one suite to end and adds it to `found` and `unclean` of its caller.
finish_sanitized() { # <tool> <program>
  local status=0 ended='' suite outcome errors log
  wait -n -p ended "${!running[@]}" || status=$?
  suite=${running[$ended]} log=$scratch/of_${running[$ended]//\//.}
  # One summary for each process of the suite: "ERROR SUMMARY: 0 errors", "RACECHECK SUMMARY: ...".
  errors=$(sed -n 's/^=.* SUMMARY: \([0-9]*\) .*/\1/p' "$log" |
    awk '{ sum += $1 } END { if (NR) print sum }')
  case $status in
    0) outcome='' ;;
    124 | 137) outcome="timed out after $limit s" ;;
    *) outcome="exit $status" ;;
  esac
  if [[ -z $outcome && -z $errors ]] &&
    ! grep -q 'terminated before first instrumented API call' "$log"; then
    outcome='no summary'
  elif [[ -z $outcome ]] && ((errors > 0)); then
    outcome="$errors found, exit 0"
  fi
  : "${errors:=0}"
  printf '%s %s.%s: %d errors or hazards, %d s%s\n' "$1" "$(basename "$2")" "$suite" "$errors" \
    $((SECONDS - began[ended])) "${outcome:+, $outcome}"
  if [[ -n $outcome ]]; then
    unclean+="${unclean:+, }$suite ($outcome)"
    all_failed=$((all_failed + 1))
    { grep -E '^=|error: ' "$log" || tail -3 "$log"; } | head -40 || true
  fi
  found=$((found + errors))
  unset "running[$ended]"
}

# Racecheck takes some twenty times as long as the others, so it runs case by case: no process lasts much longer
# than the rest, and has fewer cases where these stand for others. Suites labelled locks are left out of it: it takes what locks guard for races.
sanitize_program() { # <program> <suite>...
  local tool suite part parts found unclean program=$1 began=() locks=' ' suites
  shift
  list_suites "$program" locks >"$scratch/locks" && locks=" $(tr '\n' ' ' <"$scratch/locks")"
  for tool in "${tools[@]}"; do
    found=0 unclean='' suites=0
    for suite; do
      parts=("$suite")
      if [[ $tool == racecheck ]]; then
        [[ $locks != *" ${suite%%/*} "* ]] || continue
        [[ $suite == */* ]] || mapfile -t parts < <(list_cases "$program" "$suite")
        ((${#parts[@]})) || parts=("$suite")
      fi
      suites=$((suites + 1))
      for part in "${parts[@]}"; do
        if ((${#running[@]} >= jobs)); then finish_sanitized "$tool" "$program"; fi
        start_sanitized "$tool" "$program" "$part"
      done
    done
    while ((${#running[@]})); do finish_sanitized "$tool" "$program"; done
    note "$(printf 'compute-sanitizer %-9s %-19s suites %3d  errors or hazards %d  %s' "$tool" \
      "$(basename "$program")" "$suites" "$found" "${unclean:+NOT CLEAN: }${unclean:-clean}")"
  done
}

sanitizer=${COMPUTE_SANITIZER:-$(command -v compute-sanitizer || echo "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer")}
declare -A has_suite=() # the chosen ones that some program has
suites_run=0
for program in "${programs[@]}"; do
  choose_suites "$program"
  suites_run=$((suites_run + ${#suites[@]}))
  if [[ $sanitize == yes ]]; then
    ((${#suites[@]} == 0)) || sanitize_program "$program" "${suites[@]}"
  else
    run_suites "$program" "${suites[@]}"
  fi
done
[[ $sanitize == yes ]] || run_programs
[[ $sanitize == yes ]] ||
  note "all: passed $all_passed, failed $all_failed, skipped $all_skipped"
for suite in "${chosen[@]}"; do
  if [[ -z ${has_suite[$suite]:-} ]]; then
    echo "no program or suite is called $suite" >&2
    all_failed=$((all_failed + 1))
  fi
done
if ((suites_run == 0)); then # no record: nothing was found out
  echo "no suite was run" >&2
  exit 1
fi
keep_record
((all_failed == 0))
