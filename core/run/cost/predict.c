/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "core/labs/registry.h"
#include "core/run/cost/fit.h"
#include "core/run/cost/model.h"
#include "core/run/cost/table.h"

static SlCostTerm
term_of (SlCostKind kind)
{
  if (kind == SL_COST_LOOP)
    return SL_COST_LOOPS;
  if (kind == SL_COST_READ)
    return SL_COST_READING;
  if (sl_cost_is_flat (kind))
    return SL_COST_FLAT;
  return kind < SL_COST_GATED ? SL_COST_PRODUCTS : SL_COST_SKIPPING;
}

void
sl_cost_add_up (const SlCostModel *model, const SlWorkload *work, SlCostPart part,
                SlCostTerms terms[3])
{
  for (unsigned i = 0; i < 3; i++)
    terms[i] = (SlCostTerms) { .of[SL_COST_ALWAYS] = 1e-6 };
  for (unsigned c = 0; c < work->n[part]; c++)
    {
      const SlCostCall *call = &work->call[part][c];
      double            share[3] = { call->share, call->least, call->most };

      for (unsigned i = 0; i < 3; i++)
        terms[i].of[term_of (call->kind)]
          += call->times * sl_cost_table_seconds (model->seconds[call->kind], call, share[i]);
    }
}

const SlPrediction sl_cost_nothing = { NAN, NAN, NAN };

static SlCostLearned
learned_of (const SlCostModel *model, const SlLab *lab)
{
  SlCostLearned none;

  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    if (sl_labs[i] == lab)
      return model->learned[i];
  sl_cost_learned_init (&none);
  return none;
}

static bool
is_known (const SlWorkload *work, SlCostPart part)
{
  return work->refused[part].packed[0] == '\0' && work->n[part] > 0;
}

/* Seconds of the dense pass, by its kernels alone. */
static double
dense_seconds (const SlCostModel *model, const SlWorkload *work)
{
  const SlCostTerms plain = { { 1, 1, 1, 1, 1, 0 } };
  SlCostTerms       terms[3];

  sl_cost_add_up (model, work, SL_COST_OF_DENSE, terms);
  return sl_cost_weigh (&terms[0], &plain);
}

/* Bounds of a time that is off by `error` as a share and, independently of that, by what it depends on: more or
 * fewer units that are on.  Where both are far off at once is seldom.  */
static SlPrediction
bounds (double seconds, double least, double most, double error)
{
  double off = log1p (error);

  return (SlPrediction) { seconds, seconds * exp (-hypot (log (seconds / least), off)),
                          seconds * exp (hypot (log (most / seconds), off)) };
}

SlPrediction
sl_cost_predict (const SlCostModel *model, const SlWorkload *work, SlCostPart part)
{
  SlCostLearned learned = learned_of (model, work->lab);
  bool          step = part == SL_COST_OF_STEP;
  double        error = step ? learned.update_error : learned.pass_error;
  SlCostTerms   terms[3], *factor = step ? &learned.update : &learned.pass;

  if (!is_known (work, part))
    return sl_cost_nothing;
  if (part == SL_COST_OF_DENSE)
    {
      double seconds = dense_seconds (model, work);

      return (SlPrediction) { seconds, seconds / (1 + model->error), seconds * (1 + model->error) };
    }
  sl_cost_add_up (model, work, part, terms);
  return bounds (sl_cost_weigh (&terms[0], factor), sl_cost_weigh (&terms[1], factor),
                 sl_cost_weigh (&terms[2], factor), error);
}

SlPrediction
sl_cost_predict_speed_up (const SlCostModel *model, const SlWorkload *work)
{
  SlPrediction pass;
  double       dense;

  if (!is_known (work, SL_COST_OF_DENSE) || !is_known (work, SL_COST_OF_PASS))
    return sl_cost_nothing;
  pass = sl_cost_predict (model, work, SL_COST_OF_PASS);
  dense = dense_seconds (model, work);
  return (SlPrediction) { dense / pass.seconds, dense / pass.most, dense / pass.least };
}

SlPrediction
sl_cost_share (const SlCostModel *model, const SlLab *lab, const SlSettings *settings,
               const SlDataset *dataset)
{
  g_autofree SlWorkload *work = NULL;
  SlPrediction           up;
  SlStatus               status;

  if (lab->cost == NULL || (dataset == NULL && lab->data != SL_NEEDS_NOTHING))
    return sl_cost_nothing;
  work = g_new (SlWorkload, 1);
  status = sl_cost_init (work, lab, settings, dataset);
  if (!sl_ok (&status))
    return sl_cost_nothing;
  up = sl_cost_predict_speed_up (model, work);
  return (SlPrediction) { 100 / up.seconds, 100 / up.most, 100 / up.least };
}

SlCostVerdict
sl_cost_verdict (const SlPrediction *speed_up)
{
  if (!isfinite (speed_up->seconds))
    return SL_COST_UNKNOWN;
  if (speed_up->least > 1)
    return SL_COST_PAYS;
  return speed_up->most < 1 ? SL_COST_PAYS_NOT : SL_COST_EVEN;
}
