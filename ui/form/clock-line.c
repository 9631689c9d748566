/* SPDX-License-Identifier: MIT */
#include "ui/form/clock-line.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/base/scale.h"

struct _SlClockLine
{
  GtkWidget parent_instance;

  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (SlClockLine, sl_clock_line, GTK_TYPE_WIDGET)

/* "0.37 ± 0.01 of dense, measured", or "…" before there is a figure.  Free with g_free(). */
static char *
figure_of (const SlTimes *times, unsigned which)
{
  char text[48];

  if (times == NULL || times->batch == 0)
    return g_strdup ("…");
  if (isnan (times->share[which].value))
    return g_strdup (_ ("busy, the machine does other work"));
  return g_strdup_printf (
    _ ("%s of dense, measured"),
    sl_spread_text (times->share[which].value, times->share[which].spread, 3, text, sizeof text));
}

void
sl_clock_line_show (SlClockLine *self, const SlLab *lab, const SlTimes *times)
{
  gboolean         timed = lab->clock != NULL && (times == NULL || !times->never);
  g_autofree char *all = figure_of (times, 1), *one = figure_of (times, 0), *text = NULL;

  g_return_if_fail (SL_IS_CLOCK_LINE (self));
  gtk_widget_set_visible (GTK_WIDGET (self), timed);
  text = timed ? g_strdup_printf (_ ("Time: %s\nOne example: %s"), all, one) : g_strdup ("");
  if (g_strcmp0 (gtk_label_get_label (self->label), text) != 0)
    gtk_label_set_label (self->label, text);
}

const char *
sl_clock_line_get_text (SlClockLine *self)
{
  g_return_val_if_fail (SL_IS_CLOCK_LINE (self), NULL);
  return gtk_label_get_label (self->label);
}

static void
sl_clock_line_dispose (GObject *object)
{
  SlClockLine *self = SL_CLOCK_LINE (object);

  if (self->label != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->label));
  self->label = NULL;
  G_OBJECT_CLASS (sl_clock_line_parent_class)->dispose (object);
}

static void
sl_clock_line_class_init (SlClockLineClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_clock_line_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
sl_clock_line_init (SlClockLine *self)
{
  self->label = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->label, 0.0f);
  gtk_label_set_wrap (self->label, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  gtk_widget_set_parent (GTK_WIDGET (self->label), GTK_WIDGET (self));
  gtk_widget_set_tooltip_text (
    GTK_WIDGET (self),
    _ (
      "Time of a forward pass with skipping ÷ time of one that computes everything, for a batch as "
      "large as in training and for one example, on one thread of this machine. Measured with the "
      "weights of now, again after each change of a setting."));
  gtk_widget_add_css_class (GTK_WIDGET (self), "clock-line");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
