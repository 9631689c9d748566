/* SPDX-License-Identifier: MIT */
#include "core/run/moments/moments.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

typedef struct
{
  uint64_t step;
  void    *bytes; /* (n) */
  size_t   n;
} Moment;

struct SlMoments
{
  Moment   each[SL_MOMENTS_MAX + 1]; /* (count) */
  unsigned count;
  unsigned span; /* as a power of two */
  uint64_t version;
};

SlMoments *
sl_moments_new (void)
{
  return g_new0 (SlMoments, 1);
}

void
sl_moments_free (SlMoments *moments)
{
  if (moments != NULL)
    sl_moments_clear (moments);
  g_free (moments);
}

static void
drop (SlMoments *self, unsigned i)
{
  free (self->each[i].bytes);
  self->count--;
  memmove (self->each + i, self->each + i + 1, (self->count - i) * sizeof *self->each);
}

void
sl_moments_clear (SlMoments *moments)
{
  while (moments->count > 0)
    drop (moments, moments->count - 1);
  moments->span = 0;
  moments->version++;
}

/* True for a moment after the first one of its span. */
static bool
is_late (const SlMoments *self, unsigned i)
{
  return i > 0 && self->each[i].step >> self->span == self->each[i - 1].step >> self->span;
}

/* From the end, because whether one is late depends on the one before it. */
static void
thin (SlMoments *self)
{
  while (self->count > SL_MOMENTS_MAX)
    {
      self->span++;
      for (unsigned i = self->count - 2; i > 0; i--)
        if (is_late (self, i))
          drop (self, i);
    }
}

SlStatus
sl_moments_add (SlMoments *moments, const SlSnapshot *snapshot)
{
  Moment   moment = { .step = snapshot->step };
  SlStatus status;

  if (moments->count > 0 && snapshot->step <= moments->each[moments->count - 1].step)
    return SL_SUCCESS;
  status = sl_moment_pack (snapshot, &moment.bytes, &moment.n);
  if (!sl_ok (&status))
    return status;
  if (moments->count > 0 && is_late (moments, moments->count - 1))
    drop (moments, moments->count - 1);
  moments->each[moments->count++] = moment;
  thin (moments);
  moments->version++;
  return SL_SUCCESS;
}

void
sl_moments_truncate (SlMoments *moments, uint64_t step)
{
  while (moments->count > 0 && moments->each[moments->count - 1].step > step)
    drop (moments, moments->count - 1);
  moments->version++;
}

unsigned
sl_moments_count (const SlMoments *moments)
{
  return moments->count;
}

uint64_t
sl_moments_step (const SlMoments *moments, unsigned i)
{
  return i < moments->count ? moments->each[i].step : 0;
}

uint64_t
sl_moments_span (const SlMoments *moments)
{
  return (uint64_t) 1 << moments->span;
}

size_t
sl_moments_bytes (const SlMoments *moments)
{
  size_t bytes = 0;

  for (unsigned i = 0; i < moments->count; i++)
    bytes += moments->each[i].n;
  return bytes;
}

uint64_t
sl_moments_version (const SlMoments *moments)
{
  return moments->version;
}

unsigned
sl_moments_find (const SlMoments *moments, uint64_t step)
{
  unsigned i = moments->count;

  while (i > 1 && moments->each[i - 1].step > step)
    i--;
  return i > 0 ? i - 1 : 0;
}

SlStatus
sl_moments_restore (const SlMoments *moments, unsigned i, SlSnapshot *snapshot)
{
  if (i >= moments->count)
    return sl_status_new (SL_EINVAL, SL_MARK ("picture of a moment"), SL_NO_MESSAGE, SL_NO_MESSAGE);
  return sl_moment_unpack (moments->each[i].bytes, moments->each[i].n, snapshot);
}

/* ---- in files ---- */

/* A sum of all that follows, which is: a head, and each moment with its own before it; little-endian. */
enum { SUM = 4, HEAD = 4, EACH = 12, VERSION = 1 };

static void
put_number (GByteArray *out, uint64_t number, unsigned bytes)
{
  uint64_t little = GUINT64_TO_LE (number);

  g_byte_array_append (out, (const guint8 *) &little, bytes);
}

static uint64_t
number_at (const guint8 *at, unsigned bytes)
{
  uint64_t little = 0;

  memcpy (&little, at, bytes);
  return GUINT64_FROM_LE (little);
}

static uint32_t
sum_of (const guint8 *bytes, size_t n)
{
  return (uint32_t) crc32_z (0, bytes, n);
}

GBytes *
sl_moments_save (const SlMoments *moments)
{
  GByteArray *out;
  uint32_t    sum;

  if (moments->count == 0)
    return NULL;
  out = g_byte_array_new ();
  put_number (out, 0, SUM);
  put_number (out, VERSION, 1);
  put_number (out, moments->span, 1);
  put_number (out, moments->count, 2);
  for (unsigned i = 0; i < moments->count; i++)
    {
      put_number (out, moments->each[i].step, 8);
      put_number (out, moments->each[i].n, 4);
      g_byte_array_append (out, moments->each[i].bytes, (guint) moments->each[i].n);
    }
  sum = GUINT32_TO_LE (sum_of (out->data + SUM, out->len - SUM));
  memcpy (out->data, &sum, SUM);
  return g_byte_array_free_to_bytes (out);
}

/* The next one; false where there is none, or no room. */
static bool
load_one (SlMoments *self, const guint8 **at, size_t *left)
{
  Moment moment;

  if (*left < EACH)
    return false;
  moment = (Moment) { .step = number_at (*at, 8), .n = number_at (*at + 8, 4) };
  *at += EACH;
  *left -= EACH;
  if (moment.n == 0 || moment.n > MIN (*left, SL_MOMENT_BYTES)
      || (self->count > 0 && moment.step <= self->each[self->count - 1].step))
    return false;
  moment.bytes = malloc (moment.n);
  if (moment.bytes == NULL)
    return false;
  memcpy (moment.bytes, *at, moment.n);
  self->each[self->count++] = moment;
  *at += moment.n;
  *left -= moment.n;
  return true;
}

static bool
load_all (SlMoments *self, const guint8 *at, size_t left)
{
  unsigned n;

  if (left < SUM + HEAD || number_at (at, SUM) != sum_of (at + SUM, left - SUM))
    return false;
  at += SUM;
  n = (unsigned) number_at (at + 2, 2);
  if (at[0] != VERSION || at[1] > 63 || n > SL_MOMENTS_MAX)
    return false;
  self->span = at[1];
  at += HEAD;
  left -= SUM + HEAD;
  while (n > 0 && load_one (self, &at, &left))
    n--;
  return n == 0 && left == 0;
}

SlStatus
sl_moments_load (SlMoments *moments, GBytes *bytes)
{
  size_t        n;
  const guint8 *at = g_bytes_get_data (bytes, &n);

  sl_moments_clear (moments);
  if (load_all (moments, at, n))
    return SL_SUCCESS;
  sl_moments_clear (moments);
  return sl_status_new (SL_EFORMAT, SL_MARK ("picture of a moment"), SL_NO_MESSAGE, SL_NO_MESSAGE);
}
