/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of every lab with bytes changed behind the signature: restoring refuses, or what follows
 * reads and writes nothing that is not the run's (the sanitizers see to that).  Numbers that are not
 * used as an index or a count may be anything; a run whose loss then is not finite says so.  */
#include <glib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"

enum {
  ROUNDS = 3, /* of each trial of a lab; LONG times as many with SLUICE_LONG set */
  LONG = 20,
  EDGE = 256,  /* bytes at either end of a block, where counts like to be */
  STEPS = 3,   /* before the damage and after it */
  PROBED = 10, /* rounds from one look at the panels, some of which take their time, to the next */
};

static void
take (SlSink *sink, const SlSample *sample)
{
}

typedef struct
{
  SlSink     sink; /* first */
  SlSnapshot snapshot;
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
}

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static SlTrainer *
new_trainer (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset)
{
  SlTrainer *trainer;

  assert_ok (sl_trainer_new (&trainer, lab, settings, dataset, 3));
  return trainer;
}

/* Where the numbers begin: behind the line that ends the signature. */
static size_t
find_numbers (const SlCheckpoint *checkpoint)
{
  static const char last[] = "\ndata\n";

  for (size_t i = 0; i + sizeof last - 1 <= checkpoint->bytes; i++)
    if (memcmp (checkpoint->data + i, last, sizeof last - 1) == 0)
      return i + sizeof last - 1;
  g_assert_not_reached ();
}

/* One word, at either end or anywhere, becomes what counts, indices and flags must not be. */
static void
damage (SlCheckpoint *checkpoint, size_t from, SlRng *rng)
{
  static const uint64_t odd[]
    = { 0, 1, 2, 0x55, 0xffffffff, 0x7fffffffffffffff, 0xffffffffffffffff, 0x100000001 };
  size_t   n = checkpoint->bytes - from, width = (size_t) 1 << (sl_rng_next (rng) % 4);
  size_t   near_end = MIN (EDGE, n), at;
  uint64_t word = sl_rng_next (rng) % 2 != 0 ? sl_rng_next (rng) : odd[sl_rng_next (rng) % 8];

  switch (sl_rng_next (rng) % 3)
    {
    case 0: at = sl_rng_next (rng) % near_end; break;
    case 1: at = n - 1 - sl_rng_next (rng) % near_end; break;
    default: at = sl_rng_next (rng) % n;
    }
  at -= at % width;
  memcpy (checkpoint->data + from + at, &word, MIN (width, n - at));
}

/* Panels of the clock take as long as timing takes, and have nothing from the checkpoint. */
static gboolean
is_timed (const SlLab *lab, unsigned panel)
{
  size_t n = strlen (lab->panels[panel].id);

  return lab->clock != NULL && strncmp (lab->clock->channel, lab->panels[panel].id, n) == 0
         && lab->clock->channel[n] == '.';
}

/* Goes on from the checkpoint, and looks at all panels if asked; true when it was let in. */
static gboolean
go_on (SlTrainer *trainer, const SlLab *lab, const SlCheckpoint *checkpoint, gboolean probes,
       Sink *sink)
{
  SlStatus status = sl_trainer_restore (trainer, checkpoint);
  SlScore  scores[SL_SCORES_MAX];
  unsigned n;

  if (!sl_ok (&status))
    {
      g_assert_cmpint (status.code, ==, SL_EFORMAT);
      return FALSE;
    }
  for (unsigned p = 0; p < lab->n_panels && probes; p++)
    if (!is_timed (lab, p))
      sl_trainer_probe (trainer, p, &sink->sink);
  for (unsigned i = 0; i < STEPS && sl_ok (&status); i++)
    status = sl_trainer_step (trainer, &sink->sink);
  sl_trainer_score (trainer, SL_VALID, scores, &n);
  return TRUE;
}

static void
test_lab (gconstpointer data)
{
  const SlLab *lab = data;
  unsigned     rounds = g_getenv ("SLUICE_LONG") != NULL ? ROUNDS * LONG : ROUNDS, refused = 0;
  Sink         sink = { .sink = { .take = take, .open = open_snapshot, .publish = publish } };
  SlRng        rng;

  sl_rng_init (&rng, 1, lab->id);
  for (unsigned i = 0; i < sl_lab_n_trials (lab); i++)
    {
      const SlTrial *trial = &lab->trials[i];
      SlDataset     *dataset = NULL;
      SlSettings     settings;
      SlCheckpoint   good = { 0 }, bad = { 0 };
      SlTrainer     *trainer;

      if (trial->data != NULL)
        assert_ok (sl_source_open (trial->data, &dataset));
      sl_settings_default (&settings, lab->params, lab->n_params);
      assert_ok (sl_settings_set_words (&settings, lab->params, lab->n_params, trial->settings));
      trainer = new_trainer (lab, &settings, dataset);
      for (unsigned k = 0; k < STEPS; k++)
        assert_ok (sl_trainer_step (trainer, &sink.sink));
      assert_ok (sl_trainer_save (trainer, &good));
      for (unsigned k = 0; k < rounds; k++)
        {
          assert_ok (sl_trainer_save (trainer, &bad));
          memcpy (bad.data, good.data, good.bytes);
          damage (&bad, find_numbers (&bad), &rng);
          refused += !go_on (trainer, lab, &bad, k % PROBED == 0, &sink);
          sl_trainer_free (trainer);
          trainer = new_trainer (lab, &settings, dataset);
        }
      g_assert_true (go_on (trainer, lab, &good, TRUE, &sink));
      sl_trainer_free (trainer);
      sl_checkpoint_clear (&good);
      sl_checkpoint_clear (&bad);
      sl_dataset_free (dataset);
    }
  sl_snapshot_clear (&sink.snapshot);
  g_test_message ("%u damaged checkpoints were refused", refused);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autofree char *path = g_strconcat ("/damage/", (*lab)->id, NULL);

      g_test_add_data_func (path, *lab, test_lab);
    }
  return g_test_run ();
}
