/* SPDX-License-Identifier: MIT
 *
 * Lessons on paper: every word and rule is where it was.  Letters have made-up widths, as in test-golden.c.
 *
 * After a change that is meant: SLUICE_RENEW=1 build/tests/plot/test-plot-paper, and look at the difference.  */
#include "tests/plot/made-up-text.h"

#include <cairo.h>

#include "plot/base/text.h"
#include "plot/worksheet/paper.h"

/* What is put on the page, line by line. */
static GString *written;

static void
write_words (SlText *text, cairo_t *cr, const char *words, double size, bool bold)
{
  double x, y, grey;

  cairo_get_current_point (cr, &x, &y);
  cairo_pattern_get_rgba (cairo_get_source (cr), &grey, NULL, NULL, NULL);
  g_string_append_printf (written, "%.2f %.2f %.2f%s, %.2f \"%s\"\n", x, y, size,
                          bold ? " bold" : "", grey, words);
}

static void
write_line (cairo_t *cr)
{
  double x1, y1, x2, y2, grey;

  cairo_path_extents (cr, &x1, &y1, &x2, &y2);
  cairo_pattern_get_rgba (cairo_get_source (cr), &grey, NULL, NULL, NULL);
  g_assert_true (x1 >= SL_PAPER_PX (18.0) - 1.0 && x2 <= SL_PAPER_PX (210.0 - 18.0) + 1.0);
  g_assert_true (y1 >= SL_PAPER_PX (15.0) - 1.0 && y2 <= SL_PAPER_PX (297.0) - 1.0);
  g_string_append_printf (written, "rule %.2f %.2f to %.2f %.2f, %.2f wide, %.2f\n", x1, y1, x2, y2,
                          cairo_get_line_width (cr), grey);
  cairo_new_path (cr);
}

static void
write_picture (cairo_t *cr, cairo_surface_t *surface, double x, double y)
{
  double left, top, right, bottom;

  cairo_clip_extents (cr, &left, &top, &right, &bottom);
  g_string_append_printf (written, "figure at %.2f %.2f in %.2f %.2f to %.2f %.2f\n", x, y, left,
                          top, right, bottom);
}

#define sl_text_show write_words
#define cairo_stroke write_line
#include "plot/worksheet/paper.c"
#define cairo_set_source_surface write_picture
#include "plot/worksheet/key.c"
#undef sl_text_show
#undef cairo_stroke
#undef cairo_set_source_surface

#include "plot/worksheet/worksheet.h"
#include "tests/plot/golden.h"

/* All kinds of questions, with figures of three panels, more than there is room for beside each other. */
static const char small[]
  = "{ \"sluice-lesson\": 1, \"title\": \"Small\", \"summary\": \"A run of few updates.\",\n"
    "  \"goal\": \"Know it.\", \"minutes\": 5, \"misconception\": \"None.\", \"notes\": \"Be "
    "kind.\",\n"
    "  \"steps\": [\n"
    "  { \"title\": \"One\", \"text\": \"It is drawn.\", \"lab\": \"capacity\", \"run\": 3,\n"
    "    \"level\": \"what\", \"keep\": { \"width\": \"width-of.width\" } },\n"
    "  { \"title\": \"Two\", \"text\": \"It was {width:1}.\", \"run\": 3, \"level\": "
    "\"how-much\",\n"
    "    \"show\": [\"width-of\"],\n"
    "    \"question\": { \"kind\": \"number\", \"prompt\": \"How wide?\", \"range\": [0, 20],\n"
    "      \"answer\": \"width-of.width\" }, \"reveal\": \"It is {answer:2}.\" },\n"
    "  { \"title\": \"Three\", \"text\": \"Choose.\", \"run\": 2, \"level\": \"why\",\n"
    "    \"highlight\": { \"panel\": \"width-of\" },\n"
    "    \"question\": { \"kind\": \"choice\", \"prompt\": \"Which one?\", \"options\": [\"this\", "
    "\"that\"],\n"
    "      \"answer\": 2 } },\n"
    "  { \"title\": \"Four\", \"text\": \"Choose again.\", \"run\": 2,\n"
    "    \"question\": { \"kind\": \"choice\", \"prompt\": \"And now?\", \"options\": [\"a\", "
    "\"b\"] } },\n"
    "  { \"title\": \"Five\", \"text\": \"Draw.\", \"run\": 2,\n"
    "    \"question\": { \"kind\": \"curve\", \"prompt\": \"How will it go?\", \"panel\": "
    "\"width-of\",\n"
    "      \"range\": [0, 12], \"along\": [0, 9], \"answer\": \"width-of.width\" } } ] }";

static SlLesson *
parse (void)
{
  g_autoptr (GError) error = NULL;
  SlLesson *lesson = sl_lesson_parse (small, strlen (small), "small", NULL, &error);

  g_assert_no_error (error);
  return lesson;
}

/* Rules, words and their grey on the pages of a lesson with all kinds of questions. */
static void
test_places (void)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t         *cr = cairo_create (surface);

  written = g_string_new (NULL);
  {
    g_autoptr (SlLesson) lesson = parse ();
    unsigned pages = sl_worksheet_draw (lesson, NULL, 0);

    for (unsigned page = 0; page <= pages; page++) /* there is nothing on one beyond the last */
      {
        g_string_append_printf (written, "---- page %u of %u\n", page + 1, pages);
        g_assert_cmpuint (sl_worksheet_draw (lesson, cr, page), ==, pages);
      }
  }
  golden_compare ("worksheets.txt", written->str);
  g_string_set_size (written, 0);
  {
    g_autoptr (SlLesson) lesson = parse ();
    g_autoptr (GBytes) key = sl_worksheet_key (lesson, NULL);

    g_assert_nonnull (key);
  }
  golden_compare ("key.txt", written->str);
  g_string_free (written, TRUE);
  written = NULL;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* A step that is higher than a page goes on at the next one, and no option is cut. */
static void
test_long (void)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t         *cr = cairo_create (surface);
  g_autoptr (GString) text = g_string_new ("Begin");
  g_autofree char *whole = NULL;
  g_autoptr (SlLesson) lesson = NULL;
  unsigned pages;

  for (unsigned i = 0; i < 45; i++) /* long words: each is measured again and again */
    g_string_append (text, " a-word-that-fills-a-third-of-a-line");
  whole = g_strdup_printf (
    "{ \"sluice-lesson\": 1, \"title\": \"Long\", \"summary\": \"Long.\", \"steps\": [ { "
    "\"title\": \"One\", "
    "\"text\": \"%s\", \"lab\": \"capacity\", \"run\": 2, \"question\": { \"kind\": \"choice\", "
    "\"prompt\": "
    "\"%s\", \"options\": [ \"%s\", \"%s\", \"%s\", \"%s\" ] } } ] }",
    text->str, text->str, text->str, text->str, text->str, text->str);
  lesson = sl_lesson_parse (whole, strlen (whole), "long", NULL, NULL);
  g_assert_nonnull (lesson);
  written = g_string_new (NULL);
  pages = sl_worksheet_draw (lesson, NULL, 0);
  g_assert_cmpuint (pages, >, SL_WORKSHEET_PAGES);
  for (unsigned page = 0; page < pages; page++)
    {
      g_string_append_printf (written, "---- page %u\n", page + 1);
      sl_worksheet_draw (lesson, cr, page);
    }
  golden_compare ("questions.txt", written->str);
  g_string_free (written, TRUE);
  written = NULL;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paper/places", test_places);
  g_test_add_func ("/paper/long", test_long);
  return g_test_run ();
}
