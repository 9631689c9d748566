/* SPDX-License-Identifier: MIT
 *
 * What a trainer refuses, of every lab, and what it leaves as it was.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/kit/probe.h"
#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

/* A trainer of the lab's first trial. */
static SlTrainer *
new_trainer (const SlLab *lab, SlDataset **dataset)
{
  const SlTrial *trial = &lab->trials[0];
  SlSettings     settings;
  SlTrainer     *trainer;

  *dataset = NULL;
  if (trial->data != NULL)
    assert_ok (sl_source_open (trial->data, dataset));
  sl_settings_default (&settings, lab->params, lab->n_params);
  assert_ok (sl_settings_set_words (&settings, lab->params, lab->n_params, trial->settings));
  assert_ok (sl_trainer_new (&trainer, lab, &settings, *dataset, 3));
  return trainer;
}

/* Parameters that need new weights, values that cannot be, and lists of another length. */
static void
test_set (gconstpointer data)
{
  const SlLab *lab = data;
  SlDataset   *dataset;
  SlTrainer   *trainer = new_trainer (lab, &dataset);
  SlSettings   before = *sl_trainer_settings (trainer);
  unsigned     refused = 0;

  for (unsigned p = 0; p < lab->n_params; p++)
    {
      const SlParam *param = &lab->params[p];
      SlValue        value = before.value[p];
      SlStatus       status = sl_trainer_set (trainer, p, &value);

      g_assert_cmpint (sl_ok (&status), ==, param->effect == SL_LIVE);
      refused += !sl_ok (&status);
      value.v[0] = (double) NAN;
      status = sl_trainer_set (trainer, p, &value);
      g_assert_cmpint (status.code, ==, SL_EINVAL);
      value = before.value[p];
      if (param->each == NULL || param->effect != SL_LIVE)
        continue;
      value.v[value.n] = value.v[0];
      value.n++;
      status = sl_trainer_set (trainer, p, &value);
      g_assert_cmpint (status.code, ==, SL_EINVAL);
    }
  g_assert_cmpuint (refused, >, 0);
  g_assert_true (sl_settings_same (&before, sl_trainer_settings (trainer), lab->n_params));
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* Whichever parameter has a value that cannot be, no trainer is made. */
static void
test_refused (gconstpointer data)
{
  const SlLab   *lab = data;
  const SlTrial *trial = &lab->trials[0];
  SlDataset     *dataset = NULL;

  if (trial->data != NULL)
    assert_ok (sl_source_open (trial->data, &dataset));
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      SlSettings settings;
      SlTrainer *trainer;
      SlStatus   status;

      sl_settings_default (&settings, lab->params, lab->n_params);
      settings.value[p].v[0] = (double) NAN;
      status = sl_trainer_new (&trainer, lab, &settings, dataset, 3);
      g_assert_cmpint (status.code, ==, SL_EINVAL);
      g_assert_null (trainer);
    }
  sl_dataset_free (dataset);
}

/* A picture there is only of labs that make one. */
static void
test_picture (gconstpointer data)
{
  const SlLab *lab = data;
  SlDataset   *dataset;
  SlTrainer   *trainer = new_trainer (lab, &dataset);
  SlBitmap     picture;
  SlStatus     status = sl_trainer_picture (trainer, &picture);

  if (lab->picture == NULL)
    {
      g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
      g_assert_cmpuint (picture.width, ==, 0);
    }
  else
    g_assert_true (sl_ok (&status) && picture.width > 0 && picture.height > 0);
  sl_bitmap_clear (&picture);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

typedef struct
{
  SlSink     sink; /* first */
  SlSnapshot snapshot;
  unsigned   published;
} Sink;

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  Sink *own = (Sink *) sink;

  sl_snapshot_reset (&own->snapshot);
  own->snapshot.panel = panel;
  return &own->snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
  ((Sink *) sink)->published++;
}

/* A map is made wherever its panel stands, also in the first place. */
static void
test_map (gconstpointer data)
{
  const SlLab *lab = data;
  SlLab        first = *lab;
  unsigned     panel = 0;
  Sink         sink = { .sink = { .open = open_snapshot, .publish = publish } };
  SlDataset   *dataset;
  SlTrainer   *trainer;

  while (panel < lab->n_panels && lab->panels[panel].kind != SL_MAP)
    panel++;
  if (lab->map == NULL || panel == lab->n_panels)
    {
      g_test_skip ("without a map");
      return;
    }
  first.panels = &lab->panels[panel];
  first.n_panels = 1;
  trainer = new_trainer (&first, &dataset);
  assert_ok (sl_trainer_probe (trainer, 0, &sink.sink));
  g_assert_cmpuint (sink.published, ==, 1);
  sl_snapshot_clear (&sink.snapshot);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* Data of another kind than a lab needs. */
static void
test_data (void)
{
  SlDataset *dataset;
  unsigned   refused = 0;

  assert_ok (sl_source_open ("moons", &dataset));
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      const SlLab *lab = sl_labs[i];
      SlSettings   settings;
      SlTrainer   *trainer;
      SlStatus     status;

      if (sl_data_serves (sl_dataset_kind (dataset), lab->data))
        continue;
      sl_settings_default (&settings, lab->params, lab->n_params);
      status = sl_trainer_new (&trainer, lab, &settings, dataset, 1);
      g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
      g_assert_null (trainer);
      refused++;
    }
  g_assert_cmpuint (refused, >, 0);
  sl_dataset_free (dataset);
}

/* ---- A lab that ends, and fails, when it is told to ---- */

static struct
{
  uint64_t steps;  /* made */
  uint64_t last;   /* after so many it has ended; 0: it does not */
  SlStatus fails;  /* what a step says */
  unsigned scored; /* how often it was asked */
} told;

static SlStatus
shape_nothing (SlLabState *state)
{
  return SL_SUCCESS;
}

static void
carve_some (SlLabState *state)
{
  sl_arena_carve (&state->kept, 100, 1);
  sl_arena_carve (&state->scratch, 1000, 1);
}

static SlStatus
init_nothing (SlLabState *state, uint64_t seed)
{
  return SL_SUCCESS;
}

static SlStatus
step_as_told (SlLabState *state, SlSink *sink)
{
  told.steps = sink->step;
  return told.fails;
}

static SlMessage
ended_as_told (const SlLabState *state)
{
  return told.last > 0 && told.steps >= told.last ? sl_message ("%u are enough", 2u)
                                                  : SL_NO_MESSAGE;
}

static void
score_one (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  told.scored++;
  scores[0] = (SlScore) { .id = "one", .value = 1.0 };
  *n = 1;
}

static const SlTrace one_trace[] = { { .id = "one", .title = "one", .unit = "" }, { 0 } };
static const SlPanel one_panel[]
  = { { .id = "ones", .title = "Ones", .kind = SL_SERIES, .traces = one_trace } };

static SlTrainer *
obedient_trainer (SlLab *lab)
{
  static const SlSettings settings;
  SlTrainer              *trainer;

  memset (&told, 0, sizeof told);
  *lab = (SlLab) { .id = "obedient",
                   .panels = one_panel,
                   .n_panels = 1,
                   .data = SL_NEEDS_NOTHING,
                   .state_bytes = sizeof (SlLabState),
                   .shape = shape_nothing,
                   .carve = carve_some,
                   .init = init_nothing,
                   .step = step_as_told };
  assert_ok (sl_trainer_new (&trainer, lab, &settings, NULL, 1));
  return trainer;
}

/* A run that has ended says why, and takes no update more; one without an end has none. */
static void
test_ended (void)
{
  SlLab      lab;
  SlTrainer *trainer = obedient_trainer (&lab);
  SlSink     sink = { 0 };
  SlMessage  why;
  SlStatus   status;
  char       text[200];

  g_assert_false (sl_trainer_ended (trainer, &why));
  g_assert_cmpstr (why.packed, ==, "");
  lab.ended = ended_as_told;
  told.last = 2;
  g_assert_false (sl_trainer_ended (trainer, &why));
  assert_ok (sl_trainer_step (trainer, &sink));
  g_assert_false (sl_trainer_ended (trainer, NULL));
  assert_ok (sl_trainer_step (trainer, &sink));
  g_assert_true (sl_trainer_ended (trainer, &why));
  g_assert_cmpstr (sl_message_show (why.packed, NULL, text, sizeof text), ==, "2 are enough");
  status = sl_trainer_step (trainer, &sink);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpint (status.place, ==, SL_STEP);
  g_assert_cmpuint (status.position, ==, 2);
  g_assert_cmpuint (told.steps, ==, 2);
  g_assert_cmpuint (sl_trainer_steps (trainer), ==, 2);
  sl_trainer_free (trainer);
}

/* Where an update failed is its number, unless the lab knows better. */
static void
test_failed (void)
{
  SlLab      lab;
  SlTrainer *trainer = obedient_trainer (&lab);
  SlSink     sink = { 0 };
  SlStatus   status;

  assert_ok (sl_trainer_step (trainer, &sink));
  told.fails = sl_status_new (SL_EDIVERGED, "loss", sl_message ("not a number"), SL_NO_MESSAGE);
  status = sl_trainer_step (trainer, &sink);
  g_assert_cmpint (status.code, ==, SL_EDIVERGED);
  g_assert_cmpint (status.place, ==, SL_STEP);
  g_assert_cmpuint (status.position, ==, 2);
  told.fails = sl_status_at (SL_EFORMAT, "file", SL_LINE, 40, sl_message ("x"), SL_NO_MESSAGE);
  status = sl_trainer_step (trainer, &sink);
  g_assert_cmpint (status.place, ==, SL_LINE);
  g_assert_cmpuint (status.position, ==, 40);
  g_assert_cmpuint (sink.step, ==, 3);
  g_assert_true (sink.layout == sl_trainer_layout (trainer));
  sl_trainer_free (trainer);
}

/* Scores of labs that have some, and of labels only where there are any; no picture and no recording. */
static void
test_without (void)
{
  SlLab             lab;
  SlTrainer        *trainer = obedient_trainer (&lab);
  SlScore           scores[SL_SCORES_MAX];
  struct SlRouting *routing;
  SlStatus          status;
  unsigned          n = 7;

  assert_ok (sl_trainer_score (trainer, SL_TEST, scores, &n));
  g_assert_cmpuint (n, ==, 0);
  lab.score = score_one;
  assert_ok (sl_trainer_score (trainer, SL_TEST, scores, &n));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (told.scored, ==, 1);
  status = sl_trainer_recording (trainer, &routing);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  g_assert_null (routing);
  /* Nothing to see in a panel of curves, and no map to look at. */
  sl_trainer_set_view (trainer, &(SlMapView) { 0 });
  assert_ok (sl_trainer_probe (trainer, 0, &(SlSink) { 0 }));
  g_assert_cmpuint (sl_trainer_bytes (trainer), >=, 1100);
  g_assert_cmpuint (sl_trainer_bytes (trainer), ==,
                    sl_trainer_state (trainer)->kept.used
                      + sl_trainer_state (trainer)->scratch.used);
  sl_trainer_free (trainer);
}

static unsigned probed;

static void
probe_nothing (SlProbe *probe)
{
  probed++;
}

/* A panel is probed if it is neither a curve nor a map and the lab has probes. */
static void
test_probes (void)
{
  static const SlPanel panels[] = {
    { .id = "ones", .title = "Ones", .kind = SL_SERIES, .traces = one_trace },
    { .id = "bars", .title = "Bars", .kind = SL_BARS, .traces = one_trace },
    { .id = "map", .title = "Map", .kind = SL_MAP, .traces = one_trace },
    { .id = "image", .title = "Image", .kind = SL_IMAGE, .traces = one_trace },
    { .id = "shares", .title = "Shares", .kind = SL_SHARES, .traces = one_trace },
  };
  static const SlProbePanel probes[]
    = { probe_nothing, probe_nothing, probe_nothing, probe_nothing, probe_nothing };
  SlLab      lab;
  SlTrainer *trainer = obedient_trainer (&lab);
  Sink       sink = { .sink = { .open = open_snapshot, .publish = publish } };

  probed = 0;
  lab.panels = panels;
  lab.n_panels = G_N_ELEMENTS (panels);
  for (unsigned p = 0; p < G_N_ELEMENTS (panels); p++)
    assert_ok (sl_trainer_probe (trainer, p, &sink.sink));
  g_assert_cmpuint (sink.published, ==, 0);
  lab.probes = probes;
  for (unsigned p = 0; p < G_N_ELEMENTS (panels); p++)
    {
      unsigned before = probed;

      assert_ok (sl_trainer_probe (trainer, p, &sink.sink));
      g_assert_cmpuint (probed - before, ==,
                        panels[p].kind == SL_BARS || panels[p].kind == SL_IMAGE);
      g_assert_cmpuint (sink.published, ==, probed);
    }
  sl_snapshot_clear (&sink.snapshot);
  sl_trainer_free (trainer);
}

/* Where a split is empty there are no labels to score. */
static void
test_empty_split (void)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlSettings   settings;
  SlTrainer   *trainer;
  SlDataset   *dataset;
  SlScore      scores[SL_SCORES_MAX];
  unsigned     n;

  assert_ok (sl_source_open ("moons:points=100", &dataset));
  sl_settings_default (&settings, lab->params, lab->n_params);
  assert_ok (sl_trainer_new (&trainer, lab, &settings, dataset, 1));
  dataset->n[SL_VALID] = 0;
  assert_ok (sl_trainer_score (trainer, SL_VALID, scores, &n));
  g_assert_cmpuint (n, ==, 0);
  dataset->n[SL_VALID] = 1;
  assert_ok (sl_trainer_score (trainer, SL_VALID, scores, &n));
  g_assert_cmpuint (n, >, 0);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

static void
add (const char *name, const SlLab *lab, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/trainer/%s/%s", name, lab->id);

  g_test_add_data_func (path, lab, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      add ("set", sl_labs[i], test_set);
      add ("refused", sl_labs[i], test_refused);
      add ("picture", sl_labs[i], test_picture);
      add ("map", sl_labs[i], test_map);
    }
  g_test_add_func ("/trainer/data", test_data);
  g_test_add_func ("/trainer/ended", test_ended);
  g_test_add_func ("/trainer/failed", test_failed);
  g_test_add_func ("/trainer/without", test_without);
  g_test_add_func ("/trainer/probes", test_probes);
  g_test_add_func ("/trainer/empty-split", test_empty_split);
  return g_test_run ();
}
