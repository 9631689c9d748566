/* SPDX-License-Identifier: MIT
 *
 * What a reader hears of a point of a trade-off.  */
#include "plot/charts/front.h"

#include <glib.h>

#include "core/run/base/language.h"
#include "plot/base/scale.h"

/* "cost 31 ± 0.4 %" */
static void
add_axis (GString *out, const SlFigure *figure, const SlAxis *axis, double value, double spread,
          unsigned n)
{
  char number[40];

  if (axis->label != NULL && *axis->label != '\0')
    g_string_append_printf (out, "%s ", sl_figure_label (figure, axis->label));
  g_string_append (out, sl_number_text (value, 4, number, sizeof number));
  if (n > 1)
    g_string_append_printf (out, " \302\261 %s", sl_number_text (spread, 2, number, sizeof number));
  if (axis->unit != NULL && *axis->unit != '\0')
    g_string_append_printf (out, "\302\240%s", sl_figure_words (figure, axis->unit));
}

/* "rank 8, the knee, mean of 3" */
static SlMessage
name_point (const SlFront *front, const SlFrontPoint *point)
{
  SlMessage name = sl_message_word (point->title);

  if (front->frontier && point->knee)
    sl_message_add (&name, ", the knee");
  if (point->apart)
    sl_message_add (&name, ", on other data");
  if (point->n > 1)
    sl_message_add (&name, ", mean of %u", point->n);
  return name;
}

const char *
sl_front_text (const SlFront *front, const SlFigure *figure, unsigned point, char *text,
               size_t size)
{
  const SlFrontPoint *of = &front->point[point];
  SlMessage           name = name_point (front, of);
  g_autoptr (GString) out = g_string_new (
    sl_message_show (name.packed, figure->translated ? sl_words : NULL, text, size));

  g_string_append (out, ": ");
  add_axis (out, figure, &figure->x, of->x, of->x_half, of->n);
  g_string_append (out, ", ");
  add_axis (out, figure, &figure->y, of->y, of->y_half, of->n);
  g_strlcpy (text, out->str, size);
  return text;
}
