#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The code in the guide is code that is compiled: a block of a .md file under a line
#   <!-- snippet FILE NAME -->
# must be what stands between two `//! [NAME]` in docs/examples/FILE. Fails where one differs;
# with --update it writes the blocks anew.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mode=${1:-check}
status=0

# Prints a document with its blocks taken from the sources.
render() { # <document>
  awk -v here="$here" '
    function snippet(file, name,    path, line, inside, n, i, indent, found, kept) {
      path = here "/" file
      indent = 1000
      while ((getline line < path) > 0) {
        if (line ~ /^ *\/\/! \[/) {
          if (index(line, "//! [" name "]")) { inside = !inside; found = 1 }
        } else if (inside) {
          kept[++n] = line
          if (line !~ /^ *$/) { match(line, /^ */); if (RLENGTH < indent) indent = RLENGTH }
        }
      }
      close(path)
      if (!found) { print "no snippet " name " in " file > "/dev/stderr"; exit 1 }
      for (i = 1; i <= n; i++) print substr(kept[i], indent + 1)
    }
    skipping { if ($0 ~ /^```/) { skipping = 0; print }; next }
    pending && /^```/ { print; snippet(file, name); skipping = 1; pending = 0; next }
    { print }
    /^<!-- snippet / { file = $3; name = $4; pending = 1 }
  ' "$1"
}

while IFS= read -r -d '' document; do
  fresh=$(render "$document"; printf x)
  if [[ $fresh == "$(cat "$document"; printf x)" ]]; then continue; fi
  if [[ $mode == --update ]]; then
    printf '%s' "${fresh%x}" >"$document"
  else
    diff -u "$document" <(printf '%s' "${fresh%x}") || true
    status=1
  fi
done < <(find "$here/.." "$here/../../README.md" -name '*.md' -print0 2>/dev/null)
((status == 0)) || echo "run docs/examples/snippets.sh --update" >&2
exit $status
