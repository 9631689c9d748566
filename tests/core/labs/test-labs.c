/* SPDX-License-Identifier: MIT
 *
 * The tests that every lab is enrolled in by being in the registry, over all its trials: in double,
 * gradients; in the product's precision, determinism, checkpoints, probes that disturb nothing, bad input.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/nn/optim/optim.h"
#include "core/train/gradcheck.h"
#include "core/train/trainer.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

enum { PRESETS_MAX = 24 };

typedef struct
{
  const SlLab   *lab;
  const SlTrial *trial;
  double        *reach; /* largest share of weights with a gradient in any trial of the lab */
} Case;

/* Collects everything a run publishes as text, to compare runs to the byte. */
typedef struct
{
  SlSink       sink; /* first */
  const SlLab *lab;  /* whose panels' axes are held against what comes, or NULL */
  GString     *text;
  SlSnapshot   snapshot;
  unsigned     snapshots;
  unsigned     curves_or_pixels;
} Recorder;

/* What a panel shows is within what its axis can show: beyond there is no tick. */
static void
assert_possible (const SlAxis *axis, double value)
{
  double least, most;

  sl_axis_bounds (axis, &least, &most);
  if (!isfinite (value))
    return;
  g_assert_cmpfloat (value, >=, least - 1e-4);
  g_assert_cmpfloat (value, <=, most + 1e-4);
}

static void
take (SlSink *sink, const SlSample *sample)
{
  Recorder *recorder = (Recorder *) sink;

  g_assert_cmpuint (sample->channel, <, sink->layout->n);
  if (recorder->lab != NULL
      && recorder->lab->panels[sink->layout->channel[sample->channel].panel].kind == SL_SERIES)
    assert_possible (&recorder->lab->panels[sink->layout->channel[sample->channel].panel].y,
                     sample->value);
  g_string_append_printf (recorder->text, "%" G_GUINT64_FORMAT " %s %a\n", sample->step,
                          sink->layout->channel[sample->channel].id, sample->value);
}

static SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  Recorder *recorder = (Recorder *) sink;

  sl_snapshot_reset (&recorder->snapshot);
  recorder->snapshot.panel = panel;
  return &recorder->snapshot;
}

static void
publish (SlSink *sink, SlSnapshot *snapshot)
{
  Recorder *recorder = (Recorder *) sink;

  for (unsigned c = 0; c < snapshot->n_curves && recorder->lab != NULL; c++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[c];
      const SlPanel         *panel = &recorder->lab->panels[snapshot->panel];
      const double          *x = snapshot->data + curve->offset;

      for (size_t i = 0; i < curve->n; i++)
        {
          assert_possible (&panel->x, x[i]);
          assert_possible (&panel->y, x[curve->n + i]);
        }
    }
  recorder->snapshots++;
  recorder->curves_or_pixels += snapshot->n_curves + snapshot->tiles;
}

static void
recorder_init (Recorder *recorder)
{
  *recorder = (Recorder) { .sink = { .take = take, .open = open_snapshot, .publish = publish },
                           .text = g_string_new (NULL) };
}

static void
recorder_clear (Recorder *recorder)
{
  g_string_free (recorder->text, TRUE);
  sl_snapshot_clear (&recorder->snapshot);
}

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static SlSettings
settings_of (const Case *c)
{
  SlSettings settings;
  g_auto (GStrv) words = g_strsplit (c->trial->settings, " ", -1);

  sl_settings_default (&settings, c->lab->params, c->lab->n_params);
  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

      assert_ok (sl_settings_set (&settings, c->lab->params, c->lab->n_params, pair[0], pair[1]));
    }
  return settings;
}

static SlTrainer *
trainer_of (const Case *c, const SlDataset *dataset, uint64_t seed)
{
  SlSettings settings = settings_of (c);
  SlTrainer *trainer;

  assert_ok (sl_trainer_new (&trainer, c->lab, &settings, dataset, seed));
  return trainer;
}

static void
run (SlTrainer *trainer, Recorder *recorder, int steps)
{
  for (int i = 0; i < steps; i++)
    assert_ok (sl_trainer_step (trainer, &recorder->sink));
}

/* A trial with a network of its own: the halves of a picture at inputs of their own, and two
 * controllers that both let N3 run; each answer has an output.  */
static const SlTrial two_ends = { "digits:images=600", "batch=30 lambda=0.9" };
static const char    two_ends_network[]
  = "{\"sluice-network\":1,\"nodes\":["
    "{\"name\":\"upper\",\"kind\":\"input\",\"part\":[0,392]},"
    "{\"name\":\"lower\",\"kind\":\"input\",\"part\":[392,392]},"
    "{\"name\":\"N1\",\"layers\":[{\"dense\":8,\"rectified\":true}],\"inputs\":[\"upper\"]},"
    "{\"name\":\"N2\",\"layers\":[{\"dense\":8,\"rectified\":true}],\"inputs\":[\"lower\"]},"
    "{\"name\":\"Q1\",\"kind\":\"control\",\"layers\":[{\"dense\":2}],\"inputs\":[\"N1\"],"
    "\"actions\":[\"D\",\"N3\"]},"
    "{\"name\":\"Q2\",\"kind\":\"control\",\"layers\":[{\"dense\":2}],\"inputs\":[\"N2\"],"
    "\"actions\":[\"D\",\"N3\"]},"
    "{\"name\":\"D\",\"kind\":\"dummy\",\"shape\":\"classes\"},"
    "{\"name\":\"N3\",\"layers\":[{\"dense\":16,\"rectified\":true},{\"dense\":\"classes\"}],"
    "\"beside\":true,\"inputs\":[\"N1\",\"N2\"]},"
    "{\"name\":\"N4\",\"layers\":[{\"dense\":\"classes\"}],\"inputs\":[\"N2\"]},"
    "{\"name\":\"out1\",\"kind\":\"output\",\"inputs\":[\"N4\"]},"
    "{\"name\":\"out2\",\"kind\":\"output\",\"inputs\":[\"N3\"]}]}";

/* NULL for a lab that needs none. */
static SlDataset *
dataset_of (const Case *c)
{
  SlDataset *dataset = NULL;

  g_assert_true ((c->trial->data == NULL) == (c->lab->data == SL_NEEDS_NOTHING));
  if (c->trial->data != NULL)
    assert_ok (sl_source_open (c->trial->data, &dataset));
  if (c->trial == &two_ends)
    dataset->network = strdup (two_ends_network);
  return dataset;
}

#ifdef SL_DOUBLE
/* The gradient against central differences, in double: the whole vector within 1e-6. */
static void
test_gradient (gconstpointer data)
{
  const Case *c = data;
  SlDataset  *dataset = dataset_of (c);

  for (uint64_t seed = 1; seed <= 2; seed++)
    {
      SlTrainer  *trainer = trainer_of (c, dataset, seed);
      Recorder    recorder;
      SlGradcheck result;

      recorder_init (&recorder);
      run (trainer, &recorder, 3);
      assert_ok (sl_gradcheck (sl_trainer_state (trainer), 1e-6, 400, &result));
      g_test_message ("error %.3g over %zu weights, %zu nonzero", result.error, result.tried,
                      result.nonzero);
      g_assert_true (result.frozen == 0.0);
      g_assert_cmpuint (result.nonzero, >=, 1);
      *c->reach = MAX (*c->reach, (double) result.nonzero / (double) result.tried);
      g_assert_true (result.error < 1e-6);
      recorder_clear (&recorder);
      sl_trainer_free (trainer);
    }
  sl_dataset_free (dataset);
}

/* A trial may starve a branch on purpose (rank 0); some trial must feed nearly all of them. */
static void
test_reach (gconstpointer data)
{
  g_assert_true (*((const Case *) data)->reach > 0.8);
}
#endif

/* A step updates what the gradient says: the weights with a clear one have moved after some
 * steps, in whatever layer they are.  */
static void
test_updates (gconstpointer data)
{
  const Case         *c = data;
  SlDataset          *dataset = dataset_of (c);
  SlTrainer          *trainer = trainer_of (c, dataset, 7);
  SlSpan              weights = sl_trainer_weights (trainer);
  g_autofree sl_real *before = g_memdup2 (weights.data, weights.n * sizeof *before);
  g_autofree sl_real *gradient = g_new (sl_real, weights.n);
  Recorder            recorder;
  double              loss;
  size_t              reached = 0, moved = 0;

  recorder_init (&recorder);
  sl_state_freeze (sl_trainer_state (trainer), true);
  assert_ok (sl_state_objective (sl_trainer_state (trainer), &loss, gradient));
  sl_state_freeze (sl_trainer_state (trainer), false);
  run (trainer, &recorder, 25);
  for (size_t i = 0; i < weights.n; i++)
    {
      bool clear = fabs ((double) gradient[i]) > 1e-3;

      reached += clear;
      moved += clear && weights.data[i] != before[i];
    }
  /* A very small update may vanish in rounding; a layer left out does not. */
  g_assert_cmpuint (reached, >, 0);
  g_assert_cmpfloat ((double) moved, >=, 0.9 * (double) reached);
  recorder_clear (&recorder);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* A message that fits, and leaves no mark of its packing when it is shown. */
static void
assert_shown (const char *packed, size_t most)
{
  char text[2 * SL_SNAPSHOT_NAMES];

  g_assert_cmpuint (strlen (packed), <, most);
  sl_message_show (packed, NULL, text, sizeof text);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (const char *at = text; *at != '\0'; at++)
    g_assert_true ((unsigned char) *at >= ' ' || *at == '\n' || *at == '\t');
}

/* The two bars that the host fills with the time of a pass. */
static bool
is_timed (const Recorder *recorder, size_t i)
{
  const SlClock         *clock = recorder->lab->clock;
  const SlSnapshotCurve *curve = &recorder->snapshot.curve[0];
  size_t                 bar = i - curve->offset - curve->n;

  return clock != NULL
         && curve->channel == (uint32_t) sl_layout_find (recorder->sink.layout, clock->channel)
         && i >= curve->offset + curve->n && (bar == clock->bar || bar == clock->bar + 1);
}

/* Exact numbers have no spread; times may be withheld and shares of nothing undefined, which the note says. */
static bool
may_miss (const Recorder *recorder, size_t i)
{
  const SlSnapshot *snapshot = &recorder->snapshot;
  bool              busy = strstr (snapshot->note.packed, "too busy") != NULL;
  bool              undefined = strstr (snapshot->note.packed, "undefined") != NULL;

  for (unsigned c = 0; c < snapshot->n_curves; c++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[c];

      if (curve->has_spread && i >= curve->offset + (busy ? 1 : 2) * curve->n
          && i < curve->offset + 3 * curve->n)
        return true;
      if (undefined && i >= curve->offset + curve->n && i < curve->offset + 2 * curve->n)
        return true;
    }
  return false;
}

/* Every panel that is no series fills something or says why not; the scores are numbers that the lab names. */
static void
survey (SlTrainer *trainer, Recorder *recorder)
{
  const SlLab *lab = recorder->lab;
  SlScore      scores[SL_SCORES_MAX];
  unsigned     n;

  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      unsigned before = recorder->snapshots;

      assert_ok (sl_trainer_probe (trainer, p, &recorder->sink));
      if (sl_panel_is_series (lab->panels[p].kind))
        continue;
      g_assert_cmpuint (recorder->snapshots, ==, before + 1);
      if (recorder->snapshot.n_curves == 0 && recorder->snapshot.tiles == 0)
        g_assert_cmpstr (recorder->snapshot.note.packed, !=, "");
      assert_shown (recorder->snapshot.note.packed, SL_MESSAGE_SIZE - 1);
      assert_shown (recorder->snapshot.names, SL_SNAPSHOT_NAMES - 1);
      for (size_t i = 0; i < recorder->snapshot.n_data; i++)
        g_assert_true (isfinite (recorder->snapshot.data[i]) || may_miss (recorder, i)
                       || is_timed (recorder, i));
    }
  assert_ok (sl_trainer_score (trainer, SL_TEST, scores, &n));
  g_assert_cmpuint (n, <=, SL_SCORES_MAX);
  for (unsigned k = 0; k < n; k++)
    {
      unsigned named = 0;

      g_assert_true (isfinite (scores[k].value));
      while (lab->scores[named].id != NULL && !g_str_equal (lab->scores[named].id, scores[k].id))
        named++;
      g_assert_nonnull (lab->scores[named].id);
      g_assert_cmpstr (lab->scores[named].title, ==, scores[k].title);
    }
}

/* A figure for all who have a clock and something to skip; none for others. */
static void
time_passes (SlTrainer *trainer, const SlLab *lab)
{
  SlClockRounds rounds = { 0 };
  SlClockAnswer answer = sl_trainer_time (trainer, &rounds, 0.001, NULL);

  if (lab->clock == NULL)
    g_assert_cmpint (answer, ==, SL_CLOCK_NOTHING);
  g_assert_cmpint (answer, !=, SL_CLOCK_UNREADY);
  if (answer != SL_CLOCK_DONE)
    return;
  g_assert_cmpuint (rounds.batch, >, 0);
  for (unsigned side = 0; side < SL_CLOCK_SIDES; side++)
    for (unsigned i = 0; i < rounds.n; i++)
      g_assert_true (rounds.seconds[side][i] > 0);
}

static void
pack (SlTrainer *trainer, GByteArray *bytes)
{
  SlCheckpoint checkpoint = { 0 };

  assert_ok (sl_trainer_save (trainer, &checkpoint));
  g_byte_array_append (bytes, checkpoint.data, (guint) checkpoint.bytes);
  sl_checkpoint_clear (&checkpoint);
}

/* With the clock on and off: the same text and the same bytes, from before the first update on. */
static void
test_clock (gconstpointer data)
{
  const Case      *c = data;
  SlDataset       *dataset = dataset_of (c);
  g_autofree char *text[2] = { NULL, NULL };
  GByteArray      *bytes[2] = { g_byte_array_new (), g_byte_array_new () };

  for (int on = 0; on < 2; on++)
    {
      SlTrainer *trainer = trainer_of (c, dataset, 7);
      Recorder   recorder;

      recorder_init (&recorder);
      recorder.lab = c->lab;
      for (int i = 0; i < 3; i++)
        {
          if (on)
            time_passes (trainer, c->lab);
          pack (trainer, bytes[on]);
          run (trainer, &recorder, 1 + 12 * i);
        }
      text[on] = g_strdup (recorder.text->str);
      recorder_clear (&recorder);
      sl_trainer_free (trainer);
    }
  g_assert_cmpstr (text[0], ==, text[1]);
  g_assert_cmpmem (bytes[0]->data, bytes[0]->len, bytes[1]->data, bytes[1]->len);
  g_byte_array_unref (bytes[0]);
  g_byte_array_unref (bytes[1]);
  g_free (text[1]);
  sl_dataset_free (dataset);
}

/* Same seed: the same text, surveyed or not.  Another seed: another one, where something is trained from it. */
static void
test_determinism (gconstpointer data)
{
  const Case      *c = data;
  SlDataset       *dataset = dataset_of (c);
  g_autofree char *text[3] = { NULL, NULL, NULL };

  for (int i = 0; i < 3; i++)
    {
      SlTrainer *trainer = trainer_of (c, dataset, i == 2 ? 8 : 7);
      Recorder   recorder;

      recorder_init (&recorder);
      recorder.lab = c->lab;
      run (trainer, &recorder, 25);
      /* Surveys and scores in one of the runs only: they must not show in what follows. */
      if (i == 1)
        survey (trainer, &recorder);
      run (trainer, &recorder, 25);
      text[i] = g_strdup (recorder.text->str);
      recorder_clear (&recorder);
      sl_trainer_free (trainer);
    }
  g_assert_cmpuint (strlen (text[0]), >, 100);
  g_assert_cmpstr (text[0], ==, text[1]);
  g_assert_cmpint (g_str_equal (text[0], text[2]), ==, !sl_lab_trains (c->lab));
  g_free (text[1]);
  g_free (text[2]);
  sl_dataset_free (dataset);
}

/* Save, go on, restore, go on again: the same text, in the same and in another state. */
static void
test_checkpoint (gconstpointer data)
{
  const Case      *c = data;
  SlDataset       *dataset = dataset_of (c);
  SlTrainer       *trainer = trainer_of (c, dataset, 7), *other = trainer_of (c, dataset, 99);
  SlCheckpoint     checkpoint = { 0 };
  g_autofree char *first = NULL;
  Recorder         recorder;

  recorder_init (&recorder);
  run (trainer, &recorder, 13);
  assert_ok (sl_trainer_save (trainer, &checkpoint));
  g_string_truncate (recorder.text, 0);
  run (trainer, &recorder, 20);
  first = g_strdup (recorder.text->str);

  assert_ok (sl_trainer_restore (trainer, &checkpoint));
  g_assert_cmpuint (sl_trainer_steps (trainer), ==, 13);
  g_string_truncate (recorder.text, 0);
  run (trainer, &recorder, 20);
  g_assert_cmpstr (recorder.text->str, ==, first);

  run (other, &recorder, 4);
  assert_ok (sl_trainer_restore (other, &checkpoint));
  g_string_truncate (recorder.text, 0);
  run (other, &recorder, 20);
  g_assert_cmpstr (recorder.text->str, ==, first);

  checkpoint.bytes--;
  SlStatus status = sl_trainer_restore (trainer, &checkpoint);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);

  sl_checkpoint_clear (&checkpoint);
  recorder_clear (&recorder);
  sl_trainer_free (other);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* Live parameters take their whole range while running; what is out of range, or needs a
 * restart, is refused and changes nothing.  */
static void
test_parameters (gconstpointer data)
{
  const Case *c = data;
  SlDataset  *dataset = dataset_of (c);
  SlTrainer  *trainer = trainer_of (c, dataset, 7);
  Recorder    recorder;

  recorder_init (&recorder);
  for (unsigned p = 0; p < c->lab->n_params; p++)
    {
      const SlParam *param = &c->lab->params[p];
      SlValue        value = sl_trainer_settings (trainer)->value[p], kept = value, bad = value;
      double         hi = param->kind == SL_BOOLEAN ? 1.0 : param->hi;
      SlStatus       status;

      bad.v[0] = NAN;
      status = sl_trainer_set (trainer, p, &bad);
      g_assert_cmpint (status.code, ==, SL_EINVAL);
      g_assert_cmpstr (status.subject, ==, param->id);
      bad.v[0] = 1e30;
      status = sl_trainer_set (trainer, p, &bad);
      g_assert_cmpint (status.code, ==, SL_EINVAL);
      if (param->effect == SL_RESTART)
        {
          status = sl_trainer_set (trainer, p, &kept);
          g_assert_cmpint (status.code, ==, SL_EINVAL);
          continue;
        }
      for (int end = 0; end < 2 && param->kind != SL_CHOICE; end++)
        {
          for (unsigned i = 0; i < value.n; i++)
            value.v[i] = end == 0 ? param->lo : hi;
          assert_ok (sl_trainer_set (trainer, p, &value));
          if (sl_trainer_ended (trainer, NULL))
            continue;
          status = sl_trainer_step (trainer, &recorder.sink);
          /* The far end of a learning rate may diverge, which is a status and not a crash. */
          g_assert_true (sl_ok (&status) || status.code == SL_EDIVERGED);
          if (!sl_ok (&status))
            g_assert_cmpint (status.place, ==, SL_STEP);
        }
      assert_ok (sl_trainer_set (trainer, p, &kept));
    }
  recorder_clear (&recorder);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* A lab that maps inputs has the panel for it, and what it says of an input does not depend on
 * the inputs beside it.  */
static void
test_map (gconstpointer data)
{
  const Case *c = data;
  SlDataset  *dataset = dataset_of (c);
  SlTrainer  *trainer = trainer_of (c, dataset, 7);
  enum { N = 40 };
  g_autofree sl_real *x = g_new (sl_real, N * dataset->features);
  uint8_t             label[N];
  SlCell              together[N];
  Recorder            recorder;

  recorder_init (&recorder);
  run (trainer, &recorder, 10);
  sl_dataset_range (dataset, 0, N, x, label);
  sl_state_map (sl_trainer_state (trainer), x, N, together);
  for (int i = 0; i < N; i++)
    {
      SlCell alone;

      sl_state_map (sl_trainer_state (trainer), x + (size_t) i * dataset->features, 1, &alone);
      g_assert_cmpuint (alone.pattern, ==, together[i].pattern);
      g_assert_cmpuint (alone.active, ==, together[i].active);
      g_assert_cmpuint (alone.label, ==, together[i].label);
      g_assert_cmpuint (alone.label, <, dataset->classes);
      sl_assert_near ((double) alone.margin, (double) together[i].margin, 1e-3, 1e-4);
      g_assert_true (alone.margin >= 0 && alone.margin <= 1);
      g_assert_true (alone.confidence >= 0 && alone.confidence <= 1);
      g_assert_true (alone.misjudged >= 0 && alone.misjudged <= 1);
      g_assert_true (alone.cost > 0);
    }
  recorder_clear (&recorder);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
}

/* Every condition names a parameter and a value that it can have. */
static void
assert_needs (const SlLab *lab, const char *needs)
{
  g_auto (GStrv) conditions = g_strsplit_set (needs != NULL ? needs : "", " |", -1);

  for (char **condition = conditions; *condition != NULL; condition++)
    {
      g_autofree char *id = g_strndup (*condition, strcspn (*condition, "!=>"));
      const char      *wanted = *condition + strlen (id) + strspn (*condition + strlen (id), "!=>");
      int              param = sl_param_find (lab->params, lab->n_params, id);
      SlValue          value;

      if (g_str_has_prefix (id, "data."))
        continue;
      g_assert_cmpint (param, >=, 0);
      assert_ok (sl_param_parse (&lab->params[param], wanted, &value));
      assert_ok (sl_param_check (&lab->params[param], &value));
    }
}

/* What numbers the channels is fixed for a run and has a word for each of them. */
static void
assert_counts (const SlLab *lab, const SlTrace *trace)
{
  unsigned n = 0;
  int      param;

  for (; (param = sl_trace_factor (lab, trace, n)) >= 0; n++)
    {
      g_assert_true (lab->params[param].kind == SL_LIST || lab->params[param].kind == SL_INTEGER);
      g_assert_true (lab->params[param].effect == SL_RESTART);
      g_assert_true (n > 0 || lab->params[param].one != NULL);
    }
  g_auto (GStrv) words = trace->each != NULL ? g_strsplit (trace->each, "*", -1) : NULL;

  g_assert_cmpuint (n, ==, words != NULL ? g_strv_length (words) : 0);
}

/* What a form, a help page and a command line rely on. */
/* The panels that a preset names are there; NULL: it names none. */
static void
assert_panels (const SlLab *lab, const char *ids)
{
  g_auto (GStrv) id = g_strsplit (ids != NULL ? ids : "", " ", -1);

  for (unsigned i = 0; id[i] != NULL; i++)
    g_assert_cmpint (sl_lab_panel (lab, id[i]), >=, 0);
}

static bool
is_picked (const SlLab *lab, const char *id)
{
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (g_strcmp0 (lab->panels[p].picks, id) == 0)
      return true;
  return false;
}

/* Its front page begins with the picture of the network at work, and holds what a page may. */
static void
assert_front (const SlLab *lab)
{
  g_auto (GStrv) knob = g_strsplit (lab->front->knobs, " ", -1);
  SlSettings settings;
  SlLayout   layout;
  unsigned   plots[SL_FRONT_PLOTS], knobs[SL_FRONT_KNOBS];
  int        picture = sl_lab_picture (lab);

  assert_panels (lab, lab->front->panels);
  g_assert_true (picture >= 0 && lab->panels[picture].kind == SL_ALIVE);
  for (unsigned i = 0; knob[i] != NULL; i++)
    {
      int param = sl_param_find (lab->params, lab->n_params, knob[i]);

      /* What is looked at leads where a click in a plot of the lab chooses it. */
      g_assert_true (param >= 0
                     && (!lab->params[param].view || is_picked (lab, lab->params[param].id)));
    }
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_layout_init (&layout, lab, &settings);
  g_assert_cmpuint (sl_lab_front_plots (lab, &settings, NULL, plots), ==, SL_FRONT_PLOTS);
  g_assert_cmpuint (sl_lab_front_knobs (lab, &settings, NULL, knobs), ==, SL_FRONT_KNOBS);
  for (unsigned b = 0; b < SL_FRONT_BARS && lab->front->bars[b].title != NULL; b++)
    {
      const SlFrontBar *bar = &lab->front->bars[b];

      g_assert_cmpint (sl_layout_find (&layout, bar->channel), >=, 0);
      g_assert_true (bar->mark == NULL || sl_layout_find (&layout, bar->mark) >= 0);
    }
  /* Work, time and errors, or figures of its own. */
  g_assert_true (
    lab->front->bars[0].title != NULL
    || (sl_lab_costs (lab).executed != NULL && lab->clock != NULL && lab->valid != NULL));
}

static void
test_descriptor (gconstpointer data)
{
  const SlLab *lab = ((const Case *) data)->lab;
  SlSettings   settings;
  SlLayout     layout;

  unsigned maps = 0;

  for (unsigned p = 0; p < lab->n_panels; p++)
    maps += lab->panels[p].kind == SL_MAP;
  g_assert_cmpuint (maps, ==, lab->map != NULL);
  assert_front (lab);
  sl_settings_default (&settings, lab->params, lab->n_params);
  g_assert_cmpuint (lab->n_params, <=, SL_PARAMS_MAX);
  g_assert_cmpuint (lab->n_panels, <=, SL_PANELS_MAX);
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      const SlParam *param = &lab->params[p];
      char           text[256];
      SlValue        back;

      g_assert_nonnull (param->id);
      g_assert_cmpuint (strlen (param->title), >, 0);
      g_assert_cmpuint (strlen (param->group), >, 0);
      g_assert_cmpuint (strlen (param->help), >, 20);
      g_assert_cmpint (sl_param_find (lab->params, lab->n_params, param->id), ==, (int) p);
      assert_ok (sl_param_check (param, &settings.value[p]));
      if (param->kind == SL_LIST)
        g_assert_nonnull (param->one);
      assert_needs (lab, param->needs);
      sl_param_format (param, &settings.value[p], text, sizeof text);
      assert_ok (sl_param_parse (param, text, &back));
      g_assert_cmpmem (&back, sizeof (double) * back.n + sizeof (unsigned), &settings.value[p],
                       sizeof (double) * back.n + sizeof (unsigned));
    }
  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      const SlPanel *panel = &lab->panels[p];

      g_assert_cmpuint (strlen (panel->title), >, 0);
      g_assert_cmpuint (strlen (panel->help), >, 20);
      /* What step() publishes has updates along x, or what the lab calls them. */
      if (sl_panel_is_series (panel->kind))
        g_assert_cmpstr (sl_panel_axes (lab, panel).x.label, ==,
                         sl_lab_trains (lab) ? "update" : "window");
      g_assert_cmpuint (sl_panel_n_traces (panel), <=, SL_TRACES_MAX);
      g_assert_cmpint (sl_lab_panel (lab, panel->id), ==, (int) p);
      for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
        {
          g_assert_cmpuint (strlen (panel->traces[t].title), >, 0);
          g_assert_nonnull (panel->traces[t].unit);
          g_assert_nonnull (panel->traces[t].help);
          assert_counts (lab, &panel->traces[t]);
        }
      if (panel->kind == SL_HISTORY || panel->kind == SL_HEATMAP)
        {
          g_assert_nonnull (panel->z.label);
        }
      assert_needs (lab, panel->needs);
      if (panel->of != NULL)
        {
          g_assert_cmpint (sl_lab_panel (lab, panel->of), >=, 0);
          g_assert_cmpuint (sl_panel_n_traces (panel), ==, 0);
        }
      if (panel->picks != NULL)
        {
          int picked = sl_param_find (lab->params, lab->n_params, panel->picks);

          g_assert_cmpint (picked, >=, 0);
          g_assert_true (lab->params[picked].kind == SL_INTEGER);
        }
      if (panel->drags != NULL)
        {
          int dragged = sl_param_find (lab->params, lab->n_params, panel->drags);

          g_assert_true (panel->kind == SL_PROFILE || panel->kind == SL_HEATMAP);
          g_assert_cmpint (dragged, >=, 0);
          g_assert_true (lab->params[dragged].kind == SL_REAL
                         || lab->params[dragged].kind == SL_INTEGER);
          g_assert_true (lab->params[dragged].effect == SL_LIVE);
        }
      g_assert_true (!panel->stacked || panel->kind == SL_BARS);
      g_assert_cmpint (panel->group, >, SL_SHOWS_NOTHING);
      g_assert_cmpint (panel->group, <, SL_N_PANEL_GROUPS);
    }
  sl_layout_init (&layout, lab, &settings);
  g_assert_cmpuint (layout.n, >, 0);
  g_assert_cmpuint (layout.n, <, SL_CHANNELS_MAX);
  if (lab->best != NULL)
    g_assert_cmpint (sl_layout_find (&layout, lab->best), >=, 0);
  for (unsigned i = 0; i < layout.n; i++)
    g_assert_cmpint (sl_layout_find (&layout, layout.channel[i].id), ==, (int) i);
}

/* Sets what a trace has values of to as many as there can be at most: of a list all, of a number as many as have a row
 * each.  */
static void
set_most (const SlLab *lab, const SlTrace *trace, SlSettings *settings)
{
  int param;

  for (unsigned i = 0; (param = sl_trace_factor (lab, trace, i)) >= 0; i++)
    {
      SlValue *value = &settings->value[param];
      double   most = trace->rows > 0 ? trace->rows : lab->params[param].hi;

      if (lab->params[param].kind == SL_LIST)
        value->n = SL_LIST_MAX;
      else
        value->v[0] = i == 0 ? fmin (most, lab->params[param].hi) : 1.0;
    }
}

/* The largest layout has all its channels. */
static void
test_channels (gconstpointer data)
{
  const SlLab *lab = ((const Case *) data)->lab;
  SlSettings   settings;
  SlLayout     layout;

  sl_settings_default (&settings, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_panels; p++)
    for (unsigned t = 0; t < sl_panel_n_traces (&lab->panels[p]); t++)
      set_most (lab, &lab->panels[p].traces[t], &settings);
  sl_layout_init (&layout, lab, &settings);
  g_test_message ("%s: %u channels", lab->id, layout.n);
  g_assert_cmpuint (layout.n, <, SL_CHANNELS_MAX);
}

/* What only says how often something is measured or which part is looked at comes last, can always be
 * changed, and no preset or suggested sweep sets it.  */
static void
test_view (gconstpointer data)
{
  const SlLab *lab = ((const Case *) data)->lab;
  SlSettings   usual, of;

  sl_settings_default (&usual, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      const SlParam *param = &lab->params[p];
      gboolean       is_view = p >= sl_lab_n_settings (lab);

      g_assert_true (param->view == is_view);
      g_assert_true (g_str_equal (param->group, "View") == is_view);
      if (is_view)
        g_assert_true (param->headline == SL_HEADLINE_NONE);
      else
        g_assert_true (!g_str_has_suffix (param->id, "-every")
                       || g_str_equal (param->id, "routed-every"));
      for (unsigned i = 0; is_view && i < sl_lab_n_named (lab); i++)
        {
          assert_ok (sl_preset_settings (lab, sl_lab_named (lab, i), &of));
          g_assert_true (sl_value_same (&of.value[p], &usual.value[p]));
        }
      for (unsigned i = 0; is_view && i < sl_lab_n_sweeps (lab); i++)
        {
          of = usual;
          assert_ok (
            sl_settings_set_words (&of, lab->params, lab->n_params, lab->sweeps[i].settings));
          g_assert_true (sl_value_same (&of.value[p], &usual.value[p]));
        }
    }
  of = usual;
  of.value[lab->n_params - 1].v[0] += 1;
  g_assert_true (sl_lab_trains_same (lab, &usual, &of)
                 == (sl_lab_n_settings (lab) < lab->n_params));
}

/* Every preset is a run on the usual data that can begin, and no two are the same. */
static void
test_presets (gconstpointer data)
{
  const Case  *c = data;
  const SlLab *lab = c->lab;
  SlDataset   *dataset = NULL;
  unsigned     n = sl_lab_n_named (lab);
  SlSettings   all[PRESETS_MAX];

  if (lab->data != SL_NEEDS_NOTHING)
    assert_ok (sl_source_open (sl_source_default_for (lab->data), &dataset));
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, PRESETS_MAX);
  for (unsigned i = 0; i < n; i++)
    {
      const SlPreset *preset = sl_lab_named (lab, i);
      SlSettings     *settings = &all[i];
      SlTrainer      *trainer;

      g_assert_true (sl_lab_preset (lab, preset->id) == preset);
      g_assert_cmpstr (preset->title, !=, "");
      if (i < sl_lab_n_presets (lab))
        g_assert_true (g_str_has_suffix (preset->help, "."));
      else
        g_assert_null (preset->help);
      assert_ok (sl_preset_settings (lab, preset, settings));
      assert_ok (sl_settings_check_reach (settings, lab->params, lab->n_params));
      assert_panels (lab, preset->panels);
      for (unsigned j = 0; j < i; j++)
        g_assert_false (sl_settings_same (&all[j], settings, lab->n_params));
      assert_ok (sl_trainer_new (&trainer, lab, settings, dataset, 1));
      sl_trainer_free (trainer);
    }
  g_assert_null (sl_lab_preset (lab, "none of them"));
  sl_dataset_free (dataset);
}

static void
add (const char *name, const Case *c, unsigned trial, GTestDataFunc function)
{
  g_autofree char *path = g_strdup_printf ("/lab/%s/%s/%u", c->lab->id, name, trial + 1);

  g_test_add_data_func_full (path, g_memdup2 (c, sizeof *c), function, g_free);
}

/* Enrols a trial, in the tests that it needs in this precision. */
static void
add_trial (const Case *c, unsigned t)
{
#ifdef SL_DOUBLE
  if (sl_lab_trains (c->lab))
    add ("gradient", c, t, test_gradient);
#endif
  if (sl_lab_trains (c->lab))
    add ("updates", c, t, test_updates);
  if (sizeof (sl_real) == sizeof (double)) /* the rest is the same code in either precision */
    return;
  add ("determinism", c, t, test_determinism);
  add ("clock", c, t, test_clock);
  add ("checkpoint", c, t, test_checkpoint);
  add ("parameters", c, t, test_parameters);
  if (c->lab->map != NULL)
    add ("map", c, t, test_map);
}

/* A lab that trains by plain descent offers every optimiser, in the order of their list. */
static void
test_optimisers (void)
{
  static const SlChoice every[] = { SL_OPTIMISERS (SL_OPTIMISER_CHOICE) { 0 } };
  unsigned              labs = 0;

  for (int l = 0; sl_labs[l] != NULL; l++)
    {
      const SlLab    *lab = sl_labs[l];
      int             p = sl_param_find (lab->params, lab->n_params, "optimiser");
      const SlChoice *choices = p >= 0 ? lab->params[p].choices : NULL;

      if (choices == NULL || strcmp (choices[SL_SGD].id, "sgd") != 0)
        continue;
      for (unsigned i = 0; i <= SL_N_OPTIMISERS; i++)
        g_assert_cmpstr (choices[i].id, ==, every[i].id);
      labs++;
    }
  g_assert_cmpuint (labs, >, 3);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) shared = g_ptr_array_new_with_free_func (g_free);
  guint64 share = 0, shares = 1, number = 0;

  g_test_init (&argc, &argv, NULL);
  /* "1 4": the second of every four labs; without arguments all of them. */
  if (argc == 3)
    {
      share = g_ascii_strtoull (argv[1], NULL, 10);
      shares = g_ascii_strtoull (argv[2], NULL, 10);
    }
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      Case c = { *lab, NULL, NULL };

      if (number++ % shares != share)
        continue;
      c.reach = g_new0 (double, 1);
      g_ptr_array_add (shared, c.reach);
      add ("descriptor", &c, 0, test_descriptor);
      if (sizeof (sl_real)
          == sizeof (float)) /* in double the largest one takes 10 GB, and shows no more */
        add ("presets", &c, 0, test_presets);
      add ("channels", &c, 0, test_channels);
      add ("view", &c, 0, test_view);
      for (unsigned t = 0; t < sl_lab_n_trials (*lab); t++)
        {
          c.trial = &(*lab)->trials[t];
          add_trial (&c, t);
        }
      if ((*lab)->network != NULL)
        {
          c.trial = &two_ends;
          add_trial (&c, sl_lab_n_trials (*lab));
        }
#ifdef SL_DOUBLE
      if (sl_lab_trains (*lab))
        add ("reach", &c, 0, test_reach);
#endif
    }
  g_test_add_func ("/labs/optimisers", test_optimisers);
  return g_test_run ();
}
