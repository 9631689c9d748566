/* SPDX-License-Identifier: MIT
 *
 * JSON as columns.  The first byte may cut it off.  */
#include "tests/fuzz/columns.h"
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char     path[512];
  SlArrays arrays;

  if (size == 0)
    return 0;
  fuzz_write ("a.json", data + 1, size - 1);
  fuzz_path ("a.json", path, sizeof path);
  sl_arrays_init (&arrays, path);
  fuzz_columns (&arrays, sl_json_arrays_open (&arrays, path, data[0] % 8 == 1 ? size / 2 + 1 : 0));
  return 0;
}
