/* SPDX-License-Identifier: MIT */
#include "core/run/store/pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
  PLACES = sizeof (float),
  LEVEL = 1,       /* the next ones take twice as long for half a per cent */
  MOST_TIMES = 64, /* that a frame of a file may grow: a state has few zeros to speak of */
};

static const double WORTH = 0.95; /* of the bytes as they are, at most */

static void
put_apart (const unsigned char *from, size_t n, unsigned char *to)
{
  size_t each = n / PLACES, whole = each * PLACES;

  for (size_t place = 0; place < PLACES; place++)
    for (size_t i = 0; i < each; i++)
      to[place * each + i] = from[i * PLACES + place];
  memcpy (to + whole, from + whole, n - whole);
}

static void
put_together (const unsigned char *from, size_t n, unsigned char *to)
{
  size_t each = n / PLACES, whole = each * PLACES;

  for (size_t place = 0; place < PLACES; place++)
    for (size_t i = 0; i < each; i++)
      to[i * PLACES + place] = from[place * each + i];
  memcpy (to + whole, from + whole, n - whole);
}

SlPackedState
sl_store_pack_state (const void *state, size_t n)
{
  size_t         room = ZSTD_compressBound (n), size = 0;
  unsigned char *apart = malloc (n), *frame = malloc (room);

  if (apart != NULL && frame != NULL)
    {
      put_apart (state, n, apart);
      size = ZSTD_compress (frame, room, apart, n, LEVEL);
    }
  free (apart);
  if (size > 0 && !ZSTD_isError (size) && (double) size <= WORTH * (double) n
      && n / MOST_TIMES <= size)
    return (SlPackedState) { frame, size, frame };
  free (frame);
  return (SlPackedState) { state, n, NULL };
}

static gboolean
is_frame (const void *stored, size_t n)
{
  guint32 mark;

  if (n < sizeof mark)
    return FALSE;
  memcpy (&mark, stored, sizeof mark);
  return GUINT32_FROM_LE (mark) == ZSTD_MAGICNUMBER;
}

static void *
open_frame (const void *stored, size_t n, size_t *bytes)
{
  unsigned long long size = ZSTD_getFrameContentSize (stored, n);
  unsigned char     *apart, *state;

  if (size == 0 || size / MOST_TIMES > n) /* and where the frame does not say */
    return NULL;
  *bytes = (size_t) size;
  apart = malloc (*bytes);
  state = malloc (*bytes);
  if (apart != NULL && state != NULL && ZSTD_decompress (apart, *bytes, stored, n) == *bytes)
    put_together (apart, *bytes, state);
  else
    g_clear_pointer (&state, free);
  free (apart);
  return state;
}

void *
sl_store_unpack_state (const void *stored, size_t n, size_t *bytes)
{
  void *state;

  if (n == 0 || is_frame (stored, n))
    return n == 0 ? NULL : open_frame (stored, n, bytes);
  *bytes = n;
  state = malloc (n);
  if (state != NULL)
    memcpy (state, stored, n);
  return state;
}
