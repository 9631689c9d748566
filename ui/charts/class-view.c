/* SPDX-License-Identifier: MIT */
#include "ui/charts/class-view.h"

#include "ui/kit/widget.h"

struct _SlClassView
{
  SlChart parent_instance;

  SlClassChart chart;
};

/* Bars carry their numbers and curves are a crowd: nothing is read or picked. */
G_DEFINE_FINAL_TYPE (SlClassView, sl_class_view, SL_TYPE_CHART)

SlClassView *
sl_class_view_new (const SlClass *class, unsigned step)
{
  SlClassView *self = g_object_new (SL_TYPE_CLASS_VIEW, NULL);
  SlFigure    *figure = sl_chart_get_figure (SL_CHART (self));

  figure->translated = TRUE;
  sl_class_chart_update (&self->chart, class, step, figure);
  sl_widget_label (GTK_WIDGET (self), figure->title);
  sl_chart_refresh (SL_CHART (self));
  return self;
}

static void
sl_class_view_finalize (GObject *object)
{
  sl_class_chart_clear (&SL_CLASS_VIEW (object)->chart);
  G_OBJECT_CLASS (sl_class_view_parent_class)->finalize (object);
}

static void
sl_class_view_class_init (SlClassViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_class_view_finalize;
}

static void
sl_class_view_init (SlClassView *self)
{
}
