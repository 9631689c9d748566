/* SPDX-License-Identifier: MIT
 *
 * A table as columns.  The first byte chooses how it is cut.  */
#include "tests/fuzz/columns.h"
#include "tests/fuzz/input.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char separators[] = { 0, ',', ';', '\t', ' ', 0, 0, 0 };
  char              path[512];
  SlTableForm       form = { 0 };
  SlArrays          arrays;

  if (size == 0)
    return 0;
  form.separator = separators[data[0] % 8];
  form.decimal = data[0] / 8 % 4 == 1 ? ',' : data[0] / 8 % 4 == 2 ? '.' : '\0';
  form.header = data[0] / 32 % 3 - 1;
  form.skip = data[0] == 7;
  form.most = data[0] == 6 ? 40 : 0;
  fuzz_write ("a.csv", data + 1, size - 1);
  fuzz_path ("a.csv", path, sizeof path);
  sl_arrays_init (&arrays, path);
  fuzz_columns (&arrays, sl_table_open (&arrays, path, &form));
  return 0;
}
