/* SPDX-License-Identifier: MIT
 *
 * What the lab `style` promises: pulls of equal strength, the identity on its own features, losses
 * that are 0 at the style itself, memory that is refused in words, pictures that end a run when they
 * are no numbers, and a texture that comes closer to its style.  In both precisions.  */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/data/image/bitmap.h"
#include "core/data/source/source.h"
#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

#define SMALL "scales=2 levels=1-2 report-every=1 evaluate-every=1 positions=64 "

typedef struct
{
  SlSink      sink; /* first */
  SlSnapshot  snapshot;
  SlDataset  *dataset;
  SlTrainer  *trainer;
  GHashTable *last; /* the newest value of each channel, by id */
} Run;

static void
take (SlSink *sink, const SlSample *sample)
{
  double *value = g_new (double, 1);

  *value = sample->value;
  g_hash_table_insert (((Run *) sink)->last, g_strdup (sink->layout->channel[sample->channel].id),
                       value);
}

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  SlSnapshot *snapshot = &((Run *) sink)->snapshot;

  sl_snapshot_reset (snapshot);
  return snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
}

static const SlLab *
lab (void)
{
  return sl_lab_find ("style");
}

static SlStatus
run_open (Run *run, const char *data, const char *text, uint64_t seed)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  SlSettings settings;
  SlStatus   status;

  *run = (Run) { .sink = { .take = take, .open = open_snapshot, .publish = publish },
                 .last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  for (char **word = words; *word != NULL; word++)
    if (**word != '\0')
      {
        g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

        status = sl_settings_set (&settings, lab ()->params, lab ()->n_params, pair[0], pair[1]);
        g_assert_true (sl_ok (&status));
      }
  status = sl_source_open (data, &run->dataset);
  g_assert_true (sl_ok (&status));
  return sl_trainer_new (&run->trainer, lab (), &settings, run->dataset, seed);
}

static void
run_clear (Run *run)
{
  sl_trainer_free (run->trainer);
  sl_dataset_free (run->dataset);
  sl_snapshot_clear (&run->snapshot);
  g_hash_table_unref (run->last);
}

static void
train (Run *run, int steps)
{
  for (int i = 0; i < steps; i++)
    {
      SlStatus status = sl_trainer_step (run->trainer, &run->sink);

      g_assert_true (sl_ok (&status));
    }
}

static double
last (Run *run, const char *id)
{
  double *value = g_hash_table_lookup (run->last, id);

  if (value == NULL)
    g_error ("no value of %s", id);
  return *value;
}

static void
set (Run *run, const char *id, const char *text)
{
  int      param = sl_param_find (lab ()->params, lab ()->n_params, id);
  SlValue  value;
  SlStatus status = sl_param_parse (&lab ()->params[param], text, &value);

  g_assert_true (sl_ok (&status));
  status = sl_trainer_set (run->trainer, (unsigned) param, &value);
  g_assert_true (sl_ok (&status));
}

static const SlSnapshot *
probe (Run *run, const char *panel)
{
  SlStatus status
    = sl_trainer_probe (run->trainer, (unsigned) sl_lab_panel (lab (), panel), &run->sink);

  g_assert_true (sl_ok (&status));
  return &run->snapshot;
}

/* At a picture of noise every comparison pulls γ times as hard as the content, mixed ones as well
 * where they agree in direction or less.  */
static void
test_pulls (void)
{
  static const char *const methods[] = { "gram", "linear", "poly", "gaussian", "moments" };

  for (size_t i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autofree char *settings = g_strdup_printf (SMALL "gamma=3 method=%s", methods[i]);
      Run              run;
      SlStatus         status = run_open (&run, "pictures:size=32", settings, 4);

      g_assert_true (sl_ok (&status));
      train (&run, 1);
      g_test_message ("%s: %g", methods[i], last (&run, "ratio.ratio"));
      /* The pairs of the Gaussian kernel are others than those it was measured with. */
      sl_assert_near (last (&run, "ratio.ratio"), 3.0,
                      strcmp (methods[i], "gaussian") == 0 ? 0.5 : 1e-3, 0);
      g_assert_cmpfloat (last (&run, "ratio.asked"), ==, 3.0);
      run_clear (&run);
    }
}

/* 4N² Gram is MMD² on the features of the network, to what the precision allows. */
static void
test_identity (void)
{
  const double      tolerance = sizeof (sl_real) == sizeof (double) ? 1e-10 : 1e-3;
  Run               run;
  SlStatus          status = run_open (&run, "pictures:size=32", SMALL, 1);
  const SlSnapshot *s;

  g_assert_true (sl_ok (&status));
  train (&run, 3);
  s = probe (&run, "identity");
  g_assert_cmpuint (s->n_curves, ==, 2);
  g_assert_cmpuint (s->curve[0].n, ==, 2);
  g_test_message ("%s", sl_english (&s->note));
  for (size_t l = 0; l < 2; l++)
    {
      double direct = s->data[s->curve[1].offset + 2 + l];

      g_assert_true (direct > 0.0);
      sl_assert_near (s->data[s->curve[0].offset + 2 + l], direct, tolerance, 0);
    }
  run_clear (&run);
}

/* A picture that is the style has nothing to gain; one that is the content keeps it. */
static void
test_start (void)
{
  static const char *const ids[]
    = { "losses.gram", "losses.linear", "losses.poly", "losses.moments", "gaussian.biased" };
  Run      run;
  SlStatus status = run_open (&run, "pictures:size=32", SMALL "start=style goal=style", 1);

  g_assert_true (sl_ok (&status));
  train (&run, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (ids); i++)
    sl_assert_near (last (&run, ids[i]), 0.0, 0, 1e-9);
  g_assert_cmpfloat (last (&run, "losses.content"), >, 1.0);
  run_clear (&run);

  status = run_open (&run, "pictures:size=32", SMALL "start=content", 1);
  g_assert_true (sl_ok (&status));
  train (&run, 1);
  g_assert_cmpfloat (last (&run, "losses.content"), ==, 0.0);
  g_assert_null (g_hash_table_lookup (run.last, "ratio.ratio"));
  run_clear (&run);
}

/* L-BFGS never lets the loss rise while the settings stay, and every comparison comes down. */
static void
test_falls (void)
{
  static const char *const methods[] = { "gram", "linear", "poly", "moments" };

  for (size_t i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autofree char *settings = g_strdup_printf (SMALL "goal=style method=%s", methods[i]);
      g_autofree char *id = g_strdup_printf ("losses.%s", methods[i]);
      Run              run;
      double           first, before = HUGE_VAL;
      SlStatus         status = run_open (&run, "pictures:size=32", settings, 2);

      g_assert_true (sl_ok (&status));
      train (&run, 1);
      first = last (&run, id);
      for (int step = 0; step < 40; step++)
        {
          g_assert_cmpfloat (last (&run, "total.total"), <=, before * (1 + 1e-5));
          before = last (&run, "total.total");
          train (&run, 1);
        }
      g_test_message ("%s: %g to %g", methods[i], first, last (&run, id));
      g_assert_cmpfloat (last (&run, id), <, 0.05 * first);
      run_clear (&run);
    }
}

/* Switching while it runs: the loss becomes that of the new settings at once. */
static void
test_live (void)
{
  Run      run;
  SlStatus status = run_open (&run, "pictures:size=32", SMALL, 2);

  g_assert_true (sl_ok (&status));
  train (&run, 10);
  set (&run, "goal", "content");
  train (&run, 1);
  g_assert_cmpfloat (last (&run, "total.style"), ==, 0.0);
  set (&run, "goal", "style");
  set (&run, "method", "moments");
  set (&run, "second", "gram");
  set (&run, "fusion", "1");
  train (&run, 1);
  g_assert_cmpfloat (last (&run, "total.content"), ==, 0.0);
  sl_assert_near (last (&run, "levels.loss.1") + last (&run, "levels.loss.2"),
                  last (&run, "losses.moments"), 1e-6, 0);
  set (&run, "weights", "0-2");
  train (&run, 1);
  sl_assert_near (2 * last (&run, "levels.loss.2"), last (&run, "losses.moments"), 1e-6, 0);
  set (&run, "weights", "0-0");
  train (&run, 2);
  g_assert_cmpfloat (last (&run, "total.total"), ==, 0.0);
  run_clear (&run);
}

/* With the rule of the paper a run ends after the first change below 0.5 %, and another loss begins
 * anew.  */
static void
test_stop (void)
{
  Run       run;
  SlMessage why;
  SlStatus  status = run_open (&run, "pictures:size=32", SMALL "goal=style", 2);
  unsigned  updates = 0;

  g_assert_true (sl_ok (&status));
  do
    train (&run, 1);
  while (++updates < 1000 && !(updates > 1 && last (&run, "change.change") < 0.5));
  g_assert_cmpuint (updates, >, 2);
  g_assert_cmpuint (updates, <, 1000);
  g_assert_false (sl_trainer_ended (run.trainer, NULL));
  set (&run, "stop", "yes");
  g_assert_true (sl_trainer_ended (run.trainer, &why));
  g_assert_nonnull (strstr (sl_english (&why), "0.5 %"));
  set (&run, "method", "moments");
  g_assert_false (sl_trainer_ended (run.trainer, NULL));
  run_clear (&run);
}

/* More memory than allowed is refused with the size that fits, and that does. */
static void
test_budget (void)
{
  Run         run;
  char        text[512], data[64];
  unsigned    width = 0, height = 0;
  const char *fits;
  SlStatus    status = run_open (&run, "pictures:size=256", "scales=5 budget=40", 1);

  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  g_assert_null (run.trainer);
  sl_status_text (&status, text, sizeof text);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "random filters at 5 scales"));
  g_assert_nonnull (strstr (text, "at most 40 MiB, as set"));
  fits = strstr (sl_english (&status.expected), "set: ");
  g_assert_nonnull (fits);
  g_assert_cmpint (sscanf (fits, "set: %u × %u", &width, &height), ==, 2);
  run_clear (&run);

  g_snprintf (data, sizeof data, "pictures:size=%u", MAX (width, height) - 1);
  status = run_open (&run, data, "scales=5 budget=40", 1);
  g_assert_true (sl_ok (&status));
  run_clear (&run);
}

/* Levels that the network lacks are left out; where none is left, that is said. */
static void
test_levels (void)
{
  Run      run;
  SlStatus status = run_open (&run, "pictures:size=32", "scales=2 levels=1-2-3 report-every=1", 1);

  g_assert_true (sl_ok (&status));
  train (&run, 1);
  g_assert_nonnull (g_hash_table_lookup (run.last, "levels.loss.2"));
  g_assert_null (g_hash_table_lookup (run.last, "levels.loss.3"));
  g_assert_nonnull (
    strstr (sl_english (&probe (&run, "picture")->note), "random filters at 2 scales, "));
  run_clear (&run);

  status = run_open (&run, "pictures:size=32", "scales=2 levels=3", 1);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_nonnull (strstr (sl_english (&status.expected), "levels up to 2"));
  run_clear (&run);
}

/* The panel shows the three pictures, and the file has the first one in full. */
static void
test_picture (void)
{
  Run               run;
  SlBitmap          bitmap = { 0 };
  SlStatus          status = run_open (&run, "pictures:size=48", SMALL "start=content", 1);
  const SlSnapshot *s;

  g_assert_true (sl_ok (&status));
  s = probe (&run, "picture");
  g_assert_cmpuint (s->tiles, ==, 3);
  g_assert_cmpuint (s->depth, ==, 3);
  g_assert_cmpuint (s->columns, ==, 48);
  g_assert_cmpuint (s->rows, ==, run.dataset->pictures->height);
  g_assert_true (g_str_has_prefix (sl_english_text (s->names), "Result\nContent: "));
  status = lab ()->picture (sl_trainer_state (run.trainer), &bitmap);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (bitmap.width, ==, 48);
  for (size_t i = 0; i < (size_t) bitmap.width * bitmap.height; i++)
    for (size_t c = 0; c < 3; c++)
      sl_assert_near (bitmap.rgb[3 * i + c] / 255.0,
                      s->data[c * (size_t) bitmap.width * bitmap.height + i], 0, 1e-6);
  sl_bitmap_clear (&bitmap);
  run_clear (&run);
}

/* Numbers that are none end the run in words. */
static void
test_not_a_number (void)
{
  static const char *const optimisers[] = { SMALL "optimiser=adam", SMALL "optimiser=lbfgs" };

  for (size_t i = 0; i < G_N_ELEMENTS (optimisers); i++)
    {
      Run      run;
      SlStatus status = run_open (&run, "pictures:size=32", optimisers[i], 1);
      SlSpan   x;

      g_assert_true (sl_ok (&status));
      train (&run, 3);
      x = sl_trainer_weights (run.trainer);
      x.data[x.n / 2] = (sl_real) NAN;
      /* A report looks at the picture anew. */
      status = sl_trainer_step (run.trainer, &run.sink);
      g_assert_cmpint (status.code, ==, SL_EDIVERGED);
      g_assert_cmpint (status.place, ==, SL_STEP);
      run_clear (&run);
    }
}

/* Scores are of the whole run; the closer texture has the smaller distance. */
static void
test_scores (void)
{
  double distance[2];

  for (int i = 0; i < 2; i++)
    {
      Run      run;
      SlScore  scores[SL_SCORES_MAX];
      unsigned n;
      SlStatus status = run_open (&run, "pictures:size=32", SMALL "goal=style", 1);

      g_assert_true (sl_ok (&status));
      train (&run, i == 0 ? 1 : 40);
      status = sl_trainer_score (run.trainer, SL_TEST, scores, &n);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (n, ==, 7);
      g_assert_cmpstr (scores[0].id, ==, lab ()->error);
      distance[i] = scores[0].value;
      status = sl_trainer_score (run.trainer, SL_TRAIN, scores, &n);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (n, ==, 0);
      run_clear (&run);
    }
  g_test_message ("%g, %g", distance[0], distance[1]);
  g_assert_true (distance[1] < 0.5 * distance[0]);
}

/* Multiplications of six updates; with `probes` somebody looks at panels meanwhile. */
static double
work_of (const char *method, const char *report, bool probes)
{
  g_autofree char *words = g_strdup_printf ("scales=2 levels=1-2 evaluate-every=1000 positions=64 "
                                            "method=%s report-every=%s",
                                            method, report);
  SlProgress       progress;
  Run              run;
  SlStatus         status = run_open (&run, "pictures:size=32", words, 1);

  g_assert_true (sl_ok (&status));
  for (int i = 0; i < 6; i++)
    {
      train (&run, 1);
      if (probes)
        probe (&run, i % 2 == 0 ? "means" : "cost");
    }
  sl_trainer_progress (run.trainer, &progress);
  run_clear (&run);
  return progress.multiplications;
}

/* A picture whose features are there does not go through the network again: what is reported costs
 * nothing, nor what is looked at, and neither shows in what is counted.  */
static void
test_work (void)
{
  static const char *const methods[] = { "gram", "gaussian" };

  for (size_t i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      double rarely = work_of (methods[i], "1000", false);

      g_assert_cmpfloat (rarely, >, 0.0);
      g_assert_cmpfloat (work_of (methods[i], "1", false), ==, rarely);
      g_assert_cmpfloat (work_of (methods[i], "1", true), ==, rarely);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/style-lab/pulls", test_pulls);
  g_test_add_func ("/style-lab/identity", test_identity);
  g_test_add_func ("/style-lab/start", test_start);
  g_test_add_func ("/style-lab/falls", test_falls);
  g_test_add_func ("/style-lab/live", test_live);
  g_test_add_func ("/style-lab/stop", test_stop);
  g_test_add_func ("/style-lab/budget", test_budget);
  g_test_add_func ("/style-lab/levels", test_levels);
  g_test_add_func ("/style-lab/picture", test_picture);
  g_test_add_func ("/style-lab/not-a-number", test_not_a_number);
  g_test_add_func ("/style-lab/scores", test_scores);
  g_test_add_func ("/style-lab/work", test_work);
  return g_test_run ();
}
