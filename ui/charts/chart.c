/* SPDX-License-Identifier: MIT */
#include "ui/charts/chart.h"

#include <math.h>
#include <string.h>

#include "ui/kit/widget.h"

typedef struct
{
  SlPlotLayers layers;
  SlFigure     figure;
  gboolean     dragging;
} SlChartPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (SlChart, sl_chart, GTK_TYPE_WIDGET)

enum { PROP_LOG_X = 1, PROP_LOG_Y };

enum { GAP = 10, MARK = 9 };

static SlChartPrivate *
inside (SlChart *self)
{
  return sl_chart_get_instance_private (self);
}

SlFigure *
sl_chart_get_figure (SlChart *self)
{
  g_return_val_if_fail (SL_IS_CHART (self), NULL);
  return &inside (self)->figure;
}

const SlFrame *
sl_chart_get_frame (SlChart *self)
{
  g_return_val_if_fail (SL_IS_CHART (self), NULL);
  return sl_plot_canvas_get_frame (inside (self)->layers.canvas);
}

void
sl_chart_refresh (SlChart *self)
{
  g_return_if_fail (SL_IS_CHART (self));
  sl_plot_canvas_refresh (inside (self)->layers.canvas);
}

void
sl_chart_read (SlChart *self, const char *text, double x, double y)
{
  g_return_if_fail (SL_IS_CHART (self));

  SlChartPrivate *in = inside (self);
  const SlTheme  *theme = sl_plot_canvas_get_theme (in->layers.canvas);
  SlMarks         marks = { .plot = { 0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                      gtk_widget_get_height (GTK_WIDGET (self)) },
                            .boxed = text != NULL,
                            .x = x,
                            .y = y,
                            .box = { floor (x - MARK), floor (y - MARK), 2 * MARK, 2 * MARK },
                            .ink = theme->ink };

  sl_plot_overlay_set_marks (in->layers.overlay, &marks);
  gtk_widget_set_visible (GTK_WIDGET (in->layers.readout), text != NULL);
  if (text != NULL && g_strcmp0 (text, gtk_label_get_text (in->layers.readout)) != 0)
    {
      gtk_label_set_text (in->layers.readout, text);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      text, -1);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
on_motion (SlChart *self, double x, double y)
{
  if (!inside (self)->dragging)
    SL_CHART_GET_CLASS (self)->hover (self, x, y);
}

static void
on_leave (SlChart *self)
{
  SL_CHART_GET_CLASS (self)->leave (self);
}

static void
on_click (GtkGestureClick *gesture, int presses, double x, double y, SlChart *self)
{
  SlChartPrivate *in = inside (self);
  int             chip = sl_frame_chip (sl_chart_get_frame (self), x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (chip >= 0)
    {
      const SlChip *at = &sl_chart_get_frame (self)->chip[chip];
      bool          hidden = at->curve < in->figure.n_curves && !in->figure.curve[at->curve].hidden;

      for (unsigned i = 0; i < at->n; i++)
        sl_figure_hide (&in->figure, at->curve + i, hidden);
      sl_chart_refresh (self);
      g_signal_emit_by_name (self, "seen");
    }
  else if (!in->dragging)
    SL_CHART_GET_CLASS (self)->click (self, x, y, presses);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, SlChart *self)
{
  SlChartClass *klass = SL_CHART_GET_CLASS (self);

  inside (self)->dragging = klass->drag_begin != NULL && klass->drag_begin (self, x, y);
  if (!inside (self)->dragging)
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, SlChart *self)
{
  double x, y;

  if (inside (self)->dragging && gtk_gesture_drag_get_start_point (drag, &x, &y))
    SL_CHART_GET_CLASS (self)->drag_to (self, x + dx, y + dy);
}

static void
on_drag_end (SlChart *self)
{
  if (inside (self)->dragging)
    SL_CHART_GET_CLASS (self)->drag_end (self);
  inside (self)->dragging = FALSE;
}

static gboolean
on_arrow (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  int columns, rows;

  g_variant_get (arguments, "(ii)", &columns, &rows);
  SL_CHART_GET_CLASS (widget)->move (SL_CHART (widget), columns, rows);
  return TRUE;
}

/* Where nothing is read, others take the key. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  gboolean reads = gtk_widget_get_visible (GTK_WIDGET (inside (SL_CHART (widget))->layers.readout));

  SL_CHART_GET_CLASS (widget)->leave (SL_CHART (widget));
  return reads;
}

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlChart      *self = SL_CHART (widget);
  SlChartClass *klass = SL_CHART_GET_CLASS (self);

  if (g_str_equal (name, "chart.next") || g_str_equal (name, "chart.previous"))
    klass->move (self, g_str_equal (name, "chart.next") ? 1 : -1, 0);
  else if (g_str_equal (name, "chart.pick"))
    klass->pick (self);
  else if (g_str_equal (name, "chart.clear"))
    klass->leave (self);
  else
    g_signal_emit_by_name (self, name + strlen ("chart."));
}

static void
sl_chart_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                  int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 240 : 150;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : 280;
}

/* The readout is beside the point that it describes, on the side that has more room. */
static void
sl_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlChartPrivate *in = inside (SL_CHART (widget));
  const SlMarks  *marks = sl_plot_overlay_get_marks (in->layers.overlay);
  GtkRequisition  size;
  double          x, y;

  sl_plot_layers_allocate (&in->layers, width, height);
  if (!sl_plot_layers_measure_readout (&in->layers, width, &size))
    return;
  x = marks->x > width / 2.0 ? marks->x - MARK - GAP - size.width : marks->x + MARK + GAP;
  y = marks->y > height / 2.0 ? marks->y - MARK - size.height : marks->y + MARK;
  sl_plot_layers_put_readout (&in->layers, &size, CLAMP (x, 0, MAX (0, width - size.width)),
                              CLAMP (y, 0, MAX (0, height - size.height)));
}

static void
sl_chart_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const SlView *view = &inside (SL_CHART (object))->figure.view;

  if (id == PROP_LOG_X)
    g_value_set_boolean (value, view->log_x);
  else
    g_value_set_boolean (value, view->log_y);
}

static void
sl_chart_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  SlFigure *figure = &inside (SL_CHART (object))->figure;
  SlView    view = figure->view;

  if (id == PROP_LOG_X)
    view.log_x = g_value_get_boolean (value);
  else
    view.log_y = g_value_get_boolean (value);
  sl_figure_set_view (figure, &view);
  sl_chart_refresh (SL_CHART (object));
  g_object_notify_by_pspec (object, spec);
}

static void
sl_chart_dispose (GObject *object)
{
  sl_plot_layers_dispose (&inside (SL_CHART (object))->layers);
  sl_figure_clear (&inside (SL_CHART (object))->figure);
  G_OBJECT_CLASS (sl_chart_parent_class)->dispose (object);
}

static void
add_keys (GtkWidgetClass *widget)
{
  static const char *const names[]
    = { "chart.next", "chart.previous", "chart.pick", "chart.clear", "chart.copy", "chart.export" };

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget, names[i], NULL, on_action);
  gtk_widget_class_install_property_action (widget, "chart.log-x", "log-x");
  gtk_widget_class_install_property_action (widget, "chart.log-y", "log-y");
  sl_widget_class_bind_arrows (widget, 0, on_arrow);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_Return, 0, "chart.pick", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_KP_Enter, 0, "chart.pick", NULL);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_l, 0, "chart.log-y", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_l, GDK_SHIFT_MASK, "chart.log-x", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_c, GDK_CONTROL_MASK, "chart.copy", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_e, GDK_CONTROL_MASK, "chart.export", NULL);
}

/* ---- a chart in which nothing is read or picked ---- */

static void
no_hover (SlChart *chart, double x, double y)
{
}

static void
no_leave (SlChart *chart)
{
}

static void
no_click (SlChart *chart, double x, double y, int presses)
{
}

static void
no_move (SlChart *chart, int columns, int rows)
{
}

static void
sl_chart_class_init (SlChartClass *klass)
{
  GtkWidgetClass          *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass            *object = G_OBJECT_CLASS (klass);
  static const char *const signal_names[] = { "copy", "export", "seen" };

  klass->hover = no_hover;
  klass->leave = klass->pick = no_leave;
  klass->click = no_click;
  klass->move = no_move;
  object->dispose = sl_chart_dispose;
  object->get_property = sl_chart_get_property;
  object->set_property = sl_chart_set_property;
  widget->measure = sl_chart_measure;
  widget->size_allocate = sl_chart_size_allocate;
  for (guint id = PROP_LOG_X; id <= PROP_LOG_Y; id++)
    g_object_class_install_property (
      object, id,
      g_param_spec_boolean (id == PROP_LOG_X ? "log-x" : "log-y", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY));
  for (unsigned i = 0; i < G_N_ELEMENTS (signal_names); i++)
    sl_signal_new (SL_TYPE_CHART, signal_names[i], 0);
  gtk_widget_class_set_css_name (widget, "plotview");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  add_keys (widget);
}

static void
sl_chart_init (SlChart *self)
{
  SlChartPrivate     *in = inside (self);
  GtkWidget          *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture         *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  sl_plot_layers_init (&in->layers, widget, &in->figure);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (click, "pressed", G_CALLBACK (on_click), self);
}
