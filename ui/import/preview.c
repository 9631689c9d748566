/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <string.h>

#include "ui/import/rows.h"
#include "ui/kit/widget.h"

enum { SHOWN_COLUMNS = 20, CELL_CHARS = 18 };

static void
add_heading (GtkBox *box, const char *text)
{
  GtkWidget *label
    = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, "label", text,
                    "xalign", 0.0F, "wrap", TRUE, "margin-top", 6, NULL);

  gtk_widget_add_css_class (label, "heading");
  gtk_box_append (box, label);
}

static GtkWidget *
add_list (GtkBox *box, const char *heading)
{
  GtkWidget *list = gtk_list_box_new ();

  add_heading (box, heading);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  sl_widget_label (list, heading);
  gtk_box_append (box, list);
  return list;
}

static void
add_row (GtkWidget *list, const char *title, const char *text)
{
  GtkWidget       *row = adw_action_row_new ();
  g_autofree char *name = g_markup_escape_text (title, -1), *says = g_markup_escape_text (text, -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), says);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
}

static GtkWidget *
make_cell (const char *text, const char *css, gboolean right)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), right ? 1.0F : 0.0F);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), (int) MIN (g_utf8_strlen (text, -1), CELL_CHARS));
  gtk_label_set_max_width_chars (GTK_LABEL (label), CELL_CHARS);
  gtk_widget_add_css_class (label, css);
  sl_label_tell_when_cut (GTK_LABEL (label));
  return label;
}

static gboolean
is_number (const char *text)
{
  char *end;

  g_ascii_strtod (text, &end);
  return *text != '\0' && *end == '\0';
}

static void
attach_column (GtkGrid *grid, int at, const SlImportColumn *column)
{
  gboolean   right = TRUE;
  GtkWidget *role;

  for (int row = 0; row < SL_IMPORT_ROWS && column->cell[row] != NULL; row++)
    right = right && (column->cell[row][0] == '\0' || is_number (column->cell[row]));
  role = make_cell (column->role, "caption", right);
  gtk_widget_add_css_class (role, column->chosen ? "accent" : "dim-label");
  gtk_grid_attach (grid, make_cell (column->name, "heading", right), at, 0, 1, 1);
  gtk_grid_attach (grid, role, at, 1, 1, 1);
  for (int row = 0; row < SL_IMPORT_ROWS && column->cell[row] != NULL; row++)
    {
      gboolean   none = column->cell[row][0] == '\0';
      GtkWidget *cell = make_cell (none ? "—" : column->cell[row], "numeric", right);

      if (none)
        gtk_widget_add_css_class (cell, "dim-label");
      gtk_grid_attach (grid, cell, at, row + 2, 1, 1);
    }
}

/* The first columns, and the class wherever it is. */
static void
add_table (GtkBox *box, const SlImport *import)
{
  GtkWidget *grid
    = g_object_new (GTK_TYPE_GRID, "column-spacing", 18, "row-spacing", 4, "margin-start", 12,
                    "margin-end", 12, "margin-top", 12, "margin-bottom", 12, NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  unsigned   left_off = import->left_off;
  int        at = 0;

  for (unsigned i = 0; i < import->columns->len; i++)
    {
      const SlImportColumn *column = g_ptr_array_index (import->columns, i);

      if (i < SHOWN_COLUMNS || column->chosen)
        attach_column (GTK_GRID (grid), at++, column);
      else
        left_off++;
    }
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_widget_set_focusable (scrolled, TRUE);
  gtk_widget_add_css_class (scrolled, "card");
  sl_widget_label (scrolled, _ ("First rows"));
  add_heading (box, _ ("First rows"));
  gtk_box_append (box, scrolled);
  if (left_off > 0)
    {
      g_autofree char *text
        = g_strdup_printf (ngettext ("%u more column", "%u more columns", left_off), left_off);

      gtk_box_append (box, make_cell (text, "dim-label", FALSE));
    }
}

void
sl_import_preview (GtkBox *box, const SlImport *import)
{
  GtkWidget *list;

  sl_box_clear (box);
  if (import->facts->len > 0)
    {
      list = add_list (box, _ ("This leads to"));
      for (guint i = 0; i < import->facts->len; i++)
        {
          const SlImportWords *fact = g_ptr_array_index (import->facts, i);

          add_row (list, fact->id, fact->title);
        }
    }
  if (import->columns->len > 0)
    add_table (box, import);
  if (import->arrays->len > 0)
    {
      list = add_list (box, _ ("Arrays"));
      for (guint i = 0; i < import->arrays->len; i++)
        {
          const SlImportArray *array = g_ptr_array_index (import->arrays, i);

          add_row (list, array->name, array->facts);
        }
    }
}
