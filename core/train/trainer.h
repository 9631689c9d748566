/* SPDX-License-Identifier: MIT
 *
 * One run of one lab, a step at a time: no thread, no clock, no loop.  The caller
 * decides when to stop.  One thread at a time.  */
#pragma once

#include "core/base/own-gate.h"
#include "core/lab/kit/clock.h"
#include "core/lab/map/map.h"
#include "core/train/checkpoint.h"

typedef struct SlTrainer SlTrainer;

/* A new run at step 0.  `lab` and `dataset` are borrowed for its life.  SL_EUNSUPPORTED when the
 * data are not of the kind that the lab needs; whatever create() can return; on failure *trainer is
 * NULL.  */
SlStatus sl_trainer_new (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                         const SlDataset *dataset, uint64_t seed);

/* The same with a gate that a program brings, or NULL, which is borrowed too.  SL_EINVAL: the settings have no use for one,
 * or need one.  */
SlStatus sl_trainer_new_own (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                             const SlDataset *dataset, uint64_t seed, const SlOwnGate *own);
void     sl_trainer_free (SlTrainer *trainer);

/* Memory of its state, what a lab has outside of its arenas left out. */
size_t sl_trainer_bytes (const SlTrainer *trainer);

/* One update.  SL_EDIVERGED names the step; SL_EINVAL: the run has ended.  SL_EGATE: a program's gate failed, and the run can
 * go on: where sl_trainer_steps() has not risen, nothing has changed and the next call draws the same batch; where it has, the
 * update is made and what was to be measured after it is missing.  */
SlStatus sl_trainer_step (SlTrainer *trainer, SlSink *sink);

/* Changes a live parameter from the next step on.  SL_EINVAL for a restart
 * parameter or a value out of range: nothing changed.  */
SlStatus sl_trainer_set (SlTrainer *trainer, unsigned param, const SlValue *value);

/* Whether nothing is left to do, and unless NULL the sentence that says so. */
bool sl_trainer_ended (const SlTrainer *trainer, SlMessage *why);

/* Fills one panel; nothing if the lab has no probe for it.  SL_EGATE: nothing was published. */
SlStatus sl_trainer_probe (SlTrainer *trainer, unsigned panel, SlSink *sink);

/* Times a forward pass, as sl_clock_go().  Before the first update of a run whose gates come only with that,
 * an update is made for it and taken back.  The trainer's later updates are the same bytes either way.  */
SlClockAnswer sl_trainer_time (SlTrainer *trainer, SlClockRounds *rounds, double seconds,
                               SlSink *sink);

/* Chooses the plane of the gating map; nothing for a lab without one. */
void sl_trainer_set_view (SlTrainer *trainer, const SlMapView *view);

/* Figures on a whole split, at most SL_SCORES_MAX.  SL_EGATE: there are none. */
SlStatus sl_trainer_score (SlTrainer *trainer, SlSplit split, SlScore *scores, unsigned *n);

/* The picture that the run makes, in full resolution; sl_bitmap_clear() it.  SL_EUNSUPPORTED: the
 * lab makes none; SL_ENOMEM.  On failure there is nothing to clear.  */
SlStatus sl_trainer_picture (SlTrainer *trainer, SlBitmap *picture);

/* Which experts the validation examples go to, as a recording; sl_routing_free() it.  SL_EUNSUPPORTED: the
 * lab has none; SL_EFORMAT, SL_EGATE, SL_ENOMEM.  On failure *routing is NULL.  */
SlStatus sl_trainer_recording (SlTrainer *trainer, struct SlRouting **routing);

/* Copies the run's state out and back in.  Restoring continues bit for bit as if the
 * steps since had not been.  SL_ENOMEM; SL_EUNSUPPORTED when the checkpoint is of another lab, of
 * another version of its state or of another shape, SL_EFORMAT when it is damaged and SL_EINVAL when
 * its settings need another state: after SL_EFORMAT the trainer can only be freed, after the others
 * nothing changed.  */
SlStatus sl_trainer_save (SlTrainer *trainer, SlCheckpoint *checkpoint);
SlStatus sl_trainer_restore (SlTrainer *trainer, const SlCheckpoint *checkpoint);

/* All trainable numbers, one block. */
SlSpan sl_trainer_weights (SlTrainer *trainer);

uint64_t          sl_trainer_steps (const SlTrainer *trainer); /* updates done */
const SlSettings *sl_trainer_settings (const SlTrainer *trainer);
const SlLayout   *sl_trainer_layout (const SlTrainer *trainer);
SlLabState       *sl_trainer_state (SlTrainer *trainer); /* for tests and gradient checks */
void              sl_trainer_progress (const SlTrainer *trainer, SlProgress *progress);
