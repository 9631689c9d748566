/* SPDX-License-Identifier: MIT
 *
 * See runs-export.h.  */
#include "app/cli/commands/runs-export.h"

#include <glib/gi18n.h>

#include "app/cli/show/list.h"
#include "app/cli/show/outputs-format.h"
#include "core/run/again/kept.h"
#include "core/run/base/save.h"
#include "core/run/foreign/stored.h"
#include "core/run/record/name.h"
#include "core/run/store/about/picture.h"
#include "core/run/store/workspace.h"
#include "core/run/sweep/command-line.h"

char **
sl_runs_named (SlStore *store, char **words)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (; *words != NULL; words++)
    {
      GError *error = NULL;
      g_autoptr (SlStoreRun) run = sl_store_find (store, *words, &error);

      if (run == NULL)
        {
          sl_cli_fail_error (error);
          return NULL;
        }
      g_ptr_array_add (names, g_strdup (run->uuid));
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

/* The ids of the runs that are typed or, where none is, that --lab and --filter leave, ended by NULL; NULL
 * after a complaint.  */
static char **
names_chosen (SlStore *store, char **words, const SlRunsTyped *typed, SlExit *code)
{
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  *code = SL_EXIT_FAILED;
  if (words[0] != NULL)
    return sl_runs_named (store, words);
  runs = sl_cli_list_runs (store, typed->lab, typed->filter, code);
  if (runs == NULL)
    return NULL;
  for (guint i = 0; i < runs->len; i++)
    g_strv_builder_add (names, ((SlStoreRun *) g_ptr_array_index (runs, i))->uuid);
  return g_strv_builder_end (names);
}

/* A store that has runs is not replaced without a question; one that cannot be read may have
 * some.  */
static SlExit
check_replaces_none (SlStore *store, const char *path)
{
  g_autoptr (SlStore) other = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autofree char *into = NULL, *from = NULL;
  GError          *error = NULL;

  if (!sl_store_is_store (path) || sl_store_is_at (store, path))
    return SL_EXIT_FINE;
  other = sl_store_open (path, &error);
  runs = other != NULL ? sl_store_list (other, NULL, TRUE, &error) : NULL;
  if (runs == NULL)
    return sl_cli_fail_error (error);
  if (runs->len == 0)
    return SL_EXIT_FINE;
  into = sl_command_word (path);
  from = sl_command_word (sl_store_path (store));
  sl_cli_report (_ ("%s would lose its runs (%u); to add to them: sluice-cli runs %s merge %s"),
                 path, runs->len, into, from);
  return SL_EXIT_FAILED;
}

static SlExit
export_store (SlStore *store, char **words, const SlRunsTyped *typed)
{
  SlExit code;
  g_auto (GStrv) names = names_chosen (store, words, typed, &code);
  GError *error = NULL;

  if (names == NULL)
    return code;
  if (check_replaces_none (store, typed->to) != SL_EXIT_FINE)
    return SL_EXIT_FAILED;
  if (!sl_store_export (store, (const char *const *) names, typed->to, &error))
    return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

/* All curves of several runs: one table, and an event file each. */
static SlExit
export_curves (SlStore *store, char **words, const SlRunsTyped *typed)
{
  SlExit code;
  g_auto (GStrv) names = names_chosen (store, words, typed, &code);
  const char *const *uuids = (const char *const *) names;
  GError            *error = NULL;
  char              *wide = NULL;

  if (names == NULL)
    return code;
  if (typed->events != NULL && !sl_stored_events (store, uuids, typed->events, &error))
    return sl_cli_fail_error (error);
  if (typed->wide == NULL)
    return SL_EXIT_FINE;
  wide = sl_stored_wide (store, uuids, &error);
  if (wide == NULL)
    return sl_cli_fail_error (error);
  return sl_outputs_save_text (wide, typed->wide) ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

/* What a store does not keep of a run has to be computed again. */
static SlExit
offer_replay (SlStore *store, const char *uuid, const char *option, const char *path)
{
  g_autofree char *from = sl_command_word (sl_store_path (store)), *to = sl_command_word (path);

  sl_cli_report (
    "what %s writes is not kept with this run; to compute it: sluice-cli replay %s %.*s %s %s",
    option, from, SL_RUN_ID_SHOWN, uuid, option, to);
  return SL_EXIT_FAILED;
}

/* The picture that a sweep kept, into the file that was typed and into the folder. */
static SlExit
export_picture (SlStore *store, const char *uuid, const SlOutputs *outputs)
{
  g_autofree char *formed
    = outputs->folder != NULL ? g_build_filename (outputs->folder, "formed.png", NULL) : NULL;
  const char *const paths[] = { outputs->picture, formed };
  GError           *error = NULL;
  g_autoptr (GBytes) png = sl_store_picture (store, uuid, &error);

  if (error != NULL)
    return sl_cli_fail_error (error);
  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++)
    if (paths[i] != NULL && png == NULL)
      return offer_replay (store, uuid, "--picture", paths[i]);
    else if (paths[i] != NULL
             && !sl_save (paths[i], g_bytes_get_data (png, NULL), g_bytes_get_size (png), &error))
      return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

/* Whether a store keeps what the panels of a page show: samples, and not what is measured on demand.  A web page has what there
 * is.  */
static bool
is_kept (const SlLab *lab, const SlPlotFile *file)
{
  for (unsigned p = 0; p < file->n; p++)
    if (!file->all && !sl_outputs_is_page (file)
        && !sl_panel_is_series (lab->panels[file->panel[p]].kind))
      return false;
  return true;
}

static SlExit
export_run (SlStore *store, const SlStoredRun *run, SlOutputs *outputs)
{
  SlExit code = sl_outputs_check (outputs, run->record.lab, &run->recipe.settings),
         picture = SL_EXIT_FINE;
  g_autofree char *recipe = sl_recipe_write (&run->recipe);
  g_autoptr (GBytes) moments = NULL;
  GError   *error = NULL;
  SlFrames *frames;

  if (code != SL_EXIT_FINE)
    return code;
  for (guint i = 0; i < outputs->files->len; i++)
    if (!is_kept (run->record.lab, &g_array_index (outputs->files, SlPlotFile, i)))
      return offer_replay (store, run->uuid, "--plot", outputs->plots[i]);
  if (outputs->recording != NULL)
    return offer_replay (store, run->uuid, "--recording", outputs->recording);
  if (outputs->network != NULL)
    return offer_replay (store, run->uuid, "--network", outputs->network);
  if (sl_outputs_wants_picture (outputs, run->record.lab))
    picture = export_picture (store, run->uuid, outputs);
  if (!sl_store_moments (store, run->uuid, &moments, &error))
    return sl_cli_fail_error (error);
  frames = sl_kept_frames_stored (run->record.lab, moments);
  outputs->frames = frames;
  code = sl_outputs_write (outputs, &run->record, recipe);
  sl_frames_free (frames);
  return code == SL_EXIT_FINE ? picture : code;
}

SlExit
sl_runs_export (SlStore *store, char **words, SlRunsTyped *typed)
{
  g_auto (GStrv) names = NULL;
  SlStoredRun run;
  GError     *error = NULL;
  SlExit      code;

  if (words[0] != NULL && (typed->lab != NULL || typed->filter != NULL))
    {
      sl_cli_report ("--lab and --filter do not go with names of runs");
      return SL_EXIT_USAGE;
    }
  if (typed->to != NULL)
    return export_store (store, words, typed);
  if (typed->wide != NULL || typed->events != NULL)
    return export_curves (store, words, typed);
  if (words[0] == NULL || words[1] != NULL || !sl_outputs_any (&typed->outputs))
    {
      sl_cli_report (words[0] == NULL || words[1] != NULL
                       ? N_ ("export one run into tables and figures, or several with --to FILE")
                       : N_ ("no file to write is given; see sluice-cli runs --help"));
      return SL_EXIT_USAGE;
    }
  names = sl_runs_named (store, words);
  if (names == NULL)
    return SL_EXIT_FAILED;
  if (!sl_store_load (store, names[0], FALSE, G_MAXUINT64, &run, &error))
    return sl_cli_fail_error (error);
  code = export_run (store, &run, &typed->outputs);
  sl_stored_run_clear (&run);
  return code;
}
