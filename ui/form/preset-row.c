/* SPDX-License-Identifier: MIT */
#include "ui/form/preset-row.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"

struct _SlPresetRow
{
  GtkWidget parent_instance;

  GtkMenuButton *button;
  GtkLabel      *name;
  GtkPopover    *popover;
  GtkListBox    *list;

  const SlLab *lab; /* whose presets are in the list */
};

G_DEFINE_FINAL_TYPE (SlPresetRow, sl_preset_row, GTK_TYPE_WIDGET)

enum { ROW_CHARS = 38 };

static GtkWidget *
new_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), ROW_CHARS);
  gtk_widget_add_css_class (label, style);
  return label;
}

static void
add_row (SlPresetRow *self, const char *id, const char *title, const char *help)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *words = new_label (help, "caption");

  gtk_widget_add_css_class (words, "dim-label");
  gtk_box_append (GTK_BOX (box), new_label (title, "body"));
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", id);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.preset");
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, help, -1);
  gtk_list_box_append (self->list, row);
}

static void
list_presets (SlPresetRow *self, const SlLab *lab)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)) != NULL)
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  add_row (self, "", _ ("Defaults"), _ ("What the lab begins with."));
  for (unsigned i = 0; i < sl_lab_n_presets (lab); i++)
    add_row (self, lab->presets[i].id, sl_words (lab->presets[i].title),
             sl_words (lab->presets[i].help));
  self->lab = lab;
}

/* TRUE when the settings are those of the preset; NULL: the defaults. */
static gboolean
is_in_use (const SlLab *lab, const SlPreset *preset, const SlSettings *settings)
{
  SlSettings of;
  SlStatus   status = sl_preset_settings (lab, preset, &of);

  return sl_ok (&status) && sl_lab_trains_same (lab, &of, settings);
}

static const char *
name_of (const SlLab *lab, const SlSettings *settings)
{
  for (unsigned i = 0; i < sl_lab_n_presets (lab); i++)
    if (is_in_use (lab, &lab->presets[i], settings))
      return sl_words (lab->presets[i].title);
  return is_in_use (lab, NULL, settings) ? _ ("Defaults") : _ ("Own values");
}

void
sl_preset_row_show (SlPresetRow *self, const SlLab *lab, const SlSettings *settings)
{
  g_return_if_fail (SL_IS_PRESET_ROW (self) && lab != NULL && settings != NULL);

  const char      *name = name_of (lab, settings);
  g_autofree char *label = g_strdup_printf (_ ("Preset: %s"), name);

  if (lab != self->lab)
    list_presets (self, lab);
  gtk_label_set_label (self->name, name);
  sl_widget_label (GTK_WIDGET (self->button), label);
}

/* GTK scrolls a page to what has the focus in it, and counts the rows of a popover as a part of the page. */
static void
on_open (SlPresetRow *self)
{
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_VIEWPORT);

  if (page != NULL)
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (page),
                                      !gtk_widget_get_visible (GTK_WIDGET (self->popover)));
}

static void
on_row (SlPresetRow *self)
{
  gtk_popover_popdown (self->popover);
}

static void
sl_preset_row_class_init (SlPresetRowClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  sl_widget_class_set_template (widget, "form/preset-row.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlPresetRow, button),
                                 SL_CHILD (SlPresetRow, name), SL_CHILD (SlPresetRow, popover),
                                 SL_CHILD (SlPresetRow, list), NULL);
  gtk_widget_class_bind_template_callback (widget, on_row);
  gtk_widget_class_bind_template_callback (widget, on_open);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_preset_row_init (SlPresetRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
