// SPDX-FileCopyrightText: 2026 The thrust_hist authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <iostream>

int count_in_first();
int count_in_second();

int main() {
  int const first = count_in_first(), second = count_in_second(), again = count_in_first();
  std::cout << first << ' ' << second << ' ' << again << '\n';
  if (first == -1 && second == -1)
    return 77;  // no GPU: skipped
  return first == 3 && second == 3 && again == 3 ? 0 : 1;
}
