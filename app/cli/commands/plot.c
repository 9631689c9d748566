/* SPDX-License-Identifier: MIT
 *
 * sluice-cli plot: figures from the JSON export of a run, a store of runs or the files of other programs, and the recipe
 * inside any file that Sluice wrote.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/plot/file.h"
#include "core/run/record/recipe.h"

static const char *const examples = N_ (
  "FILE is a JSON export of a run, or with --recipe also a figure.  PANEL=FILE draws a panel,\n"
  "several (error,density) or all, as svg, png, pdf, tikz, py, csv or npy.\n"
  "\n"
  "Of a store PANEL=FILE draws one panel of all runs of a lab, or those of --run; trade=FILE\n"
  "the error of each setting against its cost, or --y against --x; difference=FILE the\n"
  "difference of two groups in all their scores; pictures=FILE the pictures of all runs;\n"
  "parts=FILE, of Selective execution, the examples on each way.  --html writes all of it as\n"
  "a web page.\n"
  "\n"
  "Of curves (TensorBoard, trainer_state.json, JSON lines or a CSV table with a column of\n"
  "steps) NAME[,NAME…]=FILE draws these, and all=FILE each in its own figure.  --with adds\n"
  "the curves of other files, folders and exported runs.  Of the table of a sweep of Optuna\n"
  "or Weights & Biases trade=FILE draws the error against the time, or --y against --x.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli plot run.json error=error.pdf --page column\n"
  "  sluice-cli plot runs.sluice trade=front.svg error=error.svg --bands\n"
  "  sluice-cli plot runs.sluice difference=gates.csv --group gate --filter 'gate=bias or "
  "gate=noisy'\n"
  "  sluice-cli plot run.json error.valid,eval/error=both.svg --with events.out.tfevents.1\n");

static SlExit
print_recipe (const char *path)
{
  GError          *error = NULL;
  g_autofree char *json = sl_recipe_find (path, &error);

  if (json == NULL)
    return sl_cli_fail_error (error);
  puts (json);
  return SL_EXIT_FINE;
}

static SlExit
command (char **args)
{
  GOptionContext  *context = g_option_context_new ("FILE [PANEL=FILE…]");
  gboolean         recipe = FALSE, bands = FALSE, range = FALSE, difference = FALSE;
  SlOutputs        outputs = { 0 };
  g_autofree char *lab = NULL, *x = NULL, *y = NULL, *group = NULL, *filter = NULL;
  g_auto (GStrv) runs = NULL, with = NULL;
  const GOptionEntry entries[] = {
    { "recipe", 0, 0, G_OPTION_ARG_NONE, &recipe, N_ ("Print the recipe in FILE as JSON"), NULL },
    { "lab", 0, 0, G_OPTION_ARG_STRING, &lab, N_ ("Only runs of this lab"), "LAB" },
    { "run", 0, 0, G_OPTION_ARG_STRING_ARRAY, &runs, N_ ("Only this run of a store"), "RUN" },
    { "filter", 0, 0, G_OPTION_ARG_STRING, &filter,
      N_ ("Only runs that pass, see \"sluice-cli runs --help\""), "LINE" },
    { "group", 0, 0, G_OPTION_ARG_STRING, &group,
      N_ ("Group runs by this, not by setting: gate, k, tag"), "NAME" },
    /* xgettext:no-c-format */
    { "bands", 0, 0, G_OPTION_ARG_NONE, &bands, N_ ("Mean of each group with 95 % interval"),
      NULL },
    { "range", 0, 0, G_OPTION_ARG_NONE, &range,
      N_ ("Mean of each group, from smallest to largest run"), NULL },
    { "difference", 0, 0, G_OPTION_ARG_NONE, &difference,
      /* xgettext:no-c-format */
      N_ ("The second of two groups minus the first, with 95 % interval"), NULL },
    { "with", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &with,
      N_ ("Add the curves of this run; may be given again"), "FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &outputs.html,
      N_ ("A web page of a store's runs or of a run"), "FILE" },
    { "x", 0, 0, G_OPTION_ARG_STRING, &x,
      N_ ("Along x in trade=: a cost, score, channel, setting or column"), "NAME" },
    { "y", 0, 0, G_OPTION_ARG_STRING, &y, N_ ("Along y in trade=, likewise (default: error)"),
      "NAME" },
    { "cost", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &x, NULL, NULL },
    { "error", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &y, NULL, NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_plot.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  sl_looks_add_options (&outputs.looks, context);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_report ("no file is given; see %s --help", args[0]);
      else if (!recipe && rest[1] == NULL && outputs.html == NULL)
        sl_cli_report ("no panel is given, for example error=error.svg; see %s --help", args[0]);
      else if (recipe)
        code = sl_cli_at_most (args, rest, 1) ? print_recipe (rest[0]) : SL_EXIT_USAGE;
      else
        code = sl_plot_file (rest[0], rest + 1,
                             &(SlPlotChoice) { .lab = lab,
                                               .runs = runs,
                                               .x = x,
                                               .y = y,
                                               .group = group,
                                               .filter = filter,
                                               .curves = difference ? SL_RUNS_DIFFERENCE
                                                         : range    ? SL_RUNS_RANGE
                                                         : bands    ? SL_RUNS_INTERVAL
                                                                    : SL_RUNS_EACH,
                                               .with = with },
                             &outputs);
    }
  sl_outputs_clear (&outputs);
  return code;
}

const SlCliCommand sl_command_plot
  = { "plot", N_ ("Draws figures from a run's JSON export or a store."), command };
