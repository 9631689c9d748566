/* SPDX-License-Identifier: MIT
 *
 * A run once more from its recipe, to be looked at on the way: what a window's page or film is made of, since a window keeps no
 * moments of all panels.  With the recipe's kernel and threads it is the same run to the last bit.
 *
 *   status = sl_again_make (&again, recipe, wanted, 20, ask, data);
 *   …  again.run.record and again.frames
 *   sl_again_clear (&again);
 */
#pragma once

#include "core/run/frames/frames.h"
#include "core/run/headless/headless.h"

G_BEGIN_DECLS

typedef struct
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlFrames     *frames;
} SlAgain;

/* Asked before every update on the calling thread, with the share of the way that is done: false stops. */
typedef bool (*SlAgainAsk) (void *data, double done);

/* Trains on the calling thread, up to the recipe's step, and keeps at most `most` moments of the panels in `wanted`
 * (n_panels), as sl_frames_new().  Blocks as long as the run took; other threads must not multiply with several threads
 * meanwhile (mat.h).  SL_ECANCELLED: `ask` stopped it; SL_EINVAL: the data are others than the recipe's; else what made
 * it fail.  To be cleared in any case.  */
SlStatus sl_again_make (SlAgain *again, const SlRecipe *recipe, const bool *wanted, unsigned most,
                        SlAgainAsk ask, void *data);
void     sl_again_clear (SlAgain *again);

G_END_DECLS
