/* SPDX-License-Identifier: MIT
 *
 * The question of a step in the lesson bar: its options or its number, and how to answer.  */
#include "ui/lesson/bar-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/base/number.h"
#include "ui/kit/widget.h"

enum { SHORT_OPTION = 14 };

const SlLessonStep *
sl_lesson_bar_step (SlLessonBar *self)
{
  return self->posed.step != NULL ? self->posed.step : sl_lesson_player_get_step (self->player);
}

const SlGuess *
sl_lesson_bar_guess (SlLessonBar *self)
{
  return self->posed.step != NULL ? &self->posed.guess : sl_lesson_player_get_guess (self->player);
}

char *
sl_lesson_bar_widen (const char *text)
{
  enum { SIGNS = 7 };
  g_autofree char *whole = NULL;
  GString         *wide = g_string_new (NULL);
  gssize           opened = -1;

  for (; *text != '\0'; text++)
    {
      opened = *text == '{' ? (gssize) wide->len : opened;
      for (; *text == '}' && opened >= 0 && (gssize) wide->len - opened < SIGNS;)
        g_string_append_c (wide, '0');
      g_string_append_c (wide, *text);
    }
  whole = g_string_free (wide, FALSE);
  return sl_dup_breakable (whole);
}

static void
on_option (GtkButton *button, SlLessonBar *self)
{
  g_signal_emit_by_name (self, "answer", g_object_get_data (G_OBJECT (button), "option"));
}

void
sl_lesson_bar_skip (SlLessonBar *self)
{
  g_signal_emit_by_name (self, "answer", "");
}

void
sl_lesson_bar_answer (SlLessonBar *self)
{
  char     number[SL_NUMBER_SIZE];
  gboolean typed = sl_lesson_bar_step (self)->question.kind == SL_ASK_NUMBER;

  gtk_spin_button_update (self->spin);
  g_signal_emit_by_name (self, "answer",
                         typed ? sl_number_format (gtk_spin_button_get_value (self->spin), number)
                               : NULL);
}

/* Short options are side by side, sentences below each other; in the order of the person, but for a step that is
 * measured.  */
static void
make_options (SlLessonBar *self, const SlQuestion *question)
{
  gboolean brief = TRUE;
  unsigned order[SL_LESSON_OPTIONS];
  unsigned n = self->posed.step != NULL ? sl_question_order (question, 0, 0, order)
                                        : sl_lesson_player_order (self->player, order);

  sl_box_clear (self->options);
  for (unsigned i = 0; i < n; i++)
    {
      const char      *title = sl_words (question->options[order[i]]);
      g_autofree char *words = sl_dup_breakable (title);
      GtkWidget       *label = gtk_label_new (words), *button = gtk_button_new ();

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 0.5f);
      gtk_button_set_child (GTK_BUTTON (button), label);
      sl_widget_label (button, title);
      g_object_set_data_full (G_OBJECT (button), "option", g_strdup_printf ("%u", order[i] + 1),
                              g_free);
      g_signal_connect (button, "clicked", G_CALLBACK (on_option), self);
      gtk_box_append (self->options, button);
      brief = brief && g_utf8_strlen (title, -1) <= SHORT_OPTION;
    }
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->options),
                                  brief ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

static SlAnswerMark
verdict_of (SlLessonBar *self)
{
  return self->posed.step != NULL ? SL_ANSWER_OPEN : sl_lesson_player_get_verdict (self->player);
}

/* Letters that either end takes, and one to spare: the toolkit's own count cuts off wide ones. */
static int
width_of (double lo, double hi, int digits)
{
  g_autofree char *first = g_strdup_printf ("%.*f", digits, lo);
  g_autofree char *last = g_strdup_printf ("%.*f", digits, hi);

  return (int) MAX (strlen (first), strlen (last)) + 1;
}

static void
make_number (SlLessonBar *self, const SlQuestion *question, const char *prompt)
{
  int digits = (int) CLAMP (ceil (-log10 (question->step) - 1e-9), 0.0, 6.0);

  gtk_adjustment_configure (self->adjustment, (question->lo + question->hi) / 2.0, question->lo,
                            question->hi, question->step, 10.0 * question->step, 0.0);
  gtk_spin_button_set_digits (self->spin, (guint) digits);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->spin),
                                width_of (question->lo, question->hi, digits));
  gtk_label_set_label (self->unit, sl_words (question->unit));
  sl_widget_label (GTK_WIDGET (self->scale), prompt);
  sl_widget_label (GTK_WIDGET (self->spin), _ ("Your guess, exact value"));
}

static char *
dup_prompt (SlLessonBar *self)
{
  const char *posed = self->posed.step != NULL ? self->posed.step->question.prompt : NULL;

  return self->posed.step == NULL ? sl_lesson_player_dup_prompt (self->player)
         : posed != NULL          ? sl_lesson_bar_widen (sl_words (posed))
                                  : NULL;
}

void
sl_lesson_bar_make_question (SlLessonBar *self)
{
  const SlQuestion *question = &sl_lesson_bar_step (self)->question;
  g_autofree char  *prompt = dup_prompt (self);

  gtk_widget_set_visible (self->ask, question->kind != SL_ASK_NOTHING);
  gtk_widget_set_visible (self->actions, question->kind != SL_ASK_NOTHING);
  gtk_widget_set_visible (GTK_WIDGET (self->options), question->kind == SL_ASK_CHOICE);
  if (question->kind == SL_ASK_NOTHING)
    return;
  gtk_label_set_label (self->prompt, prompt != NULL ? prompt : "");
  make_options (self, question);
  if (question->kind == SL_ASK_NUMBER)
    make_number (self, question, prompt != NULL ? prompt : "");
  gtk_widget_set_sensitive (self->answer, question->kind != SL_ASK_CURVE);
}

void
sl_lesson_bar_mark_options (SlLessonBar *self, const SlGuess *guess, SlAnswerMark verdict)
{
  const SlQuestion *question = &sl_lesson_bar_step (self)->question;

  for (GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (self->options)); button != NULL;
       button = gtk_widget_get_next_sibling (button))
    {
      const char *classes[] = { NULL, NULL };
      unsigned    number = (unsigned) atoi (g_object_get_data (G_OBJECT (button), "option"));

      if (verdict != SL_ANSWER_OPEN && number == question->right)
        classes[0] = "lesson-right";
      else if (guess->answered && number == guess->option)
        classes[0] = verdict == SL_ANSWER_WRONG ? "lesson-wrong" : "lesson-chosen";
      gtk_widget_set_sensitive (button, !guess->answered);
      gtk_widget_set_css_classes (button, classes);
    }
}

/* Once it is answered a question needs little room, and the reveal needs it: options, one of which is the right
 * one, stay in a narrow column, and what else was asked is a line above the text.  */
void
sl_lesson_bar_fit_ask (SlLessonBar *self)
{
  gboolean answered = self->player != NULL && sl_lesson_bar_guess (self)->answered;
  gboolean options
    = self->player != NULL && sl_lesson_bar_step (self)->question.kind == SL_ASK_CHOICE;
  gboolean above = answered && !options && !self->narrow;
  gboolean column = answered && !above;

  gtk_label_set_width_chars (self->prompt, column ? 16 : -1);
  gtk_label_set_max_width_chars (self->prompt, column ? 24 : -1);
  gtk_widget_set_size_request (self->ask, self->narrow || answered ? -1 : 380, -1);
  gtk_box_reorder_child_after (self->body, self->ask,
                               above ? NULL : gtk_widget_get_parent (GTK_WIDGET (self->text)));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->body), self->narrow || above
                                                                 ? GTK_ORIENTATION_VERTICAL
                                                                 : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_spacing (self->body, self->narrow || above ? 8 : 24);
}

static void
show_hint (SlLessonBar *self, const SlQuestion *question, const SlGuess *guess)
{
  g_autofree char *hint = sl_question_hint (question);

  gtk_label_set_label (self->hint, hint != NULL ? hint : "");
  gtk_widget_set_visible (GTK_WIDGET (self->hint), hint != NULL && !guess->answered);
}

void
sl_lesson_bar_show_question (SlLessonBar *self)
{
  const SlLessonStep *step = sl_lesson_bar_step (self);
  const SlQuestion   *question = &step->question;
  const SlGuess      *guess = sl_lesson_bar_guess (self);
  unsigned            n_earlier;

  sl_lesson_player_get_earlier (self->player, &n_earlier);
  if (question->kind == SL_ASK_CHOICE)
    sl_lesson_bar_mark_options (self, guess, verdict_of (self));
  if (guess->answered && !guess->skipped && question->kind == SL_ASK_NUMBER)
    gtk_spin_button_set_value (self->spin, guess->number);
  gtk_widget_set_sensitive (self->number, !guess->answered);
  gtk_widget_set_visible (self->number, question->kind == SL_ASK_NUMBER
                                          && (!guess->answered || step->reveal == NULL));
  sl_lesson_bar_fit_ask (self);
  show_hint (self, question, guess);
  gtk_widget_set_visible (self->answer, question->kind != SL_ASK_CHOICE && !guess->answered);
  gtk_widget_set_visible (self->skip, !guess->answered);
  gtk_widget_set_visible (self->again, guess->answered);
  gtk_widget_set_visible (self->earlier, question->kind != SL_ASK_CHOICE && n_earlier > 0);
}
