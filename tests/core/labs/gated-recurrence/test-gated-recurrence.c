/* SPDX-License-Identifier: MIT
 *
 * The lab `gated-recurrence` as a whole: what it refuses, that training and evaluation agree on
 * how many gates are on, that s moves them while it runs, and that it learns.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/source/source.h"
#include "core/labs/gated-recurrence/math/net.h"
#include "core/labs/registry.h"
#include "core/nn/dense/batchnorm.h"
#include "core/train/trainer.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

static const SlLab *lab;

/* A sink that keeps the last value of every channel, and one snapshot. */
typedef struct
{
  SlSink     sink; /* first */
  double     value[SL_CHANNELS_MAX];
  SlSnapshot snapshot;
} Watcher;

static void
take (SlSink *sink, const SlSample *sample)
{
  ((Watcher *) sink)->value[sample->channel] = sample->value;
}

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  SlSnapshot *snapshot = &((Watcher *) sink)->snapshot;

  sl_snapshot_reset (snapshot);
  snapshot->panel = panel;
  return snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
}

static SlDataset *
open_data (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);

  g_assert_true (sl_ok (&status));
  return dataset;
}

static SlStatus
start (SlTrainer **trainer, const SlDataset *dataset, const char *settings)
{
  g_auto (GStrv) words = g_strsplit (settings, " ", -1);
  SlSettings all;

  sl_settings_default (&all, lab->params, lab->n_params);
  for (char **word = words; *word != NULL; word++)
    {
      char    *equals = strchr (*word, '=');
      SlStatus status;

      *equals = '\0';
      status = sl_settings_set (&all, lab->params, lab->n_params, *word, equals + 1);
      g_assert_true (sl_ok (&status));
    }
  return sl_trainer_new (trainer, lab, &all, dataset, 3);
}

static void
watch (Watcher *watcher, SlTrainer *trainer)
{
  *watcher = (Watcher) { .sink = { .take = take,
                                   .open = open_snapshot,
                                   .publish = publish,
                                   .layout = sl_trainer_layout (trainer) } };
  for (size_t i = 0; i < SL_CHANNELS_MAX; i++)
    watcher->value[i] = NAN;
}

static double
last (const Watcher *watcher, const char *id)
{
  int channel = sl_layout_find (watcher->sink.layout, id);

  g_assert_cmpint (channel, >=, 0);
  return watcher->value[channel];
}

static void
run (SlTrainer *trainer, Watcher *watcher, int updates)
{
  for (int i = 0; i < updates; i++)
    {
      SlStatus status = sl_trainer_step (trainer, &watcher->sink);

      g_assert_true (sl_ok (&status));
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *data, *settings, *sentence;
    SlCode      code;
  } cases[] = {
    { "moons", "units=16", "Two moons: found labelled points of the plane, expected text",
      SL_EUNSUPPORTED },
    { "grammar:length=1000", "units=16 gates=5",
      "gates: found a number that does not divide the units, expected blocks of equal size",
      SL_EINVAL },
    { "grammar:length=1000", "units=16 batch=64 length=50",
      "Made-up sentences: found too short a text, expected at least batch × (length + 1) letters "
      "to train on",
      SL_EUNSUPPORTED },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlDataset *dataset = open_data (cases[i].data);
      SlTrainer *trainer;
      SlStatus   status = start (&trainer, dataset, cases[i].settings);
      char       text[512];

      g_assert_cmpint (status.code, ==, cases[i].code);
      g_assert_null (trainer);
      g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==, cases[i].sentence);
      sl_dataset_free (dataset);
    }
}

/* After some training the share of gates that are on is the same by the batches and by the
 * statistics followed, near what s says, and follows s at once.  */
static void
check_density (const char *gating, bool rectified)
{
  SlDataset       *dataset = open_data ("grammar:length=60000");
  g_autofree char *settings
    = g_strdup_printf ("units=64 gates=16 batch=32 length=16 evaluate-every=60 report-every=1 s=0 "
                       "learning-rate=0.003 reset=20 gating=%s bottleneck=%s",
                       gating, rectified ? "rectifier" : "identity");
  int        s = sl_param_find (lab->params, lab->n_params, "s");
  SlTrainer *trainer;
  Watcher    watcher;
  SlStatus   status = start (&trainer, dataset, settings);
  double     before;

  g_assert_true (sl_ok (&status));
  watch (&watcher, trainer);
  run (trainer, &watcher, 120);
  before = last (&watcher, "density.train.1");
  sl_assert_near (before, last (&watcher, "density.valid.1"), 0, 5);
  sl_assert_near (last (&watcher, "density.normal"), 50, 0, 1e-9);
  sl_assert_near (before, 100 * sl_norm_share_on (0, rectified), 0, 18);
  g_assert_cmpfloat (last (&watcher, "bits.train"), <, last (&watcher, "bits.uniform") - 0.7);

  status = sl_trainer_set (trainer, (unsigned) s, &(SlValue) { 1, { -0.75 } });
  g_assert_true (sl_ok (&status));
  run (trainer, &watcher, 1);
  g_assert_cmpfloat (last (&watcher, "density.train.1"), <, before - 8);
  run (trainer, &watcher, 59);
  g_assert_cmpfloat (last (&watcher, "density.valid.1"), <, before - 8);
  sl_assert_near (last (&watcher, "density.train.1"), last (&watcher, "density.valid.1"), 0, 5);
  sl_trainer_free (trainer);
  sl_snapshot_clear (&watcher.snapshot);
  sl_dataset_free (dataset);
}

static void
test_density (void)
{
  check_density ("units", true);
  check_density ("units", false);
  check_density ("blocks", true);
  check_density ("mixed", false);
}

/* The lines of frequencies against those of a text that is known: "abab…" has one bit a letter,
 * and none when the letter before it is known.  */
static void
test_lines (void)
{
  g_autofree char *path = NULL;
  GString         *text = g_string_new (NULL);
  int              file = g_file_open_tmp ("sluice-XXXXXX.txt", &path, NULL);
  SlDataset       *dataset;
  SlTrainer       *trainer;
  Watcher          watcher;
  SlStatus         status;

  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  for (int i = 0; i < 500; i++)
    g_string_append (text, "ab");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  dataset = open_data (path);
  status = start (&trainer, dataset, "units=8 gates=2 batch=4 length=4 evaluate-every=1");
  g_assert_true (sl_ok (&status));
  watch (&watcher, trainer);
  run (trainer, &watcher, 1);
  sl_assert_near (last (&watcher, "bits.uniform"), 4.754887502163468, 0, 1e-12);
  sl_assert_near (last (&watcher, "bits.one"), 1, 0, 1e-4);
  sl_assert_near (last (&watcher, "bits.two"), 0, 0, 1e-12);
  sl_assert_near (last (&watcher, "bits.three"), 0, 0, 1e-12);
  g_string_free (text, TRUE);
  sl_trainer_free (trainer);
  sl_snapshot_clear (&watcher.snapshot);
  sl_dataset_free (dataset);
  g_unlink (path);
}

/* What the probes promise: a sample of letters and their costs, shares of runs that add up. */
static void
test_probes (void)
{
  SlDataset *dataset = open_data ("grammar:length=20000");
  SlTrainer *trainer;
  Watcher    watcher;
  SlStatus   status = start (&trainer, dataset, "units=32 gates=8 batch=16 length=8 layers=2");
  double     sum = 0;
  size_t     names = 0;

  g_assert_true (sl_ok (&status));
  watch (&watcher, trainer);
  run (trainer, &watcher, 20);

  sl_trainer_probe (trainer, (unsigned) sl_lab_panel (lab, "sample"), &watcher.sink);
  g_assert_cmpuint (watcher.snapshot.rows, ==, 2);
  g_assert_cmpuint (strlen (sl_english (&watcher.snapshot.note)), ==, watcher.snapshot.columns);
  for (const char *at = watcher.snapshot.names; *at != '\0'; at++)
    names += *at == '\n';
  g_assert_cmpuint (names, ==, watcher.snapshot.columns);
  for (size_t i = 0; i < 2 * watcher.snapshot.columns; i++)
    g_assert_true (watcher.snapshot.data[i] >= 0 && watcher.snapshot.data[i] <= 100);

  sl_trainer_probe (trainer, (unsigned) sl_lab_panel (lab, "copies"), &watcher.sink);
  g_assert_cmpuint (watcher.snapshot.n_curves, ==, 2);
  for (unsigned c = 0; c < 2; c++)
    {
      const SlSnapshotCurve *curve = &watcher.snapshot.curve[c];

      sum = 0;
      for (size_t i = 0; i < curve->n; i++)
        sum += watcher.snapshot.data[curve->offset + curve->n + i];
      sl_assert_near (sum, 100, 0, 1e-9);
    }
  sl_trainer_free (trainer);
  sl_snapshot_clear (&watcher.snapshot);
  sl_dataset_free (dataset);
}

/* The figure from the tables of the dissertation is that of the nearest s and g, by kind of gate:
 * block size / g of table 4.2, g of table 4.4.  */
static void
test_published (void)
{
  static const struct
  {
    const char *settings;
    double      value;
  } cells[] = {
    { "gating=blocks gates=64 s=0", 0.73 },     { "gating=blocks gates=16 s=-0.25", 1.68 },
    { "gating=blocks gates=64 s=-0.25", 1.88 }, { "gating=blocks gates=64 s=-0.5", 1.72 },
    { "gating=blocks gates=16 s=-1.5", 1.95 },  { "gating=units gates=16 s=0.8", 1.55 },
    { "gating=units gates=64 s=-0.55", 1.99 },  { "gating=units gates=32 s=-0.75", 2.18 },
  };
  SlDataset *dataset = open_data ("grammar:length=3000");

  for (size_t i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      g_autofree char *words = g_strdup_printf ("units=64 batch=4 length=2 %s", cells[i].settings);
      SlTrainer       *trainer;
      Watcher          watcher;
      SlStatus         status = start (&trainer, dataset, words);

      g_assert_true (sl_ok (&status));
      watch (&watcher, trainer);
      run (trainer, &watcher, 1);
      sl_trainer_probe (trainer, (unsigned) sl_lab_panel (lab, "speed"), &watcher.sink);
      g_assert_cmpuint (watcher.snapshot.curve[0].n, ==, 4);
      g_assert_cmpfloat (watcher.snapshot.data[watcher.snapshot.curve[0].offset + 7], ==,
                         cells[i].value);
      sl_trainer_free (trainer);
      sl_snapshot_clear (&watcher.snapshot);
    }
  sl_dataset_free (dataset);
}

/* A batch and one example at a time, skipping what is off, give the loss of the network that
 * computes everything and multiplies by the gates.  */
static void
check_losses (SlGruGating gating)
{
  enum { BATCH = 4, STEPS = 12, SYMBOLS = 9, UNITS = 96, GATES = 12 };
  SlGruNet   net;
  SlGruRun   run_;
  SlArena    arena = { 0 };
  SlRng      rng;
  SlGruGates gates = { .s = -0.25, .epsilon = 1e-5 };
  uint8_t    symbol[(STEPS + 1) * BATCH];
  uint32_t   rows[UNITS];
  double     batched, single = 0;
  SlStatus   status;

  sl_gru_net_shape (&net, gating, true, gating != SL_GRU_BLOCKS, SYMBOLS, 2, UNITS, GATES);
  for (int pass = 0; pass < 2; pass++)
    {
      sl_gru_net_carve (&net, false, &arena, &arena);
      sl_gru_run_carve (&run_, &net, BATCH, STEPS, false, &arena);
      if (pass == 0)
        {
          status = sl_arena_init (&arena, arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
  sl_rng_init (&rng, 9, "test");
  status = sl_gru_net_init (&net, &rng);
  g_assert_true (sl_ok (&status));
  for (size_t i = 0; i < sizeof symbol; i++)
    symbol[i] = (uint8_t) sl_rng_below (&rng, SYMBOLS);
  sl_gru_net_pack (&net);
  /* Statistics of this text first. */
  sl_gru_net_forward (&net, &run_, STEPS, symbol, &gates);
  sl_gru_net_follow (&net, &run_, STEPS, 1);
  gates.given = true;
  sl_gru_net_rest (&net, &run_, 0, BATCH);
  sl_gru_net_forward (&net, &run_, STEPS, symbol, &gates);
  batched = sl_gru_net_loss (&net, &run_, STEPS, symbol + BATCH, false);

  g_autofree sl_real *state = g_new (sl_real, sl_gru_net_state (&net));
  g_autofree sl_real *z = g_new (sl_real, 2 * UNITS);
  g_autofree sl_real *work = g_new (sl_real, sl_gru_net_work (&net));
  sl_real             logits[SYMBOLS];

  for (size_t e = 0; e < BATCH; e++)
    {
      memset (state, 0, sl_gru_net_state (&net) * sizeof *state);
      for (size_t t = 0; t < STEPS; t++)
        {
          double sum = 0;

          sl_gru_net_one (&net, &gates, state, symbol[t * BATCH + e], NULL, z, logits, work, rows);
          for (int c = 0; c < SYMBOLS; c++)
            sum += exp ((double) logits[c]);
          single += log (sum) - (double) logits[symbol[(t + 1) * BATCH + e]];
        }
    }
  sl_assert_near (single / (BATCH * STEPS), batched, 1e-4, 0);
  sl_arena_clear (&arena);
}

static void
test_losses (void)
{
  for (int gating = SL_GRU_STANDARD; gating <= SL_GRU_MIXED; gating++)
    check_losses ((SlGruGating) gating);
}

/* Bits of six updates. */
static void
train_six (const SlDataset *dataset, const char *reset, double bits[6])
{
  g_autofree char *settings
    = g_strconcat ("units=12 gates=4 batch=4 length=6 report-every=1 ", reset, NULL);
  SlTrainer *trainer;
  SlStatus   status = start (&trainer, dataset, settings);
  Watcher    watcher;

  g_assert_true (sl_ok (&status));
  watch (&watcher, trainer);
  for (int t = 0; t < 6; t++)
    {
      run (trainer, &watcher, 1);
      bits[t] = last (&watcher, "bits.train");
    }
  sl_trainer_free (trainer);
}

/* All at once, four updates are as if nothing was reset, and the fifth is not; one after the other, the second is
 * not.  */
static void
test_resets (void)
{
  SlDataset *dataset = open_data ("grammar:length=3000");
  double     never[6], at_once[6], in_turn[6];

  train_six (dataset, "reset=1000 reset-all=yes", never);
  train_six (dataset, "reset=4 reset-all=yes", at_once);
  train_six (dataset, "reset=4", in_turn);
  for (int t = 0; t < 4; t++)
    g_assert_cmpfloat (at_once[t], ==, never[t]);
  g_assert_cmpfloat (at_once[4], !=, never[4]);
  g_assert_cmpfloat (in_turn[0], ==, never[0]);
  g_assert_cmpfloat (in_turn[1], !=, never[1]);
  sl_dataset_free (dataset);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lab = sl_lab_find ("gated-recurrence");
  g_assert_nonnull (lab);
  g_test_add_func ("/gated-recurrence/refused", test_refused);
  g_test_add_func ("/gated-recurrence/density", test_density);
  g_test_add_func ("/gated-recurrence/lines", test_lines);
  g_test_add_func ("/gated-recurrence/surveys", test_probes);
  g_test_add_func ("/gated-recurrence/losses", test_losses);
  g_test_add_func ("/gated-recurrence/published", test_published);
  g_test_add_func ("/gated-recurrence/resets", test_resets);
  return g_test_run ();
}
