/* SPDX-License-Identifier: MIT
 *
 * The workspace of the window in the store, as JSON:
 *   page      "overview"; "lab" with `lab`, the one that the window's own session shows; "closer" with
 *             `lab`, whose session of the overview is shown; "lesson", whose session is shown
 *   limit     updates to stop at, 0: none
 *   runs      the run that each lab has: lab, run (its name in the store, or before its first update its
 *             `recipe`), going (it trains, or will when its page is shown)
 *   overview  the same for the runs of the overview
 *   lesson    the user's place in it, and `runs` with its run
 *   pair      two runs are shown over that page: `runs`, A and B; side, the one that is edited; going, what is
 *             beneath goes on when they are left
 *   list      the page of runs: what it shows (sl_runs_page_write_place()); over, it is shown over that page
 */
#include "core/run/store/workspace.h"

#include "core/labs/registry.h"
#include "ui/window/place/private.h"

Workspace *
sl_window_workspace (SlWindow *self)
{
  return sl_window_parts (self)->workspace;
}

/* ---- writing ---- */

static gboolean
goes (SlWindow *self, SlSession *session, gboolean now)
{
  GHashTable *going = sl_window_workspace (self)->going;

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
  gboolean   beneath;

  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  beneath = sl_window_pair_before (self, &beneath) == own && beneath;
  if (sl_session_lab (own) != NULL)
    write_session (w, self, own, beneath || sl_window_own_is_going (self));
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

/* Runs that are not loaded yet are written as they were read. */
static void
write_overview (SlJsonWriter *w, SlWindow *self)
{
  SlGroup *group = sl_window_get_own_group (self);
  GArray  *runs = sl_window_workspace (self)->overview;

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
  gboolean     going;
  SlSession   *own = sl_window_get_own (self), *beneath = sl_window_pair_before (self, &going);
  SlSession   *shown = beneath != NULL ? beneath : sl_window_get_session (self);
  gboolean     closer = sl_window_has_closer (self, shown);
  const SlLab *lab = sl_session_lab (closer ? shown : own);

  if (sl_window_is_lesson (self))
    sl_json_add_text (w, "page", "lesson");
  else if (sl_window_shows_overview (self) || lab == NULL)
    sl_json_add_text (w, "page", "overview");
  else
    {
      sl_json_add_text (w, "page", closer ? "closer" : "lab");
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

static void
write_pair (SlJsonWriter *w, SlWindow *self)
{
  SlPair  *pair = sl_window_get_pair (self);
  gboolean going;

  if (pair == NULL)
    return;
  sl_window_pair_before (self, &going);
  sl_json_open (w, "pair", '{', SL_JSON_LINES);
  sl_json_add_whole (w, "side", sl_pair_session (pair, 1) == sl_window_get_session (self));
  sl_json_add_truth (w, "going", going);
  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    if (sl_session_lab (sl_pair_session (pair, i)) != NULL)
      write_session (w, self, sl_pair_session (pair, i),
                     sl_session_state (sl_pair_session (pair, i)) == SL_RUNNING);
  sl_json_close (w);
  sl_json_close (w);
}

static void
write_list (SlJsonWriter *w, SlWindow *self)
{
  sl_json_open (w, "list", '{', SL_JSON_LINES);
  sl_json_add_truth (w, "over", sl_window_shows_runs (self));
  sl_runs_page_write_place (sl_window_child (self, "runs"), w);
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
  write_pair (&w, self);
  write_list (&w, self);
  return sl_json_writer_end (&w, TRUE);
}

/* The runs of the overview that were read are all there, or cannot be had. */
static void
look_at_group (SlWindow *self)
{
  Workspace *workspace = sl_window_workspace (self);
  SlGroup   *group = sl_window_get_own_group (self);

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_lab (sl_group_session (group, i)) == NULL
        && sl_session_error (sl_group_session (group, i)) == NULL)
      return;
  if (group != NULL)
    g_clear_pointer (&workspace->overview, g_array_unref);
}

/* As long as the first run that is to be shown is on its way, the store has it. */
static gboolean
is_on_its_way (SlWindow *self)
{
  SlSession *shown = sl_window_get_session (self);

  return !sl_window_shows_overview (self) && sl_session_lab (shown) == NULL
         && (!sl_window_shows_runs (self) || shown != sl_window_get_own (self)
             || sl_session_is_loading (shown));
}

void
sl_window_keep_workspace (SlWindow *self)
{
  Workspace       *workspace = sl_window_workspace (self);
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *text = NULL;

  if (workspace == NULL || !workspace->written || store == NULL || is_on_its_way (self))
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
  SlPair     *pair = sl_window_get_pair (self);
  gboolean    beneath;

  if (sl_window_pair_before (self, &beneath) == sl_window_get_own (self) && beneath)
    g_hash_table_add (going, sl_window_get_own (self));
  for (unsigned i = 0; pair != NULL && i < SL_PAIR_RUNS; i++)
    if (sl_session_state (sl_pair_session (pair, i)) == SL_RUNNING)
      g_hash_table_add (going, sl_pair_session (pair, i));
  if (sl_window_own_is_going (self))
    g_hash_table_add (going, sl_window_get_own (self));
  if (sl_window_lesson_goes (self))
    g_hash_table_add (going, sl_window_get_lesson_session (self));
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_group_goes (group, i))
      g_hash_table_add (going, sl_group_session (group, i));
  g_clear_pointer (&sl_window_workspace (self)->going, g_hash_table_unref);
  sl_window_workspace (self)->going = going;
}

void
sl_window_add_workspace (SlWindow *self)
{
  sl_window_parts (self)->workspace = g_new0 (Workspace, 1);
  sl_window_workspace (self)->closing = g_cancellable_new ();
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
