/* SPDX-License-Identifier: MIT
 *
 * The words of a figure in the person's language, for the screen; see figure.h.  */
#include <glib.h>

#include "core/run/base/language.h"
#include "plot/figure/figure.h"

static void
translate_axis (SlAxis *axis)
{
  axis->label = sl_words (axis->label);
  axis->unit = sl_words (axis->unit);
}

/* In place; what does not fit is cut. */
static void
say (const SlFigure *figure, char *text, size_t size)
{
  g_autofree char *packed = g_strdup (text);

  sl_message_show (packed, figure->translated ? sl_words : NULL, text, size);
}

void
sl_figure_say (SlFigure *figure)
{
  say (figure, figure->title, sizeof figure->title);
  say (figure, figure->note, sizeof figure->note);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      say (figure, figure->curve[c].group_title, sizeof figure->curve[c].group_title);
      say (figure, figure->curve[c].title, sizeof figure->curve[c].title);
      say (figure, figure->curve[c].unit, sizeof figure->curve[c].unit);
    }
  if (!figure->translated)
    return;
  translate_axis (&figure->x);
  translate_axis (&figure->y);
  translate_axis (&figure->z);
  figure->zero = sl_words (figure->zero);
}

const char *
sl_figure_words (const SlFigure *figure, const char *text)
{
  return figure->translated ? sl_words (text) : text;
}
