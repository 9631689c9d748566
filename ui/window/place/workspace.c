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
 *   pair      two runs are shown over that page: `runs`, A and B; side, the one that is edited
 *   drawing   an input of one's own on the start page: data (their hash), numbers
 *   list      the page of runs: what it shows (sl_runs_page_write_place()); over, it is shown over that page
 */
#include "core/run/store/workspace.h"

#include <inttypes.h>
#include <math.h>

#include "core/labs/registry.h"
#include "ui/runs/page.h"
#include "ui/window/lesson/lesson.h"
#include "ui/window/place/private.h"

/* ---- writing ---- */

static void
write_session (SlJsonWriter *w, SlWindow *self, SlSession *session)
{
  GHashTable *going = sl_window_workspace (self)->going;

  sl_placed_run_write_session (w, session,
                               going != NULL ? g_hash_table_contains (going, session)
                                             : sl_stage_goes (sl_window_stage (self), session));
}

static void
write_labs (SlJsonWriter *w, SlWindow *self)
{
  SlSession *own = sl_stage_own (sl_window_stage (self));

  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  if (sl_session_lab (own) != NULL)
    write_session (w, self, own);
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

/* A run that is not loaded yet is written as it was read; labs without data do not wait for those of others. */
static void
write_overview (SlJsonWriter *w, SlWindow *self)
{
  SlGroup *group = sl_stage_group (sl_window_stage (self));
  GArray  *read = sl_window_workspace (self)->overview;

  sl_json_open (w, "overview", '[', SL_JSON_LINES);
  for (guint i = 0; group == NULL && read != NULL && i < read->len; i++)
    sl_placed_run_write (w, &g_array_index (read, SlPlacedRun, i));
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    {
      SlSession   *session = sl_group_session (group, i);
      SlPlacedRun *run = read != NULL ? sl_placed_runs_find (read, sl_group_lab (group, i)) : NULL;

      if (sl_session_lab (session) != NULL)
        write_session (w, self, session);
      else if (run != NULL)
        sl_placed_run_write (w, run);
    }
  sl_json_close (w);
}

/* What waits behind the pair is the page. */
static void
write_page (SlJsonWriter *w, SlWindow *self)
{
  SlStage     *stage = sl_window_stage (self);
  SlSession   *own = sl_stage_own (stage), *behind = sl_stage_behind (stage);
  SlSession   *shown = behind != NULL ? behind : sl_stage_session (stage);
  gboolean     closer = sl_stage_is_closer (stage, shown);
  const SlLab *lab = sl_session_lab (closer ? shown : own);

  if (sl_stage_beneath (stage) == SL_SHOWN_LESSON)
    sl_json_add_text (w, "page", "lesson");
  else if (sl_stage_shows_overview (stage) || lab == NULL)
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
  SlStage *stage = sl_window_stage (self);

  if (sl_stage_beneath (stage) != SL_SHOWN_LESSON)
    return;
  sl_json_open (w, "lesson", '{', SL_JSON_LINES);
  sl_window_lesson_write_place (self, w);
  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  write_session (w, self, sl_stage_lesson (stage));
  sl_json_close (w);
  sl_json_close (w);
}

static void
write_pair (SlJsonWriter *w, SlWindow *self)
{
  SlStage *stage = sl_window_stage (self);
  SlPair  *pair = sl_stage_pair (stage);

  if (pair == NULL)
    return;
  sl_json_open (w, "pair", '{', SL_JSON_LINES);
  sl_json_add_whole (w, "side", sl_pair_session (pair, 1) == sl_stage_session (stage));
  sl_json_open (w, "runs", '[', SL_JSON_LINES);
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    if (sl_session_lab (sl_pair_session (pair, i)) != NULL)
      write_session (w, self, sl_pair_session (pair, i));
  sl_json_close (w);
  sl_json_close (w);
}

static SlOwn *
own_of (SlWindow *self)
{
  return sl_input_pad_get_own (
    sl_overview_band_get_pad (sl_overview_get_band (sl_window_get_overview (self))));
}

static void
write_drawing (SlJsonWriter *w, SlWindow *self)
{
  SlOwnKept        kept;
  g_autofree char *data = NULL;

  if (!sl_own_get_kept (own_of (self), &kept))
    return;
  data = g_strdup_printf ("%016" PRIx64, kept.data);
  sl_json_open (w, "drawing", '{', SL_JSON_LINES);
  sl_json_add_text (w, "data", data);
  sl_json_open (w, "numbers", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < kept.n; i++)
    sl_json_add_number (w, NULL, rint (1e4 * (double) kept.number[i]) / 1e4);
  sl_json_close (w);
  sl_json_close (w);
}

void
sl_window_restore_drawing (SlWindow *self, const SlJson *drawing)
{
  const SlJson *data = sl_json_member_of (drawing, "data", SL_JSON_TEXT);
  const SlJson *number = sl_json_member_of (drawing, "numbers", SL_JSON_ARRAY);
  SlOwnKept     kept = { 0 };

  if (data == NULL || number == NULL
      || !g_ascii_string_to_unsigned (data->text, 16, 0, G_MAXUINT64, &kept.data, NULL))
    return;
  for (number = number->first; number != NULL; number = number->next)
    {
      if (number->kind != SL_JSON_NUMBER || kept.n == SL_SUBJECT_NUMBERS)
        return;
      kept.number[kept.n++] = (float) number->number;
    }
  sl_own_set_kept (own_of (self), &kept);
}

static void
write_list (SlJsonWriter *w, SlWindow *self)
{
  sl_json_open (w, "list", '{', SL_JSON_LINES);
  sl_json_add_truth (w, "over", sl_stage_shows_list (sl_window_stage (self)));
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
  write_drawing (&w, self);
  write_list (&w, self);
  return sl_json_writer_end (&w, TRUE);
}

/* The runs of the overview that were read are all there, or cannot be had. */
static void
look_at_group (SlWindow *self)
{
  Workspace *workspace = sl_window_workspace (self);
  SlGroup   *group = sl_stage_group (sl_window_stage (self));

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_lab (sl_group_session (group, i)) == NULL
        && sl_session_error (sl_group_session (group, i)) == NULL)
      return;
  if (group != NULL)
    g_clear_pointer (&workspace->overview, g_array_unref);
}

/* As long as the first run that is to be shown is on its way, the store has it. */
static gboolean
is_on_its_way (SlStage *stage)
{
  SlSession *shown = sl_stage_session (stage);

  return !sl_stage_shows_overview (stage) && sl_session_lab (shown) == NULL
         && (!sl_stage_shows_list (stage) || shown != sl_stage_own (stage)
             || sl_session_is_loading (shown));
}

void
sl_window_keep_workspace (SlWindow *self)
{
  Workspace       *workspace = sl_window_workspace (self);
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *text = NULL;

  if (workspace == NULL || !workspace->written || store == NULL
      || is_on_its_way (sl_window_stage (self)))
    return;
  look_at_group (self);
  text = write_workspace (self);
  if (g_strcmp0 (text, workspace->text) == 0)
    return;
  sl_store_set_workspace (store, text);
  g_free (workspace->text);
  workspace->text = g_steal_pointer (&text);
}

static void
note_going (SlSession *session, gpointer data)
{
  SlWindow *self = data;

  if (sl_stage_goes (sl_window_stage (self), session))
    g_hash_table_add (sl_window_workspace (self)->going, session);
}

void
sl_window_hold_workspace (SlWindow *self)
{
  Workspace *workspace = sl_window_workspace (self);

  g_clear_pointer (&workspace->going, g_hash_table_unref);
  workspace->going = g_hash_table_new (NULL, NULL);
  sl_stage_each (sl_window_stage (self), note_going, self);
}

static gboolean
on_begin_group (SlWindow *self, SlGroup *group)
{
  return sl_window_restore_group (self, group);
}

void
sl_window_add_workspace (SlWindow *self)
{
  sl_window_parts (self)->workspace = g_new0 (Workspace, 1);
  g_signal_connect_swapped (sl_window_stage (self), "begin-group", G_CALLBACK (on_begin_group),
                            self);
  /* A run has a name there after its first update. */
  sl_window_watch (self, "progress", sl_window_keep_workspace);
}

void
sl_window_drop_workspace (SlWindow *self)
{
  Workspace *workspace = g_steal_pointer (&sl_window_parts (self)->workspace);

  g_clear_pointer (&workspace->overview, g_array_unref);
  g_clear_pointer (&workspace->going, g_hash_table_unref);
  g_free (workspace->text);
  g_free (workspace);
}
