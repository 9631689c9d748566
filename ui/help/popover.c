/* SPDX-License-Identifier: MIT */
#include "ui/help/popover.h"

#include "core/run/manual/manual.h"
#include "ui/help/help.h"
#include "ui/kit/widget.h"

struct _SlHelpPopover
{
  GtkPopover parent_instance;

  GtkLabel  *text, *formula, *source;
  GtkWidget *more;

  gconstpointer descriptor;
};

G_DEFINE_FINAL_TYPE (SlHelpPopover, sl_help_popover, GTK_TYPE_POPOVER)

static void
on_more (SlHelpPopover *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_popover_popdown (GTK_POPOVER (self));
  sl_help_open_about (GTK_WINDOW (root), self->descriptor);
}

static void
show_line (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
}

void
sl_help_popover_describe (SlHelpPopover *self, const char *markup, const char *formula,
                          const char *source, gconstpointer descriptor)
{
  g_return_if_fail (SL_IS_HELP_POPOVER (self));
  self->descriptor = descriptor;
  gtk_label_set_markup (self->text, markup);
  show_line (self->formula, formula);
  show_line (self->source, source);
  gtk_widget_set_visible (self->more, sl_manual_page_about (descriptor) != NULL);
}

SlHelpPopover *
sl_help_popover_of (GtkMenuButton *button)
{
  g_return_val_if_fail (GTK_IS_MENU_BUTTON (button), NULL);
  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, g_object_new (SL_TYPE_HELP_POPOVER, NULL));
  return SL_HELP_POPOVER (gtk_menu_button_get_popover (button));
}

static void
sl_help_popover_class_init (SlHelpPopoverClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  sl_widget_class_set_template (widget, "help/popover.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlHelpPopover, text), SL_CHILD (SlHelpPopover, formula),
    SL_CHILD (SlHelpPopover, source), SL_CHILD (SlHelpPopover, more), NULL);
  gtk_widget_class_bind_template_callback (widget, on_more);
}

static void
sl_help_popover_init (SlHelpPopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
