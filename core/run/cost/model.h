/* SPDX-License-Identifier: MIT
 *
 * How long a pass or an update of any setting of any lab takes on this machine, before it runs: kernels
 * are timed once over grids of shapes, and labs say what they are made of (core/lab/kit/cost.h).  Times
 * are those of one thread.  What was timed is kept in the cache folder per processor, library and kernel;
 * the file may be deleted.  What a lab does beside its kernels is learned from a few timed runs of it.  */
#pragma once

#include <gio/gio.h>

#include "core/lab/kit/cost.h"

enum { SL_COST_LABS = 32 };

/* What times are sums of: kernels of one sort take in a lab, among other things in the caches, by a factor
 * longer than alone.  */
typedef enum {
  SL_COST_PRODUCTS, /* of plain matrices and vectors */
  SL_COST_SKIPPING, /* of the kernels that skip, and of few rows */
  SL_COST_FLAT,     /* number by number */
  SL_COST_READING,  /* from the caches, what many small matrices take beyond the time of one */
  SL_COST_LOOPS,    /* in loops of the lab's own */
  SL_COST_ALWAYS,   /* whatever the sizes: terms of 1 µs */
  SL_N_COST_TERMS,
} SlCostTerm;

typedef struct
{
  double of[SL_N_COST_TERMS];
} SlCostTerms;

/* What timed runs of a lab added to the kernels. */
typedef struct
{
  SlCostTerms update, pass; /* factors of the terms of an update, and of a pass that skips
                                        * beside a dense one by its kernels alone */
  double      update_error, pass_error; /* as shares: nearly all trials were within */
} SlCostLearned;

typedef struct
{
  double *seconds[SL_N_COST_KINDS]; /* over the grid of each kind */
  /* By how much the second shortest timing of a call differed from the shortest, as a share: 80 % of them by less. */
  double        spread;
  SlCostLearned learned[SL_COST_LABS]; /* in the order of sl_labs */
  double error; /* by how much a product was mispredicted that was timed to see, as a share: 80 % of
                  * them by less  */
  double took;  /* seconds that timing took */
  double
    others; /* share of all cores that other programs used meanwhile; not-a-number: nobody can tell */
} SlCostModel;

void sl_cost_model_free (SlCostModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlCostModel, sl_cost_model_free)

/* Times the kernels on the calling thread, then a few small runs of each lab, which together takes less than
 * a minute on a machine that is not busy.  NULL when cancelled. */
SlCostModel *sl_cost_model_measure (GCancellable *cancellable);

/* False on a machine so busy that nothing should be concluded or kept. */
bool sl_cost_model_is_steady (const SlCostModel *model);

/* What was timed here before with these kernels, or NULL; and its file written. */
SlCostModel *sl_cost_model_load (void);
gboolean     sl_cost_model_save (const SlCostModel *model, GError **error);

/* Seconds, and between what they should lie. */
typedef struct
{
  double seconds, least, most;
} SlPrediction;

/* Seconds of a part at the expected, the least and the most share of units that are on, by the kernels
 * alone.  */
void sl_cost_add_up (const SlCostModel *model, const SlWorkload *work, SlCostPart part,
                     SlCostTerms terms[3]);

/* Of one part; not-a-number where it is refused. */
SlPrediction sl_cost_predict (const SlCostModel *model, const SlWorkload *work, SlCostPart part);

/* Time of the dense pass ÷ that of the one that skips. */
SlPrediction sl_cost_predict_speed_up (const SlCostModel *model, const SlWorkload *work);

/* What is not predicted. */
extern const SlPrediction sl_cost_nothing;

/* Time of the pass that skips in % of the dense one's, for these settings and data; nothing where they do
 * not fit together or data are missing that the lab needs.  */
SlPrediction sl_cost_share (const SlCostModel *model, const SlLab *lab, const SlSettings *settings,
                            const SlDataset *dataset);

typedef enum {
  SL_COST_PAYS,
  SL_COST_PAYS_NOT,
  SL_COST_EVEN,    /* 1 lies in the interval */
  SL_COST_UNKNOWN, /* not predicted */
} SlCostVerdict;

SlCostVerdict sl_cost_verdict (const SlPrediction *speed_up);
