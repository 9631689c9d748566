/* SPDX-License-Identifier: MIT
 *
 * A table as text.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_write ("a.csv", data, size);
  fuzz_open ("a.csv");
  return 0;
}
