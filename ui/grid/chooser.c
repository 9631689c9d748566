/* SPDX-License-Identifier: MIT */
#include "ui/grid/chooser.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/kit/search.h"
#include "ui/kit/widget.h"

struct _SlPanelChooser
{
  AdwWindow parent_instance;

  GtkSearchEntry *search;
  GtkListBox     *list;

  SlPlotGrid  *grid;
  const SlLab *lab;
  GPtrArray   *switches; /* of GtkSwitch, borrowed; by panel */
  gboolean     showing;  /* the program moves the switches, not the user */
};

G_DEFINE_FINAL_TYPE (SlPanelChooser, sl_panel_chooser, ADW_TYPE_WINDOW)

enum { HELP_LINES = 2 };

/* Rows are in the order of the descriptor within each group. */
#define PANEL "sl-panel"

static unsigned
panel_of (gpointer row)
{
  return GPOINTER_TO_UINT (g_object_get_data (row, PANEL));
}

/* A word of the search is in the title, the group, the help or the name of a curve. */
static gboolean
has_word (const SlLab *lab, const SlPanel *panel, const char *word)
{
  if (sl_search_has (panel->title, word)
      || sl_search_has (sl_lab_group_title (lab, panel->group), word)
      || sl_search_has (panel->help, word))
    return TRUE;
  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
    if (sl_search_has (panel->traces[t].title, word))
      return TRUE;
  return FALSE;
}

static gboolean
is_found (GtkListBoxRow *row, gpointer data)
{
  SlPanelChooser *self = data;
  g_auto (GStrv) words = sl_search_words (self->search);

  for (char **word = words; *word != NULL; word++)
    if (!has_word (self->lab, &self->lab->panels[panel_of (row)], *word))
      return FALSE;
  return TRUE;
}

static int
compare (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  const SlPanel *panels = ((SlPanelChooser *) data)->lab->panels;
  unsigned       p = panel_of (a), q = panel_of (b);

  return panels[p].group != panels[q].group ? (int) panels[p].group - (int) panels[q].group
                                            : (int) p - (int) q;
}

static void
show_heading (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const SlPanel *panels = ((SlPanelChooser *) data)->lab->panels;
  SlPanelGroup   group = panels[panel_of (row)].group;
  GtkWidget     *heading;

  if (before != NULL && panels[panel_of (before)].group == group)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  heading = g_object_new (GTK_TYPE_LABEL, "label",
                          sl_words (sl_lab_group_title (((SlPanelChooser *) data)->lab, group)),
                          "xalign", 0.0, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, NULL);
  gtk_widget_add_css_class (heading, "heading");
  gtk_widget_add_css_class (heading, "chooser-heading");
  gtk_list_box_row_set_header (row, heading);
}

static void
on_switched (GtkSwitch *shown, GParamSpec *spec, SlPanelChooser *self)
{
  guint panel;

  if (!self->showing && g_ptr_array_find (self->switches, shown, &panel))
    sl_plot_grid_hide (self->grid, panel, !gtk_switch_get_active (shown));
}

static void
show_switches (SlPanelChooser *self)
{
  const SlArrangement *arrangement = sl_plot_grid_get_arrangement (self->grid);

  self->showing = TRUE;
  for (unsigned i = 0; i < self->switches->len && i < arrangement->n; i++)
    gtk_switch_set_active (g_ptr_array_index (self->switches, i), !arrangement->hidden[i]);
  self->showing = FALSE;
}

static void
on_first (SlPanelChooser *self)
{
  sl_plot_grid_arrange_as_first (self->grid);
  show_switches (self);
}

static void
on_row (SlPanelChooser *self, GtkListBoxRow *row)
{
  unsigned panel = panel_of (row);
  g_autoptr (SlPlotGrid) grid = g_object_ref (self->grid);

  gtk_window_close (GTK_WINDOW (self));
  sl_plot_grid_reveal (grid, panel);
}

/* Enter in the search goes to the first that was found. */
static void
on_enter (SlPanelChooser *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      {
        on_row (self, row);
        return;
      }
}

static void
on_stop (SlPanelChooser *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

static GtkWidget *
new_label (const char *text, const char *style, gboolean wrap)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (label), wrap);
  gtk_label_set_lines (GTK_LABEL (label), wrap ? HELP_LINES : 1);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_row (SlPanelChooser *self, unsigned panel)
{
  const char      *title = sl_words (self->lab->panels[panel].title);
  const char      *help = sl_words (self->lab->panels[panel].help);
  GtkWidget       *row = gtk_list_box_row_new (), *shown = gtk_switch_new ();
  GtkWidget       *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget       *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget       *about = new_label (help, "caption", TRUE);
  g_autofree char *label = g_strdup_printf (_ ("Show %s"), title);

  gtk_widget_add_css_class (about, "dim-label");
  gtk_box_append (GTK_BOX (words), new_label (title, "body", FALSE));
  gtk_box_append (GTK_BOX (words), about);
  gtk_widget_set_valign (shown, GTK_ALIGN_CENTER);
  sl_widget_label (shown, label);
  gtk_box_append (GTK_BOX (line), words);
  gtk_box_append (GTK_BOX (line), shown);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, help, -1);
  g_object_set_data (G_OBJECT (row), PANEL, GUINT_TO_POINTER (panel));
  g_ptr_array_add (self->switches, shown);
  g_signal_connect (shown, "notify::active", G_CALLBACK (on_switched), self);
  gtk_list_box_append (self->list, row);
}

static void
sl_panel_chooser_dispose (GObject *object)
{
  SlPanelChooser *self = SL_PANEL_CHOOSER (object);

  /* The list may outlive the window, in the emission that closes it. */
  if (self->grid != NULL)
    {
      gtk_list_box_set_sort_func (self->list, NULL, NULL, NULL);
      gtk_list_box_set_header_func (self->list, NULL, NULL, NULL);
      gtk_list_box_set_filter_func (self->list, NULL, NULL, NULL);
    }
  g_clear_object (&self->grid);
  g_clear_pointer (&self->switches, g_ptr_array_unref);
  sl_widget_dispose (object);
}

static void
sl_panel_chooser_class_init (SlPanelChooserClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_panel_chooser_dispose;
  sl_widget_class_set_template (widget, "grid/chooser.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlPanelChooser, search),
                                 SL_CHILD (SlPanelChooser, list), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_first), SL_CALLBACK (on_row),
                                  SL_CALLBACK (on_enter), SL_CALLBACK (on_stop),
                                  SL_CALLBACK (gtk_list_box_invalidate_filter), NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
sl_panel_chooser_init (SlPanelChooser *self)
{
  self->switches = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

SlPanelChooser *
sl_panel_chooser_new (GtkWindow *parent, SlPlotGrid *grid, const SlLab *lab)
{
  g_return_val_if_fail (SL_IS_PLOT_GRID (grid) && lab != NULL, NULL);

  SlPanelChooser *self = g_object_new (SL_TYPE_PANEL_CHOOSER, "transient-for", parent, NULL);

  self->grid = g_object_ref (grid);
  self->lab = lab;
  for (unsigned i = 0; i < lab->n_panels; i++)
    add_row (self, i);
  show_switches (self);
  gtk_list_box_set_sort_func (self->list, compare, self, NULL);
  gtk_list_box_set_header_func (self->list, show_heading, self, NULL);
  gtk_list_box_set_filter_func (self->list, is_found, self, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  return self;
}
