/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/view.h"

#include "core/run/base/language.h"
#include "ui/kit/spoken.h"
#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"
#include "ui/plot-view/map.h"
#include "ui/plot-view/private.h"
#include <glib/gi18n.h>
#include <math.h>

G_DEFINE_FINAL_TYPE (SlPlotView, sl_plot_view, GTK_TYPE_WIDGET)

enum {
  PROP_LOG_X = 1,
  PROP_LOG_Y,
  PROP_Y_LOCKED,
  PROP_SORTED,
  PROP_PLANE,
  PROP_FOLLOWING,
  N_PROPERTIES
};
static GParamSpec *properties[N_PROPERTIES];

static const struct
{
  const char *property, *action;
} switches[] = {
  [PROP_LOG_X] = { "log-x", "plot.log-x" },
  [PROP_LOG_Y] = { "log-y", "plot.log-y" },
  [PROP_Y_LOCKED] = { "y-locked", "plot.lock-y" },
  [PROP_SORTED] = { "sorted", "plot.sort" },
};

/* Actions that only some kinds of panels have. */
static gboolean
is_map (const SlPanel *panel)
{
  return panel->kind == SL_MAP;
}

static gboolean
is_alive (const SlPanel *panel)
{
  return panel->kind == SL_ALIVE;
}

static gboolean
is_sortable (const SlPanel *panel)
{
  return panel->kind == SL_SHARES || (panel->kind == SL_HISTORY && !(panel->y.lo < panel->y.hi));
}

static gboolean
has_legend (const SlPanel *panel)
{
  return sl_figure_kinds[panel->kind]->legend_from > 1;
}

static gboolean
has_steps (const SlPanel *panel)
{
  const SlFigureKind *kind = sl_figure_kinds[panel->kind];

  return (kind->steps || kind->lines) && !kind->linear_x;
}

static gboolean
has_values (const SlPanel *panel)
{
  const SlFigureKind *kind = sl_figure_kinds[panel->kind];

  return kind->values || kind->log_tint;
}

static gboolean
has_value_axis (const SlPanel *panel)
{
  return sl_figure_kinds[panel->kind]->values;
}

/* What can be zoomed, or have its axis fixed. */
static gboolean
is_zoomable (const SlPanel *panel)
{
  return has_steps (panel) || has_value_axis (panel) || sl_figure_kinds[panel->kind]->lines;
}

static const struct
{
  const char *action;
  gboolean (*has) (const SlPanel *panel);
} of_kinds[] = {
  { "plot.plane-next", is_map },     { "plot.plane-previous", is_map },
  { "plot.isolate", is_map },        { "plot.play", is_alive },
  { "plot.sort", is_sortable },      { "plot.show-all", has_legend },
  { "plot.log-x", has_steps },       { "plot.log-y", has_values },
  { "plot.lock-y", has_value_axis }, { "plot.follow", is_zoomable },
  { "plot.back", is_zoomable },
};

gboolean
sl_plot_view_update (SlPlotView *self)
{
  gboolean news;

  g_return_val_if_fail (SL_IS_PLOT_VIEW (self), FALSE);
  /* A crosshair reads plots that are not in sight, too; what it updated counts as news here. */
  sl_plot_view_catch_up (self);
  news = self->behind;
  self->behind = FALSE;
  if (news)
    sl_plot_canvas_refresh (self->layers.canvas);
  return news;
}

static void
on_prepare (SlPlotView *self)
{
  sl_plot_view_catch_up (self);
  self->behind = FALSE;
}

static gboolean
on_later (gpointer data)
{
  SlPlotView *self = data;

  self->later = 0;
  sl_plot_reading_show (self);
  return G_SOURCE_REMOVE;
}

/* The readout follows the step of the crosshair, when idle: layout must not change in the middle of
 * a frame that is being painted.  */
static void
on_painted (SlPlotView *self)
{
  if (self->later == 0)
    self->later = g_idle_add_full (G_PRIORITY_HIGH_IDLE, on_later, self, NULL);
}

void
sl_plot_view_set_panel (SlPlotView *self, const SlRecord *record, unsigned panel)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));

  const SlPanel *of = record != NULL && record->lab != NULL && panel < record->lab->n_panels
                        ? &record->lab->panels[panel]
                        : NULL;
  gboolean       other
    = of == NULL || self->record == NULL || self->panel != panel || self->figure.lab != record->lab;

  sl_plot_motion_stop (&self->motion);
  self->record = record;
  self->panel = panel;
  if (other)
    {
      sl_figure_clear (&self->figure);
      self->figure.translated = TRUE;
      g_array_set_size (self->history, 0);
      self->brush.painting = FALSE;
      sl_plot_drag_forget (&self->drag);
      sl_plot_notes_forget (&self->notes);
      sl_plot_cursor_forget (&self->cursor);
      self->cursor.at = (double) NAN;
    }
  /* A colour of another run means another pattern. */
  self->figure.view.alone = 0;
  g_array_set_size (self->brush.dabs, 0);
  sl_plot_view_catch_up (self);
  sl_plot_view_notify_all (self);
  for (unsigned i = 0; i < G_N_ELEMENTS (of_kinds); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_kinds[i].action,
                                   of != NULL && of_kinds[i].has (of));
  sl_plot_canvas_refresh (self->layers.canvas);
  sl_widget_label (GTK_WIDGET (self), of != NULL ? sl_words (of->title) : _ ("Plot"));
}

void
sl_plot_view_set_ghosts (SlPlotView *self, const SlGhost *ghosts, unsigned n_ghosts)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  self->ghosts = ghosts;
  self->n_ghosts = n_ghosts;
  sl_plot_view_update (self);
}

void
sl_plot_view_set_picked (SlPlotView *self, unsigned number)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  if (self->picked == number)
    return;
  self->picked = number;
  self->figure.picks.picked = number;
  self->figure.version++;
  sl_plot_canvas_refresh (self->layers.canvas);
}

void
sl_plot_view_set_crosshair (SlPlotView *self, SlCrosshair *crosshair)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  g_return_if_fail (crosshair == NULL || SL_IS_CROSSHAIR (crosshair));
  sl_plot_cursor_set_crosshair (&self->cursor, crosshair);
}

void
sl_plot_view_set_notes (SlPlotView *self, const SlNotes *notes)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  sl_plot_notes_set (&self->notes, notes);
}

gboolean
sl_plot_view_undo_note (SlPlotView *self, gboolean again)
{
  g_return_val_if_fail (SL_IS_PLOT_VIEW (self), FALSE);
  return sl_plot_notes_undo (&self->notes, again);
}

gboolean
sl_plot_view_can_undo_note (SlPlotView *self, gboolean again)
{
  g_return_val_if_fail (SL_IS_PLOT_VIEW (self), FALSE);
  return (again ? self->notes.after : self->notes.before)->len > 0;
}

void
sl_plot_view_forget_note_changes (SlPlotView *self)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  sl_plot_notes_forget_changes (&self->notes);
}

void
sl_plot_view_set_plane (SlPlotView *self, SlPlaneMode plane)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  if (self->figure.view.plane == plane)
    return;
  self->figure.view.plane = plane;
  sl_plot_view_touch (self);
}

void
sl_plot_view_set_brush (SlPlotView *self, int label)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  self->brush.label = label;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), label >= 0 ? "cell" : NULL);
}

/* px where text has its usual size. */
enum { LEAST_WIDTH = 180, LEAST_HEIGHT = 118, WIDTH = 420, HEIGHT = 240 };

static void
on_example (SlPlotView *self)
{
  self->hand.drawn = FALSE;
}

void
sl_plot_view_set_drawable (SlPlotView *self, gboolean drawable)
{
  g_return_if_fail (SL_IS_PLOT_VIEW (self));
  self->hand.enabled = drawable;
  self->hand.drawn &= drawable;
}

static void
sl_plot_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  double room = sl_type_size_room (widget);

  *minimum
    = (int) (room * (orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : LEAST_HEIGHT));
  *natural = (int) (room * (orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT));
}

static void
sl_plot_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);

  sl_plot_layers_allocate (&self->layers, width, height);
  sl_spoken_allocate (self->spoken);
  sl_plot_reading_place (self);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
  if (self->notes.popover != NULL)
    gtk_popover_present (GTK_POPOVER (self->notes.popover));
}

/* Neither a cursor nor a slow motion waits for the page to come back. */
static void
sl_plot_view_unmap (GtkWidget *widget)
{
  sl_plot_motion_stop (&SL_PLOT_VIEW (widget)->motion);
  sl_plot_cursor_forget (&SL_PLOT_VIEW (widget)->cursor);
  GTK_WIDGET_CLASS (sl_plot_view_parent_class)->unmap (widget);
}

static void
sl_plot_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const SlView *view = &SL_PLOT_VIEW (object)->figure.view;

  switch (id)
    {
    case PROP_LOG_X: g_value_set_boolean (value, view->log_x); break;
    case PROP_LOG_Y: g_value_set_boolean (value, view->log_y); break;
    case PROP_Y_LOCKED: g_value_set_boolean (value, view->y_locked); break;
    case PROP_SORTED: g_value_set_boolean (value, view->sorted); break;
    case PROP_PLANE: g_value_set_uint (value, view->plane); break;
    case PROP_FOLLOWING: g_value_set_boolean (value, !view->zoomed && !view->y_locked); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

/* Locks the y axis at its present range. */
static void
lock_y (SlPlotView *self, gboolean locked)
{
  SlView *view = &self->figure.view;

  if (locked && !view->y_locked)
    {
      view->y_lo = self->figure.y_range.lo;
      view->y_hi = self->figure.y_range.hi;
    }
  view->y_locked = locked;
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
    case PROP_Y_LOCKED: lock_y (self, g_value_get_boolean (value)); break;
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
  sl_plot_drag_forget (&self->drag);
  sl_plot_cursor_set_crosshair (&self->cursor, NULL);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->notes.popover, gtk_widget_unparent);
  sl_spoken_show (GTK_WIDGET (self), self->spoken, NULL, 0);
  sl_plot_layers_dispose (&self->layers);
  G_OBJECT_CLASS (sl_plot_view_parent_class)->dispose (object);
}

static void
sl_plot_view_finalize (GObject *object)
{
  SlPlotView *self = SL_PLOT_VIEW (object);

  sl_figure_clear (&self->figure);
  g_array_unref (self->history);
  g_ptr_array_unref (self->spoken);
  sl_plot_brush_clear (&self->brush);
  sl_plot_notes_clear (&self->notes);
  G_OBJECT_CLASS (sl_plot_view_parent_class)->finalize (object);
}

static void
sl_plot_view_class_init (SlPlotViewClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GtkWidgetClass   *widget = GTK_WIDGET_CLASS (klass);
  GObjectClass     *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_plot_view_dispose;
  object->finalize = sl_plot_view_finalize;
  object->get_property = sl_plot_view_get_property;
  object->set_property = sl_plot_view_set_property;
  widget->measure = sl_plot_view_measure;
  widget->unmap = sl_plot_view_unmap;
  widget->size_allocate = sl_plot_view_size_allocate;
  for (unsigned i = 1; i < G_N_ELEMENTS (switches); i++)
    properties[i] = g_param_spec_boolean (switches[i].property, NULL, NULL, FALSE, flags);
  properties[PROP_PLANE]
    = g_param_spec_uint ("plane", NULL, NULL, 0, SL_PLANE_MODES - 1, SL_PLANE_PATTERN, flags);
  properties[PROP_FOLLOWING] = g_param_spec_boolean ("following", NULL, NULL, TRUE,
                                                     G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object, N_PROPERTIES, properties);
  for (unsigned i = 1; i < G_N_ELEMENTS (switches); i++)
    gtk_widget_class_install_property_action (widget, switches[i].action, switches[i].property);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "copy", 0);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "export", 0);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "maximise", 0);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "pick", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "example", 1, G_TYPE_INT);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "switch-off", 2, G_TYPE_UINT, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "drag", 1, G_TYPE_DOUBLE);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "dab", 5, G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_INT,
                 G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "stroke", 0);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "draw", 4, G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_DOUBLE,
                 G_TYPE_BOOLEAN);
  sl_signal_new (SL_TYPE_PLOT_VIEW, "noted", 0);
  gtk_widget_class_set_css_name (widget, "plotview");
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_IMG);
  sl_plot_commands_install (widget);
}

static void
sl_plot_view_init (SlPlotView *self)
{
  self->history = g_array_new (FALSE, FALSE, sizeof (SlView));
  self->spoken = g_ptr_array_new ();
  self->figure.translated = TRUE;
  sl_plot_layers_init (&self->layers, GTK_WIDGET (self), &self->figure);
  sl_plot_cursor_init (&self->cursor, self);
  sl_plot_drag_init (&self->drag, self);
  sl_plot_brush_init (&self->brush, self);
  self->hand.view = self;
  self->motion.view = self;
  g_signal_connect (self, "example", G_CALLBACK (on_example), NULL);
  sl_plot_notes_init (&self->notes, self);
  sl_plot_pointer_attach (self);
  g_signal_connect_swapped (self->layers.canvas, "prepare", G_CALLBACK (on_prepare), self);
  g_signal_connect_swapped (self->layers.canvas, "painted", G_CALLBACK (on_painted), self);
  sl_widget_label (GTK_WIDGET (self), _ ("Plot"));
}
