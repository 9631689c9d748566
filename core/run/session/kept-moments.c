/* SPDX-License-Identifier: MIT */
#include "core/run/session/kept-moments.h"

#include "core/run/store/workspace.h"

static int
find_picture (const SlLab *lab)
{
  for (unsigned p = 0; lab != NULL && p < lab->n_panels; p++)
    if (lab->panels[p].kind == SL_ALIVE)
      return (int) p;
  return -1;
}

void
sl_kept_moments_offer (SlKeptMoments *kept, const SlRecord *record, uint64_t step)
{
  int               panel = find_picture (record->lab);
  const SlSnapshot *shown = panel >= 0 ? &record->snapshot[panel] : NULL;

  if (shown == NULL || !record->has_snapshot[panel]
      || record->snapshot_version[panel] == kept->offered || shown->step > step)
    return;
  kept->offered = record->snapshot_version[panel];
  if (!shown->touched)
    (void) sl_moments_add (kept->of, shown); /* without room there are fewer */
}

/* Damaged ones are none, as a damaged state that was looked at is. */
void
sl_kept_moments_begin (SlKeptMoments *kept, const SlStoredRun *stored)
{
  sl_moments_clear (kept->of);
  if (stored != NULL && stored->moments != NULL)
    {
      (void) sl_moments_load (kept->of, stored->moments);
      sl_moments_truncate (kept->of, stored->checkpoint.step);
    }
  kept->offered = 0;
  kept->written = sl_moments_version (kept->of);
}

void
sl_kept_moments_write (SlKeptMoments *kept, SlStore *store, const char *uuid)
{
  uint64_t version = sl_moments_version (kept->of);
  unsigned n = sl_moments_count (kept->of);
  GBytes  *bytes;

  if (uuid == NULL || version == kept->written)
    return;
  bytes = sl_moments_save (kept->of);
  sl_store_set_moments (store, uuid, n > 0 ? sl_moments_step (kept->of, n - 1) : 0, bytes);
  g_clear_pointer (&bytes, g_bytes_unref);
  kept->written = version;
}
