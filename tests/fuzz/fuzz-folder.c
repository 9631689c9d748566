/* SPDX-License-Identifier: MIT
 *
 * A folder of four IDX files; the input is train labels, test images and test labels as
 * parts, then the train images.  */
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const names[]
    = { "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte" };

  for (int i = 0; i < 3; i++)
    {
      size_t         part;
      const uint8_t *content = fuzz_part (&data, &size, &part);

      fuzz_write (names[i], content, part);
    }
  fuzz_write ("train-images-idx3-ubyte", data, size);
  fuzz_open ("");
  return 0;
}
