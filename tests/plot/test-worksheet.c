/* SPDX-License-Identifier: MIT
 *
 * Lessons on paper: every lesson of the program has at most two pages with the same bytes each time, and
 * the key of a small one has its answers and a page of curves.  */
#include <string.h>

#include "plot/worksheet/cheat-sheet.h"
#include "plot/worksheet/questions.h"
#include "plot/worksheet/worksheet.h"

static void
test_own (void)
{
  g_auto (GStrv) names = sl_lesson_names ();

  g_assert_cmpuint (g_strv_length (names), >, 6);
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GFile) file = sl_lesson_file (*name);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, &error);
      g_autoptr (GBytes) once = NULL;
      g_autoptr (GBytes) twice = NULL;

      g_assert_no_error (error);
      once = sl_worksheet_write (lesson, &error);
      g_assert_no_error (error);
      twice = sl_worksheet_write (lesson, &error);
      g_assert_true (g_bytes_equal (once, twice));
      g_assert_true (g_bytes_get_size (once) > 4000);
      g_assert_cmpmem (g_bytes_get_data (once, NULL), 5, "%PDF-", 5);
      g_test_message ("%s: %u pages", *name, sl_worksheet_draw (lesson, NULL, 0));
      g_assert_cmpuint (sl_worksheet_draw (lesson, NULL, 0), <=, SL_WORKSHEET_PAGES);
    }
}

static const char small[]
  = "{ \"sluice-lesson\": 1, \"title\": \"Small\", \"summary\": \"A run of 20 updates.\",\n"
    "  \"goal\": \"Know it.\", \"minutes\": 5, \"misconception\": \"None.\", \"notes\": \"Be "
    "kind.\",\n"
    "  \"steps\": [\n"
    "  { \"title\": \"One\", \"text\": \"It is drawn.\", \"lab\": \"capacity\", \"run\": 3,\n"
    "    \"level\": \"what\", \"keep\": { \"width\": \"width-of.width\" } },\n"
    "  { \"title\": \"Two\", \"text\": \"It was {width:1}.\", \"run\": 3, \"level\": "
    "\"how-much\",\n"
    "    \"show\": [\"width-of\"],\n"
    "    \"question\": { \"kind\": \"number\", \"prompt\": \"How wide?\", \"range\": [0, 20],\n"
    "      \"answer\": \"width-of.width\" }, \"reveal\": \"It is {answer:2}.\" } ] }";

static SlLesson *
parse (void)
{
  g_autoptr (GError) error = NULL;
  SlLesson *lesson = sl_lesson_parse (small, strlen (small), "small", NULL, &error);

  g_assert_no_error (error);
  return lesson;
}

static unsigned
count_pages (GBytes *pdf)
{
  const char *at = g_bytes_get_data (pdf, NULL), *end = at + g_bytes_get_size (pdf);
  unsigned    pages = 0;

  while ((at = memmem (at, (gsize) (end - at), "/Type /Page ", 12)) != NULL)
    {
      pages++;
      at++;
    }
  return pages;
}

static void
test_key (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = parse ();
  g_autoptr (GBytes) sheet = sl_worksheet_write (lesson, &error);
  g_autoptr (GBytes) key = sl_worksheet_key (lesson, &error);
  g_autoptr (GBytes) again = sl_worksheet_key (lesson, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count_pages (sheet), ==, 1);
  g_assert_cmpuint (count_pages (key), ==, 1); /* with its plots, which have room there */
  g_assert_true (g_bytes_equal (key, again));  /* nothing in it is timed */
  g_assert_cmpuint (lesson->minutes, ==, 5);
  g_assert_cmpuint (sl_lesson_step (lesson, 1)->level, ==, SL_LEVEL_HOW_MUCH);
}

static void
test_cheat_sheet (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) once = sl_worksheet_cheat_sheet (&error);
  g_autoptr (GBytes) twice = sl_worksheet_cheat_sheet (&error);

  g_assert_no_error (error);
  g_assert_cmpuint (count_pages (once), ==, 2);
  g_assert_true (g_bytes_equal (once, twice));
}

/* The format follows the end of a name. */
static void
test_questions (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = parse ();
  g_autoptr (GBytes) xml = NULL;
  unsigned open = 9;

  g_assert_cmpint (sl_questions_format_for ("a.xml"), ==, SL_QUESTIONS_XML);
  g_assert_cmpint (sl_questions_format_for ("a.gift"), ==, SL_QUESTIONS_GIFT);
  g_assert_cmpint (sl_questions_format_for ("a.gift.pdf"), ==, -1);
  xml = sl_worksheet_questions (lesson, SL_QUESTIONS_XML, &open, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (open, ==, 1); /* it has no tolerance */
  g_assert_nonnull (
    g_strstr_len (g_bytes_get_data (xml, NULL), (gssize) g_bytes_get_size (xml), "How wide?"));
}

/* A time is another one on each machine: it is in no text and nothing is marked by it.  A curve's distance is one person's. */
static void
test_not_marked (void)
{
  static const char text[]
    = "{ \"sluice-lesson\": 1, \"title\": \"Times\", \"summary\": \"\", \"steps\": [\n"
      "  { \"title\": \"One\", \"text\": \"Updates: {2 * 4:0}, and {speed.parameters@1:3} times as "
      "fast.\", "
      "\"lab\": \"experts\", \"data\": \"moons:points=200\", \"settings\": { \"hidden\": 4 }, "
      "\"run\": 2,\n"
      "    \"question\": { \"kind\": \"number\", \"prompt\": \"How fast?\", \"range\": [0, 9],\n"
      "      \"answer\": \"speed.parameters@1\", \"tolerance\": 1 } },\n"
      "  { \"title\": \"Two\", \"text\": \"\", \"restart\": true, \"run\": 2,\n"
      "    \"question\": { \"kind\": \"curve\", \"prompt\": \"Draw.\", \"panel\": \"error\", "
      "\"range\": [0, 99],\n"
      "      \"answer\": \"error.valid\", \"tolerance\": 1 }, \"reveal\": \"By {off:1} only.\" } ] "
      "}";
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = sl_lesson_parse (text, strlen (text), "it", NULL, &error);

  g_assert_no_error (error);
  for (SlQuestionsFormat format = SL_QUESTIONS_XML; format <= SL_QUESTIONS_GIFT; format++)
    {
      unsigned open = 9;
      g_autoptr (GBytes) bytes = sl_worksheet_questions (lesson, format, &open, &error);
      g_autofree char *questions = NULL;

      g_assert_no_error (error);
      questions = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      g_assert_cmpuint (open, ==, 2);
      g_assert_nonnull (strstr (questions, "8, and … times"));
      g_assert_null (strstr (questions, "only."));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worksheet/own", test_own);
  g_test_add_func ("/worksheet/key", test_key);
  g_test_add_func ("/worksheet/cheat-sheet", test_cheat_sheet);
  g_test_add_func ("/worksheet/questions", test_questions);
  g_test_add_func ("/worksheet/not-marked", test_not_marked);
  return g_test_run ();
}
