/* SPDX-License-Identifier: MIT */
#include "ui/grid/heading.h"

#include <glib/gi18n.h>

#include "ui/kit/widget.h"

struct _SlGroupHeading
{
  GtkWidget parent_instance;

  GtkWidget *button;
  GtkImage  *arrow;
  GtkLabel  *title, *count;
};

G_DEFINE_FINAL_TYPE (SlGroupHeading, sl_group_heading, GTK_TYPE_WIDGET)

void
sl_group_heading_show (SlGroupHeading *self, const char *title, unsigned n_panels, gboolean folded)
{
  g_autofree char *count = g_strdup_printf ("%u", n_panels);
  g_autofree char *label
    = g_strdup_printf (ngettext ("%s, %u plot", "%s, %u plots", n_panels), title, n_panels);

  g_return_if_fail (SL_IS_GROUP_HEADING (self));
  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->count, count);
  gtk_image_set_from_icon_name (self->arrow, folded ? "pan-end-symbolic" : "pan-down-symbolic");
  sl_widget_tip (self->button, folded ? _ ("Unfold the group") : _ ("Fold the group"));
  sl_widget_label (self->button, label);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_STATE_EXPANDED,
                               !folded, -1);
}

static void
on_clicked (SlGroupHeading *self)
{
  g_signal_emit_by_name (self, "fold");
}

static void
sl_group_heading_class_init (SlGroupHeadingClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  sl_widget_class_set_template (widget, "grid/heading.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlGroupHeading, button),
                                 SL_CHILD (SlGroupHeading, arrow), SL_CHILD (SlGroupHeading, title),
                                 SL_CHILD (SlGroupHeading, count), NULL);
  gtk_widget_class_bind_template_callback (widget, on_clicked);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_HEADING);
  sl_signal_new (SL_TYPE_GROUP_HEADING, "fold", 0);
}

static void
sl_group_heading_init (SlGroupHeading *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
