/* SPDX-License-Identifier: MIT
 *
 * Which kernel is asked for on processors that are not at hand.  */
#include "core/run/base/cpu.h"

#include <glib.h>

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cpu/kernel", test_kernel);
  return g_test_run ();
}
