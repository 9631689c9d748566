/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/notes.h"

#include <glib/gi18n.h>

#include "ui/kit/widget.h"
#include "ui/plot-view/inside.h"

enum { UNDO_MAX = 32, LETTERS_MAX = 120 };

void
sl_plot_notes_init (SlPlotNotes *self, SlPlotView *view)
{
  self->view = view;
  self->notes = &sl_plot_view_get_figure (view)->notes;
  self->before = g_array_new (FALSE, FALSE, sizeof (SlNotes));
  self->after = g_array_new (FALSE, FALSE, sizeof (SlNotes));
}

void
sl_plot_notes_clear (SlPlotNotes *self)
{
  g_array_unref (self->before);
  g_array_unref (self->after);
}

static void
changed (SlPlotNotes *self)
{
  sl_plot_view_touch (self->view);
  g_signal_emit_by_name (self->view, "noted");
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
remember (SlPlotNotes *self)
{
  push (self->before, self->notes);
  g_array_set_size (self->after, 0);
}

static gboolean
swap (SlPlotNotes *self, GArray *from, GArray *to)
{
  if (from->len == 0)
    return FALSE;
  push (to, self->notes);
  *self->notes = g_array_index (from, SlNotes, from->len - 1);
  g_array_set_size (from, from->len - 1);
  self->chosen = 0;
  changed (self);
  return TRUE;
}

gboolean
sl_plot_notes_undo (SlPlotNotes *self, gboolean again)
{
  return again ? swap (self, self->after, self->before) : swap (self, self->before, self->after);
}

void
sl_plot_notes_forget_changes (SlPlotNotes *self)
{
  g_array_set_size (self->before, 0);
  g_array_set_size (self->after, 0);
}

static void
discard (SlPlotNotes *self, unsigned number)
{

  if (number == 0 || number > self->notes->n)
    return;
  remember (self);
  self->notes->n--;
  for (unsigned i = number - 1; i < self->notes->n; i++)
    self->notes->at[i] = self->notes->at[i + 1];
  self->chosen = 0;
  changed (self);
}

void
sl_plot_notes_remove (SlPlotNotes *self)
{
  discard (self, self->chosen);
}

/* A note without words is none. */
static void
keep_text (SlPlotNotes *self)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  unsigned         number = self->chosen;

  g_strstrip (text);
  if (*text == '\0')
    {
      discard (self, number);
      return;
    }
  if (number == 0 && self->notes->n == SL_NOTES_MAX)
    {
      gtk_widget_error_bell (GTK_WIDGET (self->view));
      return;
    }
  if (number > 0 && g_str_equal (self->notes->at[number - 1].text, text))
    return;
  remember (self);
  if (number == 0)
    {
      number = ++self->notes->n;
      self->notes->at[number - 1].x = self->x;
      self->notes->at[number - 1].y = self->y;
    }
  sl_note_set_text (&self->notes->at[number - 1], text);
  self->chosen = number;
  changed (self);
}

static void
on_activate (SlPlotNotes *self)
{
  keep_text (self);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static void
on_remove (SlPlotNotes *self)
{
  sl_plot_notes_remove (self);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

/* Keys are the plot's again. */
static void
on_closed (SlPlotNotes *self)
{
  if (gtk_widget_get_root (GTK_WIDGET (self->view)) != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
make_popover (SlPlotNotes *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->popover = gtk_popover_new ();
  self->entry = gtk_entry_new ();
  self->remove = gtk_button_new_from_icon_name ("user-trash-symbolic");
  gtk_entry_set_max_length (GTK_ENTRY (self->entry), LETTERS_MAX);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 28);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _ ("Describe what can be seen here"));
  gtk_widget_set_tooltip_text (self->remove, _ ("Remove the note"));
  sl_widget_label (GTK_WIDGET (self->entry), _ ("Note on the plot"));
  sl_widget_label (GTK_WIDGET (self->remove), _ ("Remove the note"));
  sl_widget_label (GTK_WIDGET (self->popover), _ ("Note on the plot"));
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), self->remove);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self->view));
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_activate), self);
  g_signal_connect_swapped (self->remove, "clicked", G_CALLBACK (on_remove), self);
  g_signal_connect_swapped (self->popover, "closed", G_CALLBACK (on_closed), self);
}

void
sl_plot_notes_write (SlPlotNotes *self, double px, double py)
{
  const SlFrame *frame = sl_plot_view_get_frame (self->view);
  gboolean       old = self->chosen > 0 && self->chosen <= self->notes->n;

  if (frame->empty || frame->plot.w <= 0)
    return;
  px = CLAMP (px, frame->plot.x, frame->plot.x + frame->plot.w);
  py = CLAMP (py, frame->plot.y, frame->plot.y + frame->plot.h);
  if (!old)
    self->chosen = 0;
  if (!old && self->notes->n == SL_NOTES_MAX)
    {
      gtk_widget_error_bell (GTK_WIDGET (self->view));
      return;
    }
  sl_frame_place (frame, px, py, &self->x, &self->y);
  if (self->popover == NULL)
    make_popover (self);
  gtk_editable_set_text (GTK_EDITABLE (self->entry),
                         old ? self->notes->at[self->chosen - 1].text : "");
  gtk_widget_set_visible (self->remove, old);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle) { (int) px, (int) py, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
  gtk_widget_grab_focus (self->entry);
}

static const SlFrameNote *
laid_out (const SlPlotNotes *self, unsigned number)
{
  const SlFrame *frame = sl_plot_view_get_frame (self->view);

  for (unsigned i = 0; i < frame->n_user_notes; i++)
    if (frame->user_note[i].number == number)
      return &frame->user_note[i];
  return NULL;
}

gboolean
sl_plot_notes_edit (SlPlotNotes *self)
{
  const SlFrameNote *chosen = laid_out (self, self->chosen);

  if (chosen != NULL)
    sl_plot_notes_write (self, chosen->x, chosen->y);
  return chosen != NULL;
}

void
sl_plot_notes_next (SlPlotNotes *self)
{
  const SlFrame *frame = sl_plot_view_get_frame (self->view);
  unsigned       next = 0;

  for (unsigned i = frame->n_user_notes; i > 0; i--)
    if (frame->user_note[i - 1].number > self->chosen)
      next = frame->user_note[i - 1].number;
  if (next == 0 && frame->n_user_notes > 0)
    next = frame->user_note[0].number;
  self->chosen = next;
  sl_plot_reading_show (self->view);
}

gboolean
sl_plot_notes_click (SlPlotNotes *self, double x, double y, int presses)
{
  unsigned number = sl_frame_note (sl_plot_view_get_frame (self->view), x, y);

  if (number == 0 && self->chosen == 0)
    return FALSE;
  self->chosen = number;
  sl_plot_reading_show (self->view);
  if (number > 0 && presses == 2)
    sl_plot_notes_edit (self);
  return number > 0;
}

gboolean
sl_plot_notes_let_go (SlPlotNotes *self)
{
  gboolean any = self->chosen > 0;

  self->chosen = 0;
  if (any)
    sl_plot_reading_show (self->view);
  return any;
}

/* To a point of the plot. */
static void
move_to (SlPlotNotes *self, unsigned number, double px, double py)
{
  const SlRect *plot = &sl_plot_view_get_frame (self->view)->plot;
  SlNote       *note = &self->notes->at[number - 1];

  sl_frame_place (sl_plot_view_get_frame (self->view), CLAMP (px, plot->x, plot->x + plot->w),
                  CLAMP (py, plot->y, plot->y + plot->h), &note->x, &note->y);
}

gboolean
sl_plot_notes_grip (SlPlotNotes *self, double x, double y)
{
  const SlFrameNote *at
    = laid_out (self, sl_frame_note (sl_plot_view_get_frame (self->view), x, y));

  if (at == NULL || at->number > self->notes->n)
    return FALSE;
  self->moved = FALSE;
  self->gripped = at->number;
  self->from_x = at->x;
  self->from_y = at->y;
  return TRUE;
}

gboolean
sl_plot_notes_drag (SlPlotNotes *self, double dx, double dy)
{
  if (self->gripped == 0 || self->gripped > self->notes->n)
    return FALSE;
  if (!self->moved)
    remember (self);
  self->moved = TRUE;
  move_to (self, self->gripped, self->from_x + dx, self->from_y + dy);
  sl_plot_view_touch (self->view);
  return TRUE;
}

void
sl_plot_notes_drop (SlPlotNotes *self)
{
  gboolean moved = self->gripped > 0 && self->moved;

  self->gripped = 0;
  self->moved = FALSE;
  if (moved)
    changed (self);
}

gboolean
sl_plot_notes_nudge (SlPlotNotes *self, int columns, int rows)
{
  const SlRect *plot = &sl_plot_view_get_frame (self->view)->plot;
  double        x, y;

  /* Keys may come faster than frames: what counts is where it is, not where it was drawn. */
  if (self->chosen == 0 || self->chosen > self->notes->n
      || !sl_frame_find (sl_plot_view_get_frame (self->view), &self->notes->at[self->chosen - 1],
                         &x, &y))
    return FALSE;
  remember (self);
  move_to (self, self->chosen, x + columns * plot->w / 40.0, y + rows * plot->h / 40.0);
  changed (self);
  return TRUE;
}

const char *
sl_plot_notes_mark (const SlPlotNotes *self, SlMarks *marks)
{
  const SlFrameNote *at = laid_out (self, self->chosen);

  if (at == NULL || at->number > self->notes->n)
    return NULL;
  marks->boxed = TRUE;
  marks->box = at->box;
  return self->notes->at[at->number - 1].text;
}

void
sl_plot_notes_describe (const SlPlotNotes *self, GString *out)
{

  for (unsigned i = 0; i < self->notes->n; i++)
    {
      /* Translators: what a person wrote on a plot, read aloud. */
      g_autofree char *text = g_strdup_printf (_ ("Note: %s"), self->notes->at[i].text);

      g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", text);
    }
}

void
sl_plot_notes_forget (SlPlotNotes *self)
{
  self->chosen = self->gripped = 0;
  sl_plot_notes_forget_changes (self);
}

void
sl_plot_notes_set (SlPlotNotes *self, const SlNotes *notes)
{
  if (notes->n == 0 && self->notes->n == 0)
    return;
  *self->notes = *notes;
  sl_plot_notes_forget (self);
  sl_plot_view_touch (self->view);
}
