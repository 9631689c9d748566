/* SPDX-License-Identifier: MIT
 *
 * Notes on a plot: writing them in a small popover, moving them with the pointer or keys, removing
 * them, and taking any of that back.  */
#include <glib/gi18n.h>
#include <math.h>

#include "ui/plot-view/private.h"

enum { UNDO_MAX = 32, LETTERS_MAX = 120 };

static const SlFrame *
frame_of (SlPlotView *self)
{
  return sl_plot_canvas_get_frame (self->canvas);
}

static SlRemarks *
remarks_of (SlPlotView *self)
{
  return &self->figure.remarks;
}

static void
changed (SlPlotView *self)
{
  sl_plot_view_touch (self);
  g_signal_emit_by_name (self, "noted");
}

static void
push (GArray *stack, const SlRemarks *remarks)
{
  if (stack->len == UNDO_MAX)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, *remarks);
}

/* Before any change. */
static void
remember (SlPlotView *self)
{
  push (self->remarks_before, remarks_of (self));
  g_array_set_size (self->remarks_after, 0);
}

static gboolean
swap (SlPlotView *self, GArray *from, GArray *to)
{
  if (from->len == 0)
    return FALSE;
  push (to, remarks_of (self));
  *remarks_of (self) = g_array_index (from, SlRemarks, from->len - 1);
  g_array_set_size (from, from->len - 1);
  self->remark = 0;
  changed (self);
  return TRUE;
}

gboolean
sl_plot_view_undo_note (SlPlotView *self, gboolean again)
{
  return again ? swap (self, self->remarks_after, self->remarks_before)
               : swap (self, self->remarks_before, self->remarks_after);
}

gboolean
sl_plot_view_can_undo_note (SlPlotView *self, gboolean again)
{
  return (again ? self->remarks_after : self->remarks_before)->len > 0;
}

void
sl_plot_view_forget_note_changes (SlPlotView *self)
{
  g_array_set_size (self->remarks_before, 0);
  g_array_set_size (self->remarks_after, 0);
}

static void
discard (SlPlotView *self, unsigned number)
{
  SlRemarks *remarks = remarks_of (self);

  if (number == 0 || number > remarks->n)
    return;
  remember (self);
  remarks->n--;
  for (unsigned i = number - 1; i < remarks->n; i++)
    remarks->at[i] = remarks->at[i + 1];
  self->remark = 0;
  changed (self);
}

void
sl_plot_remarks_remove (SlPlotView *self)
{
  discard (self, self->remark);
}

/* A note without words is none. */
static void
keep_text (SlPlotView *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->remark_entry)));
  SlRemarks       *remarks = remarks_of (self);
  unsigned         number = self->remark;

  g_strstrip (text);
  if (*text == '\0')
    {
      discard (self, number);
      return;
    }
  if (number == 0 && remarks->n == SL_REMARKS_MAX)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  if (number > 0 && g_str_equal (remarks->at[number - 1].text, text))
    return;
  remember (self);
  if (number == 0)
    {
      number = ++remarks->n;
      remarks->at[number - 1].x = self->remark_x;
      remarks->at[number - 1].y = self->remark_y;
    }
  sl_remark_set_text (&remarks->at[number - 1], text);
  self->remark = number;
  changed (self);
}

static void
on_activate (SlPlotView *self)
{
  keep_text (self);
  gtk_popover_popdown (GTK_POPOVER (self->remark_popover));
}

static void
on_remove (SlPlotView *self)
{
  sl_plot_remarks_remove (self);
  gtk_popover_popdown (GTK_POPOVER (self->remark_popover));
}

/* Keys are the plot's again. */
static void
on_closed (SlPlotView *self)
{
  if (gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
make_popover (SlPlotView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->remark_popover = gtk_popover_new ();
  self->remark_entry = gtk_entry_new ();
  self->remark_button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  gtk_entry_set_max_length (GTK_ENTRY (self->remark_entry), LETTERS_MAX);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->remark_entry), 28);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->remark_entry), _ ("What is to be seen here"));
  gtk_widget_set_tooltip_text (self->remark_button, _ ("Remove the note"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remark_entry),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Note on the plot"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remark_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Remove the note"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remark_popover),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Note on the plot"), -1);
  gtk_box_append (GTK_BOX (box), self->remark_entry);
  gtk_box_append (GTK_BOX (box), self->remark_button);
  gtk_popover_set_child (GTK_POPOVER (self->remark_popover), box);
  gtk_widget_set_parent (self->remark_popover, GTK_WIDGET (self));
  g_signal_connect_swapped (self->remark_entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->remark_button, "clicked", G_CALLBACK (on_remove), self);
  g_signal_connect_swapped (self->remark_popover, "closed", G_CALLBACK (on_closed), self);
}

/* Opens it at a point: for the chosen note, or for a new one about that point. */
static void
write_at (SlPlotView *self, double px, double py)
{
  const SlRemarks *remarks = remarks_of (self);
  gboolean         old = self->remark > 0 && self->remark <= remarks->n;

  if (frame_of (self)->empty || frame_of (self)->plot.w <= 0)
    return;
  if (!old)
    self->remark = 0;
  if (!old && remarks->n == SL_REMARKS_MAX)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  sl_frame_place (frame_of (self), px, py, &self->remark_x, &self->remark_y);
  if (self->remark_popover == NULL)
    make_popover (self);
  gtk_editable_set_text (GTK_EDITABLE (self->remark_entry),
                         old ? remarks->at[self->remark - 1].text : "");
  gtk_widget_set_visible (self->remark_button, old);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->remark_popover),
                               &(GdkRectangle) { (int) px, (int) py, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->remark_popover));
  gtk_widget_grab_focus (self->remark_entry);
}

static const SlFrameRemark *
laid_out (SlPlotView *self, unsigned number)
{
  const SlFrame *frame = frame_of (self);

  for (unsigned i = 0; i < frame->n_remarks; i++)
    if (frame->remark[i].number == number)
      return &frame->remark[i];
  return NULL;
}

/* By key: the chosen note; or at what the cursor reads, or in the middle. */
void
sl_plot_remarks_write (SlPlotView *self)
{
  const SlMarks       *marks = sl_plot_overlay_get_marks (self->overlay);
  const SlRect        *plot = &frame_of (self)->plot;
  const SlFrameRemark *chosen = laid_out (self, self->remark);
  double               x = plot->x + plot->w / 2.0, y = plot->y + plot->h / 2.0;

  if (chosen != NULL)
    {
      x = chosen->x;
      y = chosen->y;
    }
  else if (self->celled && marks->boxed)
    {
      x = marks->box.x + marks->box.w / 2.0;
      y = marks->box.y + marks->box.h / 2.0;
    }
  else if (marks->crosshair)
    {
      x = marks->x;
      y = marks->n_dots > 0 ? marks->dot_y[0] : marks->level ? marks->y : y;
    }
  write_at (self, CLAMP (x, plot->x, plot->x + plot->w), CLAMP (y, plot->y, plot->y + plot->h));
}

/* From the menu: where that was opened. */
void
sl_plot_remarks_write_here (SlPlotView *self)
{
  const SlRect *plot = &frame_of (self)->plot;

  self->remark = sl_frame_remark (frame_of (self), self->menu_x, self->menu_y);
  write_at (self, CLAMP (self->menu_x, plot->x, plot->x + plot->w),
            CLAMP (self->menu_y, plot->y, plot->y + plot->h));
}

void
sl_plot_remarks_next (SlPlotView *self)
{
  const SlFrame *frame = frame_of (self);
  unsigned       next = 0;

  for (unsigned i = frame->n_remarks; i > 0; i--)
    if (frame->remark[i - 1].number > self->remark)
      next = frame->remark[i - 1].number;
  if (next == 0 && frame->n_remarks > 0)
    next = frame->remark[0].number;
  self->remark = next;
  sl_plot_reading_show (self);
}

gboolean
sl_plot_remarks_click (SlPlotView *self, double x, double y, int presses)
{
  unsigned number = sl_frame_remark (frame_of (self), x, y);

  if (number == 0 && self->remark == 0)
    return FALSE;
  self->remark = number;
  sl_plot_reading_show (self);
  if (number > 0 && presses == 2)
    sl_plot_remarks_write (self);
  return number > 0;
}

gboolean
sl_plot_remarks_let_go (SlPlotView *self)
{
  gboolean any = self->remark > 0;

  self->remark = 0;
  if (any)
    sl_plot_reading_show (self);
  return any;
}

/* To a point of the plot. */
static void
move_to (SlPlotView *self, unsigned number, double px, double py)
{
  const SlRect *plot = &frame_of (self)->plot;
  SlRemark     *remark = &remarks_of (self)->at[number - 1];

  sl_frame_place (frame_of (self), CLAMP (px, plot->x, plot->x + plot->w),
                  CLAMP (py, plot->y, plot->y + plot->h), &remark->x, &remark->y);
}

gboolean
sl_plot_remarks_grip (SlPlotView *self, double x, double y)
{
  const SlFrameRemark *at = laid_out (self, sl_frame_remark (frame_of (self), x, y));

  if (at == NULL || at->number > remarks_of (self)->n)
    return FALSE;
  self->remark_moved = FALSE;
  self->remark_gripped = at->number;
  self->remark_from_x = at->x;
  self->remark_from_y = at->y;
  return TRUE;
}

gboolean
sl_plot_remarks_drag (SlPlotView *self, double dx, double dy)
{
  if (self->remark_gripped == 0 || self->remark_gripped > remarks_of (self)->n)
    return FALSE;
  if (!self->remark_moved)
    remember (self);
  self->remark_moved = TRUE;
  move_to (self, self->remark_gripped, self->remark_from_x + dx, self->remark_from_y + dy);
  sl_plot_view_touch (self);
  return TRUE;
}

void
sl_plot_remarks_drop (SlPlotView *self)
{
  gboolean moved = self->remark_gripped > 0 && self->remark_moved;

  self->remark_gripped = 0;
  self->remark_moved = FALSE;
  if (moved)
    changed (self);
}

gboolean
sl_plot_remarks_nudge (SlPlotView *self, int columns, int rows)
{
  const SlRect *plot = &frame_of (self)->plot;
  double        x, y;

  /* Keys may come faster than frames: what counts is where it is, not where it was drawn. */
  if (self->remark == 0 || self->remark > remarks_of (self)->n
      || !sl_frame_find (frame_of (self), &remarks_of (self)->at[self->remark - 1], &x, &y))
    return FALSE;
  remember (self);
  move_to (self, self->remark, x + columns * plot->w / 40.0, y + rows * plot->h / 40.0);
  changed (self);
  return TRUE;
}

const char *
sl_plot_remarks_mark (SlPlotView *self, SlMarks *marks)
{
  const SlFrameRemark *at = laid_out (self, self->remark);

  if (at == NULL || at->number > remarks_of (self)->n)
    return NULL;
  marks->boxed = TRUE;
  marks->box = at->box;
  return remarks_of (self)->at[at->number - 1].text;
}

void
sl_plot_remarks_describe (SlPlotView *self, GString *out)
{
  const SlRemarks *remarks = remarks_of (self);

  for (unsigned i = 0; i < remarks->n; i++)
    {
      /* Translators: what a person wrote on a plot, read aloud. */
      g_autofree char *text = g_strdup_printf (_ ("Note: %s"), remarks->at[i].text);

      g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", text);
    }
}

void
sl_plot_view_set_notes (SlPlotView *self, const SlRemarks *remarks)
{
  if (remarks->n == 0 && remarks_of (self)->n == 0)
    return;
  *remarks_of (self) = *remarks;
  self->remark = self->remark_gripped = 0;
  sl_plot_view_forget_note_changes (self);
  sl_plot_view_touch (self);
}
