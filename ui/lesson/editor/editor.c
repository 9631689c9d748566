/* SPDX-License-Identifier: MIT */
#include "ui/lesson/editor/editor.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/lesson/edit.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"
#include "ui/lesson/editor/question.h"
#include "ui/lesson/editor/step-row.h"

enum { WIDTH = 700, HEIGHT = 720 };

struct _SlLessonEditor
{
  AdwWindow parent_instance;

  char                 *path;
  SlLesson             *lesson;
  char                 *kept; /* the lesson as the file has it */
  AdwPreferencesPage   *page;
  AdwPreferencesGroup  *steps;
  GPtrArray            *rows; /* of SlStepRow, borrowed */
  GtkEditable          *title, *summary, *goal;
  GtkTextView          *notes;
  GtkLabel             *trouble;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (SlLessonEditor, sl_lesson_editor, ADW_TYPE_WINDOW)

/* ---- what was typed ---- */

static void
take_text (char **text, GtkEditable *from)
{
  g_free (*text);
  *text = g_strdup (gtk_editable_get_text (from));
}

static void
take (SlLessonEditor *self)
{
  take_text (&self->lesson->title, self->title);
  take_text (&self->lesson->summary, self->summary);
  take_text (&self->lesson->goal, self->goal);
  g_free (self->lesson->notes);
  self->lesson->notes = sl_text_row_dup (self->notes);
  for (guint i = 0; i < self->rows->len; i++)
    sl_step_row_take (g_ptr_array_index (self->rows, i));
}

static void
say (gpointer editor, const char *sentence)
{
  SlLessonEditor *self = editor;

  gtk_label_set_label (self->trouble, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->trouble), sentence != NULL);
}

/* A step may have been saved into it meanwhile, or another program has changed it; one that is gone is made again. */
static gboolean
is_as_kept (SlLessonEditor *self, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->path);
  g_autoptr (SlLesson) lesson = sl_lesson_load (file, NULL);
  g_autofree char *now = lesson != NULL ? sl_lesson_write (lesson) : NULL;

  if (g_strcmp0 (now, self->kept) == 0 || !g_file_test (self->path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_set_error (error, SL_ERROR, SL_EINVAL,
               _ ("The lesson's file was changed meanwhile. Save a copy, or open it again."));
  return FALSE;
}

gboolean
sl_lesson_editor_save (SlLessonEditor *self, GError **error)
{
  GError *trouble = NULL;

  g_return_val_if_fail (SL_IS_LESSON_EDITOR (self), FALSE);
  take (self);
  if (sl_lesson_check (self->lesson, &trouble) && is_as_kept (self, &trouble))
    sl_lesson_save (self->lesson, self->path, &trouble);
  say (self, trouble != NULL ? trouble->message : NULL);
  if (trouble == NULL)
    {
      g_free (self->kept);
      self->kept = sl_lesson_write (self->lesson);
      return TRUE;
    }
  g_propagate_error (error, trouble);
  return FALSE;
}

/* ---- steps ---- */

static void fill_steps (SlLessonEditor *self, int open);

static void
on_move (SlStepRow *row, int by, SlLessonEditor *self)
{
  guint number;

  g_ptr_array_find (self->rows, row, &number);
  take (self);
  sl_lesson_move (self->lesson, number, (guint) ((int) number + by));
  fill_steps (self, -1);
}

static void
on_remove (SlStepRow *row, SlLessonEditor *self)
{
  guint number;

  g_ptr_array_find (self->rows, row, &number);
  take (self);
  sl_lesson_remove (self->lesson, number);
  fill_steps (self, -1);
}

/* Anew, since each row knows its number; `open`: the one that is unfolded, -1: none. */
static void
fill_steps (SlLessonEditor *self, int open)
{
  if (self->steps != NULL)
    adw_preferences_page_remove (self->page, self->steps);
  g_ptr_array_set_size (self->rows, 0);
  self->steps = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  adw_preferences_group_set_title (self->steps, _ ("Steps"));
  adw_preferences_group_set_description (
    self->steps,
    _ ("Each keeps its lab, data, settings and plots. \"Save as a lesson step\" in the menu adds "
       "another."));
  for (guint i = 0; i < self->lesson->steps->len; i++)
    {
      SlStepRow *row = sl_step_row_new (self->lesson, i);

      g_signal_connect (row, "move", G_CALLBACK (on_move), self);
      g_signal_connect (row, "remove", G_CALLBACK (on_remove), self);
      g_ptr_array_add (self->rows, row);
      adw_preferences_group_add (self->steps, GTK_WIDGET (row));
      adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), (int) i == open);
    }
  adw_preferences_page_add (self->page, self->steps);
}

/* ---- buttons ---- */

static void
on_save (SlLessonEditor *self)
{
  if (sl_lesson_editor_save (self, NULL))
    gtk_window_close (GTK_WINDOW (self));
}

static void
on_try (SlLessonEditor *self)
{
  g_autoptr (GtkWindow) parent = g_object_ref (gtk_window_get_transient_for (GTK_WINDOW (self)));
  g_autofree char *path = g_strdup (self->path);

  if (!sl_lesson_editor_save (self, NULL))
    return;
  gtk_window_close (GTK_WINDOW (self));
  g_action_group_activate_action (G_ACTION_GROUP (parent), "lesson", g_variant_new_string (path));
}

static void
on_copy_chosen (gpointer editor, const char *path)
{
  SlLessonEditor *self = editor;
  g_autoptr (GError) error = NULL;

  take (self);
  if (!sl_lesson_check (self->lesson, &error) || !sl_lesson_save (self->lesson, path, &error))
    say (self, error->message);
}

static void
on_copy (SlLessonEditor *self)
{
  g_autofree char *name = g_path_get_basename (self->path);
  SlFileQuestion   question = { .title = _ ("Save a copy of the lesson"),
                                .name = name,
                                .kind = _ ("Lessons"),
                                .pattern = "*.lesson",
                                .accept = _ ("_Save") };

  sl_file_dialog_open (&self->chooser, GTK_WINDOW (self), &question, on_copy_chosen, say, self);
}

/* A dialog that is answered lives a little longer than the page that goes by it, and would look for it. */
static void
let_go (AdwMessageDialog *dialog)
{
  gtk_window_set_transient_for (GTK_WINDOW (dialog), NULL);
}

static void
on_delete_answer (AdwMessageDialog *dialog, const char *response, SlLessonEditor *self)
{
  if (!g_str_equal (response, "delete"))
    return;
  let_go (dialog);
  if (g_unlink (self->path) != 0)
    say (self, g_strerror (errno));
  else
    gtk_window_destroy (GTK_WINDOW (self));
}

static void
on_delete (SlLessonEditor *self)
{
  g_autofree char *title = g_strdup_printf (_ ("Delete \"%s\"?"), self->lesson->title);
  GtkWidget       *dialog = adw_message_dialog_new (GTK_WINDOW (self), title,
                                                    _ ("The lesson's file is removed for good."));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "delete",
                                    _ ("_Delete"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "delete",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (on_delete_answer), self);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- closing ---- */

static void
on_close_answer (AdwMessageDialog *dialog, const char *response, SlLessonEditor *self)
{
  if (g_str_equal (response, "cancel"))
    return;
  let_go (dialog);
  if (g_str_equal (response, "save"))
    on_save (self);
  else
    gtk_window_destroy (GTK_WINDOW (self));
}

/* Nothing that was typed is lost without a question. */
static gboolean
on_close (SlLessonEditor *self)
{
  g_autofree char *now = NULL;
  GtkWidget       *dialog;

  take (self);
  now = sl_lesson_write (self->lesson);
  if (g_strcmp0 (now, self->kept) == 0)
    return GDK_EVENT_PROPAGATE;
  dialog = adw_message_dialog_new (GTK_WINDOW (self), _ ("Save the changes?"),
                                   _ ("The lesson was changed since it was saved."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard",
                                    _ ("_Discard"), "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (on_close_answer), self);
  gtk_window_present (GTK_WINDOW (dialog));
  return GDK_EVENT_STOP;
}

/* ---- the window ---- */

static GtkWidget *
add_button (SlLessonEditor *self, const char *label, const char *help,
            void (*pressed) (SlLessonEditor *self))
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_tooltip_text (button, help);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (pressed), self);
  return button;
}

static GtkWidget *
make_header (SlLessonEditor *self)
{
  AdwHeaderBar *header = ADW_HEADER_BAR (adw_header_bar_new ());
  GtkWidget    *save
    = add_button (self, _ ("_Save"), _ ("Save the lesson and close the page"), on_save);
  GtkWidget *delete = add_button (self, "", _ ("Delete the lesson"), on_delete);
  GtkWidget *try = add_button (self, _ ("_Try"), _ ("Save the lesson and take it"), on_try);

  gtk_widget_add_css_class (save, "suggested-action");
  adw_header_bar_pack_start (header, save);
  adw_header_bar_pack_start (header, try);
  gtk_button_set_icon_name (GTK_BUTTON (delete), "user-trash-symbolic");
  sl_widget_label (delete, _ ("Delete the lesson"));
  adw_header_bar_pack_end (header, delete);
  adw_header_bar_pack_end (
    header, add_button (self, _ ("Save a _copy…"), _ ("For another account or person"), on_copy));
  return GTK_WIDGET (header);
}

static void
add_entry (AdwPreferencesGroup *group, const char *title, const char *text, GtkEditable **entry)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  adw_preferences_group_add (group, row);
  *entry = GTK_EDITABLE (row);
}

static void
fill_page (SlLessonEditor *self)
{
  AdwPreferencesGroup *words = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());

  add_entry (words, _ ("Title"), self->lesson->title, &self->title);
  add_entry (words, _ ("Summary"), self->lesson->summary, &self->summary);
  add_entry (words, _ ("Goal: what a learner can do afterwards"), self->lesson->goal, &self->goal);
  adw_preferences_group_add (
    words, sl_text_row_new (_ ("Teacher's notes"), self->lesson->notes, &self->notes));
  adw_preferences_page_add (self->page, words);
  fill_steps (self, self->lesson->steps->len == 1 ? 0 : -1);
}

static void
sl_lesson_editor_dispose (GObject *object)
{
  SlLessonEditor *self = SL_LESSON_EDITOR (object);

  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (sl_lesson_editor_parent_class)->dispose (object);
}

static void
sl_lesson_editor_finalize (GObject *object)
{
  SlLessonEditor *self = SL_LESSON_EDITOR (object);

  g_ptr_array_unref (self->rows);
  g_clear_pointer (&self->lesson, sl_lesson_free);
  g_free (self->path);
  g_free (self->kept);
  G_OBJECT_CLASS (sl_lesson_editor_parent_class)->finalize (object);
}

static void
sl_lesson_editor_class_init (SlLessonEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_lesson_editor_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_lesson_editor_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
sl_lesson_editor_init (SlLessonEditor *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->rows = g_ptr_array_new ();
  self->trouble = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->trouble, TRUE);
  gtk_label_set_xalign (self->trouble, 0.0f);
  gtk_label_set_selectable (self->trouble, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->trouble), "error");
  gtk_widget_set_margin_start (GTK_WIDGET (self->trouble), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->trouble), 12);
  gtk_widget_set_visible (GTK_WIDGET (self->trouble), FALSE);
  self->page = ADW_PREFERENCES_PAGE (adw_preferences_page_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->page), TRUE);
  g_signal_connect (self, "close-request", G_CALLBACK (on_close), NULL);
  gtk_box_append (GTK_BOX (box), make_header (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->trouble));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->page));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Edit the lesson"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
}

SlLessonEditor *
sl_lesson_editor_new (GtkWindow *parent, GFile *file, GError **error)
{
  SlLesson       *lesson = sl_lesson_load (file, error);
  SlLessonEditor *self;

  if (lesson == NULL)
    return NULL;
  self = g_object_new (SL_TYPE_LESSON_EDITOR, "transient-for", parent, NULL);
  self->path = g_file_get_path (file);
  self->lesson = lesson;
  self->kept = sl_lesson_write (lesson);
  fill_page (self);
  return self;
}
