/* SPDX-License-Identifier: MIT
 *
 * See paper.h.  */
#include "plot/worksheet/paper.h"

#include <glib.h>
#include <string.h>

enum { LINES_MAX = 400 };

static const double LEADING = 1.36;

static bool
is_drawn (const SlPaper *paper)
{
  return paper->cr != NULL && (paper->only == 0 || paper->only == paper->pages);
}

void
sl_paper_put (SlPaper *paper, double x, double baseline, const char *words, double size, bool bold,
              double grey)
{
  if (!is_drawn (paper))
    return;
  cairo_set_source_rgb (paper->cr, grey, grey, grey);
  cairo_move_to (paper->cr, x, baseline);
  sl_text_show (paper->text, paper->cr, words, size, bold);
  cairo_new_path (paper->cr);
}

void
sl_paper_rule (SlPaper *paper, double x1, double y1, double x2, double y2, double width,
               double grey)
{
  if (!is_drawn (paper))
    return;
  cairo_set_source_rgb (paper->cr, grey, grey, grey);
  cairo_set_line_width (paper->cr, width);
  cairo_move_to (paper->cr, x1, y1);
  cairo_line_to (paper->cr, x2, y2);
  cairo_stroke (paper->cr);
}

static void
write_foot (SlPaper *paper)
{
  g_autofree char *number = g_strdup_printf ("%u", paper->pages);
  double           size = SL_PAPER_PX (2.9);

  if (paper->foot != NULL)
    sl_paper_put (paper, paper->left, paper->bottom + SL_PAPER_PX (7.0), paper->foot, size, false,
                  0.35);
  sl_paper_put (paper, paper->right - sl_text_width (paper->text, number, size, false),
                paper->bottom + SL_PAPER_PX (7.0), number, size, false, 0.35);
}

void
sl_paper_begin (SlPaper *paper, cairo_t *cr, SlText *text, double type, const char *foot)
{
  *paper = (SlPaper) { .cr = cr,
                       .text = text,
                       .type = type,
                       .left = SL_PAPER_PX (18.0),
                       .right = SL_PAPER_PX (210.0 - 18.0),
                       .top = SL_PAPER_PX (15.0),
                       .bottom = SL_PAPER_PX (297.0 - 17.0),
                       .pages = 1,
                       .foot = foot };
  paper->y = paper->top;
}

void
sl_paper_end (SlPaper *paper)
{
  write_foot (paper);
  if (paper->cr != NULL && paper->only == 0)
    cairo_show_page (paper->cr);
}

void
sl_paper_turn (SlPaper *paper)
{
  sl_paper_end (paper);
  paper->pages++;
  paper->y = paper->top;
}

void
sl_paper_need (SlPaper *paper, double height)
{
  if (paper->y + height > paper->bottom && paper->y > paper->top)
    sl_paper_turn (paper);
}

/* ---- paragraphs ---- */

static bool
is_mark (char c)
{
  return c == SL_PAPER_FILLED[0] || c == SL_PAPER_FILLED_END[0];
}

/* The words without marks. */
static char *
bare (const char *words)
{
  char *copy = g_strdup (words), *out = copy;

  for (const char *c = copy; *c != '\0'; c++)
    if (!is_mark (*c))
      *out++ = *c;
  *out = '\0';
  return copy;
}

static char **
wrap (const SlPaper *paper, const char *words, double indent, double size)
{
  g_autofree char *plain = bare (words);

  return sl_text_wrap (paper->text, plain, size, paper->right - paper->left - indent, LINES_MAX);
}

double
sl_paper_height (const SlPaper *paper, const char *words, double indent, double size, double gap)
{
  double type = size * paper->type;
  g_auto (GStrv) lines = wrap (paper, words, indent, type);

  return *words != '\0' ? g_strv_length (lines) * type * LEADING + gap * paper->type : 0.0;
}

static double
part_width (const SlPaper *paper, const char *line, gsize bytes, double type, bool bold)
{
  g_autofree char *part = g_strndup (line, bytes);

  return sl_text_width (paper->text, part, type, bold);
}

/* A line and the rules under what is filled in.  `words` is where the paragraph is at its beginning, and goes on to its end;
 * the line has its bytes, but for marks and for spaces where lines break.  */
static void
put_line (SlPaper *paper, const char **words, double indent, const char *line, double type,
          bool bold)
{
  double      x = paper->left + indent, y = paper->y + 1.16 * type;
  const char *from = NULL, *at = line;

  sl_paper_put (paper, x, paper->y + type, line, type, bold, 0.0);
  for (; **words != '\0' && (*at != '\0' || is_mark (**words)); (*words)++)
    if (**words == SL_PAPER_FILLED[0])
      from = at;
    else if (**words == SL_PAPER_FILLED_END[0] && from != NULL)
      {
        double left = x + part_width (paper, line, (gsize) (from - line), type, bold);
        double wide = part_width (paper, from, (gsize) (at - from), type, bold);

        sl_paper_rule (paper, left, y, left + wide, y, 0.6, 0.3);
        from = NULL;
      }
    else if (**words == *at)
      at++;
}

void
sl_paper_words (SlPaper *paper, const char *words, double indent, double size, bool bold,
                double gap)
{
  double type = size * paper->type;
  g_auto (GStrv) lines = wrap (paper, words, indent, bold ? type * 1.06 : type);

  if (*words == '\0')
    return;
  for (char **line = lines; *line != NULL; line++)
    {
      sl_paper_need (paper, type * LEADING);
      put_line (paper, &words, indent, *line, type, bold);
      paper->y += type * LEADING;
    }
  paper->y += gap * paper->type;
}
