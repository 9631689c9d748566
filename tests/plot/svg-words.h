/* SPDX-License-Identifier: MIT
 *
 * The texts of an SVG file as boxes on its page.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/base/geometry.h"
#include "plot/base/text.h"

typedef struct
{
  SlRect box; /* px of the page: from line to line of capitals, as wide as the letters */
  char  *text;
} SvgWord;

/* An array of SvgWord, which g_array_unref() frees, and the size of the page. */
GArray *svg_words (GBytes *svg, SlText *text, double *width, double *height);

/* Every text is on the page and covers no other; a failure names `what` and the texts. */
void svg_check_words (GBytes *svg, SlText *text, const char *what);

/* Whether a text of the file begins so. */
bool svg_has_word (GArray *words, const char *beginning);
