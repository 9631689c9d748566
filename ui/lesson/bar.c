/* SPDX-License-Identifier: MIT */
#include "ui/lesson/bar-private.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "core/run/base/number.h"
#include "ui/kit/field.h"
#include "ui/kit/type-size.h"
#include "ui/kit/widget.h"

G_DEFINE_FINAL_TYPE (SlLessonBar, sl_lesson_bar, GTK_TYPE_WIDGET)

/* ---- the words ---- */

/* Labels are laid out anew even when nothing changed. */
static void
set_label (GtkLabel *label, const char *text)
{
  if (g_strcmp0 (gtk_label_get_label (label), text) != 0)
    gtk_label_set_label (label, text);
}

static void
show_verdict (SlLessonBar *self)
{
  SlAnswerMark verdict = sl_lesson_player_get_verdict (self->player);

  gboolean asks = sl_lesson_bar_step (self)->question.kind != SL_ASK_NOTHING;

  /* Words must not move when it comes. */
  gtk_widget_set_visible (GTK_WIDGET (self->verdict), asks || verdict != SL_ANSWER_OPEN);
  gtk_widget_set_opacity (GTK_WIDGET (self->verdict), verdict != SL_ANSWER_OPEN ? 1.0 : 0.0);
  gtk_image_set_from_icon_name (self->verdict, verdict == SL_ANSWER_RIGHT
                                                 ? "emblem-ok-symbolic"
                                                 : "dialog-information-symbolic");
}

static void
on_scrolling (SlLessonBar *self)
{
  GtkAdjustment *adjustment
    = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  graphene_rect_t bounds;

  self->scrolling = 0;
  if (gtk_widget_compute_bounds (self->reveal_line, GTK_WIDGET (self->body), &bounds))
    gtk_adjustment_clamp_page (adjustment, bounds.origin.y, bounds.origin.y + bounds.size.height);
}

/* What is below the edge of a small window when it appears would not be noticed. */
static void
show_reveal (SlLessonBar *self, const char *text, gboolean revealed)
{
  gboolean news = text != NULL
                  && (!gtk_widget_get_visible (self->reveal_line) || (revealed && !self->revealed));

  set_label (self->reveal, text != NULL ? text : "");
  gtk_widget_set_visible (self->reveal_line, text != NULL);
  self->revealed = revealed;
  if (news && self->scrolling == 0)
    self->scrolling = g_timeout_add_once (100, (GSourceOnceFunc) on_scrolling, self);
}

static char *
with_verdict (SlAnswerMark verdict, const char *reveal)
{
  const char *said = verdict == SL_ANSWER_RIGHT   ? _ ("Right.")
                     : verdict == SL_ANSWER_WRONG ? _ ("Not quite.")
                                                  : NULL;

  if (said != NULL && reveal != NULL)
    return g_strdup_printf (C_ ("verdict and reveal", "%s %s"), said, reveal);
  return g_strdup (reveal != NULL ? reveal : said);
}

/* The reveal with the verdict in front of it; NULL before it is time. */
static char *
dup_reveal (SlLessonBar *self, SlAnswerMark verdict)
{
  g_autofree char *reveal = sl_lesson_player_dup_reveal (self->player);

  return with_verdict (verdict, reveal);
}

/* For what will be said when the step has trained, once there is a guess. */
static void
leave_room (SlLessonBar *self)
{
  const SlLessonStep *step = sl_lesson_bar_step (self);
  const SlGuess      *guess = sl_lesson_bar_guess (self);
  g_autofree char    *longest = NULL, *wide = NULL;

  if (guess->answered && step->reveal != NULL)
    {
      wide = sl_lesson_bar_widen (sl_words (step->reveal));
      longest = with_verdict (guess->skipped ? SL_ANSWER_OPEN : SL_ANSWER_WRONG, wide);
    }
  set_label (self->room_label, longest != NULL ? longest : "");
}

static void
on_changed (SlLessonBar *self)
{
  SlAnswerMark     verdict = sl_lesson_player_get_verdict (self->player);
  g_autofree char *text = sl_lesson_player_dup_text (self->player);
  g_autofree char *reveal = dup_reveal (self, verdict);
  g_autofree char *waiting = sl_lesson_player_dup_waiting (self->player);
  gboolean         asks = sl_lesson_bar_step (self)->question.kind != SL_ASK_NOTHING;

  set_label (self->text, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->text), text != NULL && *text != '\0');
  /* Where nothing will be revealed, or something is, there is a line less to come and go: it moves the plots. */
  set_label (self->lesson, waiting != NULL && (!asks || reveal != NULL)
                             ? waiting
                             : sl_words (sl_lesson_player_get_lesson (self->player)->title));
  show_reveal (self, reveal != NULL ? reveal : asks ? waiting : NULL, reveal != NULL);
  show_verdict (self);
  leave_room (self);
  if (sl_lesson_bar_step (self)->question.kind == SL_ASK_CHOICE)
    sl_lesson_bar_mark_options (self, sl_lesson_bar_guess (self), verdict);
}

static void
on_answered (SlLessonBar *self)
{
  sl_lesson_bar_show_question (self);
  on_changed (self);
}

static void
on_moved (SlLessonBar *self)
{
  const SlLesson *lesson = sl_lesson_player_get_lesson (self->player);
  unsigned        number = sl_lesson_player_get_number (self->player);
  /* Translators: the number of a step of a lesson, and how many there are. */
  g_autofree char *count = g_strdup_printf (_ ("%u of %u"), number + 1, lesson->steps->len);

  gtk_label_set_label (self->title, sl_words (sl_lesson_bar_step (self)->title));
  gtk_label_set_label (self->count, count);
  sl_lesson_bar_make_question (self);
  on_answered (self);
  if (self->room.width > 0 && sl_type_size_presented (GTK_WIDGET (self)))
    sl_lesson_bar_gauge (self, -1);
}

/* ---- to be measured ---- */

/* The user may be about to press one of them. */
static void
keep_options (SlLessonBar *self)
{
  GtkWidget *option;

  self->posed.options = g_ptr_array_new_with_free_func (g_object_unref);
  while ((option = gtk_widget_get_first_child (GTK_WIDGET (self->options))) != NULL)
    {
      g_ptr_array_add (self->posed.options, g_object_ref (option));
      gtk_box_remove (self->options, option);
    }
}

static void
put_back_options (SlLessonBar *self)
{
  sl_box_clear (self->options);
  for (guint i = 0; i < self->posed.options->len; i++)
    gtk_box_append (self->options, g_ptr_array_index (self->posed.options, i));
  g_clear_pointer (&self->posed.options, g_ptr_array_unref);
}

void
sl_lesson_bar_pose (SlLessonBar *self, const SlLessonStep *step, gboolean answered)
{
  gboolean         asks = step->question.kind != SL_ASK_NOTHING;
  gboolean         reveals = step->reveal != NULL && (answered || !asks);
  g_autofree char *text = step->text != NULL ? sl_lesson_bar_widen (sl_words (step->text)) : NULL;
  g_autofree char *wide = reveals ? sl_lesson_bar_widen (sl_words (step->reveal)) : NULL;
  g_autofree char *reveal = with_verdict (asks ? SL_ANSWER_WRONG : SL_ANSWER_OPEN, wide);

  if (self->posed.step == NULL)
    {
      keep_options (self);
      self->posed.number = gtk_spin_button_get_value (self->spin);
      self->posed.drawn = gtk_widget_get_sensitive (self->answer);
    }
  self->posed.step = step;
  self->posed.guess = (SlGuess) { .answered = answered, .skipped = answered };
  sl_lesson_bar_make_question (self);
  sl_lesson_bar_show_question (self);
  set_label (self->text, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->text), text != NULL && *text != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->verdict), asks);
  set_label (self->room_label, "");
  set_label (self->reveal, reveals ? reveal : "");
  gtk_widget_set_visible (self->reveal_line, reveals || answered);
}

void
sl_lesson_bar_unpose (SlLessonBar *self)
{
  self->posed.step = NULL;
  sl_lesson_bar_make_question (self);
  put_back_options (self);
  gtk_spin_button_set_value (self->spin, self->posed.number);
  gtk_widget_set_sensitive (self->answer, self->posed.drawn);
  on_answered (self);
}

/* ---- the player ---- */

void
sl_lesson_bar_set_player (SlLessonBar *self, SlLessonPlayer *player)
{
  g_return_if_fail (SL_IS_LESSON_BAR (self));
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_data (self->player, self);
  g_set_object (&self->player, player);
  gtk_widget_set_visible (GTK_WIDGET (self), player != NULL);
  if (player == NULL)
    return;
  g_signal_connect_swapped (player, "moved", G_CALLBACK (on_moved), self);
  g_signal_connect_swapped (player, "answered", G_CALLBACK (on_answered), self);
  g_signal_connect_swapped (player, "changed", G_CALLBACK (on_changed), self);
  on_moved (self);
  sl_lesson_bar_gauge (self, -1);
}

void
sl_lesson_bar_set_drawn (SlLessonBar *self, gboolean drawn)
{
  g_return_if_fail (SL_IS_LESSON_BAR (self));
  gtk_widget_set_sensitive (self->answer, drawn);
}

/* ---- the widget ---- */

static void
sl_lesson_bar_dispose (GObject *object)
{
  SlLessonBar *self = SL_LESSON_BAR (object);

  g_clear_handle_id (&self->folding, g_source_remove);
  g_clear_handle_id (&self->scrolling, g_source_remove);
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_data (self->player, self);
  g_clear_object (&self->player);
  sl_widget_dispose (object);
}

/* Type of another size takes another room. */
static void
sl_lesson_bar_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  SlLessonBar *self = SL_LESSON_BAR (widget);

  GTK_WIDGET_CLASS (sl_lesson_bar_parent_class)->css_changed (widget, change);
  if (self->player != NULL && self->room.width > 0 && sl_type_size_of (widget) != self->room.type)
    sl_lesson_bar_gauge_soon (self);
}

static void
sl_lesson_bar_class_init (SlLessonBarClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_lesson_bar_dispose;
  widget->get_request_mode = sl_lesson_bar_get_request_mode;
  widget->measure = sl_lesson_bar_measure;
  widget->size_allocate = sl_lesson_bar_size_allocate;
  widget->css_changed = sl_lesson_bar_css_changed;
  sl_signal_new (SL_TYPE_LESSON_BAR, "answer", 1, G_TYPE_STRING);
  sl_widget_class_set_template (widget, "lesson/bar.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlLessonBar, title), SL_CHILD (SlLessonBar, lesson),
    SL_CHILD (SlLessonBar, count), SL_CHILD (SlLessonBar, head), SL_CHILD (SlLessonBar, scroller),
    SL_CHILD (SlLessonBar, body), SL_CHILD (SlLessonBar, text), SL_CHILD (SlLessonBar, reveal_line),
    SL_CHILD (SlLessonBar, verdict), SL_CHILD (SlLessonBar, reveal),
    SL_CHILD (SlLessonBar, room_label), SL_CHILD (SlLessonBar, ask), SL_CHILD (SlLessonBar, prompt),
    SL_CHILD (SlLessonBar, options), SL_CHILD (SlLessonBar, number), SL_CHILD (SlLessonBar, scale),
    SL_CHILD (SlLessonBar, adjustment), SL_CHILD (SlLessonBar, spin), SL_CHILD (SlLessonBar, unit),
    SL_CHILD (SlLessonBar, hint), SL_CHILD (SlLessonBar, answer), SL_CHILD (SlLessonBar, skip),
    SL_CHILD (SlLessonBar, again), SL_CHILD (SlLessonBar, earlier), SL_CHILD (SlLessonBar, actions),
    SL_CHILD (SlLessonBar, way), NULL);
  gtk_widget_class_bind_template_callback (widget, sl_lesson_bar_answer);
  gtk_widget_class_bind_template_callback (widget, sl_lesson_bar_skip);
  gtk_widget_class_set_accessible_role (widget, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
sl_lesson_bar_init (SlLessonBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_size_request (self->ask, 380, -1);
  sl_widget_label (GTK_WIDGET (self), _ ("Lesson"));
  sl_field_take_comma (self->spin);
  sl_label_tell_when_cut (self->title);
  sl_label_tell_when_cut (self->lesson);
  sl_widget_pass_scroll (self->scale);
  sl_widget_pass_scroll (GTK_WIDGET (self->spin));
}
