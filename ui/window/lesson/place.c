/* SPDX-License-Identifier: MIT
 *
 * The program's own lessons: their list, which one follows, how far each was taken; and the user's
 * place in a lesson when the program ends, to which it returns at its next start.  */
#include "ui/lesson/bar.h"
#include "ui/lesson/chooser.h"
#include "ui/lesson/progress.h"
#include "ui/window/lesson/private.h"

void
sl_window_lesson_list (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_present (
    GTK_WINDOW (sl_lesson_chooser_new (GTK_WINDOW (window), sl_window_get_prefs (window))));
}

const char *
sl_window_lesson_name (SlWindow *self, SlLessonPlayer *player)
{
  GHashTableIter iter;
  gpointer       name, value;

  g_hash_table_iter_init (&iter, sl_window_lesson (self)->players);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (value == player)
      return name;
  return NULL;
}

char *
sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player)
{
  g_auto (GStrv) names = sl_lesson_names ();
  const char *name = sl_window_lesson_name (self, player);

  for (char **id = names; *id != NULL; id++)
    if (g_strcmp0 (*id, name) == 0 && id[1] != NULL)
      return g_strdup_printf ("win.lesson('%s')", id[1]);
  return NULL;
}

/* Lessons in files are not in the list. */
static gboolean
is_own (const char *name)
{
  g_auto (GStrv) names = sl_lesson_names ();

  return name != NULL && g_strv_contains ((const char *const *) names, name);
}

void
sl_window_lesson_keep_progress (SlWindow *self, gboolean over)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  const char     *name = sl_window_lesson_name (self, player);

  if (is_own (name))
    sl_lesson_progress_keep (sl_window_get_prefs (self), name, player, over);
}

/* ---- the next start ---- */

/* Parts of the place that cannot be restored are left out; without any, only the run is shown. */
void
sl_window_lesson_restore_place (SlWindow *self, const SlJson *place)
{
  Lesson         *lesson = sl_window_lesson (self);
  const SlJson   *name = sl_json_member_of (place, "name", SL_JSON_TEXT);
  SlLessonPlayer *player = NULL;
  uint64_t        limit = 0;

  sl_window_lesson_renew (self);
  sl_window_lesson_show (self);
  if (sl_json_whole (sl_json_member (place, "limit"), G_MAXINT64, &limit))
    sl_session_set_limit (lesson->session, limit);
  if (name != NULL)
    player = sl_window_lesson_load (self, name->text, NULL);
  if (player == NULL)
    return;
  sl_window_lesson_attach (self, player);
  lesson->player = player;
  if (sl_lesson_player_read_place (player, place))
    sl_lesson_bar_set_player (sl_window_child (self, "lesson_bar"), player);
  else
    sl_window_lesson_end (self);
}

void
sl_window_lesson_write_place (SlWindow *self, SlJsonWriter *w)
{
  Lesson *lesson = sl_window_lesson (self);

  sl_json_add_whole (w, "limit", sl_session_info (lesson->session)->limit);
  if (lesson->player == NULL)
    return;
  sl_json_add_text (w, "name", sl_window_lesson_name (self, lesson->player));
  sl_lesson_player_write_place (lesson->player, w);
}

void
sl_window_lesson_begin_step (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;

  if (player != NULL)
    sl_lesson_player_go (player, sl_lesson_player_get_number (player));
  else
    sl_window_show_overview (self);
}
