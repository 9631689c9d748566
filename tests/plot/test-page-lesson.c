/* SPDX-License-Identifier: MIT
 *
 * The page of a lesson: it is one document whose data unpack, has every question, tells nothing that is measured before
 * its question, and holds texts of others as texts.  Arguments: lessons of the program, else those that train in a
 * moment.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/answers/answers.h"
#include "core/run/base/json.h"
#include "core/run/lesson/ask.h"
#include "core/run/lesson/walk.h"
#include "plot/page/lesson.h"

enum { BYTES_MOST = 5 << 20, DATA_MOST = 64 << 20 };

static const char *const quick[] = { "6-depth", "11-tree", "13-paths", NULL };
static const char       *names[20];

/* ---- a page ---- */

static char *
make (const SlLesson *lesson)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) page = sl_page_lesson (lesson, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (page), <, BYTES_MOST);
  return g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));
}

/* What the page has, with strings as they are. */
static SlJson *
unpack (const char *page)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GConverter) zlib
    = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr (GInputStream) memory = g_memory_input_stream_new ();
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (memory, zlib);
  g_autofree char *text = g_malloc (DATA_MOST), *packed = NULL;
  const char      *begin = strstr (page, "id=\"data\">");
  guchar          *bytes;
  gsize            n = 0;
  SlJson          *json;

  g_assert_nonnull (begin);
  begin += strlen ("id=\"data\">");
  packed = g_strndup (begin, strcspn (begin, "<"));
  bytes = g_base64_decode (packed, &n);
  g_memory_input_stream_add_data (G_MEMORY_INPUT_STREAM (memory), bytes, (gssize) n, g_free);
  g_input_stream_read_all (stream, text, DATA_MOST, &n, NULL, &error);
  g_assert_no_error (error);
  json = sl_json_parse_object (text, n, DATA_MOST, "data", &error);
  g_assert_no_error (error);
  return json;
}

static const char *
text_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  g_assert_nonnull (member);
  return member->text;
}

static const SlJson *
list_of (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_ARRAY);

  g_assert_nonnull (member);
  return member;
}

static unsigned
count (const char *text, const char *part)
{
  unsigned n = 0;

  for (; (text = strstr (text, part)) != NULL; text += strlen (part))
    n++;
  return n;
}

/* ---- lessons of the program ---- */

static SlLesson *
load (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = sl_lesson_file (name);
  SlLesson *lesson = sl_lesson_load (file, &error);

  g_assert_no_error (error);
  return lesson;
}

static void
check_question (const SlLessonStep *step, const SlJson *at)
{
  const SlQuestion *question = &step->question;
  const SlJson     *asked = sl_json_member (at, "question");
  unsigned          n = question->options != NULL ? g_strv_length (question->options) : 0;

  g_assert_cmpint (asked != NULL, ==, question->kind != SL_ASK_NOTHING);
  if (asked == NULL)
    return;
  g_assert_cmpstr (text_of (asked, "prompt"), !=, "");
  g_assert_null (strchr (text_of (asked, "prompt"), '{'));
  g_assert_cmpuint (list_of (asked, "options")->n, ==, n);
  g_assert_cmpuint (list_of (asked, "told")->n, ==, n > 0 ? n : 1);
  g_assert_null (strchr (text_of (at, "before"), '{'));
  if (question->kind == SL_ASK_CURVE)
    g_assert_cmpuint (list_of (asked, "measured")->n, >, 2);
}

/* A plot that says the answer waits for it. */
static void
check_plots (const SlLessonStep *step, const SlJson *at, const SlLab *lab)
{
  const SlJson *way = list_of (at, "ways")->first;

  for (const SlJson *panel = list_of (at, "panels")->first; panel != NULL;
       panel = panel->next, way = way->next)
    {
      int  id = sl_lab_panel (lab, text_of (panel, "id"));
      bool told
        = step->question.kind != SL_ASK_NOTHING && sl_question_told_by (step, &lab->panels[id]);

      g_assert_cmpint (strstr (way->text, "withheld") != NULL, ==, told);
      g_assert_cmpint (g_str_has_prefix (way->text, "grows"), ==,
                       sl_panel_is_series (lab->panels[id].kind));
    }
  g_assert_null (way);
}

static void
check_answers (const SlLesson *lesson, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *named = NULL;
  g_autoptr (SlAnswers) answers = NULL;
  GString *file = g_string_new (text);
  guint    n = 0;

  g_string_replace (file, "\"name\": \"\"", "\"name\": \"Ada\"", 1);
  for (guint i = 0; i < lesson->steps->len; i++)
    n += sl_lesson_step (lesson, i)->question.kind != SL_ASK_NOTHING;
  g_string_replace (file, "\"guess\": 0", "\"guess\": 1", 0); /* of a choice */
  named = g_string_free (file, FALSE);
  answers = sl_answers_parse (named, strlen (named), "file", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (answers->of, ==, sl_lesson_hash (lesson));
  g_assert_cmpuint (answers->answers->len, ==, n);
}

static void
check_lesson (const char *name)
{
  g_autoptr (SlLesson) lesson = load (name);
  g_autofree char *page = make (lesson);
  g_autoptr (SlJson) data = unpack (page);
  const SlJson *at = list_of (data, "steps")->first;

  g_test_message ("%s: %" G_GSIZE_FORMAT " bytes", name, strlen (page));
  g_assert_true (g_str_has_prefix (page, "<!DOCTYPE html>"));
  g_assert_cmpuint (list_of (data, "steps")->n, ==, lesson->steps->len);
  for (guint i = 0; i < lesson->steps->len; i++, at = at->next)
    {
      SlLessonState state;

      sl_lesson_state (lesson, i, &state);
      g_free (state.data);
      check_question (sl_lesson_step (lesson, i), at);
      g_assert_cmpuint (list_of (at, "panels")->n, >, 0);
      check_plots (sl_lesson_step (lesson, i), at, state.lab);
    }
  check_answers (lesson, text_of (data, "file"));
}

static void
test_program (void)
{
  for (unsigned i = 0; names[i] != NULL; i++)
    check_lesson (names[i]);
}

/* ---- a lesson of others ---- */

static const char own[]
  = "{ \"sluice-lesson\": 1, \"title\": \"</title></script><b>&\\\"'\\u202e\",\n"
    "  \"summary\": \"</main><i>\", \"goal\": \"<u>\",\n"
    "  \"steps\": [\n"
    "  { \"title\": \"One\", \"text\": \"It was {width-of.width:3}.\", \"lab\": \"capacity\", "
    "\"run\": 6,\n"
    "    \"show\": [\"width-of\"], \"keep\": { \"width\": \"width-of.width\" },\n"
    "    \"question\": { \"kind\": \"curve\", \"prompt\": \"<b>Draw\", \"panel\": \"width-of\",\n"
    "      \"range\": [0, 20], \"along\": [1, 6], \"answer\": \"width-of.width\", "
    "\"tolerance\": 2 },\n"
    "    \"reveal\": \"Off by {off:1}, at {guess - answer:1}, {answer / guess:2}.\" },\n"
    "  { \"title\": \"Two\", \"text\": \"It was {width:3}, now {width-of.width:3}.\", \"run\": 6,\n"
    "    \"show\": [\"width-of\"],\n"
    "    \"question\": { \"kind\": \"number\", \"prompt\": \"How wide, after {width:1}?\", "
    "\"range\": [0, 20],\n"
    "      \"answer\": \"width-of.width\" }, \"reveal\": \"{(2 * guess - answer) / 4 + 1:2}\" },\n"
    "  { \"title\": \"</h2>\", \"text\": \"</p><script>alert(1)</script>\", \"run\": true,\n"
    "    \"question\": { \"kind\": \"choice\", \"prompt\": \"?\", \"options\": [\"<i>\", "
    "\"</button>\", \"--><!--\"] } } ] }";

static SlLesson *
parse (void)
{
  g_autoptr (GError) error = NULL;
  SlLesson *lesson = sl_lesson_parse (own, strlen (own), "own", NULL, &error);

  g_assert_no_error (error);
  return lesson;
}

static void
test_hostile (void)
{
  g_autoptr (SlLesson) lesson = parse ();
  g_autofree char *page = make (lesson);
  g_autoptr (SlJson) data = unpack (page);
  const SlJson *last = list_of (data, "steps")->first->next->next;

  g_assert_cmpuint (count (page, "<script"), ==, 2);
  g_assert_cmpuint (count (page, "</script"), ==, 2);
  g_assert_cmpuint (count (page, "<title"), ==, 1);
  g_assert_cmpuint (count (page, "<b>") + count (page, "<i>") + count (page, "onerror"), ==, 0);
  g_assert_cmpstr (text_of (data, "title"), ==, lesson->title);
  g_assert_cmpstr (text_of (last, "text"), ==, "</p><script>alert(1)</script>");
  g_assert_cmpstr (list_of (sl_json_member (last, "question"), "options")->first->next->text, ==,
                   "</button>");
}

/* ---- what is told when ---- */

typedef struct
{
  const SlLesson *lesson;
  double          width[2]; /* at the ends of the first two steps */
  GArray         *curve;    /* what was measured for the first */
} Told;

static void
note (const SlLessonResult *result, gpointer data)
{
  Told *told = data;

  if (result->number < 2)
    told->width[result->number] = result->answer;
  if (result->number == 0)
    told->curve = sl_lesson_measured (&sl_lesson_step (told->lesson, 0)->question, result->record);
}

/* Without the numbers of the page, the same run. */
static void
walk (Told *told)
{
  SlStatus status = sl_lesson_walk (told->lesson, 0, note, told);

  g_assert_true (sl_ok (&status));
  g_assert_true (isfinite (told->width[0]) && isfinite (told->width[1]));
}

static void
assert_curve (const SlJson *list, const GArray *measured)
{
  const SlJson *number = list->first;

  g_assert_cmpuint (list->n, ==, measured->len);
  for (guint i = 0; i < measured->len; i++, number = number->next)
    g_assert_true (number->number == g_array_index (measured, double, i));
}

static void
assert_line (const SlJson *piece, const char *of, double at, double by)
{
  const SlJson *has = sl_json_member_of (piece, "at", SL_JSON_NUMBER);
  const SlJson *rises = sl_json_member_of (piece, "by", SL_JSON_NUMBER);

  g_assert_cmpstr (text_of (piece, "of"), ==, of);
  g_assert_cmpint (has != NULL, ==, isfinite (at));
  if (has == NULL)
    return;
  g_assert_true (fabs (has->number - at) < 1e-4);
  g_assert_true (fabs (rises->number - by) < 1e-4);
}

static bool
is_withheld (const SlJson *step, const char *id)
{
  const SlJson *way = list_of (step, "ways")->first;

  for (const SlJson *panel = list_of (step, "panels")->first; panel != NULL;
       panel = panel->next, way = way->next)
    if (g_str_equal (text_of (panel, "id"), id))
      return strstr (way->text, "withheld") != NULL;
  return false;
}

/* Numbers of the run that a text has come with the answer; those of earlier steps are there before.  What is linear in
 * the guess is left to the page.  */
static void
test_order (void)
{
  g_autoptr (SlLesson) lesson = parse ();
  g_autofree char *page = make (lesson);
  g_autoptr (SlJson) data = unpack (page);
  const SlJson *first = list_of (data, "steps")->first, *second = first->next, *reveal;
  Told          told = {
             .lesson = lesson,
  };
  g_autofree char *was = NULL, *now = NULL, *before = NULL, *asked = NULL;

  walk (&told);
  was = g_strdup_printf ("It was %.3f.", told.width[0]);
  before = g_strdup_printf ("It was %.3f, now ….", told.width[0]);
  now = g_strdup_printf ("It was %.3f, now %.3f.", told.width[0], told.width[1]);
  asked = g_strdup_printf ("How wide, after %.1f?", told.width[0]);
  check_plots (sl_lesson_step (lesson, 0), first, sl_lesson_step (lesson, 0)->lab);
  check_plots (sl_lesson_step (lesson, 1), second, sl_lesson_step (lesson, 0)->lab);
  g_assert_cmpstr (list_of (first, "ways")->first->text, ==, "grows");
  g_assert_true (is_withheld (second, "width-of"));
  g_assert_cmpstr (text_of (first, "before"), ==, "It was ….");
  g_assert_cmpstr (text_of (first, "text"), ==, was);
  g_assert_cmpstr (text_of (second, "before"), ==, before);
  g_assert_cmpstr (text_of (second, "text"), ==, now);
  g_assert_cmpstr (text_of (sl_json_member (second, "question"), "prompt"), ==, asked);
  assert_curve (list_of (sl_json_member (first, "question"), "measured"), told.curve);
  reveal = list_of (first, "reveal")->first;
  g_assert_cmpstr (reveal->text, ==, "Off by ");
  assert_line (reveal->next, "off", 0.0, 1.0);
  assert_line (reveal->next->next->next, "guess", -told.width[0], 1.0);
  assert_line (reveal->next->next->next->next->next, "guess", (double) NAN, 0.0);
  assert_line (list_of (second, "reveal")->first, "guess", 1.0 - told.width[1] / 4.0, 0.5);
  g_array_unref (told.curve);
}

/* A last step that runs until it is stopped has something to look at. */
static void
test_last (void)
{
  g_autoptr (SlLesson) lesson = parse ();
  g_autofree char *page = make (lesson);
  g_autoptr (SlJson) data = unpack (page);
  const SlJson *last = list_of (data, "steps")->first->next->next;

  g_assert_cmpuint (list_of (last, "moments")->n, >, 2);
  g_assert_cmpuint (list_of (last, "panels")->n, >, 1);
  g_assert_cmpuint (list_of (last, "notes")->n, ==, 1);
}

static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = parse ();
  g_autoptr (GBytes) page = NULL;
  SlLessonStep *step = sl_lesson_step (lesson, 0);

  step->lab = NULL;
  for (unsigned i = 0; sl_labs[i] != NULL && step->lab == NULL; i++)
    if (g_str_equal (sl_labs[i]->id, "experts"))
      step->lab = sl_labs[i];
  g_free (step->data);
  step->data = g_strdup ("./none.csv");
  page = sl_page_lesson (lesson, &error);
  g_assert_null (page);
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (int i = 0; i < (argc > 1 ? argc - 1 : (int) G_N_ELEMENTS (quick)) && i < 19; i++)
    names[i] = argc > 1 ? argv[i + 1] : quick[i];
  g_test_add_func ("/page/lesson/program", test_program);
  g_test_add_func ("/page/lesson/hostile", test_hostile);
  g_test_add_func ("/page/lesson/order", test_order);
  g_test_add_func ("/page/lesson/last", test_last);
  g_test_add_func ("/page/lesson/refused", test_refused);
  return g_test_run ();
}
