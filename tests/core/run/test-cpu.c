/* SPDX-License-Identifier: MIT
 *
 * Which kernel is asked for on processors that are not at hand, and what measured ones say.  */
#include "core/run/base/cpu.h"

#include <glib/gstdio.h>
#include <string.h>

#include "core/run/base/kernel.h"

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
  g_assert_false (sl_cpu_prepare (argv, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "Fortran"));
  g_error_free (error);
  g_assert_null (argv[1]);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("sluice-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (cache, "sluice", NULL);
  int              failed;

  g_assert_nonnull (cache);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/kernel", test_kernel);
  g_test_add_func ("/cpu/verdict", test_verdict);
  g_test_add_func ("/cpu/memory", test_memory);
  g_test_add_func ("/cpu/option", test_option);
  failed = g_test_run ();
  g_rmdir (folder);
  g_assert_cmpint (g_rmdir (cache), ==, 0);
  return failed;
}
