/* SPDX-License-Identifier: MIT
 *
 * Memory that runs out: the n-th allocation of the core fails, for a sample of the n, or every one with
 * SLUICE_LONG set.  What is asked for then either comes about all the same or is refused for want of
 * memory, and nothing is lost (the sanitizers see to that).  */
#include <glib.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"

enum { SAMPLE = 5 };

/* ---- allocations of the core, by the linker's --wrap ---- */

static struct
{
  unsigned calls, fails; /* the call that fails, from 1; 0: none */
} plan;

static gboolean
is_refused (void)
{
  return ++plan.calls == plan.fails;
}

/* clang-format off */
#define WRAP(result, name, parameters, arguments)                                                  \
  result __real_##name parameters;                                                                 \
  result __wrap_##name parameters;                                                                 \
  result __wrap_##name parameters { return is_refused () ? NULL : __real_##name arguments; }
WRAP (void *, malloc, (size_t n), (n))
WRAP (void *, calloc, (size_t n, size_t size), (n, size))
WRAP (void *, realloc, (void *old, size_t n), (old, n))
WRAP (void *, aligned_alloc, (size_t alignment, size_t n), (alignment, n))
WRAP (char *, strdup, (const char *text), (text))
WRAP (char *, strndup, (const char *text, size_t n), (text, n))
/* clang-format on */

static void
fail_call (unsigned call)
{
  plan.calls = 0;
  plan.fails = call;
}

/* Does something once for each n that is tried; `work` gives TRUE when it was refused. */
static void
try_all (gboolean (*work) (gconstpointer), gconstpointer data)
{
  unsigned all, stride, refused = 0;

  fail_call (0);
  g_assert_false (work (data));
  all = plan.calls;
  stride = g_getenv ("SLUICE_LONG") != NULL ? 1 : MAX (1, all / SAMPLE);
  for (unsigned n = 1; n <= all; n += stride)
    {
      fail_call (n);
      refused += work (data);
    }
  fail_call (0);
  g_test_message ("%u allocations, every %uth refused; %u refusals", all, stride, refused);
  g_assert_cmpuint (refused, >, 0);
}

/* TRUE when it was refused, which may be for nothing else. */
static gboolean
is_short (const SlStatus *status)
{
  char text[512];

  if (!sl_ok (status) && status->code != SL_ENOMEM)
    g_error ("allocation %u: %s", plan.fails, sl_status_text (status, text, sizeof text));
  return !sl_ok (status);
}

/* ---- labs ---- */

typedef struct
{
  const SlLab   *lab;
  const SlTrial *trial;
} Trial;

static void
take (SlSink *sink, const SlSample *sample)
{
}

static gboolean
train (SlTrainer *trainer)
{
  SlSink       sink = { .take = take };
  SlCheckpoint checkpoint = { 0 };
  SlScore      scores[SL_SCORES_MAX];
  SlStatus     status = sl_trainer_step (trainer, &sink);
  unsigned     n;

  if (sl_ok (&status))
    status = sl_trainer_step (trainer, &sink);
  if (sl_ok (&status))
    status = sl_trainer_save (trainer, &checkpoint);
  if (sl_ok (&status))
    status = sl_trainer_restore (trainer, &checkpoint);
  if (sl_ok (&status))
    status = sl_trainer_score (trainer, SL_VALID, scores, &n);
  sl_checkpoint_clear (&checkpoint);
  return is_short (&status);
}

static gboolean
run_trial (gconstpointer data)
{
  const Trial *self = data;
  const SlLab *lab = self->lab;
  SlDataset   *dataset = NULL;
  SlTrainer   *trainer = NULL;
  SlSettings   settings;
  SlStatus     status = SL_SUCCESS;
  gboolean     refused;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set_words (&settings, lab->params, lab->n_params, self->trial->settings);
  if (sl_ok (&status) && self->trial->data != NULL)
    status = sl_source_open (self->trial->data, &dataset);
  if (sl_ok (&status))
    status = sl_trainer_new (&trainer, lab, &settings, dataset, 3);
  refused = is_short (&status) || train (trainer);
  g_assert_true (sl_ok (&status) || trainer == NULL);
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
  return refused;
}

static void
test_lab (gconstpointer data)
{
  const SlLab *lab = data;

  for (unsigned i = 0; i < sl_lab_n_trials (lab); i++)
    try_all (run_trial, &(Trial) { lab, &lab->trials[i] });
}

/* ---- files ---- */

static gboolean
read_file (gconstpointer path)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (path, &dataset);

  g_assert_true (sl_ok (&status) == (dataset != NULL));
  sl_dataset_free (dataset);
  return is_short (&status);
}

static void
test_files (void)
{
  static const char *const files[]
    = { "csv/plain", "csv/gzip", "csv/quoted", "file/table", "file/records-gzip" };
  const char *corpus = g_test_get_filename (G_TEST_DIST, "../../fuzz/corpus", NULL);

  for (unsigned i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (corpus, files[i], NULL);

      try_all (read_file, path);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autofree char *path = g_strconcat ("/memory/", (*lab)->id, NULL);

      g_test_add_data_func (path, *lab, test_lab);
    }
  g_test_add_func ("/memory/files", test_files);
  return g_test_run ();
}
