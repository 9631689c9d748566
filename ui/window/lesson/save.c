/* SPDX-License-Identifier: MIT
 *
 * What is kept of lessons: how far each of the program's own was taken; what is on the screen as a step; and
 * answers, which are collected from a class and shown together.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/save.h"
#include "core/run/lesson/own.h"
#include "ui/charts/class-window.h"
#include "ui/kit/file-dialog.h"
#include "ui/lesson/editor/editor.h"
#include "ui/lesson/progress.h"
#include "ui/lesson/save.h"
#include "ui/window/lesson/private.h"

/* ---- progress ---- */

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

SlLessonPlayer *
sl_window_lesson_answered (SlWindow *self)
{
  const Lesson *lesson = sl_window_lesson (self);

  return lesson->player != NULL ? lesson->player : lesson->left;
}

char *
sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player)
{
  g_auto (GStrv) names = sl_lesson_names ();
  const char *name = sl_window_lesson_name (self, player);
  gboolean    passed = FALSE;

  for (char **id = names; *id != NULL; id++)
    if (passed && sl_prefs_offers (sl_window_get_prefs (self), "classroom-lessons", *id))
      return g_strdup_printf ("win.lesson('%s')", *id);
    else
      passed = passed || g_strcmp0 (*id, name) == 0;
  return NULL;
}

/* Lessons in files from elsewhere are not in the list. */
static gboolean
is_listed (const char *name)
{
  g_auto (GStrv) names = sl_all_lessons ();

  return name != NULL && g_strv_contains ((const char *const *) names, name);
}

void
sl_window_lesson_keep_progress (SlWindow *self, gboolean over)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  const char     *name = sl_window_lesson_name (self, player);

  if (is_listed (name))
    sl_lesson_progress_keep (sl_window_get_prefs (self), name, player, over);
}

/* ---- a step ---- */

/* The ids of the panels that are shown, ended by NULL, borrowed but for the array. */
static GPtrArray *
shown_panels (SlWindow *self)
{
  SlPlotGrid *grid = sl_window_get_grid (self);
  GPtrArray  *ids = g_ptr_array_new ();
  unsigned    panels[SL_PANELS_MAX], n = sl_plot_grid_get_shown (grid, panels);

  for (unsigned i = 0; i < n; i++)
    g_ptr_array_add (ids, (gpointer) sl_plot_grid_get_lab (grid)->panels[panels[i]].id);
  g_ptr_array_add (ids, NULL);
  return ids;
}

static void
save_step (SlWindow *self, const char *path, const char *title, const char *text)
{
  SlLessonPlayer     *player = sl_window_lesson (self)->player;
  const SlLessonStep *step = player != NULL ? sl_lesson_player_get_step (player) : NULL;
  g_autoptr (GPtrArray) shown = shown_panels (self);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (path));
  g_autofree char *edit = g_action_print_detailed_name ("win.lesson-edit", target);
  g_autoptr (GError) error = NULL;
  const SlStepSaved saved = { .title = title,
                              .text = text,
                              .show = shown->len > 1 ? (const char *const *) shown->pdata : NULL,
                              .locks = step != NULL ? (const char *const *) step->locks : NULL };

  if (sl_lesson_save_step (sl_window_get_session (self), &saved, path, &error))
    sl_window_toast_button (self, _ ("The step is saved"), _ ("Edit the lesson"), edit);
  else
    sl_window_report (self, error->message);
}

static void
on_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *path, *title, *text;

  g_variant_get (parameter, "(&s&s&s)", &path, &title, &text);
  save_step (window, path, title, text);
}

static void
on_asked (const char *title, const char *text, const char *name, gpointer window)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *own
    = name != NULL ? sl_own_lesson_find (name) : sl_own_lesson_path (title, &error);

  if (own != NULL)
    save_step (window, own, title, text);
  else
    sl_window_report (window, error->message);
}

/* A fresh start leaves the folder of own lessons as it is. */
static gboolean
may_change_lessons (SlWindow *self)
{
  if (sl_prefs_get_private (sl_window_get_prefs (self)) == NULL)
    return TRUE;
  sl_window_toast (self, _ ("A fresh start changes no lessons"));
  return FALSE;
}

static void
on_save_step (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  if (!may_change_lessons (window))
    return;
  sl_lesson_ask_step (GTK_WINDOW (window), on_asked, window);
}

static void
on_edit (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = sl_lesson_file (g_variant_get_string (parameter, NULL));
  SlLessonEditor *editor = NULL;

  if (!g_file_is_native (file)
      || !may_change_lessons (window)) /* the program's own cannot be changed */
    return;
  editor = sl_lesson_editor_new (window, file, &error);
  if (editor != NULL)
    gtk_window_present (GTK_WINDOW (editor));
  else
    sl_window_report (window, error->message);
}

/* ---- answers ---- */

static void
save_answers (SlWindow *self, const char *name, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlAnswers) answers
    = sl_lesson_player_dup_answers (sl_window_lesson_answered (self), name);
  g_autofree char *text = NULL, *base = g_path_get_basename (path);
  g_autofree char *saved = g_strdup_printf (_ ("Saved %s"), base);

  if (answers == NULL)
    {
      sl_window_toast (self, _ ("There are no answers yet"));
      return;
    }
  text = sl_answers_write (answers);
  sl_window_toast (self, sl_answers_check_name (name, &error)
                             && sl_save (path, text, strlen (text), &error)
                           ? saved
                           : error->message);
}

static void
on_save_answers_to (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  const char *name, *path;

  g_variant_get (parameter, "(&s&s)", &name, &path);
  save_answers (window, name, path);
}

static void
on_answers_chosen (gpointer window, const char *path)
{
  save_answers (window, sl_window_lesson (window)->title, path);
}

static void
on_named (const char *name, gpointer window)
{
  Lesson          *state = sl_window_lesson (window);
  g_autofree char *file = g_strconcat (name, ".json", NULL);
  SlFileQuestion   question = { .title = _ ("Save the answers"),
                                .name = file,
                                .kind = _ ("Answers"),
                                .pattern = "*.json",
                                .accept = _ ("_Save") };

  if (sl_window_lesson_answered (window) == NULL)
    return;
  g_free (state->title);
  state->title = g_strdup (name);
  g_strdelimit (file, "/\\", '-');
  sl_file_dialog_open (&state->chooser, window, &question, on_answers_chosen,
                       (SlFileChosen) sl_window_toast, window);
}

static void
on_save_answers (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  sl_lesson_ask_name (window, on_named, window);
}

/* ---- answers of a class ---- */

static void
on_files (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree const char **paths = g_variant_get_strv (parameter, NULL);

  sl_class_window_open (data, paths, (SlClassRefused) sl_window_report);
}

static void
on_class (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_class_window_ask (data, (SlClassRefused) sl_window_report);
}

void
sl_window_lesson_add_save (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lesson-save-step", .activate = on_save_step },
    { .name = "lesson-save-step-to", .activate = on_save_step_to, .parameter_type = "(sss)" },
    { .name = "lesson-edit", .activate = on_edit, .parameter_type = "s" },
    { .name = "lesson-save-answers", .activate = on_save_answers },
    { .name = "lesson-save-answers-to", .activate = on_save_answers_to, .parameter_type = "(ss)" },
    { .name = "class", .activate = on_class },
    { .name = "class-files", .activate = on_files, .parameter_type = "as" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_lesson_drop_save (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  g_clear_object (&lesson->chooser);
  g_free (lesson->title);
  g_clear_pointer (&lesson->paper, sl_lesson_free);
}
