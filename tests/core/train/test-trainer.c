/* SPDX-License-Identifier: MIT
 *
 * What a trainer refuses, of every lab, and what it leaves as it was.  */
#include <glib.h>
#include <math.h>

#include "core/data/source/source.h"
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
      add ("picture", sl_labs[i], test_picture);
      add ("map", sl_labs[i], test_map);
    }
  g_test_add_func ("/trainer/data", test_data);
  return g_test_run ();
}
