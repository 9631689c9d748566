/* SPDX-License-Identifier: MIT
 *
 * A file of a name that tells nothing: whatever it is, compressed or not, is found out from
 * its bytes.  Labels that may belong to it lie beside it.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const uint8_t labels[] = { 0, 0, 8, 1, 0, 0, 0, 4, 0, 1, 1, 0 };

  fuzz_write ("labels", labels, sizeof labels);
  fuzz_write ("a", data, size);
  fuzz_open ("a");
  return 0;
}
