/* SPDX-License-Identifier: MIT
 *
 * When a figure of the benches reaches its bar; the most of a core, which is in registers.  */
#include <glib.h>
#include <math.h>

#include "bench/peak.h"
#include "bench/verdict.h"

static void
test_verdict (void)
{
  static const struct
  {
    SlBarKind   kind;
    double      value, bar;
    const char *verdict;
  } rows[] = {
    { SL_BAR_LEAST, 2.0, 2.0, "ok" },
    { SL_BAR_LEAST, 1.9, 2.0, "short" },
    { SL_BAR_LEAST, (double) NAN, 2.0, "short" },
    { SL_BAR_LEAST, 8.6, 0.8, "ok" },
    { SL_BAR_MOST, 2.0, 2.0, "ok" },
    { SL_BAR_MOST, 2.1, 2.0, "short" },
    { SL_BAR_MOST, (double) NAN, 2.0, "short" },
    { SL_BAR_SHARE, 0.8, 0.8, "ok" },
    { SL_BAR_SHARE, 0.79, 0.8, "short" },
    { SL_BAR_SHARE, 1.05, 0.8, "ok" },
    { SL_BAR_SHARE, 1.06, 0.8, "error" },
    { SL_BAR_SHARE, 8.6, 0.0, "error" },
    { SL_BAR_SHARE, (double) INFINITY, 0.0, "error" },
    { SL_BAR_SHARE, (double) NAN, 0.0, "short" },
    { SL_BAR_NONE, 8.6, 0.0, "" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (sl_bench_verdict (rows[i].kind, rows[i].value, rows[i].bar), ==,
                     rows[i].verdict);
}

static void
test_peak (void)
{
  double peak = sl_bench_peak ();

  g_test_message ("%.1f GFLOP/s", peak);
  g_assert_true (isfinite (peak) && peak > 0.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench/verdict", test_verdict);
  g_test_add_func ("/bench/peak", test_peak);
  return g_test_run ();
}
