/* SPDX-License-Identifier: MIT
 *
 * What chosen panels of one run showed at moments of it, whole: what a page and a film of the run are made of.  Moments
 * lie evenly along the way to the run's nearest limit; the first is before the first update, the last at the end.  A
 * picture of one example is kept for each of a few validation examples.  One thread.
 *
 *   frames = sl_frames_new (lab, wanted, 20, examples, n_examples);
 *   … before each update: sl_frames_offer (frames, trainer, done);
 *   sl_frames_end (frames, trainer);
 */
#pragma once

#include "core/train/trainer.h"

enum { SL_FRAMES_MAX = 240, SL_FRAMES_EXAMPLES = 8 };

typedef struct SlFrames SlFrames;

/* A few validation examples of all classes, by chance, as SlSubject.example; the first one where there are no classes.  Returns
 * how many, at least 1.  */
unsigned sl_frames_choose (const SlDataset *dataset, uint64_t seed,
                           unsigned examples[SL_FRAMES_EXAMPLES]);

/* None yet, for at most `most` moments (2 … SL_FRAMES_MAX; others are taken for the nearest) of the panels that are
 * marked in `wanted` (n_panels) and are no series.  Pictures of one example are kept of `n` (1 … SL_FRAMES_EXAMPLES)
 * `examples`, as SlSubject.example.  NULL: no memory.  */
SlFrames *sl_frames_new (const SlLab *lab, const bool *wanted, unsigned most,
                         const unsigned *examples, unsigned n);
void      sl_frames_free (SlFrames *frames); /* NULL: nothing */

/* Takes a moment where `done`, the share of the way (0 … 1), has come to the next one.  It costs a probe of each panel
 * and changes nothing of the run.  SL_ENOMEM, or what a probe said: what is there stays.  */
SlStatus sl_frames_offer (SlFrames *frames, SlTrainer *trainer, double done);

/* Takes the last moment, unless there is one of this update. */
SlStatus sl_frames_end (SlFrames *frames, SlTrainer *trainer);

/* Adds a moment of one panel that something else kept (core/run/moments), later than the last one.  SL_EINVAL: it is not, or
 * there are as many as there can be; SL_ENOMEM.  */
SlStatus sl_frames_keep (SlFrames *frames, unsigned panel, const SlSnapshot *snapshot);

/* Moments are numbered from 0, by their updates, which rise. */
unsigned sl_frames_count (const SlFrames *frames);
uint64_t sl_frames_step (const SlFrames *frames, unsigned i);

/* How many views of a panel there are in every moment: of pictures of one example as many as examples, else 1; 0: it is
 * none of the frames'.  */
unsigned sl_frames_views (const SlFrames *frames, unsigned panel);

/* What a view of a panel, from 0, showed, borrowed; NULL: nothing then. */
const SlSnapshot *sl_frames_at (const SlFrames *frames, unsigned i, unsigned panel, unsigned view);
