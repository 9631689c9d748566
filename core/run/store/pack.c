/* SPDX-License-Identifier: MIT */
#include "core/run/store/pack.h"

#include <stdlib.h>
#include <string.h>

#include "core/run/base/frame.h"

enum {
  PLACES = sizeof (float),
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
  unsigned char *apart = malloc (n), *frame = NULL;
  size_t         size = 0;

  if (apart != NULL)
    {
      put_apart (state, n, apart);
      frame = sl_frame_pack (apart, n, &size);
    }
  free (apart);
  if (frame != NULL && (double) size <= WORTH * (double) n && n / MOST_TIMES <= size)
    return (SlPackedState) { frame, size, frame };
  free (frame);
  return (SlPackedState) { state, n, NULL };
}

static void *
open_frame (const void *stored, size_t n, size_t *bytes)
{
  size_t         most = n <= (G_MAXSIZE - MOST_TIMES) / MOST_TIMES ? (n + 1) * MOST_TIMES - 1 : n;
  unsigned char *apart = sl_frame_open (stored, n, most, bytes), *state = NULL;

  if (apart != NULL)
    state = malloc (*bytes);
  if (state != NULL)
    put_together (apart, *bytes, state);
  free (apart);
  return state;
}

void *
sl_store_unpack_state (const void *stored, size_t n, size_t *bytes)
{
  void *state;

  if (n == 0 || sl_frame_is (stored, n))
    return n == 0 ? NULL : open_frame (stored, n, bytes);
  *bytes = n;
  state = malloc (n);
  if (state != NULL)
    memcpy (state, stored, n);
  return state;
}
