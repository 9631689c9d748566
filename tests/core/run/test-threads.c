/* SPDX-License-Identifier: MIT
 *
 * How many threads a run has where nobody says so: what timed updates say, what is remembered of them, and
 * that a person's word comes first.  */
#include "core/run/base/threads.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/kernel.h"
#include "core/run/headless/thread-trial.h"
#include "core/run/session/session.h"

static char *memory; /* the file */

static void
test_read (void)
{
  SlThreadTrial trial;

  g_assert_true (sl_thread_read (&trial, "experts 3e-3 2e-3 3e-3 2e-3 9e-3 6e-3\n"
                                         "style 3 3 3 3.1 3 2.9\n"
                                         "capacity 3 2 3 4 3 2\n"
                                         "sign-estimator nan 1 1 1 1 1\nothers 0.1\n"));
  g_assert_cmpuint (trial.n, ==, 4);
  trial.threads = 8;
  g_assert_cmpuint (sl_thread_verdict (&trial, 0), ==, 8);
  g_assert_cmpuint (sl_thread_verdict (&trial, 1), ==, 1);
  g_assert_cmpuint (sl_thread_verdict (&trial, 2), ==, 0);
  g_assert_cmpuint (sl_thread_verdict (&trial, 3), ==, 0);
  g_assert_true (sl_thread_trial_is_quiet (&trial));
  trial.others = 0.9;
  g_assert_false (sl_thread_trial_is_quiet (&trial));

  /* Cut off, of a lab that there is not, of too few rounds, and nothing. */
  g_assert_false (sl_thread_read (&trial, "style 3 3 3 3.1 3 2.9\n"));
  g_assert_false (sl_thread_read (&trial, "stile 3 3 3 3.1 3 2.9\nothers 0\n"));
  g_assert_false (sl_thread_read (&trial, "style 3 3 3 3.1\nothers 0\n"));
  g_assert_false (sl_thread_read (&trial, ""));
}

static void
write_memory (const char *kernel, unsigned cores, const char *rest)
{
  g_autofree char *processor = sl_kernel_processor (), *library = sl_kernel_library ();
  g_autofree char *text
    = g_strdup_printf ("{\"processor\": \"%s\", \"library\": \"%s\", \"kernel\": \"%s\", "
                       "\"cores\": %u, %s",
                       processor, library, kernel, cores, rest);

  g_assert_true (g_file_set_contents (memory, text, -1, NULL));
}

static void
test_memory (void)
{
  const char    *kernel = sl_blas_kernel (), *good = "\"labs\": {\"experts\": 1}}";
  SlThreadChoice choice = { "experts", 1 };

  g_assert_false (sl_threads_are_known ());
  sl_threads_remember (kernel, &choice, 1, TRUE);
  g_assert_true (sl_threads_are_known ());
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 1);
  g_assert_cmpuint (sl_threads_remembered ("style"), ==, 0);
  write_memory (kernel, sl_blas_cores (), good);
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 1);

  /* Of another kernel or machine, cut off, and not a number of threads. */
  write_memory ("another", sl_blas_cores (), good);
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 0);
  write_memory (kernel, sl_blas_cores () + 1, good);
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 0);
  write_memory (kernel, sl_blas_cores (), "\"labs\": {\"experts\": 1");
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 0);
  g_assert_false (sl_threads_are_known ());
  write_memory (kernel, sl_blas_cores (), "\"labs\": {\"experts\": \"1\"}}");
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 0);
  write_memory (kernel, sl_blas_cores (), "\"labs\": {\"experts\": 100000}}");
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 0);
  write_memory (kernel, sl_blas_cores (), "\"labs\": [1]}");
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, 0);

  /* A busy machine is tried again after a day. */
  sl_threads_remember (kernel, NULL, 0, FALSE);
  g_assert_true (sl_threads_are_known ());
  write_memory (kernel, sl_blas_cores (), "\"quiet\": false, \"tried\": 1000, \"labs\": {}}");
  g_assert_false (sl_threads_are_known ());
  write_memory (kernel, sl_blas_cores (), "\"quiet\": true, \"tried\": 1000, \"labs\": {}}");
  g_assert_true (sl_threads_are_known ());
}

/* What a trial on a quiet machine says is remembered of each lab that it says anything of. */
static void
test_trial (void)
{
  const char   *kernel = sl_blas_kernel ();
  SlThreadTrial trial;

  g_assert_true (sl_thread_read (&trial, "experts 3 2 3 2 9 6\nstyle 3 3 3 3.1 3 2.9\n"
                                         "capacity 3 2 3 4 3 2\nothers 0.1\n"));
  g_assert_cmpuint (trial.threads, ==, sl_blas_cores ());
  sl_thread_remember (&trial, kernel);
  g_assert_cmpuint (sl_threads_remembered ("experts"), ==, sl_blas_cores ());
  g_assert_cmpuint (sl_threads_remembered ("style"), ==, 1);
  g_assert_cmpuint (sl_threads_remembered ("capacity"), ==, 0);
  g_assert_true (sl_threads_are_known ());
  trial.others = 0.9;
  sl_thread_remember (&trial, kernel);
  g_assert_cmpuint (sl_threads_remembered ("style"), ==, 0);
  g_assert_true (sl_threads_are_known ()); /* until tomorrow */
}

/* What updates have to gain for more threads, and what may be in use by others meanwhile. */
static void
test_bars (void)
{
  SlThreadTrial trial;

  g_assert_true (sl_thread_read (&trial,
                                 "experts 1.06 1 1.06 1 1.06 1\nstyle 1.04 1 1.04 1 1.04 1\n"
                                 "capacity 1 0 1 1 1 1\nothers 0.3\n"));
  trial.threads = 8;
  g_assert_cmpuint (sl_thread_verdict (&trial, 0), ==, 8);
  g_assert_cmpuint (sl_thread_verdict (&trial, 1), ==, 1);
  g_assert_cmpuint (sl_thread_verdict (&trial, 2), ==, 0);
  g_assert_true (sl_thread_trial_is_quiet (&trial));
  trial.others = 0.31;
  g_assert_false (sl_thread_trial_is_quiet (&trial));
  g_assert_false (sl_thread_read (&trial, "others 0\nstyle 3 3 3 3 3 3\n"));
  g_assert_false (sl_thread_read (&trial, "others\n"));
  g_assert_true (sl_thread_read (&trial, "others 0\n"));
  g_assert_cmpuint (trial.n, ==, 0);
}

/* The number in the recipe of a run that a session begins. */
static void
assert_session (const char *expected)
{
  g_autoptr (SlSession) session = sl_session_new ();
  const SlLab     *lab = sl_lab_find ("capacity");
  g_autofree char *recipe = NULL;
  SlSettings       settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, NULL, 1, FALSE);
  while (sl_session_record (session) == NULL || sl_session_record (session)->lab == NULL)
    g_main_context_iteration (NULL, TRUE);
  recipe = sl_session_recipe (session);
  if (strstr (recipe, expected) == NULL)
    g_error ("%s: expected %s", recipe, expected);
  sl_session_stop (session);
}

static void
test_choice (void)
{
  SlThreadChoice choice = { "capacity", 1 };

  if (sl_blas_set_threads (2) < 2)
    {
      g_test_skip ("products have a single thread");
      return;
    }
  sl_threads_remember (sl_blas_kernel (), &choice, 1, TRUE);
  /* Programs that do not ask have what the thread that starts a run has. */
  g_assert_cmpuint (sl_threads_for ("capacity"), ==, 2);
  assert_session ("\"threads\": 2");
  sl_threads_choose (0);
  g_assert_cmpuint (sl_threads_for ("capacity"), ==, 1);
  g_assert_cmpuint (sl_threads_for ("style"), ==, 2);
  assert_session ("\"threads\": 1");
  sl_threads_choose (2);
  g_assert_cmpuint (sl_threads_for ("capacity"), ==, 2);
  assert_session ("\"threads\": 2");
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (cache, "sluice", NULL);
  int              failed;

  g_assert_nonnull (cache);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  memory = g_build_filename (folder, "threads.json", NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/read", test_read);
  g_test_add_func ("/threads/memory", test_memory);
  g_test_add_func ("/threads/trial", test_trial);
  g_test_add_func ("/threads/bars", test_bars);
  g_test_add_func ("/threads/choice", test_choice);
  failed = g_test_run ();
  g_remove (memory);
  g_rmdir (folder);
  g_assert_cmpint (g_rmdir (cache), ==, 0);
  g_free (memory);
  return failed;
}
