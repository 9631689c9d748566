/* SPDX-License-Identifier: MIT */
#include "ui/import/rows.h"

#include <stdlib.h>
#include <string.h>

#include "core/run/import/import.h"
#include "ui/kit/widget.h"

#define KEPT "sl-import-row" /* set on a row */

typedef struct
{
  char          *id;
  GPtrArray     *values; /* of SlImportWords; NULL: a number */
  GtkSpinButton *number;
  SlImportChosen chosen;
  gpointer       owner;
  gboolean       showing;
} Row;

static void
free_row (gpointer data)
{
  Row *row = data;

  g_free (row->id);
  g_clear_pointer (&row->values, g_ptr_array_unref);
  g_free (row);
}

static Row *
row_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), KEPT);
}

static const SlImportWords *
words_at (const Row *row, guint i)
{
  return g_ptr_array_index (row->values, i);
}

/* The place of a value, which may be a title where a column is named; the first and the last have names of their own. */
static guint
place_of (const Row *row, const char *value)
{
  guint last = row->values->len - 1;

  for (guint i = 0; i <= last && value != NULL; i++)
    if (g_str_equal (words_at (row, i)->id, value))
      return i;
  for (guint i = 0; i <= last && value != NULL; i++)
    if (g_str_equal (words_at (row, i)->title, value))
      return i;
  return g_strcmp0 (value, "last") == 0 ? last : g_strcmp0 (value, "first") == 0 ? 1 : 0;
}

static void
on_selected (GtkWidget *widget)
{
  Row  *row = row_of (widget);
  guint selected = adw_combo_row_get_selected (ADW_COMBO_ROW (widget));

  if (!row->showing && selected < row->values->len)
    row->chosen (row->owner, row->id, selected == 0 ? "" : words_at (row, selected)->id);
}

static void
on_number (GtkWidget *widget)
{
  Row             *row = row_of (widget);
  int              value = gtk_spin_button_get_value_as_int (row->number);
  g_autofree char *text = g_strdup_printf ("%d", value);

  if (!row->showing)
    row->chosen (row->owner, row->id, value == 0 ? "" : text);
}

static GtkWidget *
make_choice (Row *row)
{
  GtkStringList *titles = gtk_string_list_new (NULL);
  GtkWidget     *widget = adw_combo_row_new ();

  for (guint i = 0; i < row->values->len; i++)
    gtk_string_list_append (titles, words_at (row, i)->title);
  adw_combo_row_set_model (ADW_COMBO_ROW (widget), G_LIST_MODEL (titles));
  g_object_unref (titles);
  g_signal_connect (widget, "notify::selected", G_CALLBACK (on_selected), NULL);
  return widget;
}

static GtkWidget *
make_number (Row *row, const char *title, const char *help, double most)
{
  GtkWidget *widget = adw_action_row_new ();

  row->number = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0.0, most, 1.0));
  gtk_widget_set_valign (GTK_WIDGET (row->number), GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars (GTK_EDITABLE (row->number), 4);
  gtk_text_set_activates_default (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (row->number))),
                                  TRUE);
  sl_widget_pass_scroll (GTK_WIDGET (row->number));
  sl_widget_label (GTK_WIDGET (row->number), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (widget), help);
  adw_action_row_add_suffix (ADW_ACTION_ROW (widget), GTK_WIDGET (row->number));
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (widget), GTK_WIDGET (row->number));
  g_signal_connect_swapped (row->number, "value-changed", G_CALLBACK (on_number), widget);
  return widget;
}

GtkWidget *
sl_import_row_new (const SlImport *import, const char *id, const char *value, SlImportChosen chosen,
                   gpointer owner)
{
  Row        *row = g_new0 (Row, 1);
  const char *title, *help;
  double      most;
  gboolean    number = sl_import_option (import, id, &title, &help, &most);
  GtkWidget  *widget;

  *row = (Row) { .id = g_strdup (id), .chosen = chosen, .owner = owner };
  if (!number)
    row->values = sl_import_values (import, id);
  row->showing = TRUE;
  widget = number ? make_number (row, title, help, most) : make_choice (row);
  g_object_set_data_full (G_OBJECT (widget), KEPT, row, free_row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (widget), title);
  gtk_widget_set_name (widget, id);
  if (!number)
    gtk_widget_set_tooltip_text (widget, help);
  sl_import_row_show (widget, value);
  return widget;
}

void
sl_import_row_show (GtkWidget *widget, const char *value)
{
  Row *row = row_of (widget);

  row->showing = TRUE;
  if (row->number != NULL)
    gtk_spin_button_set_value (row->number, value != NULL ? atof (value) : 0.0);
  else if (row->values->len > 0)
    adw_combo_row_set_selected (ADW_COMBO_ROW (widget), place_of (row, value));
  row->showing = FALSE;
}

char *
sl_import_row_words (GtkWidget *widget, const char *value)
{
  const Row *row = row_of (widget);

  return g_strdup (row->values != NULL && row->values->len > 0
                     ? words_at (row, place_of (row, value))->title
                     : value);
}
