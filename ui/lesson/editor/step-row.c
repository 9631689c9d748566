/* SPDX-License-Identifier: MIT */
#include "ui/lesson/editor/step-row.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/widget.h"
#include "ui/lesson/editor/question.h"

struct _SlStepRow
{
  AdwExpanderRow parent_instance;

  SlLesson       *lesson;
  unsigned        number;
  GtkEditable    *title;
  GtkTextView    *text;
  GtkSpinButton  *updates, *speed; /* NULL: the step is on the start page */
  SlQuestionRows *question;
};

G_DEFINE_FINAL_TYPE (SlStepRow, sl_step_row, ADW_TYPE_EXPANDER_ROW)

/* What the step shows and does, which the editor leaves as it was saved. */
static char *
about (const SlLesson *lesson, unsigned number)
{
  const SlLessonStep *step = sl_lesson_step (lesson, number);
  guint               plots = step->show != NULL ? g_strv_length (step->show) : 0;
  g_autoptr (GString) text = g_string_new (NULL);
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, number, &state);

  g_string_append (text, !sl_ok (&status) || state.lab == NULL ? _ ("Start page")
                                                               : sl_words (state.lab->title));
  if (sl_ok (&status) && state.data != NULL)
    g_string_append_printf (text, " · %s", state.data);
  if (plots > 0)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%u plot", "%u plots", plots), plots);
    }
  g_free (state.data);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_on_start_page (const SlLesson *lesson, unsigned number)
{
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, number, &state);

  g_free (state.data);
  return sl_ok (&status) && state.lab == NULL;
}

static void
set_title (SlStepRow *self)
{
  const char      *title = gtk_editable_get_text (self->title);
  g_autofree char *words = g_strdup_printf ("%u. %s", self->number + 1, title);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), words);
}

static void
on_earlier (SlStepRow *self)
{
  g_signal_emit_by_name (self, "move", -1);
}

static void
on_later (SlStepRow *self)
{
  g_signal_emit_by_name (self, "move", 1);
}

static void
on_remove (SlStepRow *self)
{
  g_signal_emit_by_name (self, "remove");
}

static void
add_button (SlStepRow *self, const char *icon, const char *help, gboolean possible,
            void (*pressed) (SlStepRow *self))
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, help);
  sl_widget_label (button, help);
  gtk_widget_set_sensitive (button, possible);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (pressed), self);
  adw_expander_row_add_action (ADW_EXPANDER_ROW (self), button);
}

static void
add_run (SlStepRow *self, const SlLessonStep *step)
{
  adw_expander_row_add_row (
    ADW_EXPANDER_ROW (self),
    sl_number_row_new (_ ("Updates"), _ ("0: the run goes on without an end"), 0.0, 1e9,
                       step->go == SL_GO_UNTIL ? (double) step->updates : 0.0, 0, &self->updates));
  adw_expander_row_add_row (
    ADW_EXPANDER_ROW (self),
    sl_number_row_new (_ ("Updates a second"), _ ("0: as in the step before"), 0.0, SL_LESSON_SPEED,
                       step->has_speed ? step->speed : 0.0, 0, &self->speed));
}

SlStepRow *
sl_step_row_new (SlLesson *lesson, unsigned number)
{
  SlStepRow          *self = g_object_new (SL_TYPE_STEP_ROW, NULL);
  const SlLessonStep *step = sl_lesson_step (lesson, number);
  AdwExpanderRow     *row = ADW_EXPANDER_ROW (self);
  g_autofree char    *words = about (lesson, number);
  GtkWidget          *title = adw_entry_row_new ();

  self->lesson = lesson;
  self->number = number;
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self), FALSE);
  adw_expander_row_set_subtitle (row, words);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (title), _ ("Title"));
  gtk_editable_set_text (GTK_EDITABLE (title), step->title);
  self->title = GTK_EDITABLE (title);
  /* The last one is the first in the row. */
  add_button (self, "user-trash-symbolic", _ ("Remove the step"), lesson->steps->len > 1,
              on_remove);
  add_button (self, "go-down-symbolic", _ ("Later"), number + 1 < lesson->steps->len, on_later);
  add_button (self, "go-up-symbolic", _ ("Earlier"), number > 0, on_earlier);
  adw_expander_row_add_row (row, title);
  adw_expander_row_add_row (row, sl_text_row_new (_ ("Text"), step->text, &self->text));
  if (!is_on_start_page (lesson, number))
    add_run (self, step);
  self->question = sl_question_rows_new (row, lesson, number);
  g_signal_connect_swapped (self->title, "changed", G_CALLBACK (set_title), self);
  set_title (self);
  return self;
}

/* A step that paused or went on stays so as long as it is given no number of updates; and one that is as fast as the
 * machine, as long as it is given no speed.  */
static void
take_run (SlStepRow *self, SlLessonStep *step)
{
  double updates = gtk_spin_button_get_value (self->updates);
  double speed = gtk_spin_button_get_value (self->speed);

  if (updates > 0.0)
    step->go = SL_GO_UNTIL;
  else if (step->go == SL_GO_UNTIL)
    step->go = SL_GO_RUN;
  step->updates = (uint64_t) updates;
  step->has_speed = speed > 0.0 || (step->has_speed && step->speed == 0);
  step->speed = (unsigned) speed;
}

void
sl_step_row_take (SlStepRow *self)
{
  SlLessonStep *step = sl_lesson_step (self->lesson, self->number);

  g_free (step->title);
  g_free (step->text);
  step->title = g_strdup (gtk_editable_get_text (self->title));
  step->text = sl_text_row_dup (self->text);
  if (self->updates != NULL)
    take_run (self, step);
  sl_question_rows_take (self->question);
}

static void
sl_step_row_finalize (GObject *object)
{
  sl_question_rows_free (SL_STEP_ROW (object)->question);
  G_OBJECT_CLASS (sl_step_row_parent_class)->finalize (object);
}

static void
sl_step_row_class_init (SlStepRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_step_row_finalize;
  sl_signal_new (SL_TYPE_STEP_ROW, "move", 1, G_TYPE_INT);
  sl_signal_new (SL_TYPE_STEP_ROW, "remove", 0);
}

static void
sl_step_row_init (SlStepRow *self)
{
}
