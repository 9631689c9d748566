/* SPDX-License-Identifier: MIT
 *
 * The commands of a plot view, by key, menu and assistive tool, and the history of its views.  */
#include <string.h>

#include "plot/figure/smooth.h"
#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"
#include "ui/plot-view/map.h"
#include "ui/plot-view/private.h"
#include "ui/plot-view/rows.h"

enum { HISTORY_MAX = 64 };

/* Steps of the smoothing, as shares of the shown width. */
static const double smoothings[] = { 0, 0.005, 0.01, SL_SMOOTH_USUAL, 0.05, 0.1, SL_SMOOTH_MOST };

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
back (SlPlotView *self, double by)
{
  double reached = self->figure.view.reached;

  if (self->history->len == 0)
    return;
  self->figure.view = g_array_index (self->history, SlView, self->history->len - 1);
  self->figure.view.reached = reached;
  g_array_set_size (self->history, self->history->len - 1);
  self->remembered = 0;
  sl_plot_view_touch (self);
}

static void
follow (SlPlotView *self, double by)
{
  sl_plot_view_remember (self);
  self->figure.view.zoomed = false;
  self->figure.view.y_locked = false;
  sl_plot_view_touch (self);
}

static void
zoom (SlPlotView *self, double factor_x, double factor_y)
{
  const SlFrame *frame = sl_plot_view_get_frame (self);

  if (frame->plot.w <= 0)
    return;
  sl_plot_view_remember (self);
  sl_frame_zoom (frame, &self->figure, frame->plot.x + frame->plot.w / 2.0,
                 frame->plot.y + frame->plot.h / 2.0, factor_x, factor_y);
  sl_plot_view_touch (self);
}

static void
zoom_x (SlPlotView *self, double factor)
{
  zoom (self, factor, 1.0);
}

static void
zoom_y (SlPlotView *self, double factor)
{
  zoom (self, 1.0, factor);
}

static void
smooth (SlPlotView *self, double by)
{
  const int last = (int) G_N_ELEMENTS (smoothings) - 1;
  int       at = 0;

  while (at < last && smoothings[at] < self->figure.view.smooth)
    at++;
  self->figure.view.smooth = smoothings[CLAMP (at + (int) by, 0, last)];
  self->figure.fitted = false;
  sl_plot_view_touch (self);
}

static void
show_inset (SlPlotView *self, double by)
{
  sl_plot_view_remember (self);
  if (sl_figure_zoom_to_inset (&self->figure))
    sl_plot_view_touch (self);
}

static void
leave_inset (SlPlotView *self, double by)
{
  sl_plot_view_remember (self);
  if (sl_figure_inset_to_zoom (&self->figure))
    sl_plot_view_touch (self);
}

static void
move_cursor (SlPlotView *self, double by)
{
  sl_plot_cursor_move (&self->cursor, (int) by, 0);
}

static void
switch_curve (SlPlotView *self, double by)
{
  sl_plot_cursor_switch (&self->cursor, (int) by);
}

static void
clear_cursor (SlPlotView *self, double by)
{
  sl_plot_cursor_clear (&self->cursor);
}

static void
show_all (SlPlotView *self, double by)
{
  for (unsigned i = 0; i < self->figure.n_curves; i++)
    self->figure.curve[i].hidden = false;
  sl_plot_view_touch (self);
}

static void
switch_plane (SlPlotView *self, double by)
{
  sl_plot_view_set_plane (self,
                          (self->figure.view.plane + SL_PLANE_MODES + (int) by) % SL_PLANE_MODES);
}

static void
isolate (SlPlotView *self, double by)
{
  sl_plot_map_isolate (&self->cursor);
}

static void
move_mark (SlPlotView *self, double by)
{
  sl_plot_drag_nudge (&self->drag, (int) by);
}

/* Enter on a row chooses it, elsewhere the plot is maximised. */
static void
enter (SlPlotView *self, double by)
{
  if (!self->cursor.pinned || !sl_plot_rows_pick (&self->cursor))
    g_signal_emit_by_name (self, "maximise");
}

/* The chosen note; else a new one at what the cursor reads, or in the middle. */
static void
write_note (SlPlotView *self, double by)
{
  const SlMarks *marks = sl_plot_overlay_get_marks (self->layers.overlay);
  const SlRect  *plot = &sl_plot_view_get_frame (self)->plot;
  double         x = plot->x + plot->w / 2.0, y = plot->y + plot->h / 2.0;

  if (self->cursor.celled && marks->boxed)
    {
      x = marks->box.x + marks->box.w / 2.0;
      y = marks->box.y + marks->box.h / 2.0;
    }
  else if (marks->crosshair)
    {
      x = marks->x;
      y = marks->n_dots > 0 ? marks->dot_y[0] : marks->level ? marks->y : y;
    }
  if (!sl_plot_notes_edit (&self->notes))
    sl_plot_notes_write (&self->notes, x, y);
}

static void
write_note_here (SlPlotView *self, double by)
{
  sl_plot_notes_click (&self->notes, self->menu_x, self->menu_y, 1);
  sl_plot_notes_write (&self->notes, self->menu_x, self->menu_y);
}

static void
choose_note (SlPlotView *self, double by)
{
  sl_plot_notes_next (&self->notes);
}

static void
remove_chosen (SlPlotView *self, double by)
{
  if (!sl_plot_cursor_switch_off (&self->cursor))
    sl_plot_notes_remove (&self->notes);
}

static void
play (SlPlotView *self, double by)
{
  sl_plot_motion_play (&self->motion);
}

static void
open_menu (SlPlotView *self, double by)
{
  sl_plot_view_open_menu (self, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                          gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

static const struct
{
  const char *name;
  void (*run) (SlPlotView *self, double by); /* NULL: emits the signal of that name */
  double by;
} commands[] = {
  { "plot.follow", follow },
  { "plot.back", back },
  { "plot.zoom-in", zoom_x, 0.8 },
  { "plot.zoom-out", zoom_x, 1.25 },
  { "plot.zoom-y-in", zoom_y, 0.8 },
  { "plot.zoom-y-out", zoom_y, 1.25 },
  { "plot.inset", show_inset },
  { "plot.inset-leave", leave_inset },
  { "plot.smoother", smooth, 1 },
  { "plot.rougher", smooth, -1 },
  { "plot.cursor-next", move_cursor, 1 },
  { "plot.cursor-previous", move_cursor, -1 },
  { "plot.curve-next", switch_curve, 1 },
  { "plot.curve-previous", switch_curve, -1 },
  { "plot.cursor-clear", clear_cursor },
  { "plot.show-all", show_all },
  { "plot.copy" },
  { "plot.export" },
  { "plot.maximise" },
  { "plot.enter", enter },
  { "plot.play", play },
  { "plot.menu", open_menu },
  { "plot.plane-next", switch_plane, 1 },
  { "plot.plane-previous", switch_plane, -1 },
  { "plot.isolate", isolate },
  { "plot.mark-right", move_mark, 1 },
  { "plot.mark-left", move_mark, -1 },
  { "plot.note", write_note },
  { "plot.note-here", write_note_here },
  { "plot.note-next", choose_note },
  { "plot.note-remove", remove_chosen },
};

static void
on_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  unsigned i = 0;

  while (!g_str_equal (commands[i].name, name))
    i++;
  if (commands[i].run != NULL)
    commands[i].run (SL_PLOT_VIEW (widget), commands[i].by);
  else
    g_signal_emit_by_name (widget, name + strlen ("plot."));
}

/* 1 to 9 switch a curve, 0 brings all of them back. */
static gboolean
on_digit (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);
  int         digit = g_variant_get_int32 (arguments);

  if (digit > (int) self->figure.n_curves)
    return FALSE;
  if (digit > 0)
    self->figure.curve[digit - 1].hidden = !self->figure.curve[digit - 1].hidden;
  else
    show_all (self, 0);
  sl_plot_view_touch (self);
  return TRUE;
}

static gboolean
on_pan (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView    *self = SL_PLOT_VIEW (widget);
  const SlFrame *frame = sl_plot_view_get_frame (self);
  int            x, y;

  g_variant_get (arguments, "(ii)", &x, &y);
  sl_plot_view_remember (self);
  sl_frame_pan (frame, &self->figure, -x * frame->plot.w / 10.0, -y * frame->plot.h / 10.0);
  sl_plot_view_touch (self);
  return TRUE;
}

static gboolean
on_cursor (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  int columns, rows;

  g_variant_get (arguments, "(ii)", &columns, &rows);
  sl_plot_cursor_move (&SL_PLOT_VIEW (widget)->cursor, columns, rows);
  return TRUE;
}

static gboolean
on_nudge (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  int x, y;

  g_variant_get (arguments, "(ii)", &x, &y);
  return sl_plot_notes_nudge (&SL_PLOT_VIEW (widget)->notes, x, y);
}

/* Escape lets go of a note, removes the cursor, or goes back to the example; without all three it leaves a maximised
 * plot.  */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);

  if (sl_plot_notes_let_go (&self->notes))
    return TRUE;
  if (!self->cursor.pinned)
    return sl_plot_hand_go_back (&self->hand);
  sl_plot_cursor_clear (&self->cursor);
  return TRUE;
}

/* Before an audience Space goes through the picture of a network; elsewhere it is the window's. */
static gboolean
on_space (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);

  if (self->figure.kind != SL_ALIVE || !sl_type_size_presented (widget))
    return FALSE;
  sl_plot_motion_step (&self->motion);
  return TRUE;
}

void
sl_plot_view_open_menu (SlPlotView *self, double x, double y)
{
  if (self->menu == NULL)
    {
      g_autoptr (GtkBuilder) builder
        = gtk_builder_new_from_resource ("/org/sluice/Sluice/ui/plot-view/menu.ui");

      self->menu = gtk_popover_menu_new_from_model (
        G_MENU_MODEL (gtk_builder_get_object (builder, "plot-menu")));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "plot.inset",
                                 sl_figure_kind (&self->figure)->lines
                                   && (self->figure.view.zoomed || self->figure.view.y_locked));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "plot.inset-leave", self->figure.view.inset);
  self->menu_x = x;
  self->menu_y = y;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu),
                               &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
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
    { GDK_KEY_k, 0, "plot.lock-y" },
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
    { GDK_KEY_n, 0, "plot.note" },
    { GDK_KEY_n, GDK_SHIFT_MASK, "plot.note-next" },
    { GDK_KEY_Delete, 0, "plot.note-remove" },
    { GDK_KEY_KP_Enter, 0, "plot.enter" },
    { GDK_KEY_Return, 0, "plot.enter" },
    { GDK_KEY_Menu, 0, "plot.menu" },
    { GDK_KEY_F10, GDK_SHIFT_MASK, "plot.menu" },
  };
  for (unsigned i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget, keys[i].key, keys[i].modifiers, keys[i].action,
                                         NULL);
  sl_widget_class_bind_arrows (widget, 0, on_cursor);
  sl_widget_class_bind_arrows (widget, GDK_CONTROL_MASK, on_nudge);
  sl_widget_class_bind_arrows (widget, GDK_ALT_MASK, on_pan);
  for (int digit = 0; digit <= 9; digit++)
    gtk_widget_class_add_binding (widget, (guint) (GDK_KEY_0 + digit), 0, on_digit, "i", digit);
  gtk_widget_class_add_binding (widget, GDK_KEY_space, 0, on_space, NULL);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
}

void
sl_plot_commands_install (GtkWidgetClass *widget)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++)
    gtk_widget_class_install_action (widget, commands[i].name, NULL, on_command);
  bind_keys (widget);
}
