/* SPDX-License-Identifier: MIT
 *
 * JSON lines of either kind.  The first byte chooses options.  */
#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size > 0)
    fuzz_recording ("a.jsonl", data[0], data + 1, size - 1);
  return 0;
}
