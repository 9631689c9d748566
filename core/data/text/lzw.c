/* SPDX-License-Identifier: MIT */
#include "core/data/text/lzw.h"

enum {
  LEAST_BITS = 9,
  MOST_BITS = 16,
  CLEAR = 256, /* the code that forgets */
  FIRST_FREE = 257,
  CODES = 1 << MOST_BITS,
};

/* The bits of the stream, lowest first.  Codes come in groups of eight of the same length; when the
 * length changes, the last codes of a group are padding.  */
typedef struct
{
  const uint8_t *from;
  size_t         size;        /* bytes */
  size_t         group;       /* byte at which the group began */
  unsigned       bits, taken; /* length of a code, codes taken of the group */
} Reader;

/* The next code, or -1 at the end. */
static int
next_code (Reader *reader)
{
  size_t   bit;
  uint32_t word = 0;

  if (reader->taken == 8)
    {
      reader->group += reader->bits;
      reader->taken = 0;
    }
  bit = reader->group * 8 + (size_t) reader->taken * reader->bits;
  if (bit + reader->bits > reader->size * 8)
    return -1;
  for (size_t i = 0; i < 3 && bit / 8 + i < reader->size; i++)
    word |= (uint32_t) reader->from[bit / 8 + i] << (8 * i);
  reader->taken++;
  return (int) (word >> bit % 8 & ((1u << reader->bits) - 1));
}

static void
change_bits (Reader *reader, unsigned bits)
{
  if (reader->taken > 0)
    reader->group += reader->bits;
  reader->taken = 0;
  reader->bits = bits;
}

bool
sl_lzw_expand (const uint8_t *from, size_t size, uint8_t *to, size_t most, size_t *got)
{
  /* A code above 256 means the bytes that an earlier code meant when it was read, and the first
   * byte after them: it is kept as a place in the output and a length.  */
  uint32_t place[CODES], length[CODES];
  Reader   reader = { .from = from, .size = size, .bits = LEAST_BITS };
  uint32_t free_code = FIRST_FREE;
  size_t   used = 0, last = 0, last_length = 0; /* what the code before wrote */

  *got = 0;
  for (int code; (code = next_code (&reader)) >= 0;)
    {
      size_t at = used, count = 1;

      if (code == CLEAR)
        {
          change_bits (&reader, LEAST_BITS);
          free_code = FIRST_FREE;
          last_length = 0;
          continue;
        }
      if (code > CLEAR
          && (last_length == 0 || (uint32_t) code > free_code
              || ((uint32_t) code == free_code && free_code == CODES)))
        return false;
      /* The code before becomes known only now, by the first byte of this one; this one may be
       * it.  */
      if (last_length > 0 && free_code < CODES)
        {
          place[free_code] = (uint32_t) last;
          length[free_code] = (uint32_t) last_length + 1;
          free_code++;
        }
      if (code > CLEAR)
        count = length[code];
      if (count > most - used)
        return false;
      if (code < CLEAR)
        to[used++] = (uint8_t) code;
      else
        /* The source may reach one byte into what is being written. */
        for (size_t i = 0; i < count; i++)
          to[used++] = to[place[code] + i];
      last = at;
      last_length = count;
      if (free_code == 1u << reader.bits && reader.bits < MOST_BITS)
        change_bits (&reader, reader.bits + 1);
    }
  *got = used;
  return true;
}
