/* SPDX-License-Identifier: MIT
 *
 * What is on the screen as a step of a lesson: asked for, and written.  */
#include <glib/gi18n.h>

#include "ui/kit/file-dialog.h"
#include "ui/lesson/save.h"
#include "ui/window/lesson/private.h"

static void
save_step (SlWindow *self, const char *path, gboolean anew, const char *title, const char *text)
{
  SlLessonPlayer     *player = sl_window_lesson (self)->player;
  const SlLessonStep *step = player != NULL ? sl_lesson_player_get_step (player) : NULL;
  g_autofree char    *name = g_path_get_basename (path);
  g_autofree char    *saved = g_strdup_printf (_ ("The step is in %s"), name);
  g_autoptr (GError) error = NULL;

  if (sl_lesson_save_step (sl_window_get_session (self),
                           step != NULL ? (const char *const *) step->locks : NULL, path, anew,
                           title, text, &error))
    sl_window_toast (self, saved);
  else
    sl_window_report (self, error->message);
}

void
sl_window_lesson_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *path, *title, *text;

  g_variant_get (parameter, "(&s&s&s)", &path, &title, &text);
  save_step (window, path, FALSE, title, text);
}

static void
on_chosen (gpointer window, const char *chosen)
{
  const Lesson    *lesson = sl_window_lesson (window);
  g_autofree char *path = g_str_has_suffix (chosen, ".lesson")
                            ? g_strdup (chosen)
                            : g_strconcat (chosen, ".lesson", NULL);

  save_step (window, path, !lesson->existing, lesson->title, lesson->text);
}

static void
on_asked (const char *title, const char *text, gboolean existing, gpointer window)
{
  Lesson        *lesson = sl_window_lesson (window);
  SlFileQuestion question = { .title = existing ? _ ("Add to a lesson") : _ ("New lesson"),
                              .name = existing ? NULL : _ ("Own.lesson"),
                              .kind = _ ("Lessons"),
                              .pattern = "*.lesson",
                              .accept = _ ("_Save") };

  if (lesson->chooser != NULL)
    return;
  g_free (lesson->title);
  g_free (lesson->text);
  lesson->title = g_strdup (title);
  lesson->text = g_strdup (text);
  lesson->existing = existing;
  sl_file_dialog_open (&lesson->chooser, window, &question, on_chosen,
                       (SlFileChosen) sl_window_toast, window);
}

void
sl_window_lesson_save_step (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  sl_lesson_ask_step (GTK_WINDOW (window), on_asked, window);
}
