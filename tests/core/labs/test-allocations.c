/* SPDX-License-Identifier: MIT
 *
 * A step allocates nothing, nor does a timed pass.  The allocator's entry points are counted on their way to the
 * C library; evaluation and reports are part of a step and count too.  What the libraries
 * of products and threads take for themselves is not ours to count: only calls from this
 * program's own code do.  */
#include <glib.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"

void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *block, size_t size);

extern char __executable_start, etext;

static atomic_ulong allocations;

static void
count (const void *caller)
{
  if ((const char *) caller >= &__executable_start && (const char *) caller < &etext)
    atomic_fetch_add (&allocations, 1);
}

/* Not inlined, or the test below would call the C library itself. */
__attribute__ ((noinline)) void *
malloc (size_t size)
{
  count (__builtin_return_address (0));
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  count (__builtin_return_address (0));
  return __libc_calloc (n, size);
}

void *
realloc (void *block, size_t size)
{
  count (__builtin_return_address (0));
  return __libc_realloc (block, size);
}

static void
take (SlSink *sink, const SlSample *sample)
{
}

/* The counter itself works: a test that counts nothing could not fail. */
static void
test_counter (void)
{
  unsigned long before = atomic_load (&allocations);
  void *volatile block = malloc (100);

  free (block);
  g_assert_cmpuint (atomic_load (&allocations), >, before);
}

static void
test_steps (gconstpointer data)
{
  const SlLab *lab = data;

  for (unsigned t = 0; t < sl_lab_n_trials (lab); t++)
    {
      g_auto (GStrv) words = g_strsplit (lab->trials[t].settings, " ", -1);
      SlSettings settings;
      SlDataset *dataset = NULL;
      SlTrainer *trainer;
      SlSink     sink = { .take = take };
      SlStatus   status
        = lab->trials[t].data != NULL ? sl_source_open (lab->trials[t].data, &dataset) : SL_SUCCESS;
      unsigned long before;

      g_assert_true (sl_ok (&status));
      sl_settings_default (&settings, lab->params, lab->n_params);
      for (char **word = words; *word != NULL; word++)
        {
          g_auto (GStrv) pair = g_strsplit (*word, "=", 2);

          status = sl_settings_set (&settings, lab->params, lab->n_params, pair[0], pair[1]);
          g_assert_true (sl_ok (&status));
        }
      status = sl_trainer_new (&trainer, lab, &settings, dataset, 3);
      g_assert_true (sl_ok (&status));
      /* The first step lets the product library make its buffers. */
      status = sl_trainer_step (trainer, &sink);
      before = atomic_load (&allocations);
      for (int i = 0; i < 120 && sl_ok (&status) && !sl_trainer_ended (trainer, NULL); i++)
        status = sl_trainer_step (trainer, &sink);
      g_assert_true (sl_ok (&status));
      /* Nor does a forward pass that is timed, dense or not. */
      sl_trainer_time (trainer, &(SlClockRounds) { 0 }, 0, NULL);
      g_assert_cmpuint (atomic_load (&allocations) - before, ==, 0);
      sl_trainer_free (trainer);
      sl_dataset_free (dataset);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/allocations/counter", test_counter);
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autofree char *path = g_strdup_printf ("/allocations/%s", (*lab)->id);

      g_test_add_data_func (path, *lab, test_steps);
    }
  return g_test_run ();
}
