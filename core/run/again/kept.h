/* SPDX-License-Identifier: MIT
 *
 * Moments of the picture of one example that a run kept as it learned, as frames: what a page has of a run that is not made
 * once more.  */
#pragma once

#include "core/run/frames/frames.h"
#include "core/run/moments/moments.h"

/* NULL: there are none, the lab has no such picture, or no memory. */
SlFrames *sl_kept_frames (const SlLab *lab, const SlMoments *moments);

/* The same of what a store has (SlStoredRun.moments), or NULL. */
SlFrames *sl_kept_frames_stored (const SlLab *lab, GBytes *stored);
