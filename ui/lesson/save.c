/* SPDX-License-Identifier: MIT */
#include "ui/lesson/save.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/answers/answers.h"
#include "core/run/base/error.h"
#include "core/run/lesson/own.h"
#include "ui/kit/widget.h"

/* Only what differs from the defaults, so that the file is readable. */
static void
add_settings (SlLessonStep *step, const SlLab *lab, const SlSettings *settings)
{
  SlSettings defaults;

  sl_settings_default (&defaults, lab->params, lab->n_params);
  for (unsigned i = 0; i < lab->n_params; i++)
    {
      SlLessonSetting *setting;
      char             text[512];

      if (sl_value_same (&settings->value[i], &defaults.value[i]))
        continue;
      setting = g_new0 (SlLessonSetting, 1);
      setting->id = g_strdup (lab->params[i].id);
      setting->value
        = g_strdup (sl_param_format (&lab->params[i], &settings->value[i], text, sizeof text));
      g_ptr_array_add (step->settings, setting);
    }
}

/* A new lesson is called as its first step. */
static SlLesson *
open_or_begin (const char *path, const char *title, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return g_file_test (path, G_FILE_TEST_EXISTS) ? sl_lesson_load (file, error)
                                                : sl_lesson_new (title, "");
}

/* Of the last step; its speed is said where it is not that of the step before. */
static void
add_run (const SlLesson *lesson, SlLessonStep *step, SlSession *session)
{
  unsigned before = sl_lesson_speed (lesson, lesson->steps->len - 1);

  step->has_seed = TRUE;
  step->seed = sl_session_seed (session);
  step->restart = TRUE;
  step->updates = sl_session_present (session);
  step->go = step->updates > 0 ? SL_GO_UNTIL : SL_GO_RUN;
  step->speed = (unsigned) CLAMP (sl_session_pace (session), 0.0, SL_LESSON_SPEED);
  step->has_speed = step->speed != before;
}

gboolean
sl_lesson_save_step (SlSession *session, const SlStepSaved *saved, const char *path, GError **error)
{
  const SlLab *lab = sl_session_lab (session);
  g_autoptr (SlLesson) lesson = NULL;
  SlLessonStep *step;

  if (lab == NULL)
    return sl_fail (error, SL_EINVAL, "step", _ ("no run"), _ ("one to save"));
  lesson = open_or_begin (path, saved->title, error);
  if (lesson == NULL)
    return FALSE;
  if (lesson->steps->len >= SL_LESSON_STEPS)
    return sl_fail (error, SL_EINVAL, path, _ ("as many steps as a lesson can have"), NULL);
  step = sl_lesson_add (lesson);
  g_free (step->title);
  g_free (step->text);
  step->title = g_strdup (saved->title);
  step->text = g_strdup (saved->text);
  step->lab = lab;
  step->data = lab->data != SL_NEEDS_NOTHING ? g_strdup (sl_session_spec (session)) : NULL;
  step->show = g_strdupv ((GStrv) saved->show);
  step->locks
    = saved->locks != NULL && *saved->locks != NULL ? g_strdupv ((GStrv) saved->locks) : NULL;
  add_run (lesson, step, session);
  add_settings (step, lab, sl_session_settings (session));
  return sl_lesson_save (lesson, path, error);
}

/* ---- what is asked for a step ---- */

typedef struct
{
  GtkEditable  *title;
  GtkTextView  *text;
  GtkDropDown  *lesson; /* the first is a new one */
  char        **names;  /* of the others */
  SlLessonAsked asked;
  gpointer      data;
} Asking;

static void
free_asking (Asking *asking)
{
  g_strfreev (asking->names);
  g_free (asking);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Asking *asking)
{
  GtkTextBuffer   *buffer = gtk_text_view_get_buffer (asking->text);
  guint            lesson = gtk_drop_down_get_selected (asking->lesson);
  GtkTextIter      from, to;
  g_autofree char *text = NULL;

  if (!g_str_equal (response, "save"))
    return;
  gtk_text_buffer_get_bounds (buffer, &from, &to);
  text = gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
  asking->asked (gtk_editable_get_text (asking->title), text,
                 lesson > 0 ? asking->names[lesson - 1] : NULL, asking->data);
}

static void
on_title (GtkEditable *title, AdwMessageDialog *dialog)
{
  adw_message_dialog_set_response_enabled (dialog, "save", *gtk_editable_get_text (title) != '\0');
}

/* Each under its title; one that cannot be read, under its name. */
static GtkWidget *
make_lessons (Asking *asking)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkWidget *chooser;

  gtk_string_list_append (titles, _ ("A new lesson"));
  asking->names = sl_own_lessons ();
  for (char **name = asking->names; *name != NULL; name++)
    {
      g_autoptr (GFile) file = sl_lesson_file (*name);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);

      gtk_string_list_append (titles, lesson != NULL ? lesson->title : *name);
    }
  chooser = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  sl_widget_label (chooser, _ ("Lesson"));
  asking->lesson = GTK_DROP_DOWN (chooser);
  sl_drop_down_shorten (asking->lesson, 40);
  return chooser;
}

static GtkWidget *
make_fields (Asking *asking)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8),
            *scroller = gtk_scrolled_window_new ();

  asking->title = GTK_EDITABLE (gtk_entry_new ());
  asking->text = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_entry_set_placeholder_text (GTK_ENTRY (asking->title), _ ("Title of the step"));
  sl_widget_label (GTK_WIDGET (asking->title), _ ("Title of the step"));
  sl_widget_label (GTK_WIDGET (asking->text), _ ("Text of the step"));
  gtk_text_view_set_wrap_mode (asking->text, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (asking->text, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (asking->text), "lesson-words");
  gtk_widget_add_css_class (scroller, "card");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (asking->text));
  gtk_widget_set_size_request (scroller, 360, 110);
  gtk_box_append (GTK_BOX (box), make_lessons (asking));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (asking->title));
  gtk_box_append (GTK_BOX (box), scroller);
  return box;
}

void
sl_lesson_ask_step (GtkWindow *parent, SlLessonAsked asked, gpointer data)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
    parent, _ ("Save as a lesson step"),
    _ ("Lab, data, seed, settings, plots, speed and updates become a step. A question can be "
       "added later.")));
  Asking           *asking = g_new0 (Asking, 1);

  asking->asked = asked;
  asking->data = data;
  adw_message_dialog_set_extra_child (dialog, make_fields (asking));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect (asking->title, "changed", G_CALLBACK (on_title), dialog);
  on_title (asking->title, dialog);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), asking,
                         (GClosureNotify) (void (*) (void)) free_asking, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- whose answers ---- */

typedef struct
{
  GtkEditable  *name;
  SlLessonNamed named;
  gpointer      data;
} Naming;

static void
on_name (GtkEditable *name, AdwMessageDialog *dialog)
{
  adw_message_dialog_set_response_enabled (
    dialog, "save", sl_answers_check_name (gtk_editable_get_text (name), NULL));
}

static void
on_named (AdwMessageDialog *dialog, const char *response, Naming *naming)
{
  if (g_str_equal (response, "save"))
    naming->named (gtk_editable_get_text (naming->name), naming->data);
}

void
sl_lesson_ask_name (GtkWindow *parent, SlLessonNamed named, gpointer data)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
    parent, _ ("Save the answers"),
    _ ("The file contains only guesses, measurements and this name or code.")));
  GtkWidget        *name = gtk_entry_new ();
  Naming           *naming = g_new0 (Naming, 1);

  *naming = (Naming) { GTK_EDITABLE (name), named, data };
  sl_widget_label (name, _ ("Name or code"));
  gtk_entry_set_placeholder_text (GTK_ENTRY (name), _ ("Name or code"));
  gtk_entry_set_activates_default (GTK_ENTRY (name), TRUE);
  adw_message_dialog_set_extra_child (dialog, name);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "save", _ ("_Save…"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "save");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "naming", naming, g_free);
  g_signal_connect (name, "changed", G_CALLBACK (on_name), dialog);
  g_signal_connect (dialog, "response", G_CALLBACK (on_named), naming);
  on_name (GTK_EDITABLE (name), dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}
