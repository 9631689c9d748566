/* SPDX-License-Identifier: MIT
 *
 * The picture of one example as the run learned (core/run/moments), in memory and in the store.  */
#include "core/run/session/private.h"
#include "core/run/store/workspace.h"

/* A picture that is ahead of the state, or of a past that is looked at, waits; one that was taken back is of no use. */
void
sl_session_offer_moment (SlSession *self)
{
  const SlLab *lab = self->record.lab;

  for (unsigned p = 0; lab != NULL && p < lab->n_panels; p++)
    {
      const SlSnapshot *shown = &self->record.snapshot[p];

      if (lab->panels[p].kind != SL_ALIVE || !self->record.has_snapshot[p]
          || self->record.snapshot_version[p] == self->shown.offered || self->past.visiting
          || shown->step > self->info.step)
        continue;
      self->shown.offered = self->record.snapshot_version[p];
      if (!shown->touched)
        (void) sl_moments_add (self->shown.moments, shown); /* without room there are fewer */
      return;
    }
}

void
sl_session_keep_moments (SlSession *self)
{
  const SlMoments *moments = self->shown.moments;
  uint64_t         version = sl_moments_version (moments);
  unsigned         n = sl_moments_count (moments);
  const char      *uuid = sl_session_uuid (self);
  GBytes          *bytes;

  if (uuid == NULL || version == self->shown.written)
    return;
  bytes = sl_moments_save (moments);
  sl_store_set_moments (self->stored.store, uuid, n > 0 ? sl_moments_step (moments, n - 1) : 0,
                        bytes);
  g_clear_pointer (&bytes, g_bytes_unref);
  self->shown.written = version;
}

/* Damaged ones are none, as a damaged state that was looked at is. */
void
sl_session_begin_moments (SlSession *self, const SlStoredRun *stored)
{
  SlMoments *moments = self->shown.moments;

  sl_moments_clear (moments);
  if (stored != NULL && stored->moments != NULL)
    {
      (void) sl_moments_load (moments, stored->moments);
      sl_moments_truncate (moments, stored->checkpoint.step);
    }
  self->shown.offered = 0;
  self->shown.written = sl_moments_version (moments);
}
