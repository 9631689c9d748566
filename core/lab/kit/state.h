/* SPDX-License-Identifier: MIT
 *
 * The head that the state of every lab begins with, and all that can be done with a state without
 * knowing the lab.  A lab's own struct has the head as its first member, `base`, and one inline
 * function that casts an SlLabState to it.
 *
 * Threads: a state belongs to one thread at a time.  */
#pragma once

#include "core/base/arena.h"
#include "core/base/own-gate.h"
#include "core/lab/kit/batches.h"
#include "core/lab/lab.h"

/* The small things that change from step to step in every lab; a blob of a checkpoint. */
typedef struct
{
  uint64_t t;                  /* updates done */
  uint64_t examples;           /* training examples seen */
  double   macs;               /* multiply-adds of the steps so far, forward and backward */
  bool     report;             /* something was changed: report on the next step */
  bool     evaluate;           /* what an example gets was changed: evaluate soon */
  uint64_t evaluated;          /* updates at the last evaluation */
  double   loss, errors, seen; /* sums over the examples since the last report */
} SlCounters;

struct SlLabState
{
  const SlLab     *lab;
  const SlDataset *dataset; /* borrowed */
  SlSettings       settings;
  SlArena          kept;    /* what changes and is not in `now`; a blob of a checkpoint */
  SlArena          scratch; /* what every step fills anew */
  SlSpan           weights; /* all trainable numbers, one block in `kept` */
  SlBatches        batches; /* of a lab that carves them */
  SlCounters       now;
  size_t           pass;   /* examples of a pass over the training data where the lab counts others
                             * than the data set does (words, not letters); 0: the data set's */
  bool             frozen; /* a batch and all chance are frozen for objective() */
  SlOwnUse
    own; /* the gate that a program brought; what uses it does not return its failures, but takes no
                            * result of a pass with one */
};

/* A state with fresh weights, as the lab's shape(), carve() and init() make it.  `settings` are
 * complete and checked one by one; the data set and `own`, a program's gate or NULL, are borrowed until sl_state_free().
 * SL_ENOMEM, SL_EINVAL where the settings have no use for the gate, and whatever shape() and init() return; on failure
 * *state is NULL.  */
SlStatus sl_state_new (SlLabState **state, const SlLab *lab, const SlSettings *settings,
                       const SlDataset *dataset, uint64_t seed, const SlOwnGate *own);
void     sl_state_free (SlLabState *state);

/* Changes a live parameter; the next step uses it.  What set() refuses is not changed. */
SlStatus sl_state_set (SlLabState *state, unsigned param, const SlValue *value);

/* As SlLab.map, for any number of points.  SL_EGATE. */
SlStatus sl_state_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* true: draws a batch, masks and discrete choices, which sl_state_objective() uses until false.  No
 * parameter is set in between.  */
void sl_state_freeze (SlLabState *state, bool frozen);

/* The objective on the frozen batch and, unless NULL, its gradient (n as weights).  SL_EINVAL without
 * one, SL_EDIVERGED when it is not finite, SL_EGATE, SL_EUNSUPPORTED where nothing is trained.  */
SlStatus sl_state_objective (SlLabState *state, double *loss, sl_real *gradient);

/* Everything that changes but the settings, at most SL_BLOBS_MAX; returns how many. */
unsigned sl_state_blobs (SlLabState *state, SlBlob *blobs);

/* Called after a checkpoint was copied into the blobs: takes the settings of then as they are, and
 * checks what is used as an index or a count.  SL_EFORMAT: the state can only be freed.  */
SlStatus sl_state_restored (SlLabState *state, const SlSettings *settings);

void sl_state_progress (const SlLabState *state, SlProgress *progress);

/* ---- for the labs ---- */

/* The scalar value of a parameter, also as a whole number and as a yes. */
static inline double
sl_value_of (const SlLabState *state, unsigned param)
{
  return state->settings.value[param].v[0];
}

static inline size_t
sl_count_of (const SlLabState *state, unsigned param)
{
  return (size_t) sl_value_of (state, param);
}

static inline bool
sl_is_on (const SlLabState *state, unsigned param)
{
  return sl_value_of (state, param) != 0.0;
}

/* Outputs of a network that tells the classes apart: one logit for two classes. */
static inline size_t
sl_outputs_of (const SlDataset *dataset)
{
  return dataset->classes == 2 ? 1 : dataset->classes;
}

/* Widths of a network from the data's features through the hidden layers that a list parameter says;
 * returns how many these are.  Room for SL_LIST_MAX + 1, and what follows is the caller's.  */
unsigned sl_widths_of (const SlLabState *state, unsigned hidden, size_t *widths);

/* True for update `t` (from 1) when something is to happen every so many updates: on the first
 * and on the multiples.  */
bool sl_due (uint64_t t, double every);

/* What step() returns for a loss that is not finite. */
SlStatus sl_diverged (double loss);

/* For restored(): whether the byte that a checkpoint put into *truth is that of a truth value. */
bool sl_is_truth (const bool *truth);

/* What restored() returns for an index or a count that cannot be. */
SlStatus sl_out_of_range (void);

/* Adds unit i, which is on, to a cell. */
void sl_cell_add (SlCell *cell, size_t i);
/* Sets of how many units the cell is, when all are added. */
void sl_cell_finish (SlCell *cell, size_t units);

/* True when the step under way, before it is counted in now.t, is to report: every so many updates
 * as the parameter says, as sl_due(), or because something was changed.  */
bool sl_report_due (const SlLabState *state, unsigned every);

/* True when the validation examples are to be evaluated after update now.t: every so many updates as
 * the parameter says, and soon after now.evaluate was set (which this clears), but not more often
 * than every ten updates, however often something changes.  */
bool sl_evaluation_due (SlLabState *state, unsigned every);

/* The factor of the learning rate at this epoch, as the two parameters of the schedule say. */
double sl_scheduled (const SlLabState *state, unsigned schedule, unsigned epochs);

/* Counts a step's batch; `loss` is the mean of its examples. */
void sl_count_batch (SlLabState *state, size_t batch, double loss, size_t errors, double macs);

/* Examples of a split, at most `most`. */
size_t sl_examples (const SlLabState *state, SlSplit split, double most);

/* The same of the validation examples, or of the training ones where there are none; they are from
 * *first on.  */
size_t sl_watched (const SlLabState *state, double most, size_t *first);

typedef struct
{
  double loss, error; /* mean in nats; % */
} SlEvaluation;

/* Runs the network on `n` examples from `first` on; returns their mean loss and how many predictions
 * are wrong.  */
typedef double (*SlPass) (SlLabState *state, size_t first, size_t n, size_t *errors, void *data);

/* Evaluates `n` examples from `first` on, at most `most` in one pass. */
SlEvaluation sl_evaluate (SlLabState *state, size_t first, size_t n, size_t most, SlPass pass,
                          void *data);
