/* SPDX-License-Identifier: MIT */
#include "ui/export/switches.h"

static const struct
{
  const char *id;
  size_t      at;
} switches[] = {
  { "titles", G_STRUCT_OFFSET (SlExportChoice, page.titles) },
  { "notes", G_STRUCT_OFFSET (SlExportChoice, page.notes) },
  { "flags", G_STRUCT_OFFSET (SlExportChoice, page.flags) },
  { "caption", G_STRUCT_OFFSET (SlExportChoice, caption) },
  { "smooth", G_STRUCT_OFFSET (SlExportChoice, smooth) },
  { "same_colours", G_STRUCT_OFFSET (SlExportChoice, same_colours) },
  { "recipe", G_STRUCT_OFFSET (SlExportChoice, recipe) },
  { "in_view", G_STRUCT_OFFSET (SlExportChoice, in_view) },
};

void
sl_export_switches_bind (GtkWidgetClass *dialog)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (switches); i++)
    gtk_widget_class_bind_template_child_full (dialog, switches[i].id, FALSE, 0);
}

static GtkSwitch *
switch_of (GtkWidget *dialog, unsigned i)
{
  return GTK_SWITCH (
    gtk_widget_get_template_child (dialog, G_OBJECT_TYPE (dialog), switches[i].id));
}

void
sl_export_switches_read (GtkWidget *dialog, SlExportChoice *choice)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (switches); i++)
    *(bool *) ((char *) choice + switches[i].at) = gtk_switch_get_active (switch_of (dialog, i));
}

void
sl_export_switches_show (GtkWidget *dialog, const SlExportChoice *choice)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (switches); i++)
    gtk_switch_set_active (switch_of (dialog, i),
                           *(const bool *) ((const char *) choice + switches[i].at));
}
