/* SPDX-License-Identifier: MIT */
#include "app/cli/plot/file.h"

#include <string.h>

#include "app/cli/plot/foreign.h"
#include "app/cli/plot/trials.h"
#include "core/run/base/load.h"
#include "core/run/files/kind/kind.h"
#include "core/run/files/table.h"
#include "core/run/record/recipe.h"
#include "core/run/store/store.h"

/* The choices that only a store has, as they are typed; NULL: none is there. */
static const char *
choice_of_stores (const SlPlotChoice *choice)
{
  const SlCliOption of_stores[] = { { "lab", choice->lab != NULL },
                                    { "run", choice->runs != NULL },
                                    { "filter", choice->filter != NULL },
                                    { "group", choice->group != NULL },
                                    { "bands", choice->curves == SL_RUNS_INTERVAL },
                                    { "range", choice->curves == SL_RUNS_RANGE },
                                    { "difference", choice->curves == SL_RUNS_DIFFERENCE },
                                    { "x", choice->x != NULL },
                                    { "y", choice->y != NULL } };

  return sl_cli_first_typed (of_stores, G_N_ELEMENTS (of_stores));
}

/* Curves of other programs have no page. */
static bool
check_page (const SlOutputs *outputs, bool ours)
{
  if (outputs->html == NULL)
    return true;
  if (ours)
    return sl_plot_page_check (outputs->html);
  sl_cli_report ("--html needs a store or the JSON export of a run");
  return false;
}

/* Says so when a file is a figure, which has the recipe of its run and not what the run measured. */
static bool
is_figure (const char *path, const char *text)
{
  g_autofree char *recipe = NULL;

  if (text[strspn (text, " \t\r\n")] == '{')
    return false;
  recipe = sl_recipe_find (path, NULL);
  if (recipe == NULL)
    return false;
  sl_cli_report (
    "%s is a figure, which has only its recipe: see --recipe and \"sluice-cli replay\"", path);
  return true;
}

static SlExit
draw_run (const char *path, char **plots, SlOutputs *outputs)
{
  GError          *error = NULL;
  gsize            length;
  g_autofree char *text = sl_load (path, SL_RUN_BYTES, &length, &error), *recipe = NULL;
  SlRecord         record;
  SlExit           code;

  if (text == NULL)
    return sl_cli_fail_error (error);
  if (is_figure (path, text))
    return SL_EXIT_USAGE;
  if (text[strspn (text, " \t\r\n")] != '{')
    return sl_plot_foreign (path, NULL, plots, outputs);
  if (!sl_table_read_json (text, &record, &recipe, &error))
    {
      g_prefix_error (&error, "%s: ", path);
      return sl_cli_fail_error (error);
    }
  outputs->plots = g_strdupv (plots);
  code = sl_outputs_check (outputs, record.lab, NULL);
  if (code == SL_EXIT_FINE)
    code = sl_outputs_write (outputs, &record, recipe);
  sl_record_clear (&record);
  return code;
}

SlExit
sl_plot_file (const char *path, char **plots, const SlPlotChoice *choice, SlOutputs *outputs)
{
  SlFileKind  kind = sl_file_kind (path);
  bool        store = sl_store_is_store (path);
  const char *only = store ? NULL : choice_of_stores (choice);

  bool foreign = choice->with != NULL || sl_file_is_curves (kind) || sl_file_has_loads (path)
                 || g_file_test (path, G_FILE_TEST_IS_DIR);

  if (!check_page (outputs, !foreign && kind != SL_FILE_TRIALS))
    return SL_EXIT_USAGE;
  if (kind == SL_FILE_TRIALS && choice->with == NULL)
    return sl_plot_trials (path, plots, &(SlTrialsChoice) { choice->y, choice->x }, outputs);
  /* A file that is missing is reported by its reader. */
  if (only != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
    {
      sl_cli_report ("%s is not a store of runs, which \"%s\" needs", path, only);
      return SL_EXIT_USAGE;
    }
  /* A recording over training is a log of curves as well. */
  if (foreign)
    return sl_plot_foreign (path, choice->with, plots, outputs);
  return store ? sl_plot_store (path, plots, choice, outputs) : draw_run (path, plots, outputs);
}
