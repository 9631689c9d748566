/* SPDX-License-Identifier: MIT
 *
 * One file of CIFAR-10 records.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_write ("a.bin", data, size);
  fuzz_open ("a.bin");
  return 0;
}
