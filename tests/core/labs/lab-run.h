/* SPDX-License-Identifier: MIT
 *
 * What tests of single labs share: a run without a thread, with what it published last.  */
#pragma once

#include <glib.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"

/* A run with the last value of every channel and the last snapshot. */
typedef struct
{
  SlSink       sink; /* first */
  const SlLab *lab;
  SlDataset   *dataset;
  SlTrainer   *trainer;
  double       value[SL_CHANNELS_MAX];
  uint64_t     step[SL_CHANNELS_MAX];
  SlSnapshot   snapshot;
  SlSubject    subject; /* of pictures of one example */
} Run;

static inline void
take (SlSink *sink, const SlSample *sample)
{
  Run *run = (Run *) sink;

  run->value[sample->channel] = sample->value;
  run->step[sample->channel] = sample->step;
}

static inline SlSnapshot *
open_snapshot (SlSink *sink, unsigned panel)
{
  Run *run = (Run *) sink;

  sl_snapshot_reset (&run->snapshot);
  run->snapshot.panel = panel;
  return &run->snapshot;
}

static inline void
publish (SlSink *sink, SlSnapshot *snapshot)
{
}

static inline void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

/* Begins a run of a lab on the data, or none, with settings "id=value id=value …", one seed for all and a program's gate,
 * or none.  What the lab refuses comes back; the run is cleared in any case.  */
static inline SlStatus
lab_run_try_own (Run *run, const char *id, const char *data, const char *words,
                 const SlOwnGate *own)
{
  const SlLab *lab = sl_lab_find (id);
  g_auto (GStrv) word = g_strsplit (words, " ", -1);
  SlSettings settings;

  g_assert_nonnull (lab);
  *run = (Run) { .sink = { .take = take, .open = open_snapshot, .publish = publish }, .lab = lab };
  sl_settings_default (&settings, lab->params, lab->n_params);
  for (char **w = word; *w != NULL; w++)
    {
      g_auto (GStrv) pair = g_strsplit (*w, "=", 2);

      assert_ok (sl_settings_set (&settings, lab->params, lab->n_params, pair[0], pair[1]));
    }
  if (data != NULL)
    assert_ok (sl_source_open (data, &run->dataset));
  return sl_trainer_new_own (&run->trainer, lab, &settings, run->dataset, 5, own);
}

static inline SlStatus
lab_run_try (Run *run, const char *id, const char *data, const char *words)
{
  return lab_run_try_own (run, id, data, words, NULL);
}

static inline void
run_clear (Run *run)
{
  sl_trainer_free (run->trainer);
  sl_dataset_free (run->dataset);
  sl_snapshot_clear (&run->snapshot);
}

static inline void
run_steps (Run *run, int n)
{
  for (int i = 0; i < n; i++)
    assert_ok (sl_trainer_step (run->trainer, &run->sink));
}

static inline void
run_set (Run *run, const char *id, double number)
{
  int param = sl_param_find (run->lab->params, run->lab->n_params, id);

  g_assert_cmpint (param, >=, 0);
  assert_ok (sl_trainer_set (run->trainer, (unsigned) param, &(SlValue) { 1, { number } }));
}

static inline bool
has (Run *run, const char *id)
{
  int channel = sl_layout_find (sl_trainer_layout (run->trainer), id);

  g_assert_cmpint (channel, >=, 0);
  return run->step[channel] > 0;
}

/* The last value of a channel; it must have been published at this very step. */
static inline double
now (Run *run, const char *id)
{
  int channel = sl_layout_find (sl_trainer_layout (run->trainer), id);

  g_assert_cmpint (channel, >=, 0);
  g_assert_cmpuint (run->step[channel], ==, sl_trainer_steps (run->trainer));
  return run->value[channel];
}

static inline void
run_probe (Run *run, const char *panel)
{
  int index = sl_lab_panel (run->lab, panel);

  g_assert_cmpint (index, >=, 0);
  assert_ok (sl_trainer_probe (run->trainer, (unsigned) index, &run->sink));
  g_assert_cmpuint (run->snapshot.panel, ==, (unsigned) index);
}

static inline double
score_of (Run *run, SlSplit split, const char *id)
{
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;

  assert_ok (sl_trainer_score (run->trainer, split, scores, &n));
  for (unsigned i = 0; i < n; i++)
    if (strcmp (scores[i].id, id) == 0)
      return scores[i].value;
  g_error ("no score %s", id);
}
