/* SPDX-License-Identifier: MIT */
#include "ui/sl-plot-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ui/sl-plot-view-private.h"
#include "ui/sl-type-size.h"
#include "core/run/language.h"

G_DEFINE_FINAL_TYPE (SlPlotView, sl_plot_view, GTK_TYPE_WIDGET)

enum { PROP_LOG_X = 1, PROP_LOG_Y, PROP_SORTED, PROP_PLANE, PROP_FOLLOWING, N_PROPERTIES };
enum { COPY, EXPORT, MAXIMISE, PICK, DRAG, DAB, STROKE, N_SIGNALS };
static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

enum { HISTORY_MAX = 64, GAP = 4 };

static const double half_lives[] = { 0, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000 };

/* Actions that only a gating map has. */
static const char *const of_maps[]
  = { "plot.plane-next", "plot.plane-previous", "plot.isolate" };

/* The record may have moved its memory since the last time. */
gboolean
sl_plot_view_catch_up (SlPlotView *self)
{
  unsigned side = self->figure.plane.side;
  gboolean news = self->record != NULL
                  && sl_panel_update (&self->figure, self->record, self->panel, self->ghosts,
                                      self->n_ghosts);

  if (self->figure.kind == SL_MAP && side > 0)
    sl_plot_map_resize (self, side);
  self->figure.picked = self->picked;
  sl_plot_drag_keep (self, news);
  return news;
}

gboolean
sl_plot_view_update (SlPlotView *self)
{
  gboolean news = sl_plot_view_catch_up (self);

  if (news)
    sl_plot_canvas_refresh (self->canvas);
  return news;
}

static void
on_prepare (SlPlotView *self)
{
  sl_plot_view_catch_up (self);
}

static gboolean
on_later (gpointer data)
{
  SlPlotView *self = data;

  self->later = 0;
  sl_plot_cursor_show (self);
  return G_SOURCE_REMOVE;
}

/* The crosshair moves along with its step.  Not at once: layout must not change in the middle
 * of a frame that is being painted.  */
static void
on_painted (SlPlotView *self)
{
  if (self->later == 0)
    self->later = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_later, self, NULL);
}

void
sl_plot_view_touch (SlPlotView *self)
{
  self->figure.version++;
  sl_plot_canvas_refresh (self->canvas);
  for (unsigned i = 1; i < N_PROPERTIES; i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[i]);
}

void
sl_plot_view_set_panel (SlPlotView *self, const SlRecord *record, unsigned panel)
{
  const SlPanel *of = record != NULL && record->lab != NULL && panel < record->lab->n_panels
                        ? &record->lab->panels[panel] : NULL;
  gboolean other = of == NULL || self->record == NULL || self->panel != panel
                   || self->figure.kind != of->kind;

  self->record = record;
  self->panel = panel;
  if (other)
    {
      sl_figure_clear (&self->figure);
      self->figure.translated = TRUE;
      g_array_set_size (self->history, 0);
      self->painting = FALSE;
      sl_plot_drag_forget (self);
      sl_plot_cursor_clear (self);
    }
  /* The colours of another run stand for other patterns. */
  self->figure.view.alone = 0;
  g_array_set_size (self->dabs, 0);
  sl_plot_view_catch_up (self);
  for (unsigned i = 0; i < G_N_ELEMENTS (of_maps); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_maps[i],
                                   of != NULL && of->kind == SL_MAP);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "plot.sort",
                                 of != NULL
                                   && (of->kind == SL_SHARES
                                       || (of->kind == SL_HISTORY && !(of->y.lo < of->y.hi))));
  sl_plot_canvas_refresh (self->canvas);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  of != NULL ? sl_words (of->title) : _ ("Plot"), -1);
}

void
sl_plot_view_set_ghosts (SlPlotView *self, const SlGhost *ghosts, unsigned n_ghosts)
{
  self->ghosts = ghosts;
  self->n_ghosts = n_ghosts;
  sl_plot_view_update (self);
}

void
sl_plot_view_set_picked (SlPlotView *self, unsigned number)
{
  if (self->picked == number)
    return;
  self->picked = number;
  self->figure.picked = number;
  self->figure.version++;
  sl_plot_canvas_refresh (self->canvas);
}

void
sl_plot_view_set_crosshair (SlPlotView *self, SlCrosshair *crosshair)
{
  if (self->crosshair != NULL)
    g_signal_handlers_disconnect_by_data (self->crosshair, self);
  g_set_object (&self->crosshair, crosshair);
  if (crosshair != NULL)
    g_signal_connect_swapped (crosshair, "moved", G_CALLBACK (sl_plot_cursor_follow), self);
}

SlFigure *
sl_plot_view_get_figure (SlPlotView *self)
{
  return &self->figure;
}

SlPlotCanvas *
sl_plot_view_get_canvas (SlPlotView *self)
{
  return self->canvas;
}

const char *
sl_plot_view_get_readout (SlPlotView *self)
{
  return gtk_label_get_text (self->readout);
}

/* Turns of the wheel come in bursts; one burst is one entry of the history. */
void
sl_plot_view_remember (SlPlotView *self)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->remembered > G_USEC_PER_SEC / 2)
    {
      if (self->history->len == HISTORY_MAX)
        g_array_remove_index (self->history, 0);
      g_array_append_val (self->history, self->figure.view);
    }
  self->remembered = now;
}

static void
back (SlPlotView *self)
{
  if (self->history->len == 0)
    return;
  self->figure.view = g_array_index (self->history, SlView, self->history->len - 1);
  g_array_set_size (self->history, self->history->len - 1);
  self->remembered = 0;
  sl_plot_view_touch (self);
}

static void
follow (SlPlotView *self)
{
  sl_plot_view_remember (self);
  self->figure.view.zoomed = false;
  self->figure.view.y_locked = false;
  sl_plot_view_touch (self);
}

static void
zoom (SlPlotView *self, double factor_x, double factor_y)
{
  const SlFrame *frame = sl_plot_canvas_get_frame (self->canvas);

  if (frame->plot.w <= 0)
    return;
  sl_plot_view_remember (self);
  sl_frame_zoom (frame, &self->figure, frame->plot.x + frame->plot.w / 2.0,
                 frame->plot.y + frame->plot.h / 2.0, factor_x, factor_y);
  sl_plot_view_touch (self);
}

static void
smooth (SlPlotView *self, int by)
{
  int at = 0;

  while (at + 1 < (int) G_N_ELEMENTS (half_lives) && half_lives[at] < self->figure.view.half_life)
    at++;
  self->figure.view.half_life = half_lives[CLAMP (at + by, 0, (int) G_N_ELEMENTS (half_lives) - 1)];
  sl_plot_view_touch (self);
}

/* 1 to 9 switch a curve, 0 brings all of them back. */
static gboolean
on_digit (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);
  int digit = g_variant_get_int32 (arguments);

  if (digit > (int) self->figure.n_curves)
    return FALSE;
  if (digit > 0)
    self->figure.curve[digit - 1].hidden = !self->figure.curve[digit - 1].hidden;
  else
    for (unsigned i = 0; i < self->figure.n_curves; i++)
      self->figure.curve[i].hidden = false;
  sl_plot_view_touch (self);
  return TRUE;
}

static gboolean
on_pan (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);
  const SlFrame *frame = sl_plot_canvas_get_frame (self->canvas);
  int x, y;

  g_variant_get (arguments, "(ii)", &x, &y);
  sl_plot_view_remember (self);
  sl_frame_pan (frame, &self->figure, x * frame->plot.w / 10.0, y * frame->plot.h / 10.0);
  sl_plot_view_touch (self);
  return TRUE;
}

static gboolean
on_cursor (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  int columns, rows;

  g_variant_get (arguments, "(ii)", &columns, &rows);
  sl_plot_cursor_move (SL_PLOT_VIEW (widget), columns, rows);
  return TRUE;
}

/* Escape takes the cursor away; without one it goes to whoever maximised the plot. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);

  if (!self->pinned)
    return FALSE;
  sl_plot_cursor_clear (self);
  return TRUE;
}

typedef void (*SlPlotCommand) (SlPlotView *self);

static void
zoom_in (SlPlotView *self)
{
  zoom (self, 0.8, 1.0);
}

static void
zoom_out (SlPlotView *self)
{
  zoom (self, 1.25, 1.0);
}

static void
zoom_y_in (SlPlotView *self)
{
  zoom (self, 1.0, 0.8);
}

static void
zoom_y_out (SlPlotView *self)
{
  zoom (self, 1.0, 1.25);
}

static void
smoother (SlPlotView *self)
{
  smooth (self, 1);
}

static void
rougher (SlPlotView *self)
{
  smooth (self, -1);
}

static void
cursor_next (SlPlotView *self)
{
  sl_plot_cursor_move (self, 1, 0);
}

static void
cursor_previous (SlPlotView *self)
{
  sl_plot_cursor_move (self, -1, 0);
}

static void
curve_next (SlPlotView *self)
{
  sl_plot_cursor_switch (self, 1);
}

static void
curve_previous (SlPlotView *self)
{
  sl_plot_cursor_switch (self, -1);
}

void
sl_plot_view_set_plane (SlPlotView *self, SlPlaneMode plane)
{
  if (self->figure.view.plane == plane)
    return;
  self->figure.view.plane = plane;
  sl_plot_view_touch (self);
}

SlPlaneMode
sl_plot_view_get_plane (SlPlotView *self)
{
  return self->figure.view.plane;
}

void
sl_plot_view_set_brush (SlPlotView *self, int label)
{
  self->brush = label;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), label >= 0 ? "cell" : NULL);
}

static void
plane_next (SlPlotView *self)
{
  sl_plot_view_set_plane (self, (self->figure.view.plane + 1) % SL_PLANE_MODES);
}

static void
plane_previous (SlPlotView *self)
{
  sl_plot_view_set_plane (self,
                          (self->figure.view.plane + SL_PLANE_MODES - 1) % SL_PLANE_MODES);
}

static void
show_all (SlPlotView *self)
{
  on_digit (GTK_WIDGET (self), g_variant_new_int32 (0), NULL);
}

static void
ask_copy (SlPlotView *self)
{
  g_signal_emit (self, signals[COPY], 0);
}

static void
ask_export (SlPlotView *self)
{
  g_signal_emit (self, signals[EXPORT], 0);
}

static void
ask_maximise (SlPlotView *self)
{
  g_signal_emit (self, signals[MAXIMISE], 0);
}

/* Enter on a row chooses it, elsewhere the plot gets all the room. */
static void
enter (SlPlotView *self)
{
  if (!self->pinned || !sl_plot_rows_pick (self))
    ask_maximise (self);
}

static void
mark_right (SlPlotView *self)
{
  sl_plot_drag_nudge (self, 1);
}

static void
mark_left (SlPlotView *self)
{
  sl_plot_drag_nudge (self, -1);
}

static void
open_menu (SlPlotView *self)
{
  sl_plot_view_open_menu (self, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                          gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

static const struct
{
  const char   *name;
  SlPlotCommand run;
} commands[] = {
  { "plot.follow", follow },
  { "plot.back", back },
  { "plot.zoom-in", zoom_in },
  { "plot.zoom-out", zoom_out },
  { "plot.zoom-y-in", zoom_y_in },
  { "plot.zoom-y-out", zoom_y_out },
  { "plot.smoother", smoother },
  { "plot.rougher", rougher },
  { "plot.cursor-next", cursor_next },
  { "plot.cursor-previous", cursor_previous },
  { "plot.curve-next", curve_next },
  { "plot.curve-previous", curve_previous },
  { "plot.cursor-clear", sl_plot_cursor_clear },
  { "plot.show-all", show_all },
  { "plot.copy", ask_copy },
  { "plot.export", ask_export },
  { "plot.maximise", ask_maximise },
  { "plot.enter", enter },
  { "plot.menu", open_menu },
  { "plot.plane-next", plane_next },
  { "plot.plane-previous", plane_previous },
  { "plot.isolate", sl_plot_map_isolate },
  { "plot.mark-right", mark_right },
  { "plot.mark-left", mark_left },
};

static void
on_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++)
    if (g_str_equal (commands[i].name, name))
      commands[i].run (SL_PLOT_VIEW (widget));
}

void
sl_plot_view_open_menu (SlPlotView *self, double x, double y)
{
  if (self->menu == NULL)
    {
      g_autoptr (GtkBuilder) builder
        = gtk_builder_new_from_resource ("/org/sluice/Sluice/ui/sl-plot-menu.ui");

      self->menu = gtk_popover_menu_new_from_model (
        G_MENU_MODEL (gtk_builder_get_object (builder, "plot-menu")));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
sl_plot_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  double room = sl_type_size_room (widget);

  *minimum = (int) (room * (orientation == GTK_ORIENTATION_HORIZONTAL ? 260 : 150));
  *natural = (int) (room * (orientation == GTK_ORIENTATION_HORIZONTAL ? 420 : 240));
}

/* The readout stands in the corner of the plot that is away from the crosshair.  That of a map is
 * wide, so there it changes between top and bottom as well.  */
static void
place_readout (SlPlotView *self)
{
  const SlMarks *marks = sl_plot_overlay_get_marks (self->overlay);
  GtkWidget     *label = GTK_WIDGET (self->readout);
  GtkRequisition size;
  double         x, y = marks->plot.y + GAP;

  if (!gtk_widget_should_layout (label))
    return;
  gtk_widget_get_preferred_size (label, NULL, &size);
  size.width = MIN (size.width, MAX (1, (int) marks->plot.w - 2 * GAP));
  x = marks->x < marks->plot.x + marks->plot.w / 2.0
        ? marks->plot.x + marks->plot.w - size.width - GAP : marks->plot.x + GAP;
  if (self->figure.kind == SL_MAP && marks->y < marks->plot.y + marks->plot.h / 2.0)
    y = MAX (y, marks->plot.y + marks->plot.h - size.height - GAP);
  gtk_widget_allocate (label, size.width, size.height, -1,
                       gsk_transform_translate (NULL, &GRAPHENE_POINT_INIT ((float) floor (x),
                                                                            (float) floor (y))));
}

static void
sl_plot_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);
  GtkAllocation all = { 0, 0, width, height };

  gtk_widget_size_allocate (GTK_WIDGET (self->canvas), &all, -1);
  gtk_widget_size_allocate (GTK_WIDGET (self->overlay), &all, -1);
  place_readout (self);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
sl_plot_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const SlView *view = &SL_PLOT_VIEW (object)->figure.view;

  switch (id)
    {
    case PROP_LOG_X: g_value_set_boolean (value, view->log_x); break;
    case PROP_LOG_Y: g_value_set_boolean (value, view->log_y); break;
    case PROP_SORTED: g_value_set_boolean (value, view->sorted); break;
    case PROP_PLANE: g_value_set_uint (value, view->plane); break;
    case PROP_FOLLOWING: g_value_set_boolean (value, !view->zoomed && !view->y_locked); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
sl_plot_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  SlPlotView *self = SL_PLOT_VIEW (object);
  SlView     *view = &self->figure.view;

  switch (id)
    {
    case PROP_LOG_X: view->log_x = g_value_get_boolean (value); break;
    case PROP_LOG_Y: view->log_y = g_value_get_boolean (value); break;
    case PROP_SORTED: view->sorted = g_value_get_boolean (value); break;
    case PROP_PLANE: view->plane = g_value_get_uint (value); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec); return;
    }
  self->figure.fitted = false;
  sl_plot_view_touch (self);
}

static void
sl_plot_view_dispose (GObject *object)
{
  SlPlotView *self = SL_PLOT_VIEW (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_handle_id (&self->answer, g_source_remove);
  sl_plot_view_set_crosshair (self, NULL);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  if (self->canvas != NULL)
    {
      gtk_widget_unparent (GTK_WIDGET (self->readout));
      gtk_widget_unparent (GTK_WIDGET (self->overlay));
      gtk_widget_unparent (GTK_WIDGET (self->canvas));
      self->canvas = NULL;
    }
  G_OBJECT_CLASS (sl_plot_view_parent_class)->dispose (object);
}

static void
sl_plot_view_finalize (GObject *object)
{
  SlPlotView *self = SL_PLOT_VIEW (object);

  sl_figure_clear (&self->figure);
  g_array_unref (self->history);
  g_array_unref (self->dabs);
  G_OBJECT_CLASS (sl_plot_view_parent_class)->finalize (object);
}

static void
bind_keys (GtkWidgetClass *widget)
{
  static const struct
  {
    guint           key;
    GdkModifierType modifiers;
    const char     *action;
  } keys[] = {
    { GDK_KEY_Home, 0, "plot.follow" },
    { GDK_KEY_BackSpace, 0, "plot.back" },
    { GDK_KEY_plus, 0, "plot.zoom-in" },
    { GDK_KEY_equal, 0, "plot.zoom-in" },
    { GDK_KEY_KP_Add, 0, "plot.zoom-in" },
    { GDK_KEY_minus, 0, "plot.zoom-out" },
    { GDK_KEY_KP_Subtract, 0, "plot.zoom-out" },
    { GDK_KEY_plus, GDK_SHIFT_MASK, "plot.zoom-y-in" },
    { GDK_KEY_underscore, GDK_SHIFT_MASK, "plot.zoom-y-out" },
    { GDK_KEY_l, 0, "plot.log-y" },
    { GDK_KEY_l, GDK_SHIFT_MASK, "plot.log-x" },
    { GDK_KEY_Right, GDK_SHIFT_MASK, "plot.mark-right" },
    { GDK_KEY_Left, GDK_SHIFT_MASK, "plot.mark-left" },
    { GDK_KEY_m, 0, "plot.plane-next" },
    { GDK_KEY_m, GDK_SHIFT_MASK, "plot.plane-previous" },
    { GDK_KEY_i, 0, "plot.isolate" },
    { GDK_KEY_bracketleft, 0, "plot.rougher" },
    { GDK_KEY_bracketright, 0, "plot.smoother" },
    { GDK_KEY_Page_Down, 0, "plot.curve-next" },
    { GDK_KEY_Page_Up, 0, "plot.curve-previous" },
    { GDK_KEY_c, GDK_CONTROL_MASK, "plot.copy" },
    { GDK_KEY_s, 0, "plot.sort" },
    { GDK_KEY_KP_Enter, 0, "plot.enter" },
    { GDK_KEY_Return, 0, "plot.enter" },
    { GDK_KEY_Menu, 0, "plot.menu" },
    { GDK_KEY_F10, GDK_SHIFT_MASK, "plot.menu" },
  };
  static const struct
  {
    guint key;
    int   x, y;
  } arrows[] = {
    { GDK_KEY_Left, -1, 0 }, { GDK_KEY_Right, 1, 0 }, { GDK_KEY_Up, 0, -1 }, { GDK_KEY_Down, 0, 1 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget, keys[i].key, keys[i].modifiers, keys[i].action,
                                         NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (arrows); i++)
    {
      gtk_widget_class_add_binding (widget, arrows[i].key, 0, on_cursor, "(ii)", arrows[i].x,
                                    arrows[i].y);
      gtk_widget_class_add_binding (widget, arrows[i].key, GDK_ALT_MASK, on_pan, "(ii)",
                                    -arrows[i].x, -arrows[i].y);
    }
  for (int digit = 0; digit <= 9; digit++)
    gtk_widget_class_add_binding (widget, (guint) (GDK_KEY_0 + digit), 0, on_digit, "i", digit);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
}

static void
sl_plot_view_class_init (SlPlotViewClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass   *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_plot_view_dispose;
  object->finalize = sl_plot_view_finalize;
  object->get_property = sl_plot_view_get_property;
  object->set_property = sl_plot_view_set_property;
  widget->measure = sl_plot_view_measure;
  widget->size_allocate = sl_plot_view_size_allocate;
  properties[PROP_LOG_X]
    = g_param_spec_boolean ("log-x", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_LOG_Y]
    = g_param_spec_boolean ("log-y", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_SORTED]
    = g_param_spec_boolean ("sorted", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_PLANE]
    = g_param_spec_uint ("plane", NULL, NULL, 0, SL_PLANE_MODES - 1, SL_PLANE_PATTERN,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  properties[PROP_FOLLOWING] = g_param_spec_boolean ("following", NULL, NULL, TRUE,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, N_PROPERTIES, properties);
  signals[COPY] = g_signal_new ("copy", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 0);
  signals[EXPORT] = g_signal_new ("export", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[MAXIMISE] = g_signal_new ("maximise", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  signals[PICK] = g_signal_new ("pick", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[DRAG] = g_signal_new ("drag", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  signals[DAB] = g_signal_new ("dab", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 5, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT,
                               G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[STROKE] = g_signal_new ("stroke", SL_TYPE_PLOT_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget, "plotview");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++)
    gtk_widget_class_install_action (widget, commands[i].name, NULL, on_command);
  gtk_widget_class_install_property_action (widget, "plot.log-x", "log-x");
  gtk_widget_class_install_property_action (widget, "plot.log-y", "log-y");
  gtk_widget_class_install_property_action (widget, "plot.sort", "sorted");
  bind_keys (widget);
}

static void
sl_plot_view_init (SlPlotView *self)
{
  self->history = g_array_new (FALSE, FALSE, sizeof (SlView));
  self->dabs = g_array_new (FALSE, FALSE, sizeof (SlDab));
  self->figure.translated = TRUE;
  self->brush = -1;
  self->at = (double) NAN;
  self->held = (double) NAN;
  self->canvas = sl_plot_canvas_new ();
  self->overlay = sl_plot_overlay_new ();
  self->readout = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->readout), "readout");
  gtk_widget_set_can_target (GTK_WIDGET (self->readout), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->readout), FALSE);
  gtk_label_set_xalign (self->readout, 0.0f);
  gtk_label_set_ellipsize (self->readout, PANGO_ELLIPSIZE_END);
  gtk_widget_set_parent (GTK_WIDGET (self->canvas), GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->overlay), GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->readout), GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  sl_plot_canvas_set_figure (self->canvas, &self->figure);
  g_signal_connect_swapped (self->canvas, "prepare", G_CALLBACK (on_prepare), self);
  g_signal_connect_swapped (self->canvas, "painted", G_CALLBACK (on_painted), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Plot"),
                                  -1);
  sl_plot_map_attach (self);
  sl_plot_pointer_attach (self);
}

SlPlotView *
sl_plot_view_new (void)
{
  return g_object_new (SL_TYPE_PLOT_VIEW, NULL);
}
