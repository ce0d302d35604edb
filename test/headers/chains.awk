# SPDX-FileCopyrightText: 2026 The thrust_hist authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Reads headers, and prints those of `selected` (names with a space between) in lines, each a chain: a header
# includes, by whatever ways, all that stand before it in its line. So a unit that includes a line from left to
# right gives no header anything that it does not include by itself. What is included under a condition does
# not count.

FNR == 1 { depth = 0 }
/^ *# *if/ { ++depth }
/^ *# *endif/ { --depth }
depth == 0 && /^ *# *include *<thrust_hist\// {
  name = $0
  sub(/^[^<]*</, "", name)
  sub(/>.*/, "", name)
  included[FILENAME, count[FILENAME]++] = name
}

# Fills in reaches[header, other] for all that a header includes, and how many these are.
function close_over(header,    i, j, other) {
  if (header in closed) return
  closed[header] = 1
  for (i = 0; i < count[header]; ++i) {
    other = included[header, i]
    close_over(other)
    note(header, other)
    for (j = 0; j < size[other]; ++j) note(header, reached[other, j])
  }
}
function note(header, other) {
  if ((header, other) in reaches) return
  reaches[header, other] = 1
  reached[header, size[header]++] = other
}

END {
  headers = split(selected, header, " ")
  for (h = 1; h <= headers; ++h) {
    close_over(header[h])
    if (size[header[h]] > largest) largest = size[header[h]]
  }
  for (s = 0; s <= largest; ++s) {  # those that include little first
    for (h = 1; h <= headers; ++h) {
      if (size[header[h]] + 0 != s) continue
      best = 0  # the longest closure that goes on with this one
      for (c = 1; c <= chains; ++c) {
        if ((header[h], last[c]) in reaches && (!best || size[last[c]] > size[last[best]])) best = c
      }
      if (!best) best = ++chains
      chain[best] = chain[best] header[h] " "
      last[best] = header[h]
    }
  }
  for (c = 1; c <= chains; ++c) {
    sub(/ $/, "", chain[c])
    print chain[c]
  }
}
