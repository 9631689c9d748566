/* SPDX-License-Identifier: MIT
 *
 * IDX images with their labels beside them; the input is the labels as a part, then the
 * images.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  size_t         part;
  const uint8_t *labels = fuzz_part (&data, &size, &part);

  fuzz_write ("a-labels.idx", labels, part);
  fuzz_write ("a-images.idx", data, size);
  fuzz_open ("a-images.idx");
  return 0;
}
