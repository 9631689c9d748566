/* SPDX-License-Identifier: MIT */
#include "app/cli/show/plot-file.h"

#include <string.h>

#include "app/cli/show/plot-foreign.h"
#include "core/run/base/load.h"
#include "core/run/files/table.h"
#include "core/run/store/store.h"

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
  if (text[strspn (text, " \t\r\n")] != '{')
    return sl_plot_foreign (path, NULL, plots, outputs);
  if (!sl_table_read_json (text, &record, &recipe, &error))
    {
      g_prefix_error (&error, "%s: ", path);
      return sl_cli_fail_error (error);
    }
  outputs->plots = g_strdupv (plots);
  code = sl_outputs_check (outputs, record.lab);
  if (code == SL_EXIT_FINE)
    code = sl_outputs_write (outputs, &record, recipe);
  sl_record_clear (&record);
  return code;
}

SlExit
sl_plot_file (const char *path, char **plots, const SlPlotChoice *choice, SlOutputs *outputs)
{
  if (choice->with != NULL)
    return sl_plot_foreign (path, choice->with, plots, outputs);
  return sl_store_is_store (path) ? sl_plot_store (path, plots, choice, outputs)
                                  : draw_run (path, plots, outputs);
}
