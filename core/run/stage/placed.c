/* SPDX-License-Identifier: MIT */
#include "core/run/stage/placed.h"

#include "core/labs/registry.h"
#include "core/run/record/recipe-json.h"

static void
clear_run (gpointer run)
{
  sl_stored_run_clear (&((SlPlacedRun *) run)->run);
}

GArray *
sl_placed_runs_new (void)
{
  GArray *runs = g_array_new (FALSE, TRUE, sizeof (SlPlacedRun));

  g_array_set_clear_func (runs, clear_run);
  return runs;
}

SlPlacedRun *
sl_placed_runs_find (GArray *runs, const SlLab *lab)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, SlPlacedRun, i).lab == lab)
      return &g_array_index (runs, SlPlacedRun, i);
  return NULL;
}

GArray *
sl_placed_runs_copy (GArray *runs)
{
  GArray *copy = sl_placed_runs_new ();

  for (guint i = 0; i < runs->len; i++)
    {
      SlPlacedRun run = g_array_index (runs, SlPlacedRun, i);

      if (run.run.recipe.changes != NULL)
        run.run.recipe.changes = g_array_copy (run.run.recipe.changes);
      g_array_append_val (copy, run);
    }
  return copy;
}

/* ---- JSON ---- */

static void
write_run (SlJsonWriter *w, const SlLab *lab, const char *uuid, const char *recipe, gboolean going)
{
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "lab", lab->id);
  sl_json_add_truth (w, "going", going);
  if (uuid != NULL && uuid[0] != '\0')
    sl_json_add_text (w, "run", uuid);
  else if (recipe != NULL)
    sl_json_add_json (w, "recipe", recipe);
  sl_json_close (w);
}

void
sl_placed_run_write (SlJsonWriter *w, const SlPlacedRun *run)
{
  g_autofree char *recipe = run->run.recipe.lab != NULL ? sl_recipe_write (&run->run.recipe) : NULL;

  write_run (w, run->lab, run->uuid, recipe, run->going);
}

void
sl_placed_run_write_session (SlJsonWriter *w, SlSession *session, gboolean going)
{
  gboolean         stored = sl_session_present (session) > 0;
  g_autofree char *recipe = stored ? NULL : sl_session_recipe (session);

  write_run (w, sl_session_lab (session), stored ? sl_session_uuid (session) : NULL, recipe, going);
}

static gboolean
read_run (const SlJson *object, SlPlacedRun *run)
{
  const SlJson *lab = sl_json_member_of (object, "lab", SL_JSON_TEXT);
  const SlJson *uuid = sl_json_member_of (object, "run", SL_JSON_TEXT);
  const SlJson *going = sl_json_member_of (object, "going", SL_JSON_TRUTH);
  const SlJson *recipe = sl_json_member_of (object, "recipe", SL_JSON_OBJECT);

  run->lab = lab != NULL ? sl_lab_find (lab->text) : NULL;
  run->going = going != NULL && going->number != 0.0;
  g_strlcpy (run->uuid, uuid != NULL ? uuid->text : "", sizeof run->uuid);
  if (run->lab == NULL)
    return FALSE;
  return run->uuid[0] != '\0'
           ? g_uuid_string_is_valid (run->uuid)
           : recipe != NULL && sl_recipe_read_json (recipe, &run->run.recipe, NULL);
}

GArray *
sl_placed_runs_read (const SlJson *list, gboolean paused)
{
  GArray *runs = sl_placed_runs_new ();

  for (const SlJson *object = list != NULL ? list->first : NULL; object != NULL;
       object = object->next)
    {
      SlPlacedRun run = { 0 };

      if (!read_run (object, &run))
        continue;
      run.going = run.going && !paused;
      g_array_append_val (runs, run);
    }
  return runs;
}

/* ---- the store ---- */

void
sl_placed_runs_load (GArray *runs, SlStore *store)
{
  sl_store_flush (store, NULL);
  for (guint i = 0; i < runs->len; i++)
    {
      SlPlacedRun *run = &g_array_index (runs, SlPlacedRun, i);

      if (run->uuid[0] != '\0' && sl_store_is_free (store, run->uuid, NULL))
        sl_store_load (store, run->uuid, TRUE, UINT64_MAX, &run->run, NULL);
    }
}

gboolean
sl_placed_run_begin (SlPlacedRun *run, SlSession *session)
{
  if (run->run.recipe.lab == NULL)
    return FALSE;
  if (run->uuid[0] != '\0')
    sl_session_resume (session, &run->run, run->going);
  else
    sl_session_replay (session, &run->run.recipe, run->going);
  sl_stored_run_clear (&run->run);
  return TRUE;
}
