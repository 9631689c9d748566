/* SPDX-License-Identifier: MIT
 *
 * The window as it was when the last one closed: runs out of the store, and the page that showed them.  */
#include "core/run/store/workspace.h"

#include "core/labs/registry.h"
#include "core/run/base/background.h"
#include "core/run/record/recipe-json.h"
#include "ui/runs/page.h"
#include "ui/window/lesson/lesson.h"
#include "ui/window/place/private.h"
#include "ui/window/plots/plots.h"

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
        sl_session_set_left (sl_stage_own (sl_window_stage (self)), run->lab, run->uuid,
                             run->going);
    }
}

/* Takes out those that are not in the store: one that was only looked at is not kept. */
static void
drop_gone (SlWindow *self, GArray *runs)
{
  SlStore *store = sl_window_get_store (self);

  for (guint i = runs->len; store != NULL && i-- > 0;)
    {
      const char *const uuids[] = { g_array_index (runs, SlPlacedRun, i).uuid, NULL };
      g_autoptr (GPtrArray) found
        = uuids[0][0] != '\0' ? sl_store_list_these (store, uuids, NULL) : NULL;

      if (found != NULL && found->len == 0)
        g_array_remove_index (runs, i);
    }
}

/* ---- runs out of the store ---- */

typedef struct Task Task;

struct Task
{
  SlStore *store;
  SlGroup *group; /* whose runs they are, or NULL */
  GArray  *runs;  /* of SlPlacedRun */
  gboolean pair;  /* the first two are those of a pair, this one edited */
  unsigned side;
  gboolean list; /* the page of runs is over that of a lesson */
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
  sl_background_run (load_runs, on_runs, self, sl_window_closing (self),
                     g_memdup2 (&task, sizeof task), free_task);
}

/* A run that is not in the store begins as if there had been none. */
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
  GArray *runs = sl_window_workspace (self)->overview;

  if (runs == NULL || runs->len == 0 || sl_window_get_store (self) == NULL)
    return FALSE;
  begin_loading (self, (Task) { .group = g_object_ref (group),
                                .runs = sl_placed_runs_copy (runs),
                                .loaded = on_group_runs });
  return TRUE;
}

/* Begins the run of the lesson, unless another lesson began meanwhile. */
static void
on_lesson_run (SlWindow *self, Task *task)
{
  SlStage     *stage = sl_window_stage (self);
  SlSession   *session = sl_stage_lesson (stage);
  SlPlacedRun *run = &g_array_index (task->runs, SlPlacedRun, 0);

  if (sl_session_lab (session) != NULL || sl_session_is_loading (session))
    return;
  if (sl_stage_session (stage) == session)
    sl_window_view_expect (self, run->run.view);
  run->going = run->going && sl_stage_beneath (stage) == SL_SHOWN_LESSON;
  if (!sl_placed_run_begin (run, session))
    sl_window_lesson_begin_step (self);
  if (task->list)
    sl_stage_show_list (stage);
}

static gboolean
read_truth (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TRUTH);

  return member != NULL && member->number != 0.0;
}

static gboolean
show_lesson (SlWindow *self, const SlJson *root, gboolean paused)
{
  const SlJson *place = sl_json_member_of (root, "lesson", SL_JSON_OBJECT);
  const SlJson *list = sl_json_member_of (root, "list", SL_JSON_OBJECT);
  g_autoptr (GArray) runs = runs_of (place, "runs", paused);

  if (place == NULL || runs->len == 0 || sl_window_get_store (self) == NULL)
    return FALSE;
  sl_window_lesson_restore_place (self, place);
  begin_loading (self, (Task) { .runs = g_array_ref (runs),
                                .list = read_truth (list, "over"),
                                .loaded = on_lesson_run });
  return TRUE;
}

/* ---- over a page ---- */

/* A pair, and the run of the lab beneath it or beneath the list of runs, unless the user chose another one
 * meanwhile.  */
static void
on_over (SlWindow *self, Task *task)
{
  SlStage     *stage = sl_window_stage (self);
  SlSession   *own = sl_stage_own (stage);
  guint        beneath = task->pair ? SL_PAIR_RUNS : 0;
  SlPlacedRun *run = &g_array_index (task->runs, SlPlacedRun, 0);
  SlPair      *pair;

  if (task->runs->len > beneath)
    {
      if (sl_session_lab (own) != NULL || sl_session_is_loading (own))
        return;
      if (!sl_placed_run_begin (&run[beneath], own))
        sl_stage_show_overview (stage);
    }
  else if (sl_stage_shown (stage) != SL_SHOWN_CLOSER)
    sl_stage_show_overview (stage);
  if (!task->pair)
    {
      sl_stage_show_list (stage);
      return;
    }
  if (run[0].run.recipe.lab == NULL || run[1].run.recipe.lab == NULL)
    return;
  pair = sl_stage_restore_pair (stage, task->side);
  sl_window_view_expect (self, run[task->side].run.view);
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    sl_placed_run_begin (&run[i], sl_pair_session (pair, i));
}

/* Moves the run of a lab, if it has one, behind others. */
static void
take_run (GArray *runs, GArray *labs, const char *lab)
{
  SlPlacedRun *run = sl_placed_runs_find (labs, sl_lab_find (lab));

  if (run == NULL)
    return;
  g_array_append_val (runs, *run);
  run->run = (SlStoredRun) { 0 };
}

/* Shows the pair or list over the page.  FALSE: there is none, or it cannot be shown. */
static gboolean
show_over (SlWindow *self, const SlJson *root, GArray *labs, gboolean paused)
{
  const SlJson *place = sl_json_member_of (root, "pair", SL_JSON_OBJECT);
  const SlJson *list = sl_json_member_of (root, "list", SL_JSON_OBJECT);
  const char   *page = text_of (root, "page");
  g_autoptr (GArray) runs = runs_of (place, "runs", paused);
  Task     task = { .loaded = on_over };
  uint64_t side = 0;

  task.pair = place != NULL && runs->len == SL_PAIR_RUNS;
  if (sl_window_get_store (self) == NULL || (!task.pair && !read_truth (list, "over"))
      || g_str_equal (page, "lesson"))
    return FALSE;
  if (task.pair)
    sl_json_whole (sl_json_member (place, "side"), 1, &side);
  task.side = (unsigned) side;
  if (g_str_equal (page, "lab"))
    take_run (runs, labs, text_of (root, "lab"));
  else if (g_str_equal (page, "closer"))
    sl_stage_show_closer (sl_window_stage (self), sl_lab_find (text_of (root, "lab")));
  task.runs = g_array_ref (runs);
  begin_loading (self, task);
  return TRUE;
}

/* ---- the page ---- */

/* Begins anew without a run. */
static gboolean
show_lab (SlWindow *self, const SlLab *lab, const SlPlacedRun *run)
{
  if (run == NULL)
    sl_stage_choose_lab (sl_window_stage (self), lab);
  else if (run->uuid[0] != '\0')
    sl_stage_resume (sl_window_stage (self), run->uuid, !run->going);
  else
    sl_session_replay (sl_stage_own (sl_window_stage (self)), &run->run.recipe, run->going);
  return TRUE;
}

static gboolean
show_page (SlWindow *self, const SlJson *root, GArray *labs, gboolean paused)
{
  const char  *page = text_of (root, "page");
  const SlLab *lab = sl_lab_find (text_of (root, "lab"));
  SlStage     *stage = sl_window_stage (self);
  uint64_t     limit = 0;

  sl_json_whole (sl_json_member (root, "limit"), G_MAXINT64, &limit);
  if (limit > 0)
    sl_session_set_limit (sl_stage_own (stage), limit);
  if (show_over (self, root, labs, paused))
    return TRUE;
  if (g_str_equal (page, "lab"))
    return lab != NULL && show_lab (self, lab, sl_placed_runs_find (labs, lab));
  if (g_str_equal (page, "closer"))
    return sl_stage_show_closer (stage, lab);
  if (g_str_equal (page, "lesson"))
    return show_lesson (self, root, paused);
  sl_stage_show_overview (stage);
  return TRUE;
}

gboolean
sl_window_restore (SlWindow *self, const char *workspace, gboolean show, gboolean paused)
{
  g_autoptr (SlJson) root = NULL;
  g_autoptr (GArray) labs = NULL;
  const SlLab *shown;

  sl_window_workspace (self)->written = TRUE;
  if (workspace != NULL)
    root = sl_json_parse_object (workspace, strlen (workspace), SL_RECIPE_BYTES, "workspace", NULL);
  if (root == NULL)
    return FALSE;
  shown = show && g_str_equal (text_of (root, "page"), "lab") ? sl_lab_find (text_of (root, "lab"))
                                                              : NULL;
  labs = runs_of (root, "runs", paused);
  drop_gone (self, labs);
  read_labs (self, labs, shown);
  sl_stage_follow_unseen (sl_window_stage (self));
  sl_window_workspace (self)->overview = runs_of (root, "overview", paused);
  sl_window_restore_drawing (self, sl_json_member_of (root, "drawing", SL_JSON_OBJECT));
  sl_runs_page_read_place (sl_window_child (self, "runs"),
                           sl_json_member_of (root, "list", SL_JSON_OBJECT));
  return show && show_page (self, root, labs, paused);
}
