/* SPDX-License-Identifier: MIT
 *
 * A run of the library, for the files of this folder.  */
#pragma once

#include "core/run/headless/headless.h"
#include "lib/private.h"

/* A gate of the caller's as the core takes it. */
typedef struct
{
  SluiceGate caller;
  SlOwnGate  own;
  gint       failed; /* atomic; of what does not say so by itself */
} SlLibGate;

/* Copies a gate, which has to stay where it is; NULL: there is none. */
const SlOwnGate *sl_lib_gate (SlLibGate *gate, const SluiceGate *caller);

struct SluiceRun
{
  SlPlan        plan; /* as it is to begin */
  SluiceData   *data; /* a reference, or NULL */
  SlLibGate     gate;
  SlHeadlessRun run;
  gboolean      over;  /* its loss is no longer finite */
  gboolean      busy;  /* it trains, and the caller's `ask` may be looking at it */
  char         *past;  /* why there is no trainer: a stored run that cannot go on; or NULL */
  uint64_t      until; /* update that its recipe ends at, or 0 */
  unsigned      threads;
  SlSubject    *subject;      /* NULL: the first validation example */
  char         *store, *uuid; /* where it was kept last, or NULL */
};

/* What a spec says, without any data yet.  To be cleared also after a failure. */
SluiceCode sl_lib_plan (const SluiceRunSpec *spec, SlPlan *plan);

/* Opens the data, unless they are there, and makes the trainer.  On failure there is none. */
SluiceCode sl_lib_open (SluiceRun *run);

/* Whether the data are those of this hash (0: not known); else fails. */
SluiceCode sl_lib_check_data (const SluiceRun *run, uint64_t hash);

/* Whether there is a trainer; else fails with the reason. */
SluiceCode sl_lib_live (const SluiceRun *run);

/* The lab of this id, and the number of a panel or channel of the run; NULL, or a failure that names the nearest one. */
const SlLab *sl_lib_lab (const char *id);
SluiceCode   sl_lib_panel (const SluiceRun *run, const char *id, unsigned *panel);
SluiceCode   sl_lib_channel (const SluiceRun *run, const char *id, unsigned *channel);

/* The settings as changed so far. */
SlSettings sl_lib_settings (const SluiceRun *run);

/* Figures on a split that the data have; score (SL_SCORES_MAX). */
SluiceCode sl_lib_score (SluiceRun *run, SlSplit split, SlScore *score, unsigned *n);

/* Measures a panel that is no series. */
SluiceCode sl_lib_probe (SluiceRun *run, unsigned panel);

/* Around whatever multiplies: the threads of this run, while those of others wait for their turn.  Afterwards the
 * thread has as many as before, at most one a core.  */
void sl_lib_begin_turn (SluiceRun *run, unsigned *before);
void sl_lib_end_turn (SluiceRun *run, unsigned before);

/* A run of a store, whose stored part the plan has taken over. */
SluiceRun *sl_lib_run (SlPlan *plan, const SluiceData *data);
