/* SPDX-License-Identifier: MIT
 *
 * Random settings of every lab, made from its trials: some values become others of their range, with the
 * lowest and the highest among them.  A run with them is refused with a reason, diverges with a step, or
 * does its steps, a live change and its scores.  SAMPLE combinations; ALL with SLUICE_LONG set.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"

enum {
  SAMPLE = 24,
  ALL = 500,
  STEPS = 4,
  CHANGES = 5, /* values that are not the trial's, at most */
  SMALL
  = 40, /* what a count may go up to, or thrice the trial's: larger ones only take their time */
};

static void
take (SlSink *sink, const SlSample *sample)
{
  g_assert_cmpuint (sample->channel, <, SL_CHANNELS_MAX);
}

static double
draw_number (const SlParam *param, double now, SlRng *rng)
{
  gboolean whole = param->kind == SL_INTEGER || param->kind == SL_LIST;
  double   hi = whole ? MIN (param->hi, MAX (SMALL, 3.0 * now)) : param->hi, value;

  switch (sl_rng_below (rng, 4))
    {
    case 0: return param->lo;
    case 1: return hi;
    default:
      value = param->lo + (double) sl_rng_below (rng, 1001) / 1000.0 * (hi - param->lo);
      return whole ? round (value) : value;
    }
}

static void
draw_value (const SlParam *param, SlValue *value, SlRng *rng)
{
  switch (param->kind)
    {
    case SL_CHOICE: value->v[0] = (double) sl_rng_below (rng, sl_param_offers (param)); break;
    case SL_BOOLEAN: value->v[0] = (double) sl_rng_below (rng, 2); break;
    default:
      for (unsigned i = 0; i < value->n; i++)
        value->v[i] = draw_number (param, value->v[i], rng);
    }
}

static void
check_sentence (const SlStatus *status)
{
  char text[1024];

  g_assert_cmpint (status->code, !=, SL_EFORMAT);
  sl_status_text (status, text, sizeof text);
  g_assert_cmpuint (strlen (text), >, 8);
  g_assert_null (strstr (text, "(null)"));
}

static void
run (SlTrainer *trainer, const SlLab *lab, SlRng *rng)
{
  SlSink   sink = { .take = take };
  SlStatus status = SL_SUCCESS;
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;

  for (unsigned i = 0; i < STEPS && sl_ok (&status); i++)
    status = sl_trainer_step (trainer, &sink);
  if (sl_ok (&status))
    {
      unsigned p = (unsigned) sl_rng_below (rng, lab->n_params);
      SlValue  value = sl_trainer_settings (trainer)->value[p];
      SlStatus set;

      draw_value (&lab->params[p], &value, rng);
      set = sl_trainer_set (trainer, p, &value);
      if (!sl_ok (&set))
        check_sentence (&set);
      status = sl_trainer_step (trainer, &sink);
    }
  if (sl_ok (&status))
    status = sl_trainer_score (trainer, SL_VALID, scores, &n);
  if (!sl_ok (&status))
    check_sentence (&status);
}

static void
combine (const SlLab *lab, SlRng *rng)
{
  const SlTrial *trial = &lab->trials[sl_rng_below (rng, sl_lab_n_trials (lab))];
  SlDataset     *dataset = NULL;
  SlTrainer     *trainer;
  SlSettings     settings;
  SlStatus       status;
  unsigned       changes = 1 + (unsigned) sl_rng_below (rng, CHANGES);

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set_words (&settings, lab->params, lab->n_params, trial->settings);
  g_assert_true (sl_ok (&status));
  for (unsigned i = 0; i < changes; i++)
    {
      unsigned p = (unsigned) sl_rng_below (rng, lab->n_params);

      draw_value (&lab->params[p], &settings.value[p], rng);
    }
  sl_settings_settle (&settings, lab->params, lab->n_params);
  if (trial->data != NULL)
    {
      status = sl_source_open (trial->data, &dataset);
      g_assert_true (sl_ok (&status));
    }
  status = sl_trainer_new (&trainer, lab, &settings, dataset, 1 + sl_rng_below (rng, 9));
  if (sl_ok (&status))
    run (trainer, lab, rng);
  else
    check_sentence (&status);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

static void
test_combinations (void)
{
  unsigned n = g_getenv ("SLUICE_LONG") != NULL ? ALL : SAMPLE, labs = 0;

  while (sl_labs[labs] != NULL)
    labs++;
  for (unsigned i = 0; i < n; i++)
    {
      SlRng rng; /* each has its own, so that one can be made again */

      sl_rng_init (&rng, i + 1, "combinations");
      g_test_message ("combination %u of %s", i + 1, sl_labs[i % labs]->id);
      combine (sl_labs[i % labs], &rng);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/labs/combinations", test_combinations);
  return g_test_run ();
}
