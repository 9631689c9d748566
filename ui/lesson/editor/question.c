/* SPDX-License-Identifier: MIT */
#include "ui/lesson/editor/question.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "ui/kit/field.h"
#include "ui/kit/widget.h"

enum { DECIMALS = 12 }; /* at most */

struct SlQuestionRows
{
  SlLesson *lesson;
  unsigned  step;

  AdwComboRow   *kind, *right, *channel;
  GtkEditable   *prompt, *option[SL_LESSON_OPTIONS];
  GtkSpinButton *lo, *hi, *tolerance;
  GtkTextView   *reveal;
  GtkWidget     *asked[2 * SL_LESSON_OPTIONS];            /* (n_asked) rows of any question */
  GtkWidget *chosen[SL_LESSON_OPTIONS + 1], *measured[4]; /* of a choice; of a number or a curve */
  unsigned   n_asked;
  GPtrArray *askable; /* of SlAskable */
  guint      formula; /* 1: the first of the channels is the formula that the file has; else 0 */
  gboolean   whole;   /* a curve is asked for as far as the run goes */
};

/* ---- rows ---- */

GtkWidget *
sl_text_row_new (const char *title, const char *text, GtkTextView **view)
{
  GtkWidget *row = adw_preferences_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *label = gtk_label_new (title), *words = gtk_text_view_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (words), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (words), FALSE);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (words)), text, -1);
  gtk_widget_set_size_request (words, -1, 44);
  gtk_widget_add_css_class (words, "lesson-words");
  sl_widget_label (words, title);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  *view = GTK_TEXT_VIEW (words);
  return row;
}

char *
sl_text_row_dup (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter    from, to;

  gtk_text_buffer_get_bounds (buffer, &from, &to);
  return gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
}

/* How many decimals show a value as it is, as far as a field can. */
static guint
decimals_of (double value, int least)
{
  int digits = least;

  for (double scaled = value * pow (10.0, digits);
       digits < DECIMALS && fabs (scaled - round (scaled)) > 1e-6; scaled *= 10.0)
    digits++;
  return (guint) digits;
}

GtkWidget *
sl_number_row_new (const char *title, const char *subtitle, double lo, double hi, double value,
                   int digits, GtkSpinButton **spin)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *field
    = gtk_spin_button_new_with_range (MIN (lo, value), MAX (hi, value), pow (10.0, -digits));

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (field), decimals_of (value, digits));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (field), value);
  gtk_widget_set_valign (field, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars (GTK_EDITABLE (field), 8);
  sl_widget_label (field, title);
  sl_widget_pass_scroll (field);
  sl_field_take_comma (GTK_SPIN_BUTTON (field));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), field);
  *spin = GTK_SPIN_BUTTON (field);
  return row;
}

static GtkWidget *
new_entry (const char *title, const char *text, GtkEditable **entry)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  *entry = GTK_EDITABLE (row);
  return row;
}

static GtkWidget *
new_choice (const char *title, const char *const *words, guint selected, AdwComboRow **combo)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (words);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), selected);
  *combo = ADW_COMBO_ROW (row);
  return row;
}

/* ---- what there is to choose from ---- */

static guint
find_channel (const SlQuestionRows *self, const char *id)
{
  for (guint i = 0; i < self->askable->len; i++)
    if (g_strcmp0 (((const SlAskable *) g_ptr_array_index (self->askable, i))->id, id) == 0)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

/* A formula that is none of the channels stays as it is, unless another answer is chosen. */
static GtkWidget *
make_channels (SlQuestionRows *self, const SlQuestion *question)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  guint found = find_channel (self, question->answer);

  self->formula = question->answer != NULL && found == GTK_INVALID_LIST_POSITION ? 1 : 0;
  if (self->formula > 0)
    g_ptr_array_add (words, question->answer);
  for (guint i = 0; i < self->askable->len; i++)
    g_ptr_array_add (words, ((const SlAskable *) g_ptr_array_index (self->askable, i))->title);
  g_ptr_array_add (words, NULL);
  return new_choice (_ ("What is measured"), (const char *const *) words->pdata,
                     found == GTK_INVALID_LIST_POSITION ? 0 : found, &self->channel);
}

static SlAskKind
kind_of (SlQuestionRows *self)
{
  return (SlAskKind) adw_combo_row_get_selected (self->kind);
}

static void
show_kind (SlQuestionRows *self)
{
  SlAskKind kind = kind_of (self);

  for (unsigned i = 0; i < self->n_asked; i++)
    gtk_widget_set_visible (self->asked[i], kind != SL_ASK_NOTHING);
  for (unsigned i = 0; i < G_N_ELEMENTS (self->chosen); i++)
    gtk_widget_set_visible (self->chosen[i], kind == SL_ASK_CHOICE);
  for (unsigned i = 0; i < G_N_ELEMENTS (self->measured); i++)
    gtk_widget_set_visible (self->measured[i], kind == SL_ASK_NUMBER || kind == SL_ASK_CURVE);
}

static void
add_choice (SlQuestionRows *self, AdwExpanderRow *to, const SlQuestion *question)
{
  static const char *const rights[] = { N_ ("None"), "1", "2", "3", "4", "5", "6", NULL };
  guint                    n = question->options != NULL ? g_strv_length (question->options) : 0;
  const char              *words[G_N_ELEMENTS (rights)];

  for (unsigned i = 0; i < SL_LESSON_OPTIONS; i++)
    {
      g_autofree char *title = g_strdup_printf (_ ("Option %u"), i + 1);

      self->chosen[i] = new_entry (title, i < n ? question->options[i] : "", &self->option[i]);
      adw_expander_row_add_row (to, self->chosen[i]);
    }
  for (unsigned i = 0; i < G_N_ELEMENTS (rights); i++)
    words[i] = i == 0 ? _ (rights[i]) : rights[i];
  self->chosen[SL_LESSON_OPTIONS]
    = new_choice (_ ("Right option"), words, question->right, &self->right);
  adw_expander_row_add_row (to, self->chosen[SL_LESSON_OPTIONS]);
}

static void
add_measured (SlQuestionRows *self, AdwExpanderRow *to, const SlQuestion *question)
{
  gboolean measured = question->kind == SL_ASK_NUMBER || question->kind == SL_ASK_CURVE;
  double   tolerance = question->tolerance;

  self->measured[0] = make_channels (self, question);
  self->measured[1]
    = sl_number_row_new (_ ("Least guess"), _ ("Also the lower end of a curve's plot"), -1e6, 1e6,
                         measured ? question->lo : 0.0, 2, &self->lo);
  self->measured[2] = sl_number_row_new (_ ("Largest guess"), "", -1e6, 1e6,
                                         measured ? question->hi : 100.0, 2, &self->hi);
  self->measured[3] = sl_number_row_new (_ ("Right within"), _ ("0: any guess is taken"), 0.0, 1e6,
                                         isnan (tolerance) ? 0.0 : tolerance, 2, &self->tolerance);
  for (unsigned i = 0; i < G_N_ELEMENTS (self->measured); i++)
    adw_expander_row_add_row (to, self->measured[i]);
}

/* A curve that is not there yet will be asked for so. */
static gboolean
is_whole (const SlLessonStep *step)
{
  const SlQuestion *question = &step->question;

  return question->kind != SL_ASK_CURVE
         || (question->from == 0.0 && question->to == (double) step->updates);
}

static void
add_asked (SlQuestionRows *self, AdwExpanderRow *to, GtkWidget *row)
{
  self->asked[self->n_asked++] = row;
  adw_expander_row_add_row (to, row);
}

SlQuestionRows *
sl_question_rows_new (AdwExpanderRow *to, SlLesson *lesson, unsigned number)
{
  SlQuestionRows     *self = g_new0 (SlQuestionRows, 1);
  const SlLessonStep *step = sl_lesson_step (lesson, number);
  const SlQuestion   *question = &step->question;
  const char         *kinds[5] = { _ ("None"), _ ("Choice"), _ ("Number"), _ ("Curve"), NULL };

  self->lesson = lesson;
  self->step = number;
  self->askable = sl_lesson_askable (lesson, number);
  self->whole = is_whole (step);
  if (self->askable->len == 0 && question->kind < SL_ASK_NUMBER)
    kinds[2] = NULL; /* nothing is measured */
  adw_expander_row_add_row (to, new_choice (_ ("Question"), kinds, question->kind, &self->kind));
  add_asked (self, to, new_entry (_ ("What is asked"), question->prompt, &self->prompt));
  add_choice (self, to, question);
  add_measured (self, to, question);
  adw_expander_row_add_row (to, sl_text_row_new (_ ("After the run, and the answer"),
                                                 step->reveal != NULL ? step->reveal : "",
                                                 &self->reveal));
  g_signal_connect_swapped (self->kind, "notify::selected", G_CALLBACK (show_kind), self);
  show_kind (self);
  return self;
}

void
sl_question_rows_free (SlQuestionRows *self)
{
  g_ptr_array_unref (self->askable);
  g_free (self);
}

/* ---- into the lesson ---- */

static void
take_options (SlQuestionRows *self, SlQuestion *question)
{
  g_autoptr (GPtrArray) options = g_ptr_array_new ();
  guint right = adw_combo_row_get_selected (self->right);

  for (unsigned i = 0; i < SL_LESSON_OPTIONS; i++)
    {
      const char *text = gtk_editable_get_text (self->option[i]);

      if (*text == '\0')
        continue;
      g_ptr_array_add (options, g_strdup (text));
      if (i + 1 == right)
        question->right = options->len;
    }
  g_ptr_array_add (options, NULL);
  question->options = (char **) g_ptr_array_free (g_steal_pointer (&options), FALSE);
}

/* As far as the run goes, or as the file says. */
static void
take_along (const SlQuestionRows *self, const SlLessonStep *step, const SlQuestion *old,
            SlQuestion *question)
{
  gboolean whole = self->whole || old->kind != SL_ASK_CURVE;

  question->from = whole ? 0.0 : old->from;
  question->to = whole ? (double) MAX (step->updates, 1) : old->to;
}

static void
take_measured (SlQuestionRows *self, const SlQuestion *old, SlQuestion *question)
{
  guint            selected = adw_combo_row_get_selected (self->channel);
  const SlAskable *askable = NULL;
  double           tolerance = gtk_spin_button_get_value (self->tolerance);

  question->lo = gtk_spin_button_get_value (self->lo);
  question->hi = gtk_spin_button_get_value (self->hi);
  question->step = old->kind == SL_ASK_NUMBER ? old->step : (question->hi - question->lo) / 100.0;
  question->tolerance = tolerance > 0.0 ? tolerance : (double) NAN;
  if (selected >= self->formula && selected - self->formula < self->askable->len)
    askable = g_ptr_array_index (self->askable, selected - self->formula);
  question->answer = g_strdup (askable != NULL ? askable->id : old->answer);
  if (question->kind == SL_ASK_CURVE)
    question->panel = g_strdup (askable != NULL ? askable->panel : old->panel);
  else
    {
      gboolean same = askable == NULL || g_strcmp0 (askable->id, old->answer) == 0;

      g_free (question->unit);
      question->unit = g_strdup (same ? old->unit : askable->unit);
    }
}

static void
set_reveal (SlLessonStep *step, char *text)
{
  g_free (step->reveal);
  step->reveal = *text != '\0' ? g_strdup (text) : NULL;
}

void
sl_question_rows_take (SlQuestionRows *self)
{
  SlLessonStep    *step = sl_lesson_step (self->lesson, self->step);
  SlQuestion       old = step->question, *question = &step->question;
  g_autofree char *reveal = sl_text_row_dup (self->reveal);

  *question = (SlQuestion) { .kind = kind_of (self),
                             .prompt = g_strdup (""),
                             .unit = g_strdup (""),
                             .tolerance = (double) NAN };
  set_reveal (step, reveal);
  if (question->kind != SL_ASK_NOTHING)
    {
      g_free (question->prompt);
      question->prompt = g_strdup (gtk_editable_get_text (self->prompt));
    }
  if (question->kind == SL_ASK_CHOICE)
    take_options (self, question);
  else if (question->kind != SL_ASK_NOTHING)
    take_measured (self, &old, question);
  if (question->kind == SL_ASK_CURVE)
    take_along (self, step, &old, question);
  sl_question_clear (&old);
}
