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

static SlNotes *
notes_of (SlPlotView *self)
{
  return &self->figure.notes;
}

static void
changed (SlPlotView *self)
{
  sl_plot_view_touch (self);
  g_signal_emit_by_name (self, "noted");
}

static void
push (GArray *stack, const SlNotes *notes)
{
  if (stack->len == UNDO_MAX)
    g_array_remove_index (stack, 0);
  g_array_append_val (stack, *notes);
}

/* Before any change. */
static void
remember (SlPlotView *self)
{
  push (self->notes_before, notes_of (self));
  g_array_set_size (self->notes_after, 0);
}

static gboolean
swap (SlPlotView *self, GArray *from, GArray *to)
{
  if (from->len == 0)
    return FALSE;
  push (to, notes_of (self));
  *notes_of (self) = g_array_index (from, SlNotes, from->len - 1);
  g_array_set_size (from, from->len - 1);
  self->note = 0;
  changed (self);
  return TRUE;
}

gboolean
sl_plot_view_undo_note (SlPlotView *self, gboolean again)
{
  return again ? swap (self, self->notes_after, self->notes_before)
               : swap (self, self->notes_before, self->notes_after);
}

gboolean
sl_plot_view_can_undo_note (SlPlotView *self, gboolean again)
{
  return (again ? self->notes_after : self->notes_before)->len > 0;
}

void
sl_plot_view_forget_note_changes (SlPlotView *self)
{
  g_array_set_size (self->notes_before, 0);
  g_array_set_size (self->notes_after, 0);
}

static void
discard (SlPlotView *self, unsigned number)
{
  SlNotes *notes = notes_of (self);

  if (number == 0 || number > notes->n)
    return;
  remember (self);
  notes->n--;
  for (unsigned i = number - 1; i < notes->n; i++)
    notes->at[i] = notes->at[i + 1];
  self->note = 0;
  changed (self);
}

void
sl_plot_notes_remove (SlPlotView *self)
{
  discard (self, self->note);
}

/* A note without words is none. */
static void
keep_text (SlPlotView *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->note_entry)));
  SlNotes         *notes = notes_of (self);
  unsigned         number = self->note;

  g_strstrip (text);
  if (*text == '\0')
    {
      discard (self, number);
      return;
    }
  if (number == 0 && notes->n == SL_NOTES_MAX)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  if (number > 0 && g_str_equal (notes->at[number - 1].text, text))
    return;
  remember (self);
  if (number == 0)
    {
      number = ++notes->n;
      notes->at[number - 1].x = self->note_x;
      notes->at[number - 1].y = self->note_y;
    }
  sl_note_set_text (&notes->at[number - 1], text);
  self->note = number;
  changed (self);
}

static void
on_activate (SlPlotView *self)
{
  keep_text (self);
  gtk_popover_popdown (GTK_POPOVER (self->note_popover));
}

static void
on_remove (SlPlotView *self)
{
  sl_plot_notes_remove (self);
  gtk_popover_popdown (GTK_POPOVER (self->note_popover));
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

  self->note_popover = gtk_popover_new ();
  self->note_entry = gtk_entry_new ();
  self->note_button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  gtk_entry_set_max_length (GTK_ENTRY (self->note_entry), LETTERS_MAX);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->note_entry), 28);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->note_entry),
                                  _ ("Describe what can be seen here"));
  gtk_widget_set_tooltip_text (self->note_button, _ ("Remove the note"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->note_entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Note on the plot"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->note_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Remove the note"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->note_popover),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Note on the plot"), -1);
  gtk_box_append (GTK_BOX (box), self->note_entry);
  gtk_box_append (GTK_BOX (box), self->note_button);
  gtk_popover_set_child (GTK_POPOVER (self->note_popover), box);
  gtk_widget_set_parent (self->note_popover, GTK_WIDGET (self));
  g_signal_connect_swapped (self->note_entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->note_button, "clicked", G_CALLBACK (on_remove), self);
  g_signal_connect_swapped (self->note_popover, "closed", G_CALLBACK (on_closed), self);
}

/* Opens it at a point: for the chosen note, or for a new one about that point. */
static void
write_at (SlPlotView *self, double px, double py)
{
  const SlNotes *notes = notes_of (self);
  gboolean       old = self->note > 0 && self->note <= notes->n;

  if (frame_of (self)->empty || frame_of (self)->plot.w <= 0)
    return;
  if (!old)
    self->note = 0;
  if (!old && notes->n == SL_NOTES_MAX)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  sl_frame_place (frame_of (self), px, py, &self->note_x, &self->note_y);
  if (self->note_popover == NULL)
    make_popover (self);
  gtk_editable_set_text (GTK_EDITABLE (self->note_entry),
                         old ? notes->at[self->note - 1].text : "");
  gtk_widget_set_visible (self->note_button, old);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->note_popover),
                               &(GdkRectangle) { (int) px, (int) py, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->note_popover));
  gtk_widget_grab_focus (self->note_entry);
}

static const SlFrameNote *
laid_out (SlPlotView *self, unsigned number)
{
  const SlFrame *frame = frame_of (self);

  for (unsigned i = 0; i < frame->n_user_notes; i++)
    if (frame->user_note[i].number == number)
      return &frame->user_note[i];
  return NULL;
}

/* By key: the chosen note; or at what the cursor reads, or in the middle. */
void
sl_plot_notes_write (SlPlotView *self)
{
  const SlMarks     *marks = sl_plot_overlay_get_marks (self->overlay);
  const SlRect      *plot = &frame_of (self)->plot;
  const SlFrameNote *chosen = laid_out (self, self->note);
  double             x = plot->x + plot->w / 2.0, y = plot->y + plot->h / 2.0;

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
sl_plot_notes_write_here (SlPlotView *self)
{
  const SlRect *plot = &frame_of (self)->plot;

  self->note = sl_frame_note (frame_of (self), self->menu_x, self->menu_y);
  write_at (self, CLAMP (self->menu_x, plot->x, plot->x + plot->w),
            CLAMP (self->menu_y, plot->y, plot->y + plot->h));
}

void
sl_plot_notes_next (SlPlotView *self)
{
  const SlFrame *frame = frame_of (self);
  unsigned       next = 0;

  for (unsigned i = frame->n_user_notes; i > 0; i--)
    if (frame->user_note[i - 1].number > self->note)
      next = frame->user_note[i - 1].number;
  if (next == 0 && frame->n_user_notes > 0)
    next = frame->user_note[0].number;
  self->note = next;
  sl_plot_reading_show (self);
}

gboolean
sl_plot_notes_click (SlPlotView *self, double x, double y, int presses)
{
  unsigned number = sl_frame_note (frame_of (self), x, y);

  if (number == 0 && self->note == 0)
    return FALSE;
  self->note = number;
  sl_plot_reading_show (self);
  if (number > 0 && presses == 2)
    sl_plot_notes_write (self);
  return number > 0;
}

gboolean
sl_plot_notes_let_go (SlPlotView *self)
{
  gboolean any = self->note > 0;

  self->note = 0;
  if (any)
    sl_plot_reading_show (self);
  return any;
}

/* To a point of the plot. */
static void
move_to (SlPlotView *self, unsigned number, double px, double py)
{
  const SlRect *plot = &frame_of (self)->plot;
  SlNote       *note = &notes_of (self)->at[number - 1];

  sl_frame_place (frame_of (self), CLAMP (px, plot->x, plot->x + plot->w),
                  CLAMP (py, plot->y, plot->y + plot->h), &note->x, &note->y);
}

gboolean
sl_plot_notes_grip (SlPlotView *self, double x, double y)
{
  const SlFrameNote *at = laid_out (self, sl_frame_note (frame_of (self), x, y));

  if (at == NULL || at->number > notes_of (self)->n)
    return FALSE;
  self->note_moved = FALSE;
  self->note_gripped = at->number;
  self->note_from_x = at->x;
  self->note_from_y = at->y;
  return TRUE;
}

gboolean
sl_plot_notes_drag (SlPlotView *self, double dx, double dy)
{
  if (self->note_gripped == 0 || self->note_gripped > notes_of (self)->n)
    return FALSE;
  if (!self->note_moved)
    remember (self);
  self->note_moved = TRUE;
  move_to (self, self->note_gripped, self->note_from_x + dx, self->note_from_y + dy);
  sl_plot_view_touch (self);
  return TRUE;
}

void
sl_plot_notes_drop (SlPlotView *self)
{
  gboolean moved = self->note_gripped > 0 && self->note_moved;

  self->note_gripped = 0;
  self->note_moved = FALSE;
  if (moved)
    changed (self);
}

gboolean
sl_plot_notes_nudge (SlPlotView *self, int columns, int rows)
{
  const SlRect *plot = &frame_of (self)->plot;
  double        x, y;

  /* Keys may come faster than frames: what counts is where it is, not where it was drawn. */
  if (self->note == 0 || self->note > notes_of (self)->n
      || !sl_frame_find (frame_of (self), &notes_of (self)->at[self->note - 1], &x, &y))
    return FALSE;
  remember (self);
  move_to (self, self->note, x + columns * plot->w / 40.0, y + rows * plot->h / 40.0);
  changed (self);
  return TRUE;
}

const char *
sl_plot_notes_mark (SlPlotView *self, SlMarks *marks)
{
  const SlFrameNote *at = laid_out (self, self->note);

  if (at == NULL || at->number > notes_of (self)->n)
    return NULL;
  marks->boxed = TRUE;
  marks->box = at->box;
  return notes_of (self)->at[at->number - 1].text;
}

void
sl_plot_notes_describe (SlPlotView *self, GString *out)
{
  const SlNotes *notes = notes_of (self);

  for (unsigned i = 0; i < notes->n; i++)
    {
      /* Translators: what a person wrote on a plot, read aloud. */
      g_autofree char *text = g_strdup_printf (_ ("Note: %s"), notes->at[i].text);

      g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", text);
    }
}

void
sl_plot_view_set_notes (SlPlotView *self, const SlNotes *notes)
{
  if (notes->n == 0 && notes_of (self)->n == 0)
    return;
  *notes_of (self) = *notes;
  self->note = self->note_gripped = 0;
  sl_plot_view_forget_note_changes (self);
  sl_plot_view_touch (self);
}
