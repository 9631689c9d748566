/* SPDX-License-Identifier: MIT
 *
 * Answers of people: written and read the same, refused with a sentence, and put together to a class.  */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/answers/class.h"

static const char lesson_text[]
  = "{ \"sluice-lesson\": 1, \"title\": \"Three\", \"summary\": \"\", \"steps\": [\n"
    "  { \"title\": \"\", \"text\": \"\", \"lab\": \"experts\", \"run\": 100, \"question\": { "
    "\"kind\": "
    "\"choice\", \"prompt\": \"Which?\", \"options\": [\"a\", \"b, \\\"c\\\"\"], \"answer\": 2 } "
    "},\n"
    "  { \"title\": \"\", \"text\": \"\", \"restart\": true, \"run\": 100, \"question\": { "
    "\"kind\": "
    "\"curve\", \"prompt\": \"How?\", \"panel\": \"error\", \"range\": [0, 100], \"answer\": "
    "\"error.valid\", \"tolerance\": 6 } },\n"
    "  { \"title\": \"\", \"text\": \"\", \"question\": { \"kind\": \"number\", \"prompt\": \"How "
    "much?\", \"range\": [0, 10], \"answer\": \"3\", \"unit\": \"%\", \"tolerance\": 1.5 } } "
    "] }";

static SlAnswers *
answer_all (const char *name, unsigned option)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson
    = sl_lesson_parse (lesson_text, strlen (lesson_text), "it", NULL, &error);
  SlAnswers *answers;
  SlAnswer  *curve;

  g_assert_no_error (error);
  answers = sl_answers_new (lesson, name);
  sl_answers_add (answers, lesson, 0)->option = option;
  curve = sl_answers_add (answers, lesson, 1);
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    curve->sketch[i] = i / 3.0;
  curve->curve[3] = 0.1;
  sl_answers_add (answers, lesson, 2)->number = 4.0;
  return answers;
}

static void
test_round_trip (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlAnswers) answers = answer_all ("Ada", 2), again = NULL;
  g_autofree char *text = NULL, *twice = NULL;
  const SlAnswer  *curve;

  ((SlAnswer *) g_ptr_array_index (answers->answers, 1))->measured = 7.5;
  text = sl_answers_write (answers);
  again = sl_answers_parse (text, strlen (text), "it", &error);
  g_assert_no_error (error);
  twice = sl_answers_write (again);
  g_assert_cmpstr (text, ==, twice);
  g_assert_cmpfloat (((SlAnswer *) g_ptr_array_index (again->answers, 1))->measured, ==, 7.5);
  g_assert_cmpstr (again->name, ==, "Ada");
  g_assert_cmpuint (again->of, ==, answers->of);
  curve = g_ptr_array_index (again->answers, 1);
  g_assert_cmpfloat (curve->sketch[1], ==, 1 / 3.0);
  g_assert_true (curve->curve[3] == 0.1 && isnan (curve->curve[4]));
  g_assert_cmpuint (((SlAnswer *) g_ptr_array_index (again->answers, 0))->right, ==, 2);
}

/* One thing is written wrong, and the sentence says which. */
static void
test_refusals (void)
{
  static const char *const wrong[][3] = {
    { "\"sluice-answers\": 1", "\"sluice-answers\": 2", "expected version 1" },
    { "\"sluice-answers\": 1", "\"sluice-lesson\": 1", "no \"sluice-answers\"" },
    { "\"name\": \"Ada\"", "\"name\": \"\"", "a short name" },
    { "\"name\": \"Ada\"", "\"name\": \"A\\u0007\"", "control characters" },
    { "\"guess\": 2", "\"guess\": 3", "guess with 3" },
    { "\"guess\": 2", "\"guess\": 0", "guess with 0" },
    { "\"right\": 2", "\"right\": 9", "right with 9" },
    { "\"step\": 2", "\"step\": 1", "each step once" },
    { "\"step\": 2", "\"step\": 99", "step with 99" },
    { "\"kind\": \"curve\"", "\"kind\": \"line\"", "choice, number or curve" },
    { "\"range\": [0,100]", "\"range\": [100,0]", "the smaller one first" },
    { "\"range\": [0,100]", "\"range\": [100]", "a different number" },
    { "\"guess\": 4", "\"guess\": \"4\"", "a number" },
    { "\"guess\": 4", "\"guess\": 1e999", "too large" },
    { "\"of\": \"", "\"of\": \"x", "hexadecimal" },
    { "\"of\": \"", "\"of\": \"0", "hexadecimal" },
    { "\"of\": ", "\"off\": ", "no \"of\"" },
    { "\"lesson\": \"", "\"lesson\": 5, \"x\": \"", "a text" },
    { "\"sluice-answers\": 1", "\"sluice-answers\": \"1\"", "found a text" },
    { "\"sluice-answers\": 1", "\"sluice-answers\": []", "found an array" },
    { "\"answers\": [", "\"answers\": [], \"x\": [", "no answer" },
    { "\"answers\": [", "\"answers\": 3, \"x\": [", "an array of answers" },
    { "\"answers\": [", "\"answers\": [5, ", "an object for each answer" },
    { "\"step\": 2", "\"step\": 0", "step with 0" },
    { "\"step\": 2", "\"step\": 1.5", "step with 1.5" },
    { "\"step\": 1", "\"step\": \"1\"", "a whole number" },
    { "\"options\": [", "\"options\": [3, ", "a text" },
    { "\"options\": [", "\"options\": [\"1\",\"2\",\"3\",\"4\",\"5\",", "2 to 6" },
    { "\"options\": [", "\"options\": [\"1\"], \"x\": [", "2 to 6" },
    { "\"right\": 2", "\"right\": 0", "right with 0" },
    { "\"range\": [0,10]", "\"range\": [5,5]", "the smaller one first" },
    { "\"range\": [0,10]", "\"range\": [0,null]", "a number" },
    { "\"range\": [0,10]", "\"range\": [0,1e999]", "a number" },
    { "\"range\": [0,10]", "\"range\": 10", "an array of numbers" },
    { "\"guess\": [0,", "\"guess\": [null,", "a number" },
    { "\"measured\": [null,", "\"measured\": [", "a different number" },
    { "\"unit\": \"%\"", "\"unit\": 3", "a text" },
    { "\"guess\": 4", "\"guess\": 4, \"measured\": null", "a number" },
    { "\"tolerance\": 6", "\"tolerance\": -6", "a distance" },
    { "\"tolerance\": 1.5", "\"tolerance\": \"1.5\"", "a number" },
    { "\"tolerance\": 6", "\"tolerance\": 6, \"off\": -1", "a distance" },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (SlAnswers) answers = answer_all ("Ada", 2);
      g_autofree char *text = sl_answers_write (answers);
      g_autoptr (GString) damaged = g_string_new (text);

      g_assert_cmpuint (g_string_replace (damaged, wrong[i][0], wrong[i][1], 1), ==, 1);
      g_assert_null (sl_answers_parse (damaged->str, damaged->len, "it", &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, "it, line "));
      g_assert_nonnull (strstr (error->message, wrong[i][2]));
    }
}

/* What may be left out is: the right option, and what was measured. */
static void
test_optional (void)
{
  static const char *const less[][2]
    = { { "\"right\": 2,", "" }, { "\"measured\": [", "\"x\": [" } };
  g_autoptr (GError) error = NULL;
  g_autoptr (SlAnswers) answers = answer_all ("Ada", 2), again = NULL;
  g_autofree char *text = NULL, *long_name = g_strnfill (SL_ANSWERS_NAME + 1, 'x');
  const SlAnswer  *curve, *number;

  ((SlAnswer *) g_ptr_array_index (answers->answers, 2))->measured = 0.5;
  text = sl_answers_write (answers);

  g_autoptr (GString) shorter = g_string_new (text);

  for (unsigned i = 0; i < G_N_ELEMENTS (less); i++)
    g_assert_cmpuint (g_string_replace (shorter, less[i][0], less[i][1], 0), ==, 1);
  again = sl_answers_parse (shorter->str, shorter->len, "it", &error);
  g_assert_no_error (error);
  curve = g_ptr_array_index (again->answers, 1);
  number = g_ptr_array_index (again->answers, 2);
  g_assert_cmpuint (((SlAnswer *) g_ptr_array_index (again->answers, 0))->right, ==, 0);
  g_assert_cmpuint (((SlAnswer *) g_ptr_array_index (again->answers, 0))->option, ==, 2);
  g_assert_true (isnan (curve->curve[0]) && isnan (curve->curve[3]));
  g_assert_true (curve->lo == 0 && curve->hi == 100);
  g_assert_true (number->number == 4 && number->measured == 0.5);
  g_assert_cmpstr (number->unit, ==, "%");
  g_assert_true (number->lo == 0 && number->hi == 10);

  g_assert_false (sl_answers_check_name (long_name, &error));
  g_assert_nonnull (strstr (error->message, "more than 60 bytes"));
  g_assert_true (sl_answers_check_name (long_name + 1, NULL));
  g_assert_false (sl_answers_check_name ("two\nlines", NULL));
}

/* Another option to choose from or to be right, another prompt or another range make another question. */
static void
test_other_questions (void)
{
  g_autoptr (SlClass) class = sl_class_new ();

  g_assert_true (sl_class_take (class, answer_all ("Ada", 2), "a.json", NULL));
  for (unsigned i = 0; i < 8; i++)
    {
      g_autoptr (GError) error = NULL;
      SlAnswers *other = answer_all ("Eve", 1);
      SlAnswer  *choice = g_ptr_array_index (other->answers, 0);
      SlAnswer  *curve = g_ptr_array_index (other->answers, 1);
      double    *side[] = { &curve->lo, &curve->hi, &curve->from, &curve->to };

      if (i < 4)
        *side[i] += 1;
      else if (i == 4)
        choice->options[0][0]++;
      else if (i == 5)
        choice->prompt[0]++;
      else if (i == 6)
        choice->right = choice->option; /* as it would be right for Eve */
      else
        curve->kind = SL_ASK_NUMBER;
      g_assert_false (sl_class_take (class, other, "e.json", &error));
      g_assert_nonnull (strstr (error->message, "does not ask"));
    }
  g_assert_cmpuint (class->people->len, ==, 1);
}

/* Somebody who answered only some questions is compared by those; nobody's step is no step. */
static void
test_part (void)
{
  g_autoptr (SlClass) class = sl_class_new ();
  SlAnswers *some = answer_all ("Bob", 1);
  unsigned   steps[SL_LESSON_STEPS + 1];

  sl_class_steps (class, steps);
  g_assert_cmpuint (steps[0], ==, 0);
  g_ptr_array_remove_range (some->answers, 0, 2);
  g_assert_true (sl_class_take (class, some, "b.json", NULL));
  sl_class_steps (class, steps);
  g_assert_true (steps[0] == 3 && steps[1] == 0);
  g_assert_null (sl_class_answer (class, 0, 1));
  g_assert_cmpfloat (sl_class_answer (class, 0, 3)->number, ==, 4);
  g_assert_true (sl_class_take (class, answer_all ("Ada", 2), "a.json", NULL));
  sl_class_steps (class, steps);
  g_assert_true (steps[0] == 1 && steps[1] == 2 && steps[2] == 3 && steps[3] == 0);
}

/* Right is the right option, or what is within the tolerance; without one, or without a measurement, nothing is. */
static void
test_marks (void)
{
  g_autoptr (SlAnswers) answers = answer_all ("Ada", 2);
  SlAnswer *choice = g_ptr_array_index (answers->answers, 0);
  SlAnswer *curve = g_ptr_array_index (answers->answers, 1);
  SlAnswer *number = g_ptr_array_index (answers->answers, 2);

  g_assert_cmpint (sl_answer_mark (choice), ==, SL_ANSWER_RIGHT);
  choice->option = 1;
  g_assert_cmpint (sl_answer_mark (choice), ==, SL_ANSWER_WRONG);
  choice->right = 0;
  g_assert_cmpint (sl_answer_mark (choice), ==, SL_ANSWER_OPEN);

  g_assert_cmpint (sl_answer_mark (number), ==, SL_ANSWER_OPEN);
  number->measured = 2.5;
  g_assert_cmpint (sl_answer_mark (number), ==, SL_ANSWER_RIGHT);
  number->measured = 5.6;
  g_assert_cmpint (sl_answer_mark (number), ==, SL_ANSWER_WRONG);
  number->tolerance = (double) NAN;
  g_assert_cmpint (sl_answer_mark (number), ==, SL_ANSWER_OPEN);

  /* One point is measured: 0.1, where 1 was drawn. */
  g_assert_cmpfloat (sl_answer_distance (curve), ==, 0.9);
  g_assert_cmpint (sl_answer_mark (curve), ==, SL_ANSWER_RIGHT);
  curve->measured = 6.5; /* as the file says */
  g_assert_cmpfloat (sl_answer_distance (curve), ==, 6.5);
  g_assert_cmpint (sl_answer_mark (curve), ==, SL_ANSWER_WRONG);
  curve->measured = (double) NAN;
  curve->curve[3] = (double) NAN;
  g_assert_true (isnan (sl_answer_distance (curve)));
  g_assert_cmpint (sl_answer_mark (curve), ==, SL_ANSWER_OPEN);
}

/* Files of before have no tolerance, and some not what is right: they are read, and go together with files that do. */
static void
test_older (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlClass) class = sl_class_new ();
  g_autoptr (SlAnswers) answers = answer_all ("Old", 2);
  g_autofree char *text = sl_answers_write (answers);
  g_autoptr (GString) older = g_string_new (text);
  SlAnswers *other = answer_all ("Ada", 2), *again;

  g_assert_cmpuint (g_string_replace (older, "\"tolerance\": 6,", "", 0), ==, 1);
  g_assert_cmpuint (g_string_replace (older, "\"tolerance\": 1.5,", "", 0), ==, 1);
  again = sl_answers_parse (older->str, older->len, "old.json", &error);
  g_assert_no_error (error);
  g_assert_true (isnan (((SlAnswer *) g_ptr_array_index (again->answers, 2))->tolerance));
  g_assert_true (sl_class_take (class, again, "old.json", NULL));
  g_assert_true (sl_class_take (class, other, "ada.json", NULL));
  other = answer_all ("Bob", 2);
  ((SlAnswer *) g_ptr_array_index (other->answers, 0))->right = 0;
  g_assert_true (sl_class_take (class, other, "bob.json", NULL));
  other = answer_all ("Eve", 2);
  ((SlAnswer *) g_ptr_array_index (other->answers, 2))->tolerance = 100.0;
  g_assert_false (sl_class_take (class, other, "eve.json", &error));
}

/* The cells of a table by the rules of RFC 4180, row by row. */
static GPtrArray *
read_csv (const char *csv)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

  while (*csv != '\0')
    {
      g_autoptr (GStrvBuilder) row = g_strv_builder_new ();
      gboolean more = TRUE;

      while (more)
        {
          g_autoptr (GString) cell = g_string_new (NULL);
          gboolean quoted = *csv == '"';

          for (csv += quoted;
               quoted ? csv[0] != '"' || csv[1] == '"' : strchr (",\n", *csv) == NULL; csv++)
            {
              csv += quoted && *csv == '"';
              g_string_append_c (cell, *csv);
            }
          csv += quoted;
          g_strv_builder_add (row, cell->str);
          more = *csv++ == ',';
        }
      g_ptr_array_add (rows, g_strv_builder_end (row));
    }
  return rows;
}

/* Nor an option of the lesson, which may begin with what a spreadsheet passes over. */
static void
test_options (void)
{
  g_autoptr (SlClass) class = sl_class_new ();
  SlAnswers       *answers = answer_all ("Ada", 1);
  SlAnswer        *choice = g_ptr_array_index (answers->answers, 0);
  g_autofree char *csv = NULL;

  g_free (choice->options[0]);
  choice->options[0] = g_strdup ("\t=1+1");
  g_free (choice->options[1]);
  choice->options[1] = g_strdup ("\r=2");
  g_assert_true (sl_class_take (class, answers, "a.json", NULL));
  csv = sl_class_csv (class);
  g_assert_nonnull (strstr (csv, "'\t=1+1"));
  g_assert_nonnull (strstr (csv, "'\r=2"));
}

/* A row for each person with as many cells as the heading, and no cell that a spreadsheet would compute. */
static void
test_table (void)
{
  static const char *const names[] = { "=1+1", "+x", "-3", "@A1", "a;b,\"c\"", "plain" };
  g_autoptr (SlClass) class = sl_class_new ();
  g_autofree char *csv = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  char **heading;

  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SlAnswers *answers = answer_all (names[i], 1 + i % 2);

      ((SlAnswer *) g_ptr_array_index (answers->answers, 2))->measured = 2.0 + 1.0 / 3.0 + i;
      if (i == 5)
        g_ptr_array_remove_index (answers->answers, 2);
      g_assert_true (sl_class_take (class, answers, names[i], NULL));
    }
  csv = sl_class_csv (class);
  rows = read_csv (csv);
  g_assert_cmpuint (rows->len, ==, 1 + G_N_ELEMENTS (names));
  heading = g_ptr_array_index (rows, 0);
  for (guint r = 1; r < rows->len; r++)
    {
      char           **cell = g_ptr_array_index (rows, r);
      const SlAnswers *person = g_ptr_array_index (class->people, r - 1);
      SlClassMarks     marks = sl_class_person_marks (class, r - 1);

      g_assert_cmpuint (g_strv_length (cell), ==, g_strv_length (heading));
      g_assert_true (g_str_has_suffix (cell[0], person->name));
      for (unsigned c = 0; cell[c] != NULL; c++)
        {
          g_assert_null (strchr ("=+-@", cell[c][0] != '\0' ? cell[c][0] : 'x'));
          g_assert_true (g_str_has_suffix (heading[c], "_right") == FALSE || strlen (cell[c]) == 0
                         || g_str_equal (cell[c], "0") || g_str_equal (cell[c], "1"));
        }
      g_assert_cmpuint (marks.marked, ==, 3);
      g_assert_cmpuint (strtoul (cell[g_strv_length (cell) - 3], NULL, 10), ==, marks.right);
      g_assert_cmpuint (strtoul (cell[g_strv_length (cell) - 1], NULL, 10), ==,
                        (unsigned) round (100.0 * marks.right / 3.0));
    }
  g_assert_true (g_str_has_prefix (csv,
                                   "name,step1_guess,step1_measured,step1_right,step2_distance,"
                                   "step2_right,step3_guess,step3_measured,step3_right,right,"
                                   "marked,percent\n"));
  g_assert_nonnull (strstr (csv, ",4,2.333,0,"));
  g_assert_nonnull (strstr (csv, "plain,\"b, \"\"c\"\"\",\"b, \"\"c\"\"\",1,0.9,1,,,,2,3,67\n"));
}

static void
test_class (void)
{
  g_autoptr (SlClass) class = sl_class_new ();
  g_autoptr (GError) error = NULL;
  unsigned   steps[SL_LESSON_STEPS + 1];
  SlAnswers *other;

  g_assert_true (sl_class_take (class, answer_all ("Grace", 1), "g.json", &error));
  g_assert_true (sl_class_take (class, answer_all ("Ada", 2), "a.json", &error));
  g_assert_false (sl_class_take (class, answer_all ("Ada", 2), "copy.json", &error));
  g_assert_nonnull (strstr (error->message, "copy.json: the same answers"));
  g_clear_error (&error);
  g_assert_true (sl_class_take (class, answer_all ("Ada", 1), "namesake.json", &error));
  other = answer_all ("Eve", 1);
  other->of++;
  g_assert_false (sl_class_take (class, other, "e.json", &error));
  g_assert_nonnull (strstr (error->message, "another lesson"));
  g_clear_error (&error);
  other = answer_all ("Eve", 1);
  ((SlAnswer *) g_ptr_array_index (other->answers, 1))->hi = 5.0;
  g_assert_false (sl_class_take (class, other, "e.json", &error));
  g_assert_nonnull (strstr (error->message, "does not ask"));
  g_assert_cmpuint (class->people->len, ==, 3);
  sl_class_steps (class, steps);
  g_assert_true (steps[0] == 1 && steps[1] == 2 && steps[2] == 3 && steps[3] == 0);
  g_assert_cmpuint (sl_class_answer (class, 2, 1)->option, ==, 1); /* by name: Ada, Ada, Grace */
  g_assert_cmpuint (sl_class_step_marks (class, 1).right, ==, 1);
  g_assert_cmpuint (sl_class_step_marks (class, 1).marked, ==, 3);
  g_assert_cmpuint (sl_class_step_marks (class, 3).marked, ==, 0); /* nothing was measured */
}

/* From a file, which is named in the sentence where it is refused. */
static void
test_load (void)
{
  g_autoptr (SlClass) class = sl_class_new ();
  g_autoptr (SlAnswers) answers = answer_all ("Ada", 2);
  g_autofree char *folder = g_dir_make_tmp ("sluice-answers-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "ada.json", NULL),
                  *text = sl_answers_write (answers);
  g_autoptr (GError) error = NULL;

  g_assert_false (sl_class_load (class, path, &error));
  g_assert_nonnull (strstr (error->message, "ada.json"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (sl_class_load (class, path, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (class->people->len, ==, 1);
  g_assert_false (sl_class_load (class, path, &error));
  g_assert_true (g_str_has_prefix (error->message, "ada.json: the same answers"));
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "{}", -1, NULL));
  g_assert_false (sl_class_load (class, path, &error));
  g_assert_true (g_str_has_prefix (error->message, "ada.json, line 1"));
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answers/round-trip", test_round_trip);
  g_test_add_func ("/answers/refusals", test_refusals);
  g_test_add_func ("/answers/optional", test_optional);
  g_test_add_func ("/answers/other-questions", test_other_questions);
  g_test_add_func ("/answers/part", test_part);
  g_test_add_func ("/answers/marks", test_marks);
  g_test_add_func ("/answers/older", test_older);
  g_test_add_func ("/answers/options", test_options);
  g_test_add_func ("/answers/table", test_table);
  g_test_add_func ("/answers/load", test_load);
  g_test_add_func ("/answers/class", test_class);
  return g_test_run ();
}
