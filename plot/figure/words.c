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
translate_text (char *text, size_t size)
{
  g_autofree char *before = g_strdup (text);

  if (*text != '\0')
    sl_phrase_into (before, text, size);
}

void
sl_figure_translate (SlFigure *figure)
{
  translate_text (figure->title, sizeof figure->title);
  translate_text (figure->note, sizeof figure->note);
  translate_axis (&figure->x);
  translate_axis (&figure->y);
  translate_axis (&figure->z);
  figure->zero = sl_words (figure->zero);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      translate_text (figure->curve[c].group_title, sizeof figure->curve[c].group_title);
      translate_text (figure->curve[c].title, sizeof figure->curve[c].title);
      translate_text (figure->curve[c].unit, sizeof figure->curve[c].unit);
    }
}

const char *
sl_figure_words (const SlFigure *figure, const char *text)
{
  return figure->translated ? sl_words (text) : text;
}
