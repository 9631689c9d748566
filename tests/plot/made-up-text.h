/* SPDX-License-Identifier: MIT
 *
 * Includes plot/base/text.c with made-up widths of letters and nothing drawn of them, so that no font of the
 * machine matters.  For one file of a test program, whose object then is used instead of the library's.  */
#pragma once

#include <string.h>

#include <glib.h>
#include <pango/pangocairo.h>

static void
made_up_extents (PangoLayoutLine *line, PangoRectangle *ink, PangoRectangle *logical)
{
  const PangoFontDescription *font = pango_layout_get_font_description (line->layout);
  const char                 *text = pango_layout_get_text (line->layout);
  double wide = pango_font_description_get_weight (font) > PANGO_WEIGHT_NORMAL ? 0.6 : 0.55;
  double letters = 0.0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    letters += strchr ("ijl.,:; ", *text) != NULL ? 0.5 : 1.0;
  *logical
    = (PangoRectangle) { .width = (int) (letters * wide * pango_font_description_get_size (font)) };
}

static double made_up_size;

static PangoFontMetrics *
made_up_metrics (PangoContext *context, const PangoFontDescription *font, PangoLanguage *language)
{
  made_up_size = pango_font_description_get_size (font);
  return NULL;
}

#define pango_layout_line_get_extents made_up_extents
#define pango_context_get_metrics made_up_metrics
#define pango_font_metrics_get_ascent(metrics) ((void) (metrics), (int) (0.9 * made_up_size))
#define pango_font_metrics_get_descent(metrics) ((void) (metrics), (int) (0.3 * made_up_size))
#define pango_font_metrics_unref(metrics) ((void) (metrics))
#define pango_cairo_layout_line_path(cr, line) ((void) (line))
#define pango_cairo_show_layout_line(cr, line) ((void) (line))
#include "plot/base/text.c"
