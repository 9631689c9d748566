/* SPDX-License-Identifier: MIT */
#include "ui/form/rail.h"

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "ui/kit/widget.h"

enum { START_ROW, FIRST_LAB_ROW, NAME_CHARS = 9, NAME_LINES = 2 };

#define ABOUT "sl-about"

struct _SlRail
{
  GtkWidget parent_instance;

  GtkWidget  *scroller;
  GtkListBox *list;
  GPtrArray  *names; /* of GtkWidget, borrowed */
};

G_DEFINE_FINAL_TYPE (SlRail, sl_rail, GTK_TYPE_WIDGET)

static GtkWidget *
name_label (const char *name)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), NAME_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NAME_CHARS);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  return label;
}

static void
add_row (SlRail *self, const char *icon, const char *name, const char *about)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *label = name_label (name);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (label), ABOUT, g_strdup_printf ("%s\n%s", name, about), g_free);
  sl_label_tell_when_cut (GTK_LABEL (label));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about, -1);
  gtk_list_box_append (self->list, row);
  g_ptr_array_add (self->names, label);
}

static void
add_rows (SlRail *self)
{
  add_row (self, "go-home-symbolic", _ ("Start"),
           _ ("Networks side by side, and three sliders that change them"));
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *icon = g_strdup_printf ("sl-lab-%s-symbolic", sl_labs[i]->id);
      g_autofree char *about = g_strdup_printf ("%s\n%s", sl_words (sl_labs[i]->summary),
                                                sl_words (sl_labs[i]->reference));

      add_row (self, icon, sl_words (sl_labs[i]->title), about);
    }
  add_row (self, "sl-lessons-symbolic", _ ("Lessons"),
           _ ("By level, with goals, worksheets and your progress (Ctrl+L)"));
}

static void
on_row (SlRail *self, GtkListBoxRow *row)
{
  int          index = gtk_list_box_row_get_index (row);
  unsigned     lab = (unsigned) MAX (index - FIRST_LAB_ROW, 0);
  gboolean     lessons = (unsigned) index + 1 == self->names->len;
  const SlLab *chosen = index >= FIRST_LAB_ROW && !lessons ? sl_labs[lab] : NULL;

  if (chosen != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.lab", "s", chosen->id);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), lessons ? "win.lessons" : "win.glance", NULL);
}

void
sl_rail_set_shown (SlRail *self, const SlLab *lab)
{
  int row = START_ROW;

  g_return_if_fail (SL_IS_RAIL (self));
  for (int i = 0; sl_labs[i] != NULL; i++)
    if (sl_labs[i] == lab)
      row = FIRST_LAB_ROW + i;
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, row));
}

void
sl_rail_set_offered (SlRail  *self, gboolean (*offers) (const SlLab *lab, gpointer data),
                     gpointer data, gboolean lessons)
{
  g_return_if_fail (SL_IS_RAIL (self) && offers != NULL);
  for (int i = 0; sl_labs[i] != NULL; i++)
    gtk_widget_set_visible (
      GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, FIRST_LAB_ROW + i)),
      offers (sl_labs[i], data));
  gtk_widget_set_visible (
    GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int) self->names->len - 1)), lessons);
}

void
sl_rail_set_names (SlRail *self, gboolean names)
{
  g_return_if_fail (SL_IS_RAIL (self));
  for (unsigned i = 0; i < self->names->len; i++)
    {
      GtkWidget *name = g_ptr_array_index (self->names, i);

      /* Beside a name that is read, a tooltip would only lie over the next one. */
      gtk_widget_set_visible (name, names);
      sl_widget_tip (gtk_widget_get_ancestor (name, GTK_TYPE_LIST_BOX_ROW),
                     names ? NULL : g_object_get_data (G_OBJECT (name), ABOUT));
    }
  if (names)
    gtk_widget_remove_css_class (GTK_WIDGET (self), "signs");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "signs");
}

GtkListBox *
sl_rail_get_list (SlRail *self)
{
  g_return_val_if_fail (SL_IS_RAIL (self), NULL);
  return self->list;
}

/* Tab goes to the place that is shown and then out of the rail; in it, arrows go from place to place. */
static gboolean
sl_rail_focus (GtkWidget *widget, GtkDirectionType direction)
{
  GtkListBoxRow *shown = gtk_list_box_get_selected_row (SL_RAIL (widget)->list);

  if (shown == NULL || (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD))
    return GTK_WIDGET_CLASS (sl_rail_parent_class)->focus (widget, direction);
  return gtk_widget_get_focus_child (widget) == NULL && gtk_widget_grab_focus (GTK_WIDGET (shown));
}

static void
sl_rail_dispose (GObject *object)
{
  g_clear_pointer (&SL_RAIL (object)->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (sl_rail_parent_class)->dispose (object);
}

static void
sl_rail_finalize (GObject *object)
{
  g_ptr_array_unref (SL_RAIL (object)->names);
  G_OBJECT_CLASS (sl_rail_parent_class)->finalize (object);
}

static void
sl_rail_class_init (SlRailClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_rail_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_rail_finalize;
  widget->focus = sl_rail_focus;
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget, "rail");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_rail_init (SlRail *self)
{
  GtkWidget *list = gtk_list_box_new (), *scroller = gtk_scrolled_window_new ();

  self->names = g_ptr_array_new ();
  self->list = GTK_LIST_BOX (list);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  sl_widget_label (list, _ ("Labs"));
  add_rows (self);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (on_row), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_parent (scroller, GTK_WIDGET (self));
  self->scroller = scroller;
}
