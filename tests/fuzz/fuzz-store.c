/* SPDX-License-Identifier: MIT
 *
 * Stores of runs, by the bytes of the file.  */
#include "tests/fuzz/input.h"
#include "tests/fuzz/store.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_write ("a.sluice", data, size);
  fuzz_use_store ("a.sluice", data, size);
  return 0;
}
