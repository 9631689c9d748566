/* SPDX-License-Identifier: MIT
 *
 * A recording in any container.  The first byte chooses the name of the file, or an array for an answer of a server,
 * the second one options.  */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

static const char before[] = "{\"choices\": [{\"index\": 0, \"routed_experts\": \"",
                  after[] = "\"}]}";

static void
answer (uint8_t choice, const uint8_t *data, size_t size)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint8_t          *text = malloc (2 * size + sizeof before + sizeof after + 4), *to = text;

  fuzz_require (text != NULL);
  memcpy (to, before, sizeof before - 1);
  to += sizeof before - 1;
  for (size_t i = 0; i + 2 < size; i += 3)
    for (int shift = 18; shift >= 0; shift -= 6)
      *to++ = (uint8_t)
        digits[((uint32_t) data[i] << 16 | (uint32_t) data[i + 1] << 8 | data[i + 2]) >> shift
               & 63];
  memcpy (to, after, sizeof after - 1);
  to += sizeof after - 1;
  fuzz_recording ("a.json", choice, text, (size_t) (to - text));
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const names[]
    = { "a.jsonl", "a.json", "a.csv", "a.npy", "a.safetensors", "a.pt", "a.gguf" };
  enum { NAMES = sizeof names / sizeof *names };

  if (size < 2)
    return 0;
  if (data[0] % (NAMES + 1) == NAMES)
    answer (data[1], data + 2, size - 2);
  else
    fuzz_recording (names[data[0] % (NAMES + 1)], data[1], data + 2, size - 2);
  return 0;
}
