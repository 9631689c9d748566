/* SPDX-License-Identifier: MIT */
#include "core/run/moments/moments.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

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
