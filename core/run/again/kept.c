/* SPDX-License-Identifier: MIT */
#include "core/run/again/kept.h"

SlFrames *
sl_kept_frames (const SlLab *lab, const SlMoments *moments)
{
  static const unsigned first = 0;
  int                   panel = sl_lab_picture (lab);
  g_autofree bool      *wanted = g_new0 (bool, lab->n_panels);
  SlSnapshot            snapshot = { 0 };
  SlFrames             *frames;

  if (panel < 0 || lab->panels[panel].kind != SL_ALIVE || sl_moments_count (moments) == 0)
    return NULL;
  wanted[panel] = true;
  frames = sl_frames_new (lab, wanted, sl_moments_count (moments), &first, 1);
  for (unsigned i = 0; frames != NULL && i < sl_moments_count (moments); i++)
    {
      SlStatus status = sl_moments_restore (moments, i, &snapshot);

      if (sl_ok (&status))
        status = sl_frames_keep (frames, (unsigned) panel, &snapshot);
      if (!sl_ok (&status))
        g_debug ("a moment of update %" G_GUINT64_FORMAT " is left out",
                 sl_moments_step (moments, i));
    }
  sl_snapshot_clear (&snapshot);
  return frames;
}

SlFrames *
sl_kept_frames_stored (const SlLab *lab, GBytes *stored)
{
  SlMoments *moments;
  SlFrames  *frames = NULL;
  SlStatus   status;

  if (stored == NULL)
    return NULL;
  moments = sl_moments_new ();
  status = sl_moments_load (moments, stored);
  if (sl_ok (&status))
    frames = sl_kept_frames (lab, moments);
  sl_moments_free (moments);
  return frames;
}
