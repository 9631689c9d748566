/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/name-cell.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "plot/base/theme.h"
#include "ui/kit/widget.h"
#include "ui/runs/list/group-row.h"

/* The callback for new names. */
typedef struct
{
  SlRunRenamed renamed;
  gpointer     data;
} Names;

/* ---- a run ---- */

/* The colour of the run's curves. */
static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  unsigned slot = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "slot"));
  SlTheme  theme = sl_theme_get (dark ? SL_THEME_DARK : SL_THEME_LIGHT);
  SlRgba   colour = sl_theme_curve (&theme, slot, SL_MEASURED);

  cairo_set_source_rgb (cr, (double) colour.r, (double) colour.g, (double) colour.b);
  cairo_arc (cr, width / 2.0, height / 2.0, 5.0, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

static void
show_run (GtkListItem *cell)
{
  SlRunItem *item = gtk_list_item_get_item (cell);
  GtkWidget *box = gtk_list_item_get_child (cell);
  GtkWidget *swatch = gtk_widget_get_first_child (box);
  GtkWidget *name = gtk_widget_get_next_sibling (swatch);

  g_object_set_data (G_OBJECT (swatch), "slot", GUINT_TO_POINTER (sl_run_item_slot (item)));
  gtk_widget_queue_draw (swatch);
  if (!gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (name)))
    gtk_editable_set_text (GTK_EDITABLE (name), sl_run_item_name (item));
  gtk_widget_set_visible (gtk_widget_get_last_child (box), sl_run_item_run (item)->pinned);
}

static void
on_editing (GtkEditableLabel *name, GParamSpec *spec, GtkListItem *cell)
{
  gpointer    item = gtk_list_item_get_item (cell);
  Names      *names = g_object_get_data (G_OBJECT (name), "names");
  const char *text = gtk_editable_get_text (GTK_EDITABLE (name));

  if (!SL_IS_RUN_ITEM (item) || gtk_editable_label_get_editing (name)
      || g_str_equal (text, sl_run_item_name (item)))
    return;
  names->renamed (names->data, item, text);
}

static GtkWidget *
make_run (GtkListItem *cell, Names *names)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *swatch = gtk_drawing_area_new ();
  GtkWidget *name = gtk_editable_label_new (""), *pinned;

  pinned = gtk_image_new_from_icon_name ("view-pin-symbolic");
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, NULL, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (name, TRUE);
  sl_widget_label (name, _ ("Name of the run"));
  sl_widget_label (pinned, _ ("Pinned"));
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), pinned);
  gtk_widget_add_css_class (box, "run-name");
  g_object_set_data (G_OBJECT (name), "names", names);
  g_signal_connect_object (name, "notify::editing", G_CALLBACK (on_editing), cell, 0);
  return box;
}

static void
on_edit (GtkListItem *cell)
{
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  GtkWidget *name = gtk_widget_get_next_sibling (swatch);

  gtk_widget_grab_focus (name);
  gtk_editable_label_start_editing (GTK_EDITABLE_LABEL (name));
}

/* ---- a group ---- */

static void
show_group (GtkListItem *cell)
{
  SlRunGroupRow *group = gtk_list_item_get_item (cell);
  gboolean       folded = sl_run_group_row_is_folded (group);
  GtkWidget     *arrow = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  const char    *help = folded ? _ ("Unfold the group (Right)") : _ ("Fold the group (Left)");

  gtk_button_set_icon_name (GTK_BUTTON (arrow), folded ? "pan-end-symbolic" : "pan-down-symbolic");
  sl_widget_tip (arrow, help);
  sl_widget_label (arrow, help);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (gtk_list_item_get_child (cell))),
                       sl_run_group_row_title (group));
}

static void
on_arrow (GtkListItem *cell)
{
  gpointer group = gtk_list_item_get_item (cell);

  if (SL_IS_RUN_GROUP_ROW (group))
    sl_run_group_row_toggle (group);
}

/* Keys fold the row that is selected: the arrow is for the pointer. */
static GtkWidget *
make_group (GtkListItem *cell)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2), *arrow = gtk_button_new ();
  GtkWidget *title = gtk_label_new (NULL);

  gtk_widget_set_can_focus (arrow, FALSE);
  gtk_widget_add_css_class (arrow, "flat");
  gtk_widget_add_css_class (title, "heading");
  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  /* What is cut is not the value. */
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  sl_label_tell_when_cut (GTK_LABEL (title));
  gtk_box_append (GTK_BOX (box), arrow);
  gtk_box_append (GTK_BOX (box), title);
  gtk_widget_add_css_class (box, "run-group");
  g_signal_connect_object (arrow, "clicked", G_CALLBACK (on_arrow), cell, G_CONNECT_SWAPPED);
  return box;
}

/* ---- both ---- */

/* Rows are used again, for a group where a run was; their widgets differ. */
static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *cell, Names *names)
{
  gpointer   item = gtk_list_item_get_item (cell);
  gboolean   group = SL_IS_RUN_GROUP_ROW (item);
  GtkWidget *child = gtk_list_item_get_child (cell);

  if (child == NULL || gtk_widget_has_css_class (child, "run-group") != group)
    sl_column_cell_set_child (cell, group ? make_group (cell) : make_run (cell, names));
  if (group)
    {
      show_group (cell);
      g_signal_connect_object (item, "changed", G_CALLBACK (show_group), cell, G_CONNECT_SWAPPED);
      return;
    }
  show_run (cell);
  g_signal_connect_object (item, "changed", G_CALLBACK (show_run), cell, G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "edit", G_CALLBACK (on_edit), cell, G_CONNECT_SWAPPED);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (cell), cell);
}

GtkListItemFactory *
sl_name_cell_factory (SlRunRenamed renamed, gpointer data)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  Names              *names = g_new (Names, 1);

  *names = (Names) { renamed, data };
  g_signal_connect_data (factory, "bind", G_CALLBACK (on_bind), names,
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  return factory;
}
