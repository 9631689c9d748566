/* SPDX-License-Identifier: MIT
 *
 * Answers of a server.  The first byte chooses options, the second one whether the rest is the text, or
 * an array that is put into a good one.  */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

static const char before[] = "{\"choices\": [{\"index\": 0, \"routed_experts\": \"",
                  after[] = "\"}]}";

static void
encode (uint8_t choice, const uint8_t *data, size_t size)
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
  if (size < 2)
    return 0;
  if (data[1] == 0)
    fuzz_recording ("a.json", data[0], data + 2, size - 2);
  else
    encode (data[0], data + 2, size - 2);
  return 0;
}
