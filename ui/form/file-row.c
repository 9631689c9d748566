/* SPDX-License-Identifier: MIT */
#include "ui/form/file-row.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/file-dialog.h"
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
choose (SlFileRow *self, const char *path)
{
  g_signal_emit_by_name (self, "chosen", path);
}

static void
on_choose (SlFileRow *self)
{
  const char    *title = sl_words (self->option->title);
  SlFileQuestion question = { .title = title,
                              .kind = title,
                              .pattern = self->option->patterns,
                              .path = *self->path != '\0' ? self->path : NULL,
                              .modal = TRUE };

  sl_file_dialog_open (&self->chooser, GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                       &question, (SlFileChosen) choose, NULL, self);
}

static void
on_clear (SlFileRow *self)
{
  choose (self, "");
}

static gboolean
on_drop (SlFileRow *self, const GValue *value)
{
  GSList          *files = g_value_get_boxed (value);
  g_autofree char *path = files != NULL ? g_file_get_path (files->data) : NULL;

  if (path != NULL)
    choose (self, path);
  return files != NULL;
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
  sl_widget_tip (GTK_WIDGET (self->name), base != NULL ? path : NULL);
  gtk_widget_set_visible (self->clear, base != NULL);
}

static void
sl_file_row_dispose (GObject *object)
{
  SlFileRow *self = SL_FILE_ROW (object);

  g_clear_object (&self->chooser);
  g_clear_pointer (&self->path, g_free);
  sl_widget_dispose (object);
}

static void
sl_file_row_class_init (SlFileRowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_file_row_dispose;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
  sl_widget_class_set_template (widget, "form/file-row.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlFileRow, title), SL_CHILD (SlFileRow, name),
                                 SL_CHILD (SlFileRow, choose), SL_CHILD (SlFileRow, clear),
                                 SL_CHILD (SlFileRow, drop), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_choose), SL_CALLBACK (on_clear),
                                  SL_CALLBACK (on_drop), NULL);
  sl_signal_new (SL_TYPE_FILE_ROW, "chosen", 1, G_TYPE_STRING);
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
