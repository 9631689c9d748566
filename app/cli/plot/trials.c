/* SPDX-License-Identifier: MIT */
#include "app/cli/plot/trials.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/charts/trials.h"

/* The table, and what was decided about it on the error stream. */
static SlExit
open_table (SlTrials *trials, const char *path, const SlTrialsChoice *choice)
{
  GError          *error = NULL;
  g_autofree char *said = NULL;

  if (!sl_trials_open (trials, path, choice->error, choice->cost, &error))
    return sl_cli_fail_error (error);
  said = sl_trials_said (trials);
  sl_cli_report ("%s: %s", path, said);
  return SL_EXIT_FINE;
}

SlExit
sl_print_trials (const char *path)
{
  SlTrials trials;
  SlExit   code = open_table (&trials, path, &(SlTrialsChoice) { 0 });

  if (code != SL_EXIT_FINE)
    return code;
  for (guint i = 0; i < trials.trials->len; i++)
    {
      const SlForeignTrial *trial = g_ptr_array_index (trials.trials, i);

      printf ("%s  %s: ", trial->name, trial->title);
      if (trials.cost != NULL)
        printf (trials.seconds ? "%s %.6g s, " : "%s %.6g, ", trials.cost, trial->cost);
      printf ("%s %.6g\n", trials.axis, trial->error);
    }
  sl_trials_clear (&trials);
  return SL_EXIT_FINE;
}

/* One "trade=FILE". */
static SlExit
plot_one (const SlTrials *trials, const char *plot, const SlOutputs *outputs)
{
  static const char trade[] = "trade=";
  const char       *to = plot + strlen (trade);
  int               format = g_str_has_prefix (plot, trade) ? sl_export_format_for (to) : -1;
  SlFront           front = { 0 };
  SlFigure          figure = { 0 };
  SlFigure         *page = &figure;
  SlExit            code = SL_EXIT_FAILED;

  if (format < 0)
    {
      sl_cli_report ("\"%s\" should be %s=FILE, with .svg, .png, .pdf, .tikz, .py or .csv", plot,
                     "trade");
      return SL_EXIT_USAGE;
    }
  if (!sl_looks_check (&outputs->looks, 1, (SlExportFormat) format))
    return SL_EXIT_USAGE;
  if (trials->cost == NULL)
    sl_cli_report ("%s: there is no column of times; --x COLUMN takes another one", to);
  else if (!sl_trials_figure (trials, &front, &figure))
    sl_cli_report ("%s: no run has both a cost and an error", to);
  else if (sl_looks_page (&outputs->looks, &page, 1, NULL, to))
    code = SL_EXIT_FINE;
  sl_figure_clear (&figure);
  sl_front_clear (&front);
  return code;
}

SlExit
sl_plot_trials (const char *path, char **plots, const SlTrialsChoice *choice,
                const SlOutputs *outputs)
{
  SlTrials trials;
  SlExit   code = open_table (&trials, path, choice);

  if (code != SL_EXIT_FINE)
    return code;
  for (; *plots != NULL && code == SL_EXIT_FINE; plots++)
    code = plot_one (&trials, *plots, outputs);
  sl_trials_clear (&trials);
  return code;
}
