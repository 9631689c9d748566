/* SPDX-License-Identifier: MIT
 *
 * What a plot view can be told, by key, menu and assistive tool: its commands, their keys, and the
 * history of what was looked at.  */
#include "ui/plot-view/private.h"

enum { HISTORY_MAX = 64 };

/* Steps of the smoothing, in updates. */
static const double half_lives[] = { 0, 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000 };

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
  int         digit = g_variant_get_int32 (arguments);

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
  SlPlotView    *self = SL_PLOT_VIEW (widget);
  const SlFrame *frame = sl_plot_canvas_get_frame (self->canvas);
  int            x, y;

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

static gboolean
on_nudge (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  int x, y;

  g_variant_get (arguments, "(ii)", &x, &y);
  return sl_plot_notes_nudge (SL_PLOT_VIEW (widget), x, y);
}

/* Escape lets go of a note, or takes the cursor away; without one it goes to whoever maximised the plot. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  SlPlotView *self = SL_PLOT_VIEW (widget);

  if (sl_plot_notes_let_go (self))
    return TRUE;
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

static void
plane_next (SlPlotView *self)
{
  sl_plot_view_set_plane (self, (self->figure.view.plane + 1) % SL_PLANE_MODES);
}

static void
plane_previous (SlPlotView *self)
{
  sl_plot_view_set_plane (self, (self->figure.view.plane + SL_PLANE_MODES - 1) % SL_PLANE_MODES);
}

static void
show_all (SlPlotView *self)
{
  on_digit (GTK_WIDGET (self), g_variant_new_int32 (0), NULL);
}

static void
ask_copy (SlPlotView *self)
{
  g_signal_emit_by_name (self, "copy");
}

static void
ask_export (SlPlotView *self)
{
  g_signal_emit_by_name (self, "export");
}

static void
ask_maximise (SlPlotView *self)
{
  g_signal_emit_by_name (self, "maximise");
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
  { "plot.note", sl_plot_notes_write },
  { "plot.note-here", sl_plot_notes_write_here },
  { "plot.note-next", sl_plot_notes_next },
  { "plot.note-remove", sl_plot_notes_remove },
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
        = gtk_builder_new_from_resource ("/org/sluice/Sluice/ui/plot-view/menu.ui");

      self->menu = gtk_popover_menu_new_from_model (
        G_MENU_MODEL (gtk_builder_get_object (builder, "plot-menu")));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
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
  static const struct
  {
    guint key;
    int   x, y;
  } arrows[] = {
    { GDK_KEY_Left, -1, 0 },
    { GDK_KEY_Right, 1, 0 },
    { GDK_KEY_Up, 0, -1 },
    { GDK_KEY_Down, 0, 1 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget, keys[i].key, keys[i].modifiers, keys[i].action,
                                         NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (arrows); i++)
    {
      gtk_widget_class_add_binding (widget, arrows[i].key, 0, on_cursor, "(ii)", arrows[i].x,
                                    arrows[i].y);
      gtk_widget_class_add_binding (widget, arrows[i].key, GDK_CONTROL_MASK, on_nudge, "(ii)",
                                    arrows[i].x, arrows[i].y);
      gtk_widget_class_add_binding (widget, arrows[i].key, GDK_ALT_MASK, on_pan, "(ii)",
                                    -arrows[i].x, -arrows[i].y);
    }
  for (int digit = 0; digit <= 9; digit++)
    gtk_widget_class_add_binding (widget, (guint) (GDK_KEY_0 + digit), 0, on_digit, "i", digit);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
}

void
sl_plot_commands_install (GtkWidgetClass *widget)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (commands); i++)
    gtk_widget_class_install_action (widget, commands[i].name, NULL, on_command);
  bind_keys (widget);
}
