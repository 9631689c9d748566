/* SPDX-License-Identifier: MIT
 *
 * Which kernel is asked for on processors that are not at hand, and what measured ones say.  */
#include "core/run/base/cpu.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/kernel.h"
#include "core/run/headless/thread-trial.h"
#include "core/run/headless/timing.h"
#include "core/run/record/recipe.h"

static void
test_kernel (void)
{
  static const SlCpuFeatures none = { 0 }, wide = { .avx512 = true };
  static const SlCpuFeatures opteron = { .three_d_now = true };

  g_assert_cmpstr (sl_cpu_kernel (none, "Haswell"), ==, NULL);
  g_assert_cmpstr (sl_cpu_kernel (none, "Prescott"), ==, NULL);
  g_assert_cmpstr (sl_cpu_kernel (wide, "Haswell"), ==, "SkylakeX");
  g_assert_cmpstr (sl_cpu_kernel (wide, "SkylakeX"), ==, NULL);
  g_assert_cmpstr (sl_cpu_kernel (wide, "sapphirerapids"), ==, NULL);
  /* A virtual processor with SSE2 alone, and an old one. */
  g_assert_cmpstr (sl_cpu_kernel (none, "Opteron"), ==, "Prescott");
  g_assert_cmpstr (sl_cpu_kernel (none, "Opteron_SSE3"), ==, "Prescott");
  g_assert_cmpstr (sl_cpu_kernel (opteron, "Opteron"), ==, NULL);
}

/* The names of all kernels that such a processor can run, in their order. */
static void
assert_kernels (SlCpuFeatures features, const char *expected)
{
  g_autoptr (GString) possible = g_string_new (NULL);

  for (const char *const *name = sl_kernel_names (); *name != NULL; name++)
    if (sl_cpu_can_run (features, *name))
      g_string_append_printf (possible, "%s%s", possible->len > 0 ? " " : "", *name);
  g_assert_cmpstr (possible->str, ==, expected);
}

static void
test_can_run (void)
{
  SlCpuFeatures features = { 0 };

  assert_kernels (features, "");
  features.three_d_now = true;
  assert_kernels (features, "Opteron");
  features.sse3 = true;
  assert_kernels (features, "Prescott Opteron Opteron_SSE3 Barcelona");
  features.three_d_now = false;
  features.ssse3 = true;
  assert_kernels (features, "Prescott Core2 Atom Nano Barcelona Bobcat");
  features.sse4_1 = features.sse4_2 = features.avx = features.fma4 = true;
  assert_kernels (features,
                  "Sandybridge Nehalem Prescott Core2 Penryn Dunnington Atom Nano Barcelona "
                  "Bobcat Bulldozer");
  features.fma = true;
  g_assert_true (sl_cpu_can_run (features, "Excavator"));
  features = (SlCpuFeatures) { .avx2 = true };
  assert_kernels (features, "Haswell Zen");
  features = (SlCpuFeatures) { .avx512 = true };
  assert_kernels (features, "SkylakeX");
  features = (SlCpuFeatures) { .bf16 = true };
  assert_kernels (features, "Cooperlake Sapphirerapids");
  features = (SlCpuFeatures) { .arm64 = true };
  assert_kernels (features, "armv8 cortexa53 cortexa57 cortexa72 cortexa73");
  features.arm64_2 = true;
  g_assert_true (sl_cpu_can_run (features, "neoversen1"));
  g_assert_false (sl_cpu_can_run (features, "Fortran"));
}

/* Every kernel that this processor is said to run multiplies, and the others are refused with a sentence. */
static void
test_all_kernels (void)
{
  SlCpuFeatures features = sl_cpu_features ();

  for (const char *const *name = sl_kernel_names (); *name != NULL; name++)
    {
      g_autofree char *word = g_strdup_printf ("--kernel=%s", *name);
      char             program[] = "x", *argv[] = { program, word, NULL };
      g_auto (GStrv) env = g_environ_setenv (g_get_environ (), "OPENBLAS_CORETYPE", *name, TRUE);
      g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
      char            *child[] = { self, (char *) SL_KERNEL_CHILD, NULL };
      g_autoptr (GError) error = NULL;
      int status;

      if (!sl_cpu_can_run (features, *name))
        {
          g_assert_false (sl_cpu_prepare (argv, &error));
          g_assert_nonnull (strstr (error->message, "cannot run the kernel"));
          continue;
        }
      g_assert_true (g_spawn_sync (NULL, child, env, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                                   NULL, &status, NULL));
      if (WIFSIGNALED (status) && WTERMSIG (status) == SIGILL)
        g_error ("the kernel %s has instructions that this processor lacks", *name);
    }
}

/* A trial in which every shape of kernel `i` takes `seconds[i][round]`. */
static SlKernelTrial
trial_of (unsigned n, double seconds[][SL_KERNEL_ROUNDS])
{
  static const char *const names[] = { "SkylakeX", "Haswell", "Cooperlake" };
  SlKernelTrial            trial = { .n = n, .rounds = SL_KERNEL_ROUNDS };

  for (unsigned i = 0; i < n; i++)
    {
      g_strlcpy (trial.kernel[i].name, names[i], SL_KERNEL_NAME);
      for (unsigned round = 0; round < SL_KERNEL_ROUNDS; round++)
        for (unsigned shape = 0; shape < SL_KERNEL_SHAPES; shape++)
          trial.kernel[i].seconds[round][shape] = seconds[i][round];
    }
  return trial;
}

static void
test_verdict (void)
{
  double faster[][SL_KERNEL_ROUNDS] = { { 1, 1.5, 1.1 }, { 0.9, 1.3, 1.0 }, { 1, 1.5, 1.1 } };
  double slower[][SL_KERNEL_ROUNDS] = { { 1, 1, 1 }, { 1.2, 1.3, 1.25 }, { 0.99, 1.01, 1 } };
  double wild[][SL_KERNEL_ROUNDS] = { { 1, 1, 1 }, { 0.5, 1.5, 0.9 } };
  double torn[][SL_KERNEL_ROUNDS] = { { 1, 1, 1 }, { 0.9, 1.01, 0.95 } };
  SlKernelTrial trial = trial_of (3, faster);
  int           best;

  /* A disturbed round disturbs all kernels, and does not count against one. */
  g_assert_cmpint (sl_kernel_verdict (&trial, "skylakex", &best), ==, SL_KERNEL_FASTER);
  g_assert_cmpint (best, ==, 1);
  g_assert_cmpfloat_with_epsilon (sl_kernel_speed_up (&trial, "SkylakeX", 1), 1.0 / 0.9, 1e-6);
  trial = trial_of (3, slower);
  g_assert_cmpint (sl_kernel_verdict (&trial, "SkylakeX", &best), ==, SL_KERNEL_USUAL);
  g_assert_cmpint (best, ==, 0);
  trial = trial_of (2, wild);
  g_assert_cmpint (sl_kernel_verdict (&trial, "SkylakeX", &best), ==, SL_KERNEL_UNSTEADY);
  g_assert_cmpint (best, ==, -1);
  trial = trial_of (2, torn);
  g_assert_cmpint (sl_kernel_verdict (&trial, "SkylakeX", &best), ==, SL_KERNEL_UNSTEADY);
  trial.rounds = 1;
  g_assert_cmpint (sl_kernel_verdict (&trial, "SkylakeX", &best), ==, SL_KERNEL_UNSTEADY);
  trial = trial_of (2, slower);
  g_assert_cmpint (sl_kernel_verdict (&trial, "Zen", &best), ==, SL_KERNEL_UNSTEADY);
}

static void
assert_remembered (const char *expected)
{
  g_autofree char *kernel = sl_kernel_remembered ();

  g_assert_cmpstr (kernel, ==, expected);
}

static void
test_memory (void)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "sluice", "kernel.json", NULL);

  assert_remembered (NULL);
  sl_kernel_remember ("Haswell");
  assert_remembered ("Haswell");
  sl_kernel_remember ("");
  assert_remembered ("");
  g_assert_true (g_file_set_contents (path, "{\"processor\": ", -1, NULL));
  assert_remembered (NULL);
  g_assert_true (g_file_set_contents (
    path, "{\"processor\": \"another\", \"library\": \"x\", \"kernel\": \"Haswell\"}", -1, NULL));
  assert_remembered (NULL);
  sl_kernel_remember ("nothing that there is");
  assert_remembered (NULL);
  g_assert_cmpint (g_remove (path), ==, 0);
}

/* The first start leaves the word out and asks for the kernel. */
static void
test_option (void)
{
  char    wrong[] = "--kernel=Fortran", program[] = "x", *argv[] = { program, wrong, NULL };
  GError *error = NULL;

  g_assert_cmpstr (sl_kernel_named ("haswell"), ==, "Haswell");
  g_assert_null (sl_kernel_named ("Has"));
  g_assert_false (sl_cpu_prepare (argv, &error));
  g_assert_nonnull (strstr (error->message, "Fortran"));
  g_error_free (error);
  g_assert_null (argv[1]);
}

static void
test_times (void)
{
  double        seconds[][SL_KERNEL_ROUNDS] = { { 1, 4, 2 }, { 0.5, 0.5, 0.5 } };
  SlKernelTrial trial = trial_of (2, seconds);

  g_assert_cmpfloat_with_epsilon (sl_kernel_gflops (&trial, 0, 0), 1e-9 * 128 * 1000 * 784, 1e-9);
  g_assert_cmpfloat_with_epsilon (sl_kernel_gflops (&trial, 1, 4), 4e-9 * 1024 * 1024, 1e-9);
  g_assert_cmpfloat_with_epsilon (sl_kernel_speed_up (&trial, "skylakex", 1), 4, 1e-9);
  g_assert_cmpfloat (sl_kernel_speed_up (&trial, "SkylakeX", 0), ==, 1);
  g_assert_true (isnan (sl_kernel_speed_up (&trial, "Zen", 0)));
  g_assert_cmpstr (sl_kernel_shape (4), ==, "1×1024×1024");
  trial.rounds = 0;
  g_assert_true (isnan (sl_kernel_gflops (&trial, 0, 0)));
  g_assert_true (isnan (sl_kernel_speed_up (&trial, "SkylakeX", 0)));
}

/* Without time nothing is tried; a kernel that the library does not have is refused. */
static void
test_try (void)
{
  const char   *own = sl_blas_kernel ();
  SlKernelTrial trial;
  g_autoptr (GError) error = NULL;

  g_assert_true (sl_kernel_try (&trial, own, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (trial.rounds, ==, 0);
  g_assert_cmpstr (trial.kernel[0].name, ==, own);
  for (unsigned i = 1; i < trial.n; i++)
    for (unsigned j = 0; j < i; j++)
      g_assert_cmpstr (trial.kernel[i].name, !=, trial.kernel[j].name);
  g_assert_true (sl_kernel_try (&trial, "Fortran", 0, &error));
  g_assert_cmpstr (trial.kernel[0].name, ==, "Fortran");
  g_assert_cmpstr (trial.kernel[1].name, ==, own);
  g_assert_false (sl_kernel_try (&trial, "Fortran", 60, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  /* A child ends after two seconds, which a busy machine may need. */
  if (!sl_kernel_try (&trial, own, 60, &error))
    {
      g_assert_nonnull (error);
      return;
    }
  g_assert_cmpuint (trial.rounds, ==, SL_KERNEL_ROUNDS);
  g_assert_cmpstr (trial.kernel[0].name, ==, own);
  g_assert_true (trial.wall > 0);
  for (unsigned i = 0; i < trial.n; i++)
    for (unsigned shape = 0; shape < SL_KERNEL_SHAPES; shape++)
      g_assert_true (isfinite (sl_kernel_gflops (&trial, i, shape))
                     && sl_kernel_gflops (&trial, i, shape) > 0);
}

/* ---- the first start and the second ---- */

enum { TRIES = 5 };

static const char child_word[] = "SLUICE_TEST_CHILD";

/* The kernel in the recipe of a run that would begin now; free with g_free(). */
static char *
kernel_of_new_run (void)
{
  SlRecipe   recipe;
  SlSettings settings;
  char      *kernel;

  sl_settings_default (&settings, sl_labs[0]->params, sl_labs[0]->n_params);
  sl_recipe_init (&recipe, sl_labs[0], &settings, NULL, 1);
  kernel = g_strdup (recipe.kernel);
  sl_recipe_clear (&recipe);
  return kernel;
}

/* What such a program has after it was prepared: the kernel that is asked for, how threads wait, and its words; with
 * the one word "recipe", the kernel of a new run.  */
static int
be_child (char **argv)
{
  g_autofree char *kernel = NULL;
  GError          *error = NULL;

  if (!sl_cpu_prepare (argv, &error))
    {
      printf ("%s", error->message);
      g_error_free (error);
      return 1;
    }
  if (argv[1] != NULL && strcmp (argv[1], "recipe") == 0)
    {
      kernel = kernel_of_new_run ();
      printf ("%s", kernel);
      return 0;
    }
  printf ("%s %s", g_getenv ("OPENBLAS_CORETYPE"), g_getenv ("OMP_WAIT_POLICY"));
  for (char **word = argv + 1; *word != NULL; word++)
    printf (" %s", *word);
  return 0;
}

/* Starts this program with words under variables, "A=1 B=2". */
static void
assert_child (const char *variables, const char *words, const char *expected)
{
  g_auto (GStrv) env = g_get_environ (), set = g_strsplit (variables, " ", -1), argv = NULL;
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL), *out = NULL;
  g_autofree char *line = g_strconcat (self, words[0] != '\0' ? " " : "", words, NULL);
  GError          *error = NULL;

  env = g_environ_unsetenv (env, "OPENBLAS_CORETYPE");
  env = g_environ_unsetenv (env, "OMP_WAIT_POLICY");
  env = g_environ_unsetenv (env, "GOMP_SPINCOUNT");
  env = g_environ_setenv (env, child_word, "1", TRUE);
  for (char **variable = set; *variable != NULL; variable++)
    if (strchr (*variable, '=') != NULL)
      {
        char *value = strchr (*variable, '=');

        *value = '\0';
        env = g_environ_setenv (env, *variable, value + 1, TRUE);
      }
  argv = g_strsplit (line, " ", -1);
  g_spawn_sync (NULL, argv, env, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, NULL, &error);
  g_assert_no_error (error);
  if (strcmp (out, expected) != 0)
    g_error ("%s with %s: \"%s\", expected \"%s\"", words, variables, out, expected);
}

static void
test_starts (void)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "sluice", "kernel.json", NULL);
  const char      *usual = sl_cpu_kernel (sl_cpu_features (), sl_blas_kernel ());
  g_autofree char *plain = g_strdup_printf ("%s passive -- --kernel=Nehalem", usual);
  g_autofree char *known = g_strdup_printf ("%s passive", usual);
  g_autofree char *names = g_strjoinv (", ", (char **) sl_kernel_names ());
  g_autofree char *missing = g_strdup_printf ("there is no kernel \"\"; there are %s", names);

  assert_child ("", "a --kernel=Nehalem b", "Nehalem passive a b");
  assert_child ("", "--kernel nehalem c", "Nehalem passive c");
  assert_child ("OPENBLAS_CORETYPE=Core2", "--kernel=Nehalem", "Nehalem passive");
  assert_child ("OPENBLAS_CORETYPE=Core2 OMP_WAIT_POLICY=active", "a", "Core2 active a");
  assert_child ("OPENBLAS_CORETYPE=Core2 GOMP_SPINCOUNT=5", "", "Core2 (null)");
  assert_child ("", "a --kernel", missing);
  if (usual == NULL)
    return; /* nothing is asked for, and nothing that stands in a variable */
  assert_child ("", "-- --kernel=Nehalem", plain);
  sl_kernel_remember ("Nehalem");
  assert_child ("", "", "Nehalem passive");
  sl_kernel_remember ("");
  assert_child ("", "", known);
  g_assert_cmpint (g_remove (path), ==, 0);
}

/* No start measures: with an empty cache a run has the usual kernel, and nothing is remembered.  What is timed later
 * leaves the kernel of this process as it is, and is that of the next one.  */
static void
test_later (void)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "sluice", "kernel.json", NULL);
  g_autofree char *threads
    = g_build_filename (g_get_user_cache_dir (), "sluice", "threads.json", NULL);
  g_autofree char *before = kernel_of_new_run (), *after = NULL, *remembered = NULL;
  const char      *usual = sl_cpu_kernel (sl_cpu_features (), sl_blas_kernel ());

  if (usual == NULL)
    usual = sl_blas_kernel ();
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  assert_child ("", "recipe", usual);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  /* A busy machine may end the children. */
  for (unsigned i = 0; i < TRIES && remembered == NULL; i++)
    {
      sl_timing_do ();
      remembered = sl_kernel_remembered ();
    }
  g_assert_nonnull (remembered);
  after = kernel_of_new_run ();
  g_assert_cmpstr (after, ==, before);
  assert_child ("", "recipe", remembered[0] != '\0' ? remembered : usual);
  sl_kernel_remember ("Nehalem");
  if (sl_cpu_can_run (sl_cpu_features (), "Nehalem"))
    assert_child ("", "recipe", "Nehalem");
  g_clear_pointer (&after, g_free);
  after = kernel_of_new_run ();
  g_assert_cmpstr (after, ==, before);
  g_remove (threads);
  g_assert_cmpint (g_remove (path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = NULL, *folder = NULL;
  int              failed;

  sl_thread_child (argv);
  /* The kernel that the environment asks for is not the library's own choice. */
  if (g_getenv ("OPENBLAS_CORETYPE") != NULL && g_getenv (child_word) == NULL
      && !(argc > 1 && strcmp (argv[1], SL_KERNEL_CHILD) == 0))
    {
      g_unsetenv ("OPENBLAS_CORETYPE");
      execv ("/proc/self/exe", argv);
    }
  if (g_getenv (child_word) != NULL)
    return be_child (argv);
  if (argc > 1 && strcmp (argv[1], SL_KERNEL_CHILD) == 0)
    return sl_kernel_child ();
  cache = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  folder = g_build_filename (cache, "sluice", NULL);
  g_assert_nonnull (cache);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/kernel", test_kernel);
  g_test_add_func ("/cpu/can-run", test_can_run);
  g_test_add_func ("/cpu/all-kernels", test_all_kernels);
  g_test_add_func ("/cpu/verdict", test_verdict);
  g_test_add_func ("/cpu/times", test_times);
  g_test_add_func ("/cpu/try", test_try);
  g_test_add_func ("/cpu/starts", test_starts);
  g_test_add_func ("/cpu/later", test_later);
  g_test_add_func ("/cpu/memory", test_memory);
  g_test_add_func ("/cpu/option", test_option);
  failed = g_test_run ();
  g_rmdir (folder);
  g_assert_cmpint (g_rmdir (cache), ==, 0);
  return failed;
}
