/* SPDX-License-Identifier: MIT
 *
 * The files of other programs and their curves in a popover, to be removed and chosen.  */
#include "ui/runs/files-private.h"

#include <glib/gi18n.h>

#include "ui/kit/search.h"
#include "ui/kit/widget.h"

enum { SEARCHED = 12, LIST_HEIGHT = 260, CHARS = 28 };

static void
on_check (GtkCheckButton *check, GParamSpec *spec, SlCurveFiles *self)
{
  sl_curve_files_choose (self, g_object_get_data (G_OBJECT (check), "name"),
                         gtk_check_button_get_active (check));
}

static GtkWidget *
heading (const char *text)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "accessible-role",
                                   GTK_ACCESSIBLE_ROLE_HEADING, NULL);

  gtk_widget_add_css_class (label, "heading");
  return label;
}

static GtkWidget *
name_label (const char *text, const char *tooltip)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), CHARS);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (label, tooltip);
  return label;
}

static void
on_remove (GtkButton *button, SlCurveFiles *self)
{
  g_autofree char *path = g_strdup (g_object_get_data (G_OBJECT (button), "path"));

  sl_curve_files_remove (self, path); /* and the button with it */
}

static GtkWidget *
file_row (SlCurveFiles *self, const SlCurveFile *file)
{
  GtkWidget       *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget       *remove = gtk_button_new_from_icon_name ("list-remove-symbolic");
  g_autofree char *path = g_filename_display_name (file->path);
  g_autofree char *says = g_strdup_printf (_ ("Remove %s"), file->foreign.title);

  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, says);
  sl_widget_label (remove, says);
  g_object_set_data_full (G_OBJECT (remove), "path", g_strdup (file->path), g_free);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), self);
  gtk_box_append (GTK_BOX (row), name_label (file->foreign.title, path));
  gtk_box_append (GTK_BOX (row), remove);
  return row;
}

/* Each name once. */
static GPtrArray *
all_names (SlCurveFiles *self)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint f = 0; f < self->files->len; f++)
    {
      const SlForeign *foreign = &sl_curve_files_at (self, f)->foreign;

      for (guint c = 0; c < foreign->curves->len; c++)
        {
          const SlForeignCurve *curve = g_ptr_array_index (foreign->curves, c);
          gboolean              known = curve->series.n == 0;

          for (guint before = 0; before < f && !known; before++)
            known
              = sl_foreign_find (&sl_curve_files_at (self, before)->foreign, curve->name) != NULL;
          if (!known)
            g_ptr_array_add (names, curve->name);
        }
    }
  return names;
}

static GtkWidget *
curve_row (SlCurveFiles *self, const char *name)
{
  GtkWidget *check = gtk_check_button_new ();

  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), name_label (name, NULL));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), g_ptr_array_find_with_equal_func (
                                                           self->chosen, name, g_str_equal, NULL));
  sl_widget_label (check, name);
  g_object_set_data_full (G_OBJECT (check), "name", g_strdup (name), g_free);
  g_signal_connect (check, "notify::active", G_CALLBACK (on_check), self);
  return check;
}

static void
on_search (GtkSearchEntry *entry, GtkBox *rows)
{
  g_auto (GStrv) words = sl_search_words (entry);

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (rows)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      gboolean found = TRUE;

      for (char **word = words; *word != NULL && found; word++)
        found = sl_search_has (g_object_get_data (G_OBJECT (row), "name"), *word);
      gtk_widget_set_visible (row, found);
    }
}

static void
add_curves (SlCurveFiles *self)
{
  g_autoptr (GPtrArray) names = all_names (self);
  GtkWidget *scrolled = gtk_scrolled_window_new (),
            *rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (self->list, heading (_ ("Curves")));
  if (names->len > SEARCHED)
    {
      GtkWidget *search = gtk_search_entry_new ();

      sl_widget_label (search, _ ("Search curves"));
      g_signal_connect_object (search, "search-changed", G_CALLBACK (on_search), rows, 0);
      gtk_box_append (self->list, search);
    }
  for (guint i = 0; i < names->len; i++)
    gtk_box_append (GTK_BOX (rows), curve_row (self, g_ptr_array_index (names, i)));
  g_object_set (scrolled, "hscrollbar-policy", GTK_POLICY_NEVER, "propagate-natural-height", TRUE,
                "max-content-height", LIST_HEIGHT, "child", rows, NULL);
  gtk_box_append (self->list, scrolled);
}

void
sl_curve_files_fill_list (SlCurveFiles *self)
{
  GtkWidget *open;

  sl_box_clear (self->list);
  if (self->files->len > 0)
    {
      gtk_box_append (self->list, heading (_ ("Files of other programs")));
      for (guint f = 0; f < self->files->len; f++)
        gtk_box_append (self->list, file_row (self, sl_curve_files_at (self, f)));
      add_curves (self);
    }
  else
    {
      GtkWidget *says = gtk_label_new (
        _ ("Event files of TensorBoard and CSV tables with a column of steps, to compare with "
           "stored runs. Drop them on the window."));

      gtk_label_set_wrap (GTK_LABEL (says), TRUE);
      gtk_label_set_xalign (GTK_LABEL (says), 0.0f);
      gtk_label_set_max_width_chars (GTK_LABEL (says), CHARS);
      gtk_box_append (self->list, says);
    }
  open = gtk_button_new_with_label (_ ("Open curves…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "files.open");
  gtk_box_append (self->list, open);
}
