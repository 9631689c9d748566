/* SPDX-License-Identifier: MIT
 *
 * Arrays of NumPy in a zip archive.  The first byte chooses options, the second one whether the rest is
 * the archive, or arrays that are put into a good one, so that mutations do not only break check sums.  */
#include <stdlib.h>

#include "tests/fuzz/archive.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

static const char *const names[]
  = { "ids.npy",          "loads.npy",         "logical_count.npy", "topk_ids_of_layer.npy",
      "topk_weights.npy", "router_logits.npy", "routing_map.npy",   "layer_numbers.npy",
      "num_experts.npy",  "phase.npy",         "pass.npy",          "physical_to_logical_map.npy",
      "forward_mode.npy", "layer.npy",         "token_ids.npy",     "tokens.npy" };

enum { NAMES = sizeof names / sizeof *names, MEMBERS = 4 };

/* Members of the parts of the input, each with a byte that chooses its name. */
static void
archive_parts (uint8_t choice, const uint8_t *data, size_t size)
{
  FuzzArchive archive;

  fuzz_archive_begin (&archive, size);
  for (unsigned n = 0; n < MEMBERS && size > 0; n++)
    {
      const char    *name = names[*data++ % NAMES];
      size_t         part;
      const uint8_t *bytes;

      size--;
      bytes = fuzz_part (&data, &size, &part);
      fuzz_archive_add (&archive, name, bytes, part);
    }
  fuzz_archive_end (&archive);
  fuzz_recording ("a.npz", choice, archive.bytes, archive.n);
  free (archive.bytes);
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
