/* SPDX-License-Identifier: MIT
 *
 * A stream of symbols; the first byte chooses the alphabet.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const specs[] = { "a.txt", "a.txt:text=own", "a.txt:text=bytes" };

  if (size == 0)
    return 0;
  fuzz_write ("a.txt", data + 1, size - 1);
  fuzz_open (specs[data[0] % 3]);
  return 0;
}
