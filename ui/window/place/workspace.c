/* SPDX-License-Identifier: MIT
 *
 * The workspace of the window in the store, as JSON:
 *   page      "overview"; "lab" with `lab`, the one that the window's own session shows; "closer" with
 *             `lab`, whose session of the overview is shown; "lesson", whose session is shown
 *   limit     updates to stop at, 0: none
 *   runs      the run that each lab has: lab, run (its name in the store, or before its first update its
 *             `recipe`), going (it trains, or will when its page is shown)
 *   overview  the same for the runs of the overview
 *   lesson    where somebody is in it, and `runs` with its run  */
#include "core/run/store/workspace.h"

#include "core/labs/registry.h"
#include "core/run/base/background.h"
#include "core/run/record/recipe-json.h"
#include "ui/window/controllers.h"
#include "ui/window/place/run.h"

typedef struct SlWindowWorkspace
{
  gboolean      written;  /* to the store; */
  char         *text;     /* what it has, or NULL */
  GArray       *overview; /* of SlPlacedRun: the runs of the overview until they are there */
  GHashTable   *going;    /* sessions that were at work when the window closed; NULL: it is open */
  GCancellable *closing;
} Workspace;

static Workspace *
workspace_of (SlWindow *self)
{
  return sl_window_parts (self)->workspace;
}

/* ---- writing ---- */

static gboolean
goes (SlWindow *self, SlSession *session, gboolean now)
{
  GHashTable *going = workspace_of (self)->going;

  return going != NULL ? g_hash_table_contains (going, session) : now;
}

static void
write_session (SlJsonWriter *w, SlWindow *self, SlSession *session, gboolean going)
{
  sl_placed_run_write_session (w, session, goes (self, session, going));
}

static void
write_labs (SlJsonWriter *w, SlWindow *self)
{
  SlSession *own = sl_window_get_own (self);

  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  if (sl_session_lab (own) != NULL)
    write_session (w, self, own, sl_window_own_goes (self));
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      SlPlacedRun run = { .lab = sl_labs[i] };
      const char *uuid = sl_labs[i] != sl_session_lab (own)
                           ? sl_session_run_left (own, sl_labs[i], &run.going)
                           : NULL;

      g_strlcpy (run.uuid, uuid != NULL ? uuid : "", sizeof run.uuid);
      if (uuid != NULL)
        sl_placed_run_write (w, &run);
    }
  sl_json_close (w);
}

/* Those that are not there yet are written as they were read. */
static void
write_overview (SlJsonWriter *w, SlWindow *self)
{
  SlGroup *group = sl_window_get_own_group (self);
  GArray  *runs = workspace_of (self)->overview;

  sl_json_open (w, "overview", '[', SL_JSON_LINES);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    sl_placed_run_write (w, &g_array_index (runs, SlPlacedRun, i));
  if (runs == NULL)
    for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
      if (sl_session_lab (sl_group_session (group, i)) != NULL)
        write_session (w, self, sl_group_session (group, i), sl_group_goes (group, i));
  sl_json_close (w);
}

static void
write_page (SlJsonWriter *w, SlWindow *self)
{
  SlSession   *own = sl_window_get_own (self), *shown = sl_window_get_session (self);
  const SlLab *lab = sl_session_lab (sl_window_is_closer (self) ? shown : own);

  if (sl_window_is_lesson (self))
    sl_json_add_text (w, "page", "lesson");
  else if (sl_window_shows_overview (self) || lab == NULL)
    sl_json_add_text (w, "page", "overview");
  else
    {
      sl_json_add_text (w, "page", sl_window_is_closer (self) ? "closer" : "lab");
      sl_json_add_text (w, "lab", lab->id);
    }
  sl_json_add_whole (w, "limit", sl_session_info (own)->limit);
}

static void
write_lesson (SlJsonWriter *w, SlWindow *self)
{
  SlSession *session = sl_window_get_lesson_session (self);

  if (!sl_window_is_lesson (self))
    return;
  sl_json_open (w, "lesson", '{', SL_JSON_LINES);
  sl_window_lesson_write_place (self, w);
  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  write_session (w, self, session, sl_window_lesson_goes (self));
  sl_json_close (w);
  sl_json_close (w);
}

static char *
write_workspace (SlWindow *self)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  write_page (&w, self);
  write_labs (&w, self);
  write_overview (&w, self);
  write_lesson (&w, self);
  return sl_json_writer_end (&w, TRUE);
}

/* The runs of the overview that were read are all there, or cannot be had. */
static void
look_at_group (SlWindow *self)
{
  Workspace *workspace = workspace_of (self);
  SlGroup   *group = sl_window_get_own_group (self);

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_lab (sl_group_session (group, i)) == NULL
        && sl_session_error (sl_group_session (group, i)) == NULL)
      return;
  if (group != NULL)
    g_clear_pointer (&workspace->overview, g_array_unref);
}

/* As long as the first run that is to be shown is on its way, the store has it. */
void
sl_window_keep_workspace (SlWindow *self)
{
  Workspace       *workspace = workspace_of (self);
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *text = NULL;

  if (!workspace->written || store == NULL
      || (!sl_window_shows_overview (self)
          && sl_session_lab (sl_window_get_session (self)) == NULL))
    return;
  look_at_group (self);
  text = write_workspace (self);
  if (g_strcmp0 (text, workspace->text) == 0)
    return;
  sl_store_set_workspace (store, text);
  g_free (workspace->text);
  workspace->text = g_steal_pointer (&text);
}

void
sl_window_hold_workspace (SlWindow *self)
{
  GHashTable *going = g_hash_table_new (NULL, NULL);
  SlGroup    *group = sl_window_get_own_group (self);

  if (sl_window_own_goes (self))
    g_hash_table_add (going, sl_window_get_own (self));
  if (sl_window_lesson_goes (self))
    g_hash_table_add (going, sl_window_get_lesson_session (self));
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_group_goes (group, i))
      g_hash_table_add (going, sl_group_session (group, i));
  g_clear_pointer (&workspace_of (self)->going, g_hash_table_unref);
  workspace_of (self)->going = going;
}

/* ---- reading ---- */

static const char *
text_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return member != NULL ? member->text : "";
}

static GArray *
runs_of (const SlJson *object, const char *key, gboolean paused)
{
  return sl_placed_runs_read (sl_json_member_of (object, key, SL_JSON_ARRAY), paused);
}

/* The runs of the labs, but for the one that is shown. */
static void
read_labs (SlWindow *self, GArray *runs, const SlLab *shown)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const SlPlacedRun *run = &g_array_index (runs, SlPlacedRun, i);

      if (run->lab != shown && run->uuid[0] != '\0')
        sl_session_set_left (sl_window_get_own (self), run->lab, run->uuid, run->going);
    }
}

/* ---- runs out of the store ---- */

typedef struct Task Task;

struct Task
{
  SlStore *store;
  SlGroup *group; /* whose runs they are, or NULL */
  GArray  *runs;  /* of SlPlacedRun */
  void (*loaded) (SlWindow *self, Task *task);
};

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_clear_object (&task->group);
  g_array_unref (task->runs);
  g_free (task);
}

static gboolean
load_runs (gpointer data, GError **error)
{
  Task *task = data;

  sl_placed_runs_load (task->runs, task->store);
  return TRUE;
}

static void
on_runs (gpointer window, gpointer data, const GError *error)
{
  Task *task = data;

  task->loaded (window, task);
}

static void
begin_loading (SlWindow *self, Task task)
{
  task.store = g_object_ref (sl_window_get_store (self));
  sl_background_run (load_runs, on_runs, self, workspace_of (self)->closing,
                     g_memdup2 (&task, sizeof task), free_task);
}

/* One that is not there begins as if there had been none. */
static void
on_group_runs (SlWindow *self, Task *task)
{
  uint64_t seed = 1;
  gboolean going = FALSE;

  for (unsigned i = 0; i < sl_group_size (task->group); i++)
    {
      SlPlacedRun *run = sl_placed_runs_find (task->runs, sl_group_lab (task->group, i));

      if (run == NULL || run->run.recipe.lab == NULL)
        continue;
      seed = run->run.recipe.seed;
      going = going || run->going;
      sl_group_set_stored (task->group, i, &run->run, run->going);
    }
  sl_group_start (task->group, NULL, seed, going);
}

gboolean
sl_window_restore_group (SlWindow *self, SlGroup *group)
{
  GArray *runs = workspace_of (self)->overview;

  if (runs == NULL || runs->len == 0 || sl_window_get_store (self) == NULL)
    return FALSE;
  begin_loading (self, (Task) { .group = g_object_ref (group),
                                .runs = sl_placed_runs_copy (runs),
                                .loaded = on_group_runs });
  return TRUE;
}

/* Unless another lesson began meanwhile. */
static void
on_lesson_run (SlWindow *self, Task *task)
{
  SlSession   *session = sl_window_get_lesson_session (self);
  SlPlacedRun *run = &g_array_index (task->runs, SlPlacedRun, 0);

  if (sl_session_lab (session) != NULL || sl_session_is_loading (session))
    return;
  if (sl_window_get_session (self) == session)
    sl_window_view_expect (self, run->run.view);
  run->going = run->going && sl_window_is_lesson (self);
  if (!sl_placed_run_begin (run, session))
    sl_window_lesson_begin_step (self);
}

static gboolean
show_lesson (SlWindow *self, const SlJson *root, gboolean paused)
{
  const SlJson *place = sl_json_member_of (root, "lesson", SL_JSON_OBJECT);
  g_autoptr (GArray) runs = runs_of (place, "runs", paused);

  if (place == NULL || runs->len == 0 || sl_window_get_store (self) == NULL)
    return FALSE;
  sl_window_lesson_restore_place (self, place);
  begin_loading (self, (Task) { .runs = g_array_ref (runs), .loaded = on_lesson_run });
  return TRUE;
}

/* ---- the page ---- */

static gboolean
show_lab (SlWindow *self, const SlPlacedRun *run)
{
  if (run == NULL)
    return FALSE;
  if (run->uuid[0] != '\0')
    sl_window_resume (self, run->uuid, !run->going);
  else
    sl_session_replay (sl_window_get_own (self), &run->run.recipe, run->going);
  return TRUE;
}

static gboolean
show_page (SlWindow *self, const SlJson *root, GArray *labs, gboolean paused)
{
  const char *page = text_of (root, "page"), *lab = text_of (root, "lab");
  uint64_t    limit = 0;

  sl_json_whole (sl_json_member (root, "limit"), G_MAXINT64, &limit);
  if (limit > 0)
    sl_session_set_limit (sl_window_get_own (self), limit);
  if (g_str_equal (page, "lab"))
    return show_lab (self, sl_placed_runs_find (labs, sl_lab_find (lab)));
  if (g_str_equal (page, "closer"))
    return sl_window_show_closer (self, lab);
  if (g_str_equal (page, "lesson"))
    return show_lesson (self, root, paused);
  sl_window_show_overview (self);
  return TRUE;
}

gboolean
sl_window_restore (SlWindow *self, const char *workspace, gboolean show, gboolean paused)
{
  g_autoptr (SlJson) root = NULL;
  g_autoptr (GArray) labs = NULL;
  const SlLab *shown;

  g_return_val_if_fail (SL_IS_WINDOW (self), FALSE);
  workspace_of (self)->written = TRUE;
  if (workspace != NULL)
    root = sl_json_parse_object (workspace, strlen (workspace), SL_RECIPE_BYTES, "workspace", NULL);
  if (root == NULL)
    return FALSE;
  shown = show && g_str_equal (text_of (root, "page"), "lab") ? sl_lab_find (text_of (root, "lab"))
                                                              : NULL;
  labs = runs_of (root, "runs", paused);
  read_labs (self, labs, shown);
  sl_window_unseen_follow (self);
  workspace_of (self)->overview = runs_of (root, "overview", paused);
  return show && show_page (self, root, labs, paused);
}

void
sl_window_add_workspace (SlWindow *self)
{
  sl_window_parts (self)->workspace = g_new0 (Workspace, 1);
  workspace_of (self)->closing = g_cancellable_new ();
}

void
sl_window_drop_workspace (SlWindow *self)
{
  Workspace *workspace = g_steal_pointer (&sl_window_parts (self)->workspace);

  g_cancellable_cancel (workspace->closing);
  g_clear_object (&workspace->closing);
  g_clear_pointer (&workspace->overview, g_array_unref);
  g_clear_pointer (&workspace->going, g_hash_table_unref);
  g_free (workspace->text);
  g_free (workspace);
}
