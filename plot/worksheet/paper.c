/* SPDX-License-Identifier: MIT
 *
 * See paper.h.  */
#include "plot/worksheet/paper.h"

#include <glib.h>

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

static char **
wrap (const SlPaper *paper, const char *words, double indent, double size)
{
  return sl_text_wrap (paper->text, words, size, paper->right - paper->left - indent, LINES_MAX);
}

double
sl_paper_height (const SlPaper *paper, const char *words, double indent, double size, double gap)
{
  double type = size * paper->type;
  g_auto (GStrv) lines = wrap (paper, words, indent, type);

  return *words != '\0' ? g_strv_length (lines) * type * LEADING + gap * paper->type : 0.0;
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
      sl_paper_put (paper, paper->left + indent, paper->y + type, *line, type, bold, 0.0);
      paper->y += type * LEADING;
    }
  paper->y += gap * paper->type;
}
