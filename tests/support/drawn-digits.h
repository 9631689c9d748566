/* SPDX-License-Identifier: MIT
 *
 * Digits as they are drawn by hand, from tests/golden/drawn-digits.txt: a line each, "digit hand", and after each ";"
 * a stroke of points "x,y", parts of the sheet.  */
#pragma once

#include <glib.h>
#include <stdlib.h>

#include "core/data/ink/ink.h"

enum { SL_DRAWN_DIGITS = 40 };

typedef struct
{
  unsigned digit;
  char   **stroke; /* n_strokes texts */
  unsigned n_strokes;
} SlDrawnDigit;

/* Reads all of them, once; they stay in memory until the end. */
static inline const SlDrawnDigit *
sl_drawn_digits (const char *path)
{
  static SlDrawnDigit drawn[SL_DRAWN_DIGITS];
  g_autofree char    *text = NULL;
  g_auto (GStrv) line = NULL;

  if (drawn[0].n_strokes > 0)
    return drawn;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = g_strsplit (g_strstrip (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (line), ==, SL_DRAWN_DIGITS);
  for (unsigned i = 0; i < SL_DRAWN_DIGITS; i++)
    {
      char **part = g_strsplit (line[i], ";", -1);

      drawn[i] = (SlDrawnDigit) { (unsigned) atoi (part[0]), part + 1, g_strv_length (part) - 1 };
      g_assert_cmpuint (drawn[i].digit, <, 10);
      g_assert_cmpuint (drawn[i].n_strokes, >, 0);
    }
  return drawn;
}

/* Gives each point of a drawing to `put`, the first of a stroke with `begins`. */
static inline void
sl_drawn_digit_play (const SlDrawnDigit *drawn,
                     void (*put) (gboolean begins, double x, double y, gpointer data),
                     gpointer data)
{
  for (unsigned s = 0; s < drawn->n_strokes; s++)
    {
      char    *at = drawn->stroke[s];
      gboolean begins = TRUE;

      while (*g_strchug (at) != '\0')
        {
          double x = g_ascii_strtod (at, &at), y;

          g_assert_cmpint (*at, ==, ',');
          y = g_ascii_strtod (at + 1, &at);
          put (begins, x, y, data);
          begins = FALSE;
        }
    }
}

static inline void
sl_drawn_put_ink (gboolean begins, double x, double y, gpointer ink)
{
  g_assert_true (begins ? sl_ink_press (ink, x, y, false) : sl_ink_move (ink, x, y));
}
