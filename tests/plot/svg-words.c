/* SPDX-License-Identifier: MIT */
#include "tests/plot/svg-words.h"

#include <string.h>

static void
clear_word (gpointer word)
{
  g_free (((SvgWord *) word)->text);
}

/* The number behind a name in a tag; `or` where the tag has no such name. */
static double
number_of (const char *tag, const char *name, double or)
{
  const char *at = strstr (tag, name);

  return at != NULL ? g_ascii_strtod (at + strlen (name), NULL) : or ;
}

static char *
plain (const char *from, const char *to)
{
  g_autofree char *packed = g_strndup (from, (gsize) (to - from));
  GString         *text = g_string_new (packed);

  g_string_replace (text, "&lt;", "<", 0);
  g_string_replace (text, "&gt;", ">", 0);
  g_string_replace (text, "&quot;", "\"", 0);
  g_string_replace (text, "&amp;", "&", 0);
  return g_string_free (text, FALSE);
}

static SvgWord
word_of (const char *tag, const char *string, SlText *text, double left, double top)
{
  double      size = number_of (tag, "font-size=\"", 0.0), rise = 0.7 * size;
  double      wide = sl_text_width (text, string, size, strstr (tag, "bold") != NULL);
  double      before = strstr (tag, "\"middle\"") != NULL ? wide / 2.0
                       : strstr (tag, "\"end\"") != NULL  ? wide
                                                          : 0.0;
  double      x = number_of (tag, " x=\"", left), y = number_of (tag, " y=\"", top);
  const char *turned = strstr (tag, "translate(");
  SvgWord     word = { .text = g_strdup (string) };

  if (turned != NULL)
    {
      char *end;

      x = g_ascii_strtod (turned + strlen ("translate("), &end);
      y = g_ascii_strtod (end, NULL);
      word.box = (SlRect) { left + x - rise, top + y - wide + before, rise, wide };
    }
  else
    word.box = (SlRect) { left + x - before, top + y - rise, wide, rise };
  return word;
}

GArray *
svg_words (GBytes *svg, SlText *text, double *width, double *height)
{
  g_auto (GStrv) lines = g_strsplit (g_bytes_get_data (svg, NULL), "\n", -1);
  GArray *words = g_array_new (FALSE, TRUE, sizeof (SvgWord));
  double  left = 0.0, top = 0.0;
  int     depth = 0, moved = 0;

  g_array_set_clear_func (words, clear_word);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strchug (lines[i]), *end = strchr (line, '>');
      char       *next;

      depth += g_str_has_prefix (line, "<g ");
      if (g_str_has_prefix (line, "</g>") && depth-- == moved)
        left = top = moved = 0;
      if (g_str_has_prefix (line, "<svg") && strstr (line, "viewBox=\"0 0 ") != NULL)
        {
          *width
            = g_ascii_strtod (strstr (line, "viewBox=\"0 0 ") + strlen ("viewBox=\"0 0 "), &next);
          *height = g_ascii_strtod (next, NULL);
        }
      else if (g_str_has_prefix (line, "<g ") && strstr (line, "translate(") != NULL)
        {
          moved = depth;
          left = g_ascii_strtod (strstr (line, "translate(") + strlen ("translate("), &next);
          top = g_ascii_strtod (next, NULL);
        }
      else if (g_str_has_prefix (line, "<text") && end != NULL)
        {
          g_autofree char *tag = g_strndup (line, (gsize) (end - line));
          g_autofree char *string = plain (end + 1, strstr (end, "</text>"));
          SvgWord          word = word_of (tag, string, text, left, top);

          g_array_append_val (words, word);
        }
    }
  return words;
}

static bool
is_apart (const SlRect *a, const SlRect *b)
{
  return a->x + a->w <= b->x + 0.5 || b->x + b->w <= a->x + 0.5 || a->y + a->h <= b->y + 0.5
         || b->y + b->h <= a->y + 0.5;
}

void
svg_check_words (GBytes *svg, SlText *text, const char *what)
{
  double  width = 0.0, height = 0.0;
  GArray *words = svg_words (svg, text, &width, &height);

  g_assert_true (width > 0.0 && height > 0.0);
  for (guint i = 0; i < words->len; i++)
    {
      const SvgWord *word = &g_array_index (words, SvgWord, i);
      const SlRect  *box = &word->box;

      if (!(box->x >= -0.5 && box->x + box->w <= width + 0.5 && box->y >= -0.5
            && box->y + box->h <= height + 0.5))
        {
          g_test_message ("%s: “%s” is cut at the edge: %.1f %.1f %.1f %.1f", what, word->text,
                          box->x, box->y, box->w, box->h);
          g_test_fail ();
        }
      for (guint k = 0; k < i; k++)
        if (!is_apart (box, &g_array_index (words, SvgWord, k).box))
          {
            g_test_message ("%s: “%s” covers “%s”", what, word->text,
                            g_array_index (words, SvgWord, k).text);
            g_test_fail ();
          }
    }
  g_array_unref (words);
}

bool
svg_has_word (GArray *words, const char *beginning)
{
  for (guint i = 0; i < words->len; i++)
    if (g_str_has_prefix (g_array_index (words, SvgWord, i).text, beginning))
      return true;
  return false;
}
