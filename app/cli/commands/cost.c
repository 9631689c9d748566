/* SPDX-License-Identifier: MIT
 *
 * sluice-cli cost: how long a pass and an update will take, before anything runs.  */
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/cli.h"
#include "app/cli/plan.h"
#include "app/cli/show/describe.h"
#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/language.h"
#include "core/run/base/save.h"
#include "core/run/cost/map.h"
#include "plot/charts/break-even.h"
#include "plot/export/export.h"

static const char *const examples = N_ (
  "The first time, kernels and small runs are timed for about a minute; the times are kept in\n"
  "the cache folder, which may be deleted.  --measure times them again.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli cost stochastic-gates\n"
  "  sluice-cli cost sign-estimator --set hidden=1000-600-400 --set rank=50-35-25\n"
  "  sluice-cli cost experts --preset paper --set k=4\n"
  "  sluice-cli cost stochastic-gates --map break-even.svg\n");

/* What was timed before, or now. */
static SlCostModel *
timed_kernels (gboolean again)
{
  SlCostModel *model = again ? NULL : sl_cost_model_load ();
  GError      *error = NULL;

  if (model != NULL)
    return model;
  if (isatty (STDERR_FILENO))
    fprintf (stderr, _ ("Timing kernels and small runs, for about a minute…\n"));
  model = sl_cost_model_measure (NULL);
  if (!sl_cost_model_is_steady (model))
    fprintf (stderr, _ ("The machine is busy: the times spread and are not kept.\n"));
  else if (!sl_cost_model_save (model, &error))
    sl_cli_fail_error (error);
  return model;
}

static void
print_part (const char *title, const SlCostModel *model, const SlWorkload *work, SlCostPart part)
{
  SlPrediction seconds = sl_cost_predict (model, work, part);
  char         why[SL_MESSAGE_SIZE];

  if (isfinite (seconds.seconds))
    printf (_ ("%s %9.3g ms   (%.3g to %.3g)\n"), title, 1e3 * seconds.seconds, 1e3 * seconds.least,
            1e3 * seconds.most);
  else
    printf (_ ("%s not predicted: %s\n"), title,
            sl_message_show (work->refused[part].packed, sl_words, why, sizeof why));
}

static void
print_verdict (const SlCostModel *model, const SlWorkload *work)
{
  SlPrediction up = sl_cost_predict_speed_up (model, work);

  switch (sl_cost_verdict (&up))
    {
    case SL_COST_PAYS:
      printf (_ ("speed-up      %9.2f      (%.2f to %.2f): pays\n"), up.seconds, up.least, up.most);
      break;
    case SL_COST_PAYS_NOT:
      printf (_ ("speed-up      %9.2f      (%.2f to %.2f): does not pay\n"), up.seconds, up.least,
              up.most);
      break;
    case SL_COST_EVEN:
      printf (_ ("speed-up      %9.2f      (%.2f to %.2f): may pay or not\n"), up.seconds, up.least,
              up.most);
      break;
    case SL_COST_UNKNOWN: break;
    }
}

/* The map of break-even as a figure, or as numbers. */
static SlExit
write_map (const SlCostMap *map, const char *path)
{
  int             format = sl_export_format_for (path);
  SlBreakEven     chart = { 0 };
  SlFigure        figure = { 0 }, *figures[] = { &figure };
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);
  GError         *error = NULL;

  if (g_str_has_suffix (path, ".csv"))
    {
      g_autofree char *text = sl_cost_map_csv (map);

      sl_save (path, text, strlen (text), &error);
    }
  else
    {
      sl_break_even_update (&chart, map, &figure);
      sl_export_save (figures, 1, &options, (SlExportFormat) format, path, &error);
      sl_figure_clear (&figure);
      sl_break_even_clear (&chart);
    }
  return error == NULL ? SL_EXIT_FINE : sl_cli_fail_error (error);
}

static bool
is_map_name (const char *path)
{
  return g_str_has_suffix (path, ".csv") || sl_export_format_for (path) >= 0;
}

static SlExit
map_cost (const SlCostModel *model, const SlPlan *plan, const SlDataset *dataset, const char *path)
{
  g_autofree SlCostMap *map = g_new (SlCostMap, 1);

  if (sl_cost_map (model, plan->lab, &plan->settings, dataset, map))
    return write_map (map, path);
  sl_cli_report (_ ("%s: no speed-up is predicted for these settings"), plan->lab->id);
  return SL_EXIT_FAILED;
}

/* `path`: of the map, or NULL. */
static SlExit
print_cost (const SlPlan *plan, gboolean again, const char *path)
{
  SlDataset  *dataset = NULL;
  SlStatus    status = SL_SUCCESS;
  SlWorkload *work = g_new (SlWorkload, 1);
  SlExit      code = SL_EXIT_FINE;

  if (plan->lab->data != SL_NEEDS_NOTHING)
    status = sl_source_open (
      plan->data != NULL ? plan->data : sl_source_default_for (plan->lab->data), &dataset);
  if (sl_ok (&status))
    status = sl_cost_init (work, plan->lab, &plan->settings, dataset);
  if (sl_ok (&status))
    {
      g_autoptr (SlCostModel) model = timed_kernels (again);

      if (work->batch > 0)
        printf (_ ("kernel %s, one thread; passes of %zu examples\n"), sl_blas_kernel (),
                work->batch);
      else
        printf (_ ("kernel %s, one thread\n"), sl_blas_kernel ());
      print_part (_ ("dense pass    "), model, work, SL_COST_OF_DENSE);
      print_part (_ ("as it skips   "), model, work, SL_COST_OF_PASS);
      print_verdict (model, work);
      print_part (_ ("update        "), model, work, SL_COST_OF_STEP);
      if (path != NULL)
        code = map_cost (model, plan, dataset, path);
    }
  sl_dataset_free (dataset);
  g_free (work);
  return sl_ok (&status) ? code : sl_cli_fail (&status);
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("LAB");
  SlPlanOptions      options = { 0 };
  gboolean           measure = FALSE;
  g_autofree char   *map = NULL;
  const GOptionEntry entries[] = {
    { "measure", 0, 0, G_OPTION_ARG_NONE, &measure, N_ ("Time the kernels again"), NULL },
    { "map", 0, 0, G_OPTION_ARG_FILENAME, &map,
      N_ ("Draw where skipping pays: .svg, .png, .pdf, .tikz, .py or .csv"), "FILE" },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlPlan       plan;
  const SlLab *lab;
  SlExit       code;

  g_option_context_set_summary (context, "Predicts how long a pass and an update take here.");
  sl_plan_options_add_settings (&options, context);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 1))
    return SL_EXIT_USAGE;
  if (map != NULL && !is_map_name (map))
    {
      sl_cli_report (_ ("%s: a map ends in .svg, .png, .pdf, .tikz, .py or .csv"), map);
      return SL_EXIT_USAGE;
    }
  if (rest[0] == NULL)
    {
      sl_cli_report ("no lab is given; see %s --help", args[0]);
      return SL_EXIT_USAGE;
    }
  lab = sl_describe_find_lab (rest[0]);
  if (lab == NULL)
    return SL_EXIT_USAGE;
  sl_plan_init (&plan, lab);
  code = sl_plan_options_read (&options, &plan);
  if (code == SL_EXIT_FINE)
    code = print_cost (&plan, measure, map);
  sl_plan_clear (&plan);
  sl_plan_options_clear (&options);
  return code;
}

const SlCliCommand sl_command_cost
  = { "cost", N_ ("predict how long a pass and an update take"), command };
