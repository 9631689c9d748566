/* SPDX-License-Identifier: MIT */
#include "ui/runs/axis-chooser.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/kit/search.h"
#include "ui/kit/widget.h"

enum { CHARS = 28, LIST_WIDTH = 380, LIST_HEIGHT = 320, GAP = 6 };

struct _SlAxisChooser
{
  GtkWidget parent_instance;

  GtkMenuButton  *button;
  GtkLabel       *chosen;
  GtkSearchEntry *search;
  GtkListBox     *list;
  GPtrArray      *names;  /* of its rows, interned; NULL: none yet */
  const SlLab    *lab;    /* whose titles they have */
  const char     *wanted; /* interned, or NULL */
  char          **words;  /* that are searched, or NULL */
};

G_DEFINE_FINAL_TYPE (SlAxisChooser, sl_axis_chooser, GTK_TYPE_WIDGET)

void
sl_axis_chooser_name (SlAxisChooser *self, const char *name)
{
  sl_widget_label (GTK_WIDGET (self->button), name);
}

void
sl_axis_chooser_want (SlAxisChooser *self, const char *id)
{
  g_return_if_fail (SL_IS_AXIS_CHOOSER (self));
  self->wanted = g_intern_string (id);
}

const char *
sl_axis_chooser_wanted (SlAxisChooser *self)
{
  g_return_val_if_fail (SL_IS_AXIS_CHOOSER (self), NULL);
  return self->wanted;
}

const char *
sl_axis_chooser_among (SlAxisChooser *self, const GPtrArray *names, const char *usual)
{
  g_return_val_if_fail (SL_IS_AXIS_CHOOSER (self), usual);
  return self->wanted != NULL && g_ptr_array_find ((GPtrArray *) names, self->wanted, NULL)
           ? self->wanted
           : usual;
}

/* ---- the list ---- */

/* The title in the user's language, and the name by which filters and the command line know it. */
static void
add_row (SlAxisChooser *self, const SlMeasure *measure)
{
  GtkWidget *row = gtk_list_box_row_new (),
            *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2 * GAP);
  GtkWidget *title = gtk_label_new (NULL), *name = gtk_label_new (measure->id);
  char       label[SL_MEASURE_LABEL];

  gtk_label_set_label (GTK_LABEL (title),
                       sl_message_show (measure->label, sl_words, label, sizeof label));
  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  sl_label_tell_when_cut (GTK_LABEL (title));
  gtk_widget_add_css_class (name, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), name);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), "name", (gpointer) measure->id);
  g_object_set_data_full (G_OBJECT (row), "title", g_strdup (label), g_free);
  gtk_list_box_append (self->list, row);
}

static const char *
name_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "name");
}

/* All words are in its name or its title. */
static gboolean
is_found (GtkListBoxRow *row, gpointer data)
{
  SlAxisChooser *self = data;
  const char    *title = g_object_get_data (G_OBJECT (row), "title");

  for (char **word = self->words; word != NULL && *word != NULL; word++)
    if (!sl_search_has (name_of (row), *word) && !sl_search_has (title, *word))
      return FALSE;
  return TRUE;
}

static void
on_search (SlAxisChooser *self)
{
  g_strfreev (self->words);
  self->words = sl_search_words (self->search);
  gtk_list_box_invalidate_filter (self->list);
}

static void
on_row (SlAxisChooser *self, GtkListBoxRow *row)
{
  gtk_menu_button_popdown (self->button);
  if (self->wanted == name_of (row))
    return;
  self->wanted = name_of (row);
  g_signal_emit_by_name (self, "chosen");
}

/* Return takes the first that is found. */
static void
on_enter (SlAxisChooser *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (is_found (row, self))
      {
        on_row (self, row);
        return;
      }
}

static void
on_popup (GtkMenuButton *button, gpointer data)
{
  gtk_editable_set_text (GTK_EDITABLE (((SlAxisChooser *) data)->search), "");
}

static gboolean
is_same (const GPtrArray *a, const GPtrArray *b)
{
  if (a == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (g_ptr_array_index (a, i) != g_ptr_array_index (b, i)) /* interned */
      return FALSE;
  return TRUE;
}

static void
fill (SlAxisChooser *self, const SlLab *lab, const GPtrArray *runs, GPtrArray *names)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  for (guint i = 0; i < names->len; i++)
    {
      SlMeasure measure;

      sl_measure_find (&measure, g_ptr_array_index (names, i), lab, runs);
      add_row (self, &measure);
    }
  g_clear_pointer (&self->names, g_ptr_array_unref);
  self->names = g_ptr_array_ref (names);
  self->lab = lab;
}

void
sl_axis_chooser_show (SlAxisChooser *self, const SlLab *lab, const GPtrArray *runs,
                      GPtrArray *names, const char *id)
{
  GtkListBoxRow *row;

  g_return_if_fail (SL_IS_AXIS_CHOOSER (self));
  if (lab != self->lab || !is_same (self->names, names))
    fill (self, lab, runs, names);
  gtk_label_set_label (self->chosen, "");
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (g_str_equal (name_of (row), id))
      {
        gtk_list_box_select_row (self->list, row);
        gtk_label_set_label (self->chosen, g_object_get_data (G_OBJECT (row), "title"));
        return;
      }
}

/* ---- the widget ---- */

static void
sl_axis_chooser_dispose (GObject *object)
{
  SlAxisChooser *self = SL_AXIS_CHOOSER (object);

  if (self->button != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->button)));
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->words, g_strfreev);
  G_OBJECT_CLASS (sl_axis_chooser_parent_class)->dispose (object);
}

static void
sl_axis_chooser_class_init (SlAxisChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_axis_chooser_dispose;
  sl_signal_new (SL_TYPE_AXIS_CHOOSER, "chosen", 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_popover (SlAxisChooser *self)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, GAP);
  GtkScrolledWindow *scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());

  self->search = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->search, "placeholder-text", _ ("Search"), NULL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_filter_func (self->list, is_found, self, NULL);
  sl_search_show_none (self->list);
  gtk_scrolled_window_set_policy (scrolled, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (scrolled, LIST_HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (scrolled, TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (scrolled), LIST_WIDTH, -1);
  gtk_scrolled_window_set_child (scrolled, GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->search));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (scrolled));
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  sl_widget_label (GTK_WIDGET (self->search), _ ("Search"));
  sl_widget_label (GTK_WIDGET (self->list), _ ("Numbers of the runs"));
  g_signal_connect_swapped (self->search, "search-changed", G_CALLBACK (on_search), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (on_enter), self);
  g_signal_connect_swapped (self->search, "stop-search", G_CALLBACK (gtk_menu_button_popdown),
                            self->button);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (on_row), self);
  return popover;
}

static void
sl_axis_chooser_init (SlAxisChooser *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP);

  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  self->chosen = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->chosen, PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (self->chosen, CHARS);
  sl_label_tell_when_cut (self->chosen);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->chosen));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("pan-down-symbolic"));
  gtk_menu_button_set_child (self->button, box);
  gtk_menu_button_set_popover (self->button, new_popover (self));
  gtk_menu_button_set_create_popup_func (self->button, on_popup, self, NULL);
  gtk_widget_set_parent (GTK_WIDGET (self->button), GTK_WIDGET (self));
}
