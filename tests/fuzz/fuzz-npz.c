/* SPDX-License-Identifier: MIT
 *
 * Arrays of NumPy in a zip archive.  The first byte chooses options, the second one whether the rest is
 * the archive, or arrays that are put into a good one, so that mutations do not only break check sums.  */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

static const char *const names[]
  = { "ids.npy",          "loads.npy",         "logical_count.npy", "topk_ids_of_layer.npy",
      "topk_weights.npy", "router_logits.npy", "routing_map.npy",   "layer_numbers.npy",
      "num_experts.npy",  "phase.npy",         "pass.npy",          "physical_to_logical_map.npy",
      "forward_mode.npy", "layer.npy" };

enum { NAMES = sizeof names / sizeof *names, MEMBERS = 4 };

typedef struct
{
  uint8_t *bytes;
  size_t   n;
} Archive;

static void
put (Archive *archive, const void *from, size_t n)
{
  memcpy (archive->bytes + archive->n, from, n);
  archive->n += n;
}

static void
put_number (Archive *archive, uint64_t number, size_t n)
{
  for (size_t i = 0; i < n; i++)
    archive->bytes[archive->n++] = i < sizeof number ? (uint8_t) (number >> 8 * i) : 0;
}

/* What local header and directory have in common, from the flags on. */
static void
put_facts (Archive *archive, const char *name, const uint8_t *data, size_t n)
{
  put_number (archive, 0, 2 + 2 + 4);
  put_number (archive, crc32_z (0, data, n), 4);
  put_number (archive, n, 4);
  put_number (archive, n, 4);
  put_number (archive, strlen (name), 2);
  put_number (archive, 0, 2);
}

/* Members of the parts of the input, each with a byte that chooses its name. */
static void
archive_parts (uint8_t choice, const uint8_t *data, size_t size)
{
  Archive  archive = { malloc (size + 8192), 0 }, directory = { malloc (8192), 0 };
  unsigned n = 0;
  size_t   place;

  fuzz_require (archive.bytes != NULL && directory.bytes != NULL);
  for (; n < MEMBERS && size > 0; n++)
    {
      const char    *name = names[*data++ % NAMES];
      size_t         part;
      const uint8_t *bytes;

      size--;
      bytes = fuzz_part (&data, &size, &part);
      put_number (&directory, 0x02014b50, 4);
      put_number (&directory, 20, 2);
      put_number (&directory, 20, 2);
      put_facts (&directory, name, bytes, part);
      put_number (&directory, 0, 2 + 2 + 2 + 4);
      put_number (&directory, archive.n, 4);
      put (&directory, name, strlen (name));
      put_number (&archive, 0x04034b50, 4);
      put_number (&archive, 20, 2);
      put_facts (&archive, name, bytes, part);
      put (&archive, name, strlen (name));
      put (&archive, bytes, part);
    }
  place = archive.n;
  put (&archive, directory.bytes, directory.n);
  put_number (&archive, 0x06054b50, 4);
  put_number (&archive, 0, 4);
  put_number (&archive, n, 2);
  put_number (&archive, n, 2);
  put_number (&archive, directory.n, 4);
  put_number (&archive, place, 4);
  put_number (&archive, 0, 2);
  fuzz_recording ("a.npz", choice, archive.bytes, archive.n);
  free (archive.bytes);
  free (directory.bytes);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size < 2)
    return 0;
  if (data[1] == 0)
    fuzz_recording ("a.npz", data[0], data + 2, size - 2);
  else
    archive_parts (data[0], data + 2, size - 2);
  return 0;
}
