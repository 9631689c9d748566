/* SPDX-License-Identifier: MIT
 *
 * Runs of a store as a web page; see plot-store.h.  */
#include "app/cli/plot/store.h"

#include "core/run/again/kept.h"
#include "core/run/store/workspace.h"
#include "core/run/sweep/command-line.h"
#include "plot/page/sweep.h"

/* Runs are read when they are drawn: not all of many are. */
typedef struct
{
  SlStore       *store;
  const SlTrade *trade;
  SlStoredRun  **loaded; /* (trade.runs->len) or NULL */
  GError        *error;  /* of the first that could not be read */
} Runs;

static const char *
uuid_of (const Runs *runs, guint run)
{
  return sl_trade_run (runs->trade, run)->run->uuid;
}

static SlStoredRun *
load (Runs *runs, guint run)
{
  SlStoredRun *stored;

  if (runs->loaded[run] != NULL || runs->error != NULL)
    return runs->loaded[run];
  stored = g_new0 (SlStoredRun, 1);
  if (sl_store_load (runs->store, uuid_of (runs, run), FALSE, G_MAXUINT64, stored, &runs->error))
    return runs->loaded[run] = stored;
  g_free (stored);
  return NULL;
}

static void
clear (Runs *runs)
{
  for (guint i = 0; i < runs->trade->runs->len; i++)
    if (runs->loaded[i] != NULL)
      {
        sl_stored_run_clear (runs->loaded[i]);
        g_free (runs->loaded[i]);
      }
  g_free (runs->loaded);
}

static const SlSeries *
series_of (void *data, guint run, const char *channel)
{
  const SlStoredRun *stored = load (data, run);
  int                at = stored != NULL ? sl_layout_find (&stored->record.layout, channel) : -1;

  return at >= 0 ? &stored->record.series[at] : NULL;
}

static char *
command_of (void *data, guint run)
{
  Runs            *runs = data;
  SlRecipe         recipe;
  char            *command;
  g_autofree char *json = sl_store_recipe (runs->store, uuid_of (runs, run), NULL);

  if (json == NULL || !sl_recipe_read (json, &recipe, NULL))
    return NULL;
  command = sl_command_line_run (&recipe);
  sl_recipe_clear (&recipe);
  return command;
}

static SlExit
write_sweep (Runs *runs, const SlSweep *sweep, const SlOutputs *outputs)
{
  g_autofree char *command = sweep != NULL ? sl_command_line_sweep (sweep) : NULL;
  GError          *error = NULL;
  g_autoptr (GBytes) page = sl_page_sweep (&(SlPageSweep) { .trade = runs->trade,
                                                            .series = series_of,
                                                            .command = command_of,
                                                            .data = runs,
                                                            .sweep = command },
                                           &error);

  if (runs->error != NULL)
    {
      g_clear_error (&error);
      return sl_cli_fail_error (g_steal_pointer (&runs->error));
    }
  if (page == NULL)
    return sl_cli_fail_error (error);
  return sl_outputs_save_page (outputs, page, outputs->html) ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

/* With the pictures of its moments that were kept. */
static SlExit
write_run (Runs *runs, SlOutputs *outputs)
{
  const SlStoredRun *stored = load (runs, 0);
  g_autofree char   *recipe = NULL;
  g_autoptr (GBytes) moments = NULL;
  SlFrames *frames;
  SlExit    code;

  if (stored == NULL || !sl_store_moments (runs->store, uuid_of (runs, 0), &moments, &runs->error))
    return sl_cli_fail_error (g_steal_pointer (&runs->error));
  recipe = sl_recipe_write (&stored->recipe);
  code = sl_outputs_check (outputs, stored->record.lab, &stored->recipe.settings);
  if (code != SL_EXIT_FINE)
    return code;
  frames = sl_kept_frames_stored (stored->record.lab, moments);
  outputs->frames = frames;
  code = sl_outputs_write (outputs, &stored->record, recipe);
  outputs->frames = NULL;
  sl_frames_free (frames);
  return code;
}

SlExit
sl_plot_page (SlStore *store, const SlTrade *trade, const SlSweep *sweep, SlOutputs *outputs)
{
  Runs runs
    = { .store = store, .trade = trade, .loaded = g_new0 (SlStoredRun *, trade->runs->len) };
  SlExit code
    = trade->runs->len == 1 ? write_run (&runs, outputs) : write_sweep (&runs, sweep, outputs);

  clear (&runs);
  return code;
}

bool
sl_plot_page_check (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, ".html"))
    return true;
  sl_cli_report ("\"%s\" should end in %s", path, ".html");
  return false;
}
