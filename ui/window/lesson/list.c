/* SPDX-License-Identifier: MIT
 *
 * The program's own lessons: their list, which one follows, and how far each was taken.  */
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
