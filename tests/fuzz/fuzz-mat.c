/* SPDX-License-Identifier: MIT
 *
 * One file of cropped digits in MATLAB's format.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_write ("a.mat", data, size);
  fuzz_open ("a.mat");
  return 0;
}
