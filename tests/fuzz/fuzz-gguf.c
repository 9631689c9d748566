/* SPDX-License-Identifier: MIT
 *
 * A file of GGUF.  */
#include "tests/fuzz/arrays.h"
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_arrays ("a.gguf", SL_CONTAINER_GGUF, true, data, size);
  return 0;
}
