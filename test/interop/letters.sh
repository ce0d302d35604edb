#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Letters of a real text, counted by the library and by fold, sort and uniq: letters.sh PROGRAM [FILE]
set -euo pipefail
export LC_ALL=C
program=$1
file=${2:-/usr/share/common-licenses/GPL-3}
if [[ ! -r $file ]]; then
  echo "skipped: $file is not there"
  exit 77
fi

expected=$(tr -cd 'A-Za-z' <"$file" | tr 'A-Z' 'a-z' | fold -w 1 | sort | uniq -c | awk '{print $1, $2}')
counted=$("$program" letters "$file")
if [[ $counted != "$expected" ]]; then
  diff <(echo "$expected") <(echo "$counted") || true
  echo "the letters of $file are counted differently"
  exit 1
fi
echo "passed: $(echo "$counted" | wc -l) letters of $file"
