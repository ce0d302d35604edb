#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Prints 16 digits that stand for the contents of thrust_hist/ and test/, without the record of the
# last run on a GPU. With git and without it (a carried tree) they are the same.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# The repository of a carried tree may know an older commit, or nothing: untracked files count as well,
# and those that are gone do not.
files() {
  git ls-files -z --cached --others --exclude-standard thrust_hist test 2>/dev/null | sort -zu |
    while IFS= read -r -d '' file; do [[ ! -f $file ]] || printf '%s\0' "$file"; done
}
found() { find thrust_hist test -type f -print0; }
{ files || found; } | grep -zv '^test/gpu_record.txt$' | LC_ALL=C sort -z | xargs -0 cat | sha256sum | cut -c1-16
