/* SPDX-License-Identifier: MIT
 *
 * Checkpoints: what their signature lets through, and what comes back by name.  */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/kit/state.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"
#include "tests/support/english.h"

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

/* ---- a lab of two parameters, in several versions ---- */

/* What is kept, a blob by itself. */
typedef struct
{
  double   sum;
  uint32_t count[2];
} Sums;

typedef struct
{
  SlLabState base;
  Sums       sums;
} SlSumsLab;

static inline SlSumsLab *
sl_sums_lab (SlLabState *state)
{
  return (SlSumsLab *) state;
}

#define RATE                                                                                       \
  {                                                                                                \
    .id = "rate", .kind = SL_REAL, .hi = 10, .fallback = 1, .effect = SL_LIVE                      \
  }
#define SIZE                                                                                       \
  {                                                                                                \
    .id = "size", .kind = SL_INTEGER, .lo = 1, .hi = 9, .fallback = 3, .effect = SL_RESTART        \
  }
#define EXTRA                                                                                      \
  {                                                                                                \
    .id = "extra", .kind = SL_REAL, .hi = 10, .fallback = 7, .effect = SL_LIVE                     \
  }

static const SlParam before[] = { RATE, SIZE };
static const SlParam inserted[] = { EXTRA, RATE, SIZE };
static const SlParam reordered[] = { SIZE, RATE };

static const SlTrace traces[] = { { .id = "sum", .title = "sum", .unit = "" }, { 0 } };
static const SlPanel panels[]
  = { { .id = "sums", .title = "Sums", .kind = SL_SERIES, .traces = traces } };

/* The version that the functions below are of. */
static SlLab    version;
static SlBlob   extra_blob;
static unsigned n_blobs;
static size_t   sum_bytes;

static double
value_of (const SlLabState *state, const char *id)
{
  return sl_value_of (state, (unsigned) sl_param_find (version.params, version.n_params, id));
}

static SlStatus
shape (SlLabState *state)
{
  return SL_SUCCESS;
}

static void
carve (SlLabState *state)
{
  sl_arena_carve (&state->kept, 1, 1);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before_it)
{
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  Sums *sums = &sl_sums_lab (state)->sums;

  sums->sum += value_of (state, "rate") * value_of (state, "size");
  sums->count[0]++;
  return SL_SUCCESS;
}

static unsigned
blobs (SlLabState *state, SlBlob *blob)
{
  Sums *sums = &sl_sums_lab (state)->sums;

  blob[0] = (SlBlob) { "sum", &sums->sum, sum_bytes };
  blob[1] = (SlBlob) { "count", sums->count, sizeof sums->count };
  blob[2] = extra_blob;
  return n_blobs;
}

static double
sum_of (const SlTrainer *trainer)
{
  return sl_sums_lab (sl_trainer_state ((SlTrainer *) trainer))->sums.sum;
}

static SlTrainer *
trainer_of (const SlParam *params, unsigned n)
{
  SlTrainer *trainer;
  SlSettings settings;

  version = (SlLab) { .id = "sums",
                      .params = params,
                      .n_params = n,
                      .panels = panels,
                      .n_panels = 1,
                      .data = SL_NEEDS_NOTHING,
                      .state_bytes = sizeof (SlSumsLab),
                      .state_version = 1,
                      .shape = shape,
                      .carve = carve,
                      .init = init,
                      .set = set,
                      .step = step,
                      .blobs = blobs };
  n_blobs = 2;
  sum_bytes = sizeof (double);
  sl_settings_default (&settings, params, n);
  assert_ok (sl_trainer_new (&trainer, &version, &settings, NULL, 1));
  return trainer;
}

static void
run (SlTrainer *trainer, unsigned steps)
{
  SlSink sink = { 0 };

  while (steps-- > 0)
    assert_ok (sl_trainer_step (trainer, &sink));
}

/* Two steps at a rate of 2: the sum is 12. */
static void
make (SlCheckpoint *checkpoint)
{
  SlTrainer *trainer = trainer_of (before, G_N_ELEMENTS (before));
  SlValue    two = { .n = 1, .v = { 2 } };

  assert_ok (sl_trainer_set (trainer, 0, &two));
  run (trainer, 2);
  *checkpoint = (SlCheckpoint) { 0 };
  assert_ok (sl_trainer_save (trainer, checkpoint));
  sl_trainer_free (trainer);
}

/* The settings of a checkpoint of `before` for another table, by name. */
static void
carry_over (SlCheckpoint *checkpoint, const SlParam *params, unsigned n)
{
  SlSettings old = checkpoint->settings;
  char       text[64];

  sl_settings_default (&checkpoint->settings, params, n);
  for (unsigned i = 0; i < G_N_ELEMENTS (before); i++)
    assert_ok (sl_settings_set (&checkpoint->settings, params, n, before[i].id,
                                sl_param_format (&before[i], &old.value[i], text, sizeof text)));
}

static void
assert_refused (const SlTrainer *trainer, const SlStatus *status, SlCode code, const char *sentence)
{
  char text[512];

  g_assert_cmpint (status->code, ==, code);
  if (sentence != NULL)
    g_assert_cmpstr (sl_status_text (status, text, sizeof text), ==, sentence);
  g_assert_cmpfloat (sum_of (trainer), ==, 0.0);
  g_assert_cmpuint (sl_trainer_steps (trainer), ==, 0);
}

/* ---- tests ---- */

/* A parameter that was put before the others, or changed places, shifts nothing. */
static void
test_by_name (void)
{
  static const struct
  {
    const SlParam *params;
    unsigned       n;
  } tables[] = { { before, G_N_ELEMENTS (before) },
                 { inserted, G_N_ELEMENTS (inserted) },
                 { reordered, G_N_ELEMENTS (reordered) } };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      SlCheckpoint checkpoint;
      SlTrainer   *trainer;

      make (&checkpoint);
      trainer = trainer_of (tables[i].params, tables[i].n);
      carry_over (&checkpoint, tables[i].params, tables[i].n);
      assert_ok (sl_trainer_restore (trainer, &checkpoint));
      g_assert_cmpuint (sl_trainer_steps (trainer), ==, 2);
      run (trainer, 1);
      g_assert_cmpfloat (sum_of (trainer), ==, 18.0);
      sl_trainer_free (trainer);
      sl_checkpoint_clear (&checkpoint);
    }
}

/* A parameter that changes what the state means comes with another version of it. */
static void
test_version (void)
{
  SlCheckpoint checkpoint;
  SlTrainer   *trainer;
  SlStatus     status;

  make (&checkpoint);
  trainer = trainer_of (inserted, G_N_ELEMENTS (inserted));
  version.state_version = 2;
  carry_over (&checkpoint, inserted, G_N_ELEMENTS (inserted));
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED,
                  "checkpoint of another version: found sums, state 1, expected sums, state 2");
  status = sl_checkpoint_check (checkpoint.data, checkpoint.bytes, &version);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  version.state_version = 1;
  status = sl_checkpoint_check (checkpoint.data, checkpoint.bytes, &version);
  g_assert_true (sl_ok (&status));
  version.id = "products";
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED,
                  "checkpoint of another version: found sums, state 1, expected products, state 1");
  sl_trainer_free (trainer);
  sl_checkpoint_clear (&checkpoint);
}

static void
test_pieces (void)
{
  SlCheckpoint checkpoint;
  SlTrainer   *trainer;
  SlStatus     status;

  make (&checkpoint);
  trainer = trainer_of (before, G_N_ELEMENTS (before));
  sum_bytes = sizeof (float);
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED,
                  "checkpoint of another version: found sum: 8 bytes, expected sum: 4 bytes");
  sum_bytes = sizeof (double);
  n_blobs = 1;
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED,
                  "checkpoint of another version: found count: 8 bytes, expected data");
  n_blobs = 3;
  extra_blob = (SlBlob) { "more", NULL, 0 };
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED,
                  "checkpoint of another version: found data, expected more: 0 bytes");
  n_blobs = 2;
  checkpoint.settings.value[1].v[0] = 4;
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EINVAL, "size: a checkpoint of other settings");
  sl_trainer_free (trainer);
  sl_checkpoint_clear (&checkpoint);
}

/* Every byte of the signature counts, and so does every byte that is missing. */
static void
test_damage (void)
{
  SlCheckpoint checkpoint;
  SlTrainer   *trainer;
  SlStatus     status;
  size_t       bytes, kept;

  make (&checkpoint);
  trainer = trainer_of (before, G_N_ELEMENTS (before));
  bytes = checkpoint.bytes;
  kept = sl_trainer_state (trainer)->kept.used;
  for (size_t i = 0; i < bytes - sizeof (SlCounters) - kept - sizeof (double) - 8; i++)
    for (unsigned bit = 0; bit < 8; bit++)
      {
        checkpoint.data[i] ^= (unsigned char) (1u << bit);
        status = sl_trainer_restore (trainer, &checkpoint);
        assert_refused (trainer, &status, SL_EUNSUPPORTED, NULL);
        checkpoint.data[i] ^= (unsigned char) (1u << bit);
      }
  for (checkpoint.bytes = 0; checkpoint.bytes < bytes; checkpoint.bytes++)
    {
      /* A copy of this size, so that a reader behind its end is seen. */
      SlCheckpoint cut = { .data = g_memdup2 (checkpoint.data, checkpoint.bytes),
                           .bytes = checkpoint.bytes,
                           .settings = checkpoint.settings };

      status = sl_trainer_restore (trainer, &cut);
      g_assert_false (sl_ok (&status));
      assert_refused (trainer, &status, status.code, NULL);
      status = sl_checkpoint_check (cut.data, cut.bytes, &version);
      g_free (cut.data);
    }
  assert_ok (sl_trainer_restore (trainer, &checkpoint));
  sl_trainer_free (trainer);
  sl_checkpoint_clear (&checkpoint);
}

/* A line of others is shown without what no terminal should get, and not to its end. */
static void
test_shown (void)
{
  static const char head[] = "Sluice checkpoint\n";
  g_autofree char  *wild = g_strconcat (head, "a\tb\x1b[31m~\x7f \xff\n", NULL);
  g_autofree char  *fill = g_strnfill (200, 'x'), *line = g_strndup (fill, 79);
  g_autofree char  *lengthy = g_strconcat (head, fill, NULL), *end = NULL;
  SlTrainer        *trainer = trainer_of (before, G_N_ELEMENTS (before));
  SlCheckpoint      checkpoint = { .settings = *sl_trainer_settings (trainer) };
  SlStatus          status;

  checkpoint.data = (unsigned char *) wild;
  checkpoint.bytes = strlen (wild);
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED,
                  "checkpoint of another version: found a?b?[31m~? ?, expected sums, state 1");
  checkpoint.data = (unsigned char *) lengthy;
  checkpoint.bytes = strlen (lengthy);
  end = g_strdup_printf ("checkpoint of another version: found %s, expected sums, state 1", line);
  status = sl_trainer_restore (trainer, &checkpoint);
  assert_refused (trainer, &status, SL_EUNSUPPORTED, end);
  sl_trainer_free (trainer);
}

/* A checkpoint that is made again takes the place of the last, as long as it is as large. */
static void
test_again (void)
{
  SlTrainer     *trainer = trainer_of (before, G_N_ELEMENTS (before));
  SlCheckpoint   checkpoint = { 0 };
  unsigned char *data;
  size_t         bytes;

  assert_ok (sl_trainer_save (trainer, &checkpoint));
  data = checkpoint.data;
  bytes = checkpoint.bytes;
  run (trainer, 1);
  assert_ok (sl_trainer_save (trainer, &checkpoint));
  g_assert_true (checkpoint.data == data && checkpoint.bytes == bytes);
  g_assert_cmpuint (checkpoint.step, ==, 1);
  sum_bytes = sizeof (float);
  assert_ok (sl_trainer_save (trainer, &checkpoint));
  g_assert_cmpuint (checkpoint.bytes, ==, bytes - 4);
  assert_ok (sl_trainer_restore (trainer, &checkpoint));
  sum_bytes = sizeof (double);
  sl_checkpoint_clear (&checkpoint);
  checkpoint.bytes = bytes; /* of data that there are none of */
  assert_ok (sl_trainer_save (trainer, &checkpoint));
  g_assert_nonnull (checkpoint.data);
  sl_checkpoint_clear (&checkpoint);
  g_assert_true (checkpoint.data == NULL && checkpoint.bytes == 0 && checkpoint.step == 0);
  sl_trainer_free (trainer);
}

/* Blocks of the time before signatures are of an earlier version. */
static void
test_unsigned (void)
{
  static unsigned char block[5440];
  SlCheckpoint         checkpoint = { .step = 2, .data = block, .bytes = sizeof block };
  SlTrainer           *trainer = trainer_of (before, G_N_ELEMENTS (before));
  SlStatus             status;

  checkpoint.settings = *sl_trainer_settings (trainer);
  for (; checkpoint.bytes > 0; checkpoint.bytes /= 2)
    {
      status = sl_trainer_restore (trainer, &checkpoint);
      assert_refused (trainer, &status, SL_EUNSUPPORTED,
                      "checkpoint of another version: found no signature, expected sums, state 1");
      status = sl_checkpoint_check (checkpoint.data, checkpoint.bytes, &version);
      g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
    }
  sl_trainer_free (trainer);
}

static SlTrainer *
trainer_of_trial (const SlLab *lab, const SlTrial *trial, SlDataset **dataset)
{
  g_auto (GStrv) words = g_strsplit (trial->settings, " ", -1);
  SlTrainer *trainer;
  SlSettings settings;

  *dataset = NULL;
  sl_settings_default (&settings, lab->params, lab->n_params);
  for (char **word = words; *word != NULL; word++)
    {
      g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

      if (pair[0] != NULL)
        assert_ok (sl_settings_set (&settings, lab->params, lab->n_params, pair[0], pair[1]));
    }
  if (trial->data != NULL)
    assert_ok (sl_source_open (trial->data, dataset));
  assert_ok (sl_trainer_new (&trainer, lab, &settings, *dataset, 7));
  return trainer;
}

/* A state whose every bit is set has indices and counts that cannot be: no lab takes it. */
static void
test_out_of_range (gconstpointer data)
{
  const SlLab *lab = data;
  unsigned     refused = 0;

  for (unsigned t = 0; t < sl_lab_n_trials (lab); t++)
    {
      SlCheckpoint checkpoint = { 0 };
      SlDataset   *dataset;
      SlTrainer   *trainer = trainer_of_trial (lab, &lab->trials[t], &dataset);
      SlStatus     status;
      char        *payload;

      assert_ok (sl_trainer_save (trainer, &checkpoint));
      payload = g_strstr_len ((char *) checkpoint.data, (gssize) checkpoint.bytes, "\ndata\n");
      g_assert_nonnull (payload);
      payload += strlen ("\ndata\n");
      memset (payload, 0xff, checkpoint.bytes - (size_t) (payload - (char *) checkpoint.data));
      status = sl_trainer_restore (trainer, &checkpoint);
      refused += status.code == SL_EFORMAT;
      sl_checkpoint_clear (&checkpoint);
      sl_trainer_free (trainer);
      sl_dataset_free (dataset);
    }
  g_assert_cmpuint (refused, >, 0);
}

/* An order of examples in which one is there twice, and so another is missing: no order of a run. */
static void
test_order (void)
{
  unsigned tried = 0;

  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      SlCheckpoint checkpoint = { 0 };
      SlDataset   *dataset;
      SlTrainer   *trainer = trainer_of_trial (sl_labs[i], &sl_labs[i]->trials[0], &dataset);
      SlBatches   *batches = &sl_trainer_state (trainer)->batches;

      if (batches->n > 1)
        {
          SlStatus status;
          uint32_t last = batches->order[batches->n - 1];

          batches->order[batches->n - 1] = batches->order[0];
          assert_ok (sl_trainer_save (trainer, &checkpoint));
          batches->order[batches->n - 1] = last;
          status = sl_trainer_restore (trainer, &checkpoint);
          g_assert_cmpint (status.code, ==, SL_EFORMAT);
          tried++;
        }
      sl_checkpoint_clear (&checkpoint);
      sl_trainer_free (trainer);
      sl_dataset_free (dataset);
    }
  g_assert_cmpuint (tried, >=, 4);
}

/* A state without pieces is a signature alone; a byte behind it is one too many. */
static void
test_nothing (void)
{
  const SlLab    lab = { .id = "nothing", .state_version = 1 };
  SlCheckpoint   checkpoint = { 0 };
  SlStatus       status;
  unsigned char *longer;

  assert_ok (sl_checkpoint_pack (&checkpoint, &lab, NULL, 0));
  assert_ok (sl_checkpoint_unpack (&checkpoint, &lab, NULL, 0));
  assert_ok (sl_checkpoint_check (checkpoint.data, checkpoint.bytes, &lab));
  longer = realloc (checkpoint.data, checkpoint.bytes + 1);
  g_assert_nonnull (longer);
  checkpoint.data = longer;
  checkpoint.data[checkpoint.bytes++] = 0;
  status = sl_checkpoint_unpack (&checkpoint, &lab, NULL, 0);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  checkpoint.bytes -= 2;
  status = sl_checkpoint_unpack (&checkpoint, &lab, NULL, 0);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  sl_checkpoint_clear (&checkpoint);
}

/* The first line is what tells a signature, all of it and no more. */
static void
test_first_line (void)
{
  static const char begin[] = "Sluice checkpoint\n";
  const SlLab       lab = { .id = "nothing", .state_version = 1 };
  SlStatus          status = sl_checkpoint_check (begin, sizeof begin - 1, &lab);

  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  g_assert_cmpstr (sl_english (&status.found), ==, "");
  status = sl_checkpoint_check (begin, sizeof begin - 2, &lab);
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  g_assert_cmpstr (sl_english (&status.found), ==, "no signature");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/checkpoint/by-name", test_by_name);
  g_test_add_func ("/checkpoint/version", test_version);
  g_test_add_func ("/checkpoint/pieces", test_pieces);
  g_test_add_func ("/checkpoint/damage", test_damage);
  g_test_add_func ("/checkpoint/unsigned", test_unsigned);
  g_test_add_func ("/checkpoint/shown", test_shown);
  g_test_add_func ("/checkpoint/again", test_again);
  g_test_add_func ("/checkpoint/order", test_order);
  g_test_add_func ("/checkpoint/first-line", test_first_line);
  g_test_add_func ("/checkpoint/nothing", test_nothing);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *path = g_strconcat ("/checkpoint/out-of-range/", sl_labs[i]->id, NULL);

      g_test_add_data_func (path, sl_labs[i], test_out_of_range);
    }
  return g_test_run ();
}
