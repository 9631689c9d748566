/* SPDX-License-Identifier: MIT
 *
 * Containers of arrays that have no fuzzer of their own; the first byte chooses one, or parts for a .npz with right
 * check sums.  */
#include <stdlib.h>

#include "tests/fuzz/archive.h"
#include "tests/fuzz/arrays.h"
#include "tests/fuzz/input.h"

static const struct
{
  const char *name;
  SlContainer container;
} kinds[] = {
  { "a.npy", SL_CONTAINER_NPY },        { "a.npz", SL_CONTAINER_NPZ },
  { "a.st", SL_CONTAINER_SAFETENSORS }, { "a-idx3-ubyte", SL_CONTAINER_IDX },
  { "a.bin", SL_CONTAINER_CIFAR },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void
archive_parts (const uint8_t *data, size_t size)
{
  static const char *const names[] = { "arr_0.npy", "b.npy", "c.npy" };
  FuzzArchive              archive;

  fuzz_archive_begin (&archive, size);
  for (size_t i = 0; i < sizeof names / sizeof *names && size > 0; i++)
    {
      size_t         n;
      const uint8_t *part = fuzz_part (&data, &size, &n);

      fuzz_archive_add (&archive, names[i], part, n);
    }
  fuzz_archive_end (&archive);
  fuzz_arrays ("a.npz", SL_CONTAINER_NPZ, false, archive.bytes, archive.n);
  free (archive.bytes);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  if (data[0] % (KINDS + 1) == KINDS)
    archive_parts (data + 1, size - 1);
  else
    fuzz_arrays (kinds[data[0] % (KINDS + 1)].name, kinds[data[0] % (KINDS + 1)].container, false,
                 data + 1, size - 1);
  return 0;
}
