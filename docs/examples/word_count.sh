#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The words of a real text of a million words, counted by the example and by sort | uniq -c:
# word_count.sh PROGRAM [ARGUMENTS]. The text is what a Debian machine has of licences, or where there are none
# this repository, as often as it takes.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
text=$(mktemp)
trap 'rm -f "$text"' EXIT

licences() {
  find /usr/share/common-licenses /usr/share/doc -type f \( -name copyright -o -path '*licenses*' \) \
    -print0 2>/dev/null || true
}
repository() {
  find "$root/README.md" "$root/LICENSE" "$root/docs" "$root/thrust_hist" "$root/test" -type f \
    \( -name '*.md' -o -name LICENSE -o -name '*.h' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.cu' \) \
    -print0 2>/dev/null || true
}

files=licences
if [[ -z $(licences | head -c 1 | tr '\0' x) ]]; then files=repository; fi
words=0
while ((words < 1000000)); do
  $files | sort -z | xargs -0 -r cat >>"$text"
  before=$words words=$(wc -w <"$text")
  if ((words == before)); then
    echo "skipped: no text is there"
    exit 77
  fi
done

expected=$(tr -cs 'A-Za-z' '\n' <"$text" | tr 'A-Z' 'a-z' | grep . | sort | uniq -c | awk '{print $1, $2}')
counted=$("$@" "$text" --all | tail -n +2 | awk '{print $1, $2}')
if [[ $counted != "$expected" ]]; then
  diff <(echo "$expected") <(echo "$counted") | head -20 || true
  echo "the words are counted differently"
  exit 1
fi
echo "passed: $(echo "$counted" | wc -l) different ones of $words words ($files)"
