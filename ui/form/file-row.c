/* SPDX-License-Identifier: MIT */
#include "ui/form/file-row.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"

struct _SlFileRow
{
  GtkWidget parent_instance;

  GtkLabel      *title, *name;
  GtkWidget     *choose, *clear;
  GtkDropTarget *drop;

  const SlFileOption   *option;
  char                 *path;
  GtkFileChooserNative *chooser; /* while it is open */
};

G_DEFINE_FINAL_TYPE (SlFileRow, sl_file_row, GTK_TYPE_WIDGET)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

gboolean
sl_file_row_takes (const SlFileOption *option, const char *path)
{
  g_auto (GStrv) patterns = g_strsplit (option->patterns, " ", -1);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *lower = g_utf8_strdown (base, -1);

  for (char **pattern = patterns; *pattern != NULL; pattern++)
    if (g_pattern_match_simple (*pattern, lower))
      return TRUE;
  return FALSE;
}

static void
take (SlFileRow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL)
    g_signal_emit (self, signals[CHOSEN], 0, path);
}

static void
on_response (SlFileRow *self, int response)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->chooser));

      take (self, file);
    }
  g_clear_object (&self->chooser);
}

/* Endings in either case, as cameras write them in capitals. */
static void
add_patterns (GtkFileFilter *filter, const char *text)
{
  g_auto (GStrv) patterns = g_strsplit (text, " ", -1);

  for (char **pattern = patterns; *pattern != NULL; pattern++)
    {
      g_autofree char *upper = g_ascii_strup (*pattern, -1);

      gtk_file_filter_add_pattern (filter, *pattern);
      gtk_file_filter_add_pattern (filter, upper);
    }
}

static void
on_choose (SlFileRow *self)
{
  const char *title = sl_words (self->option->title);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  GtkFileChooser *dialog;

  if (self->chooser != NULL)
    return;
  self->chooser
    = gtk_file_chooser_native_new (title, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  dialog = GTK_FILE_CHOOSER (self->chooser);
  gtk_file_filter_set_name (filter, title);
  add_patterns (filter, self->option->patterns);
  gtk_file_chooser_add_filter (dialog, filter);
  if (*self->path != '\0')
    {
      g_autoptr (GFile) file = g_file_new_for_path (self->path);

      gtk_file_chooser_set_file (dialog, file, NULL);
    }
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_swapped (self->chooser, "response", G_CALLBACK (on_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
on_clear (SlFileRow *self)
{
  g_signal_emit (self, signals[CHOSEN], 0, "");
}

static gboolean
on_drop (SlFileRow *self, const GValue *value)
{
  GSList *files = g_value_get_boxed (value);

  if (files == NULL)
    return FALSE;
  take (self, files->data);
  return TRUE;
}

void
sl_file_row_set_path (SlFileRow *self, const char *path)
{
  g_autofree char *base = *path != '\0' ? g_filename_display_basename (path) : NULL;

  g_return_if_fail (SL_IS_FILE_ROW (self));
  g_free (self->path);
  self->path = g_strdup (path);
  /* Translators: no file was chosen. */
  gtk_label_set_label (self->name, base != NULL ? base : C_ ("file", "none"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name), base != NULL ? path : NULL);
  gtk_widget_set_visible (self->clear, base != NULL);
}

static void
sl_file_row_dispose (GObject *object)
{
  SlFileRow *self = SL_FILE_ROW (object);

  g_clear_object (&self->chooser);
  sl_widget_dispose (object);
}

static void
sl_file_row_finalize (GObject *object)
{
  g_free (SL_FILE_ROW (object)->path);
  G_OBJECT_CLASS (sl_file_row_parent_class)->finalize (object);
}

static void
sl_file_row_class_init (SlFileRowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_file_row_dispose;
  object->finalize = sl_file_row_finalize;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_widget_class_set_template (widget, "form/file-row.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlFileRow, title), SL_CHILD (SlFileRow, name),
                                 SL_CHILD (SlFileRow, choose), SL_CHILD (SlFileRow, clear),
                                 SL_CHILD (SlFileRow, drop), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_choose), SL_CALLBACK (on_clear),
                                  SL_CALLBACK (on_drop), NULL);
  signals[CHOSEN] = sl_signal_new (SL_TYPE_FILE_ROW, "chosen", 1, G_TYPE_STRING);
}

static void
sl_file_row_init (SlFileRow *self)
{
  GType files = GDK_TYPE_FILE_LIST;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_drop_target_set_gtypes (self->drop, &files, 1);
  self->path = g_strdup ("");
}

SlFileRow *
sl_file_row_new (const SlFileOption *option)
{
  g_return_val_if_fail (option != NULL, NULL);

  SlFileRow       *self = g_object_new (SL_TYPE_FILE_ROW, NULL);
  const char      *title = sl_words (option->title);
  g_autofree char *choose = NULL, *clear = NULL;

  self->option = option;
  gtk_label_set_label (self->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), sl_words (option->help));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, sl_words (option->help), -1);
  /* Translators: %s is what the file is for, "Style file". */
  choose = g_strdup_printf (_ ("Choose: %s"), title);
  clear = g_strdup_printf (_ ("No file: %s"), title);
  sl_widget_label (GTK_WIDGET (self->choose), choose);
  sl_widget_label (GTK_WIDGET (self->clear), clear);
  sl_file_row_set_path (self, "");
  return self;
}
