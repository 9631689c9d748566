/* SPDX-License-Identifier: MIT
 *
 * A file of torch.save.  The first byte chooses whether the rest is the file, or a pickle and its two storages as
 * parts, which are put into a good archive.  */
#include <stdlib.h>

#include "tests/fuzz/archive.h"
#include "tests/fuzz/arrays.h"
#include "tests/fuzz/input.h"

static void
archive_parts (const uint8_t *data, size_t size)
{
  static const char *const names[] = { "a/data.pkl", "a/data/0", "a/data/1", "a/byteorder" };
  FuzzArchive              archive;

  fuzz_archive_begin (&archive, size);
  for (size_t i = 0; i < sizeof names / sizeof *names && (i == 0 || size > 0); i++)
    {
      size_t         n;
      const uint8_t *part = fuzz_part (&data, &size, &n);

      fuzz_archive_add (&archive, names[i], part, n);
    }
  fuzz_archive_end (&archive);
  fuzz_arrays ("a.pt", SL_CONTAINER_TORCH, true, archive.bytes, archive.n);
  free (archive.bytes);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  if (data[0] == 0)
    fuzz_arrays ("a.pt", SL_CONTAINER_TORCH, true, data + 1, size - 1);
  else
    archive_parts (data + 1, size - 1);
  return 0;
}
