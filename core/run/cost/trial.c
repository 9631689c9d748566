/* SPDX-License-Identifier: MIT */
#include "core/run/cost/trial.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/run/cost/fit.h"
#include "core/run/headless/headless.h"
#include "core/run/record/data.h"
#include "core/run/record/outcome.h"

enum {
  FEWEST = 3,
  MOST = 40,
  BLOCKS = 6,
  DRAWS = 100,  /* some labs refuse most: gates without noise, several random ones at once */
  SETTLED = 300 /* updates after which gates have found the share that is wished */
};

static const double block_seconds = 0.015; /* of the updates that are timed together */
static const double alike = 0.04; /* blocks of a run that has settled differ by less, as a share */
/* Smaller than what a lab opens by itself. */
static const char *labelled = "digits:images=2000", *paired = "pictures:size=96";

/* A text is long, and labs read it all before they begin. */
enum { SYMBOLS = 200000 };

static void
shorten_text (SlDataset *dataset)
{
  for (unsigned split = 0; split < SL_N_SPLITS; split++)
    if (dataset->n[split] > SYMBOLS / 4)
      dataset->n[split] = split == SL_TRAIN ? MIN (dataset->n[split], SYMBOLS) : SYMBOLS / 4;
}

SlStatus
sl_cost_trial_data (const SlLab *lab, SlDataset **dataset)
{
  SlStatus status;

  *dataset = NULL;
  if (lab->data == SL_NEEDS_NOTHING)
    return SL_SUCCESS;
  status = sl_open_data (lab->data == SL_NEEDS_LABELS     ? labelled
                         : lab->data == SL_NEEDS_PICTURES ? paired
                                                          : sl_source_default_for (lab->data),
                         dataset);
  if (sl_ok (&status) && lab->data == SL_NEEDS_TEXT)
    shorten_text (*dataset);
  return status;
}

/* A value up to four times smaller or larger, evenly as a logarithm. */
static double
vary (SlRng *rng, const SlParam *param, double value)
{
  double varied = value * exp ((2 * sl_rng_uniform (rng) - 1) * log (4));

  if (param->kind != SL_REAL)
    varied = round (varied);
  return fmin (fmax (varied, param->lo), param->hi);
}

static void
draw_param (SlRng *rng, const SlParam *param, SlValue *value)
{
  unsigned choices = 0;

  switch (param->kind)
    {
    case SL_REAL:
    case SL_INTEGER: value->v[0] = vary (rng, param, value->v[0]); break;
    case SL_TEXT: break;
    case SL_BOOLEAN: value->v[0] = (double) sl_rng_below (rng, 2); break;
    case SL_CHOICE:
      while (param->choices[choices].id != NULL)
        choices++;
      value->v[0] = (double) sl_rng_below (rng, choices);
      break;
    case SL_LIST:
      for (unsigned i = 0; i < value->n; i++)
        value->v[i] = vary (rng, param, value->v[i]);
      break;
    }
}

/* Parameters that say how many updates pass between reports, and between evaluations. */
static const char *const reports[] = { "report-every", "evaluate-every" };

void
sl_cost_leave_reports (const SlLab *lab, SlSettings *settings)
{
  for (size_t i = 0; i < G_N_ELEMENTS (reports); i++)
    {
      int param = sl_param_find (lab->params, lab->n_params, reports[i]);

      if (param >= 0)
        settings->value[param].v[0] = lab->params[param].hi;
    }
}

/* Half of the parameters at random, and hardly a report: those are not predicted. */
static void
draw_settings (SlRng *rng, const SlLab *lab, SlSettings *settings)
{
  sl_settings_default (settings, lab->params, lab->n_params);
  for (unsigned i = 0; i < lab->n_params; i++)
    if (sl_rng_below (rng, 2) == 0)
      draw_param (rng, &lab->params[i], &settings->value[i]);
  sl_cost_leave_reports (lab, settings);
  sl_settings_settle (settings, lab->params, lab->n_params);
}

/* Processor seconds of the next update; not-a-number where it diverges. */
static double
time_step (SlHeadlessRun *run)
{
  double   begin = sl_clock_thread ();
  SlStatus status = sl_trainer_step (run->trainer, &run->sink.sink);

  return sl_ok (&status) ? sl_clock_thread () - begin : NAN;
}

/* The lower quartile of some updates. */
static double
time_block (SlHeadlessRun *run)
{
  double   seconds[MOST], all = 0;
  unsigned n = 0;

  for (; n < MOST && (n < FEWEST || all < block_seconds); n++)
    all += seconds[n] = time_step (run);
  sl_median (seconds, n);
  return isfinite (all) ? seconds[n / 4] : NAN;
}

/* Of a run that has settled: the first updates choose as later ones do not, as thresholds and loads have yet to find
 * their places.  */
static double
time_update (SlHeadlessRun *run)
{
  double before, now;

  time_block (run);
  now = time_block (run);
  for (unsigned block = 2; block < BLOCKS; block++)
    {
      before = now;
      now = time_block (run);
      if (!(fabs (now / before - 1) > alike))
        return fmin (now, before);
    }
  return now;
}

static bool
settle (SlHeadlessRun *run, double settling)
{
  double seconds = 0;

  for (unsigned i = 0; i < SETTLED && seconds < settling; i++)
    seconds += time_step (run);
  return isfinite (seconds);
}

/* Updates that report and evaluate: what is executed is known.  The first moves thresholds to where they are in use,
 * the second counts with these.  */
static SlStatus
report (SlHeadlessRun *run)
{
  enum { UPDATES = 2 };
  const SlLab *lab = run->recipe.lab;
  SlStatus     status = SL_SUCCESS;

  for (size_t i = 0; i < G_N_ELEMENTS (reports) && sl_ok (&status); i++)
    {
      int     param = sl_param_find (lab->params, lab->n_params, reports[i]);
      SlValue often = { .n = 1, .v = { 1 } };

      if (param >= 0)
        status = sl_trainer_set (run->trainer, (unsigned) param, &often);
    }
  for (unsigned i = 0; i < UPDATES && sl_ok (&status); i++)
    status = sl_trainer_step (run->trainer, &run->sink.sink);
  return status;
}

/* Speed-up of the pass by the lab's clock; not-a-number where none is shown or it is withheld. */
static double
time_speed_up (SlHeadlessRun *run, double settling, double *executed)
{
  SlOutcome outcome;
  SlStatus  status;

  if (!settle (run, settling))
    return NAN;
  status = report (run);
  if (sl_ok (&status))
    status = sl_headless_time (run, NULL, NULL);
  if (!sl_ok (&status))
    return NAN;
  sl_outcome_read (&outcome, &run->record, NULL, 0);
  *executed = outcome.executed;
  return 100 / outcome.timed;
}

/* By how much a time may be off, as fewer or more units are on. */
static double
unsure (const SlCostTerms terms[3])
{
  SlCostLearned usual;

  sl_cost_learned_init (&usual);
  return 0.5
         * log (sl_cost_weigh (&terms[2], &usual.pass) / sl_cost_weigh (&terms[1], &usual.pass));
}

/* FALSE: refused. */
static gboolean
predict (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset, SlCostTrial *trial)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlCostTerms            terms[3];
  SlStatus               status = sl_cost_init (work, lab, &trial->settings, dataset);

  if (!sl_ok (&status))
    return FALSE;
  sl_cost_add_up (model, work, SL_COST_OF_STEP, terms);
  trial->update_terms = terms[0];
  trial->update_unsure = unsure (terms);
  sl_cost_add_up (model, work, SL_COST_OF_PASS, terms);
  trial->pass_terms = terms[0];
  trial->pass_unsure = unsure (terms);
  trial->dense = sl_cost_predict (model, work, SL_COST_OF_DENSE).seconds;
  trial->update = sl_cost_predict (model, work, SL_COST_OF_STEP);
  trial->speed_up = sl_cost_predict_speed_up (model, work);
  return isfinite (trial->update.seconds);
}

gboolean
sl_cost_draw (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset, SlRng *rng,
              double slowest, SlCostTrial *trial)
{
  for (unsigned i = 0; i < DRAWS; i++)
    {
      draw_settings (rng, lab, &trial->settings);
      if (predict (model, lab, dataset, trial) && trial->update.seconds <= slowest)
        return TRUE;
    }
  return FALSE;
}

gboolean
sl_cost_time_trial (const SlLab *lab, const SlDataset *dataset, double settling, SlCostTrial *trial)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  sl_plan_init (&plan, lab);
  plan.settings = trial->settings;
  plan.threads = 1;
  status = sl_headless_open (&run, &plan, dataset);
  if (sl_ok (&status))
    {
      bool wanted = settling > 0 && isfinite (trial->speed_up.seconds);

      trial->timed_update = time_update (&run);
      trial->executed = NAN;
      trial->timed_speed_up = wanted ? time_speed_up (&run, settling, &trial->executed) : NAN;
    }
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  return sl_ok (&status) && isfinite (trial->timed_update);
}

/* Multiply-adds of a part with the fewest units that it may have on, and what each of them adds up to the most. */
static void
count_macs (const SlWorkload *work, SlCostPart part, double *least, double *more)
{
  *least = *more = 0;
  for (unsigned i = 0; i < work->n[part]; i++)
    {
      const SlCostCall *call = &work->call[part][i];
      double            macs = call->times * (double) call->m * (double) call->n * (double) call->k;

      if (sl_cost_is_flat (call->kind))
        continue;
      *least += macs * call->least;
      *more += macs * (call->most - call->least);
    }
}

/* Expects of the pass what was executed. */
static void
correct (SlWorkload *work, double executed)
{
  double dense, least, more, way;

  count_macs (work, SL_COST_OF_DENSE, &dense, &more);
  count_macs (work, SL_COST_OF_PASS, &least, &more);
  way = (executed / 100 * dense - least) / more;
  if (!isfinite (way))
    return;
  for (unsigned i = 0; i < work->n[SL_COST_OF_PASS]; i++)
    {
      SlCostCall *call = &work->call[SL_COST_OF_PASS][i];
      double      share = call->least + way * (call->most - call->least);

      call->share = call->least = call->most = fmin (fmax (share, 0), 1);
    }
}

void
sl_cost_trial_correct (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
                       SlCostTrial *trial)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlCostTerms            terms[3];
  SlStatus               status = sl_cost_init (work, lab, &trial->settings, dataset);

  if (!sl_ok (&status))
    return;
  correct (work, trial->executed);
  sl_cost_add_up (model, work, SL_COST_OF_PASS, terms);
  trial->pass_terms = terms[0];
  trial->pass_unsure = unsure (terms);
}

char *
sl_cost_trial_text (const SlLab *lab, const SlSettings *settings)
{
  GString   *text = g_string_new (NULL);
  SlSettings usual;
  char       value[512];

  sl_settings_default (&usual, lab->params, lab->n_params);
  for (unsigned i = 0; i < lab->n_params; i++)
    if (memcmp (&usual.value[i], &settings->value[i], sizeof usual.value[i]) != 0)
      g_string_append_printf (
        text, "%s=%s ", lab->params[i].id,
        sl_param_format (&lab->params[i], &settings->value[i], value, sizeof value));
  return g_string_free (text, FALSE);
}
