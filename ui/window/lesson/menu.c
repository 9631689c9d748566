/* SPDX-License-Identifier: MIT
 *
 * The program's own lessons: where they are, their menu, and which one follows.  */
#include "core/run/base/language.h"
#include "ui/window/lesson/private.h"

void
sl_window_lesson_fill_menu (SlWindow *self)
{
  g_auto (GStrv) names = sl_lesson_names ();

  for (char **id = names; *id != NULL; id++)
    {
      g_autoptr (GFile) file = sl_lesson_file (*id);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);
      g_autoptr (GMenuItem) item = NULL;

      if (lesson == NULL)
        continue;
      item = g_menu_item_new (sl_words (lesson->title), NULL);
      g_menu_item_set_action_and_target (item, "win.lesson", "s", *id);
      g_menu_append_item (sl_window_child (self, "lessons"), item);
    }
}

/* What the menu does at a place, as an id; NULL behind the last. */
static char *
dup_id (GMenuModel *menu, int at)
{
  char *id = NULL;

  if (at < g_menu_model_get_n_items (menu))
    g_menu_model_get_item_attribute (menu, at, G_MENU_ATTRIBUTE_TARGET, "s", &id);
  return id;
}

char *
sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player)
{
  GMenuModel *menu = sl_window_child (self, "lessons");

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *id = dup_id (menu, i);
      g_autofree char *after = dup_id (menu, i + 1);

      if (id != NULL && after != NULL
          && g_hash_table_lookup (sl_window_lesson (self)->players, id) == player)
        return g_strdup_printf ("win.lesson('%s')", after);
    }
  return NULL;
}
