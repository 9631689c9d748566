/* SPDX-License-Identifier: MIT
 *
 * sluice-bench: prints the figures of bench.h and whether each clears its bar.  */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "core/nn/kernels/mat.h"

static const SlBenchGroup *const groups[] = {
  &sl_bench_step, &sl_bench_gather,   &sl_bench_experts, &sl_bench_recurrence,
  &sl_bench_path, &sl_bench_store,    &sl_bench_window,  &sl_bench_gates,
  &sl_bench_lstm, &sl_bench_language, &sl_bench_mixture, &sl_bench_recording,
  &sl_bench_read, &sl_bench_peers,    &sl_bench_choice,  &sl_bench_clock,
  &sl_bench_skip, &sl_bench_runs,     &sl_bench_alive,   &sl_bench_stroke,
  &sl_bench_page,
};

static const char *const examples
  = "Each line is a result: name, value, unit, the bar it is held to, ok, short, or\n"
    "error where a share is more than all there is.\n"
    "\n"
    "Examples:\n"
    "  sluice-bench             everything that is quick\n"
    "  sluice-bench --list          what there is\n"
    "  sluice-bench gather step     two groups\n"
    "\n"
    "Exit code 0 also when a result is short, 1 with --strict or when something could\n"
    "not be measured.\n";

static void
append_number (GString *text, const char *name, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.9g", value);
  g_string_append_printf (text, ", \"%s\": %s", name, isfinite (value) ? number : "null");
}

void
sl_bench_result (SlBench *bench, const char *name, double value, const char *unit, SlBarKind kind,
                 double bar, const char *note)
{
  const char *result = sl_bench_verdict (kind, value, bar);

  bench->n++;
  bench->n_short += strcmp (result, "short") == 0;
  bench->n_wrong += strcmp (result, "error") == 0;
  if (bench->json)
    {
      g_string_append_printf (bench->figures, "%s\n    {\"name\": \"%s\"",
                              bench->figures->len > 0 ? "," : "", name);
      append_number (bench->figures, "value", value);
      g_string_append_printf (bench->figures, ", \"unit\": \"%s\"", unit);
      if (kind != SL_BAR_NONE)
        {
          append_number (bench->figures, kind == SL_BAR_MOST ? "at_most" : "at_least", bar);
          g_string_append_printf (bench->figures, ", \"result\": \"%s\"", result);
        }
      g_string_append_printf (bench->figures, ", \"note\": \"%s\"}", note);
      return;
    }
  printf ("%-28s %10.4g %-12s ", name, value, unit);
  if (kind == SL_BAR_NONE)
    printf ("%-18s", "");
  else
    printf ("%s %-10.4g %-5s", kind == SL_BAR_MOST ? "<=" : ">=", bar, result);
  printf ("  %s\n", note);
  fflush (stdout);
}

void
sl_bench_note (SlBench *bench, const char *format, ...)
{
  va_list list;

  if (bench->json)
    return;
  va_start (list, format);
  fputs ("# ", stdout);
  vprintf (format, list);
  fputc ('\n', stdout);
  fflush (stdout);
  va_end (list);
}

static void
print_list (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
    printf ("%-12s %s%s\n", groups[i]->name, groups[i]->summary,
            groups[i]->slow ? " (only by name or with --all)" : "");
}

static bool
known (char **names)
{
  const char *all[G_N_ELEMENTS (groups) + 1] = { NULL };

  for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
    all[i] = groups[i]->name;
  for (; *names != NULL; names++)
    if (!g_strv_contains (all, *names))
      {
        sl_cli_report ("there is no bench \"%s\"; perhaps %s?", *names,
                       sl_cli_nearest (*names, all));
        return false;
      }
  return true;
}

static bool
chosen (const SlBenchGroup *group, char **names, bool everything)
{
  if (names[0] == NULL)
    return everything || !group->slow;
  return g_strv_contains ((const char *const *) names, group->name);
}

static SlExit
measure (SlBench *bench, char **names, bool everything)
{
  SlExit worst = SL_EXIT_FINE;

  if (!bench->json)
    printf ("# sluice %s, %s, kernel %s, %u threads (%s)\n", SL_VERSION, sl_blas_version (),
            sl_blas_kernel (), sl_blas_set_threads (sl_blas_cores ()), sl_blas_threading ());
  for (size_t i = 0; i < G_N_ELEMENTS (groups); i++)
    if (chosen (groups[i], names, everything))
      {
        SlExit code = groups[i]->run (bench);

        worst = worst != SL_EXIT_FINE ? worst : code;
      }
  if (bench->json)
    printf ("{\n  \"version\": \"%s\",\n  \"openblas\": \"%s\",\n  \"kernel\": \"%s\",\n"
            "  \"threads\": %u,\n  \"figures\": [%s\n  ]\n}\n",
            SL_VERSION, sl_blas_version (), sl_blas_kernel (), sl_blas_cores (),
            bench->figures->str);
  return worst;
}

static SlExit
perform (char **args)
{
  GOptionContext    *context = g_option_context_new ("[NAME…]");
  gboolean           list = FALSE, everything = FALSE, strict = FALSE;
  SlBench            bench = { 0 };
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_NONE, &list, "List the groups of results", NULL },
    { "all", 0, 0, G_OPTION_ARG_NONE, &everything, "Also the slow ones", NULL },
    { "settings", 0, 0, G_OPTION_ARG_INT, &bench.settings,
      "Random settings of the bench that draws them", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &bench.seed, "Seed of these", "N" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &bench.json, "One JSON document instead of lines", NULL },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &strict, "Exit code 1 when a result misses its bar",
      NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, "Measures this program on this machine.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!known (rest))
    return SL_EXIT_USAGE;
  if (list)
    {
      print_list ();
      return SL_EXIT_FINE;
    }
  bench.all = everything;
  bench.figures = g_string_new (NULL);
  code = measure (&bench, rest, everything);
  if (code == SL_EXIT_FINE && (bench.n_wrong > 0 || (strict && bench.n_short > 0)))
    code = SL_EXIT_FAILED;
  g_string_free (bench.figures, TRUE);
  return code;
}

int
main (int argc, char **argv)
{
  char *name = (char *) "sluice-bench";

  sl_cli_start (name, argv);
  argv[0] = name;
  return sl_cli_end (perform (argv));
}
