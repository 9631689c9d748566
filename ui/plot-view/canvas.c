/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/canvas.h"

#include <adwaita.h>

#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"

struct _SlPlotCanvas
{
  GtkWidget parent_instance;

  SlRender        *picture;
  SlFigure        *figure;
  SlTheme          theme;
  cairo_surface_t *image; /* the picture's */
  int              width, height, scale;
  gboolean         stale;
};

G_DEFINE_FINAL_TYPE (SlPlotCanvas, sl_plot_canvas, GTK_TYPE_WIDGET)

static void
choose_theme (SlPlotCanvas *self)
{
  self->theme = sl_type_size_theme (GTK_WIDGET (self));
  sl_plot_canvas_refresh (self);
}

static void
sl_plot_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (sl_plot_canvas_parent_class)->css_changed (widget, change);
  choose_theme (SL_PLOT_CANVAS (widget));
}

static void
sl_plot_canvas_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_plot_canvas_parent_class)->root (widget);
  choose_theme (SL_PLOT_CANVAS (widget));
}

void
sl_plot_canvas_set_figure (SlPlotCanvas *self, SlFigure *figure)
{
  g_return_if_fail (SL_IS_PLOT_CANVAS (self));
  self->figure = figure;
  sl_plot_canvas_refresh (self);
}

void
sl_plot_canvas_refresh (SlPlotCanvas *self)
{
  g_return_if_fail (SL_IS_PLOT_CANVAS (self));
  self->stale = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const SlFrame *
sl_plot_canvas_get_frame (SlPlotCanvas *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CANVAS (self), NULL);
  return sl_render_frame (self->picture);
}

const SlTheme *
sl_plot_canvas_get_theme (SlPlotCanvas *self)
{
  g_return_val_if_fail (SL_IS_PLOT_CANVAS (self), NULL);
  return &self->theme;
}

static void
repaint (SlPlotCanvas *self, int width, int height, int scale)
{
  static const SlParts parts = {
    .note = true, .legend = SL_LEGEND_ABOVE, .flags = true, .handle = true, .translated = true
  };

  g_signal_emit_by_name (self, "prepare");
  self->image = sl_render_draw (self->picture, self->figure, &self->theme, &parts, width, height,
                                scale, (double) g_get_monotonic_time () / 1e6);
  self->width = width;
  self->height = height;
  self->scale = scale;
  self->stale = FALSE;
}

static void
sl_plot_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  SlPlotCanvas *self = SL_PLOT_CANVAS (widget);
  int           width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  int           scale = gtk_widget_get_scale_factor (widget);
  cairo_t      *cr;
  gboolean      fresh
    = self->stale || width != self->width || height != self->height || scale != self->scale;

  if (self->figure == NULL || width <= 0 || height <= 0)
    return;
  if (fresh)
    repaint (self, width, height, scale);
  if (self->image == NULL)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, self->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  if (fresh)
    g_signal_emit_by_name (self, "painted");
}

static void
sl_plot_canvas_dispose (GObject *object)
{
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), object);
  g_clear_pointer (&SL_PLOT_CANVAS (object)->picture, sl_render_free);
  G_OBJECT_CLASS (sl_plot_canvas_parent_class)->dispose (object);
}

static void
sl_plot_canvas_class_init (SlPlotCanvasClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_plot_canvas_dispose;
  widget->snapshot = sl_plot_canvas_snapshot;
  widget->css_changed = sl_plot_canvas_css_changed;
  widget->root = sl_plot_canvas_root;
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_PRESENTATION);
  sl_signal_new (SL_TYPE_PLOT_CANVAS, "prepare", 0);
  sl_signal_new (SL_TYPE_PLOT_CANVAS, "painted", 0);
}

static void
sl_plot_canvas_init (SlPlotCanvas *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  self->picture = sl_render_new ();
  choose_theme (self);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  g_signal_connect_swapped (style, "notify::dark", G_CALLBACK (choose_theme), self);
  g_signal_connect_swapped (style, "notify::high-contrast", G_CALLBACK (choose_theme), self);
}
