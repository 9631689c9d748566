/* SPDX-License-Identifier: MIT */
#include "ui/form/headline-scale.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"

struct _SlHeadlineScale
{
  GtkWidget parent_instance;

  GtkLabel  *symbol, *title, *value, *help_text;
  GtkBox    *place;
  GtkWidget *head, *help;

  SlGroup      *group;
  SlHeadline    headline;
  SlParam       param; /* of the scale */
  SlParamScale *scale;
};

G_DEFINE_FINAL_TYPE (SlHeadlineScale, sl_headline_scale, GTK_TYPE_WIDGET)

static const struct
{
  const char *symbol, *title, *trade, *help;
} texts[SL_N_HEADLINES] = {
  [SL_HEADLINE_SPARSITY]
  = { "s", N_ ("Share of gates on"),
      N_ ("Share of gates on. A lower density costs less, but the error rises."),
      N_ ("The share of gates that should be on. A lower density saves multiplications; too low, "
          "the error rises.") },
  [SL_HEADLINE_RANK]
  = { "r", N_ ("Rank of the sign estimate"),
      N_ ("Size of the sign estimate. A lower rank costs less, but more signs are wrong."),
      N_ ("Singular directions of a layer's weights that estimate which units will be off. Each "
          "costs multiplications; with fewer, more signs are wrong.") },
  [SL_HEADLINE_ACTIVE]
  = { "k", N_ ("Experts for each input, neighbours reached"),
      N_ ("More experts for each input: a more even load, a higher cost."),
      N_ ("Experts that compute an example; for capacity, positions to each side that a layer "
          "reads.") },
};

const char *
sl_headline_symbol (SlHeadline headline)
{
  g_return_val_if_fail (headline < SL_N_HEADLINES, NULL);
  return texts[headline].symbol;
}

static void
show_value (SlHeadlineScale *self, double value)
{
  gboolean fine = self->param.kind == SL_REAL && fabs (value * 100.0 - rint (value * 100.0)) > 1e-6;
  g_autofree char *text = g_strdup_printf (self->param.kind != SL_REAL ? "%.0f"
                                           : fine                      ? "%.2g"
                                                                       : "%.2f",
                                           value);

  gtk_label_set_label (self->value, text);
}

static void
on_moved (SlHeadlineScale *self, double value, gboolean final)
{
  show_value (self, value);
  sl_group_set_headline (self->group, self->headline, value);
}

static gboolean
fits (SlHeadlineScale *self, const SlHeadlineRange *range)
{
  return self->scale != NULL && self->param.lo == range->lo && self->param.hi == range->hi
         && self->param.logarithmic == range->logarithmic;
}

/* Room for every value, so that nothing beside the slider moves while it is dragged. */
static void
keep_room (SlHeadlineScale *self)
{
  g_autofree char *widest
    = self->param.kind == SL_REAL ? g_strdup ("0.012") : g_strdup_printf ("%.0f", self->param.hi);

  gtk_label_set_width_chars (self->value, (int) strlen (widest));
}

/* A slider keeps its range, so another range is another slider. */
static void
build (SlHeadlineScale *self, const SlHeadlineRange *range)
{
  if (self->scale != NULL)
    gtk_box_remove (self->place, GTK_WIDGET (self->scale));
  self->param = (SlParam) { .id = texts[self->headline].symbol,
                            .title = texts[self->headline].title,
                            .unit = "",
                            .kind = range->whole ? SL_INTEGER : SL_REAL,
                            .lo = range->lo,
                            .hi = range->hi,
                            .step = range->step,
                            .logarithmic = range->logarithmic };
  self->scale = sl_param_scale_new (&self->param, _ (texts[self->headline].title));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ (texts[self->headline].trade), -1);
  g_signal_connect_swapped (self->scale, "moved", G_CALLBACK (on_moved), self);
  gtk_box_append (self->place, GTK_WIDGET (self->scale));
  keep_room (self);
}

void
sl_headline_scale_update (SlHeadlineScale *self)
{
  SlHeadlineRange range;

  g_return_if_fail (SL_IS_HEADLINE_SCALE (self));
  if (!sl_group_headline (self->group, self->headline, &range))
    return;
  if (!fits (self, &range))
    build (self, &range);
  sl_param_scale_set_number (self->scale, range.value);
  show_value (self, range.value);
}

void
sl_headline_scale_align (SlHeadlineScale *self, GtkSizeGroup *heads)
{
  g_return_if_fail (SL_IS_HEADLINE_SCALE (self));
  gtk_size_group_add_widget (heads, self->head);
}

SlParamScale *
sl_headline_scale_get_scale (SlHeadlineScale *self)
{
  g_return_val_if_fail (SL_IS_HEADLINE_SCALE (self), NULL);
  return self->scale;
}

/* The help of the role, and its name in each lab that has it. */
static void
explain (SlHeadlineScale *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *help = g_markup_escape_text (_ (texts[self->headline].help), -1);
  g_autofree char *about = g_strdup_printf (_ ("About %s"), _ (texts[self->headline].title));

  g_string_append (text, help);
  for (unsigned i = 0; i < sl_group_size (self->group); i++)
    {
      int              param = sl_group_param (self->group, i, self->headline);
      const SlLab     *lab = sl_group_lab (self->group, i);
      g_autofree char *line
        = param < 0 ? NULL
                    : g_markup_printf_escaped ("\n<b>%s</b>: %s", sl_words (lab->overview->idea),
                                               sl_words (lab->params[param].title));

      if (line != NULL)
        g_string_append (text, line);
    }
  gtk_label_set_markup (self->help_text, text->str);
  sl_widget_label (GTK_WIDGET (self->help), about);
}

static void
sl_headline_scale_dispose (GObject *object)
{
  SL_HEADLINE_SCALE (object)->scale = NULL;
  sl_widget_dispose (object);
}

static void
sl_headline_scale_class_init (SlHeadlineScaleClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_headline_scale_dispose;
  sl_widget_class_set_template (widget, "form/headline-scale.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlHeadlineScale, symbol), SL_CHILD (SlHeadlineScale, title),
    SL_CHILD (SlHeadlineScale, head), SL_CHILD (SlHeadlineScale, value),
    SL_CHILD (SlHeadlineScale, place), SL_CHILD (SlHeadlineScale, help),
    SL_CHILD (SlHeadlineScale, help_text), NULL);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_headline_scale_init (SlHeadlineScale *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

SlHeadlineScale *
sl_headline_scale_new (SlGroup *group, SlHeadline headline)
{
  SlHeadlineScale *self = g_object_new (SL_TYPE_HEADLINE_SCALE, NULL);

  g_return_val_if_fail (SL_IS_GROUP (group), NULL);
  self->group = group;
  self->headline = headline;
  gtk_label_set_label (self->symbol, texts[headline].symbol);
  gtk_label_set_label (self->title, _ (texts[headline].title));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), _ (texts[headline].trade));
  explain (self);
  sl_headline_scale_update (self);
  return self;
}
