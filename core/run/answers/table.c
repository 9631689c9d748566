/* SPDX-License-Identifier: MIT
 *
 * Marks of a class, and its answers as a table; see class.h.  */
#include <math.h>
#include <string.h>

#include "core/run/answers/class.h"
#include "core/run/files/csv.h"

static void
count (SlClassMarks *marks, const SlAnswer *answer)
{
  SlAnswerMark mark = answer != NULL ? sl_answer_mark (answer) : SL_ANSWER_OPEN;

  marks->right += mark == SL_ANSWER_RIGHT;
  marks->marked += mark != SL_ANSWER_OPEN;
}

SlClassMarks
sl_class_step_marks (const SlClass *class, unsigned step)
{
  SlClassMarks marks = { 0 };

  for (guint i = 0; i < class->people->len; i++)
    count (&marks, sl_class_answer (class, i, step));
  return marks;
}

static gboolean
is_marked (const SlClass *class, unsigned step)
{
  SlClassMarks marks = { 0 };

  for (guint i = 0; i < class->people->len && marks.marked == 0; i++)
    count (&marks, sl_class_answer (class, i, step));
  return marks.marked > 0;
}

SlClassMarks
sl_class_person_marks (const SlClass *class, guint i)
{
  SlClassMarks marks = { 0 }, own = { 0 };
  unsigned     steps[SL_LESSON_STEPS + 1];

  sl_class_steps (class, steps);
  for (unsigned *step = steps; *step != 0; step++)
    {
      count (&own, sl_class_answer (class, i, *step));
      marks.marked += is_marked (class, *step);
    }
  marks.right = own.right;
  return marks;
}

/* ---- a table ---- */

/* What people typed is no formula of a spreadsheet. */
static void
add_text (GString *csv, const char *text)
{
  g_autofree char *quoted = g_strconcat ("'", text, NULL);

  sl_csv_text (csv, *text != '\0' && strchr ("=+-@\t\r", *text) != NULL ? quoted : text);
}

/* With so many digits as a guess has. */
static void
add_number (GString *csv, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (value))
    g_string_append (csv, g_ascii_formatd (number, sizeof number, "%.4g", value));
  g_string_append_c (csv, ',');
}

static void
add_mark (GString *csv, const SlAnswer *answer)
{
  SlAnswerMark mark = answer != NULL ? sl_answer_mark (answer) : SL_ANSWER_OPEN;

  g_string_append (csv, mark == SL_ANSWER_RIGHT ? "1," : mark == SL_ANSWER_WRONG ? "0," : ",");
}

static SlAskKind
kind_of (const SlClass *class, unsigned step)
{
  const SlAnswer *answer = NULL;

  for (guint i = 0; answer == NULL; i++)
    answer = sl_class_answer (class, i, step);
  return answer->kind;
}

static void
add_header (GString *csv, const SlClass *class, unsigned step)
{
  if (kind_of (class, step) == SL_ASK_CURVE)
    g_string_append_printf (csv, "step%u_distance,step%u_right,", step, step);
  else
    g_string_append_printf (csv, "step%u_guess,step%u_measured,step%u_right,", step, step, step);
}

static void
add_answer (GString *csv, const SlAnswer *answer, SlAskKind kind)
{
  switch (kind)
    {
    case SL_ASK_CHOICE:
      add_text (csv, answer != NULL ? answer->options[answer->option - 1] : "");
      add_text (csv, answer != NULL && answer->right > 0 ? answer->options[answer->right - 1] : "");
      break;
    case SL_ASK_NUMBER:
      add_number (csv, answer != NULL ? answer->number : (double) NAN);
      add_number (csv, answer != NULL ? answer->measured : (double) NAN);
      break;
    default: add_number (csv, answer != NULL ? sl_answer_distance (answer) : (double) NAN); break;
    }
  add_mark (csv, answer);
}

static void
add_person (GString *csv, const SlClass *class, guint i, const unsigned *steps)
{
  SlClassMarks marks = sl_class_person_marks (class, i);

  add_text (csv, ((const SlAnswers *) g_ptr_array_index (class->people, i))->name);
  for (; *steps != 0; steps++)
    add_answer (csv, sl_class_answer (class, i, *steps), kind_of (class, *steps));
  sl_csv_whole (csv, marks.right);
  sl_csv_whole (csv, marks.marked);
  add_number (csv, marks.marked > 0 ? round (100.0 * marks.right / marks.marked) : (double) NAN);
  sl_csv_end (csv);
}

char *
sl_class_csv (const SlClass *class)
{
  GString *csv = g_string_new ("name,");
  unsigned steps[SL_LESSON_STEPS + 1];

  sl_class_steps (class, steps);
  for (unsigned *step = steps; *step != 0; step++)
    add_header (csv, class, *step);
  g_string_append (csv, "right,marked,percent\n");
  for (guint i = 0; i < class->people->len; i++)
    add_person (csv, class, i, steps);
  return g_string_free (csv, FALSE);
}
