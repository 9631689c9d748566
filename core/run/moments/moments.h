/* SPDX-License-Identifier: MIT
 *
 * Pictures of one run as it learned (moment.h), few enough for any length of it.  The updates are cut into spans of
 * equal length, a power of two; of each span the first picture that came is kept, and the newest of all.  Where that is
 * too many, the spans become twice as long.  One thread.  */
#pragma once

#include <glib.h>

#include "core/run/moments/moment.h"

enum { SL_MOMENTS_MAX = 60 };

typedef struct SlMoments SlMoments;

SlMoments *sl_moments_new (void);
void       sl_moments_free (SlMoments *moments); /* NULL: nothing */
void       sl_moments_clear (SlMoments *moments);

/* Keeps a picture; one that is not later than the newest is left out.  As sl_moment_pack(); what is there stays. */
SlStatus sl_moments_add (SlMoments *moments, const SlSnapshot *snapshot);

/* Drops what is after `step` (a rewind to a checkpoint). */
void sl_moments_truncate (SlMoments *moments, uint64_t step);

/* Moments are numbered from 0, by their steps, which rise. */
unsigned sl_moments_count (const SlMoments *moments);
uint64_t sl_moments_step (const SlMoments *moments, unsigned i);
uint64_t sl_moments_span (const SlMoments *moments);    /* updates, a power of two */
size_t   sl_moments_bytes (const SlMoments *moments);   /* of all together */
uint64_t sl_moments_version (const SlMoments *moments); /* goes up with every change */

/* The last one at or before `step`, or the first one; 0 where there are none. */
unsigned sl_moments_find (const SlMoments *moments, uint64_t step);

/* All of them in bytes, for files (docs/file-formats.md); NULL: there are none. */
GBytes *sl_moments_save (const SlMoments *moments);

/* Takes those of such bytes in place of what is there.  SL_EFORMAT: damaged; there are then none. */
SlStatus sl_moments_load (SlMoments *moments, GBytes *bytes);

/* As sl_moment_unpack(); SL_EINVAL: there is no such moment. */
SlStatus sl_moments_restore (const SlMoments *moments, unsigned i, SlSnapshot *snapshot);
