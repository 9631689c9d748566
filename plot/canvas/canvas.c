/* SPDX-License-Identifier: MIT
 *
 * What all canvases share: how numbers are written, and the shapes of markers.  */
#include "plot/canvas/canvas.h"

#include <math.h>
#include <string.h>

static void
append_number (GString *out, double value)
{
  char  text[48];
  char *end;

  g_ascii_formatd (text, sizeof text, "%.2f", CLAMP (value, -1e7, 1e7));
  end = text + strlen (text);
  while (end[-1] == '0')
    *--end = '\0';
  if (end[-1] == '.')
    *--end = '\0';
  g_string_append (out, strcmp (text, "-0") == 0 ? "0" : text);
}

void
sl_canvas_put (GString *out, const char *text, ...)
{
  va_list numbers;

  va_start (numbers, text);
  for (; *text != '\0'; text++)
    if (*text == '@')
      append_number (out, va_arg (numbers, double));
    else
      g_string_append_c (out, *text);
  va_end (numbers);
}

/* A control character in a comment could end it, a backslash at its end join it with the next line. */
void
sl_canvas_comment (GString *out, const char *begin, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_printf (out, "%s ", begin);
  for (const char *p = valid; *p != '\0'; p++)
    g_string_append_c (out, g_ascii_iscntrl (*p) ? ' ' : *p);
  g_string_append (out, g_str_has_suffix (valid, "\\") ? " \n" : "\n");
}

void
sl_canvas_recipe (GString *out, const char *begin, const char *recipe)
{
  enum { A_LINE = 64 };
  g_autofree char *base64 = g_base64_encode ((const guchar *) recipe, strlen (recipe));
  gsize            n = strlen (base64);

  for (gsize at = 0; at < n; at += A_LINE)
    g_string_append_printf (out, "%s sluice-recipe: %.*s\n", begin, (int) A_LINE, base64 + at);
}

/* Corners of a marker of size 1 around the origin; returns 0 for the round ones. */
static size_t
corners (SlMarker marker, SlXY out[12])
{
  static const SlXY square[] = { { -.44, -.44 }, { .44, -.44 }, { .44, .44 }, { -.44, .44 } };
  static const SlXY diamond[] = { { 0, -.6 }, { .6, 0 }, { 0, .6 }, { -.6, 0 } };
  static const SlXY up[] = { { 0, -.6 }, { .55, .42 }, { -.55, .42 } };
  static const SlXY plus[] = { { -.17, -.58 }, { .17, -.58 }, { .17, -.17 },  { .58, -.17 },
                               { .58, .17 },   { .17, .17 },  { .17, .58 },   { -.17, .58 },
                               { -.17, .17 },  { -.58, .17 }, { -.58, -.17 }, { -.17, -.17 } };
  const SlXY       *shape = square;
  size_t            n = 4;
  bool              turn = marker == SL_MARKER_CROSS;

  switch (marker)
    {
    case SL_MARKER_SQUARE: break;
    case SL_MARKER_DIAMOND: shape = diamond; break;
    case SL_MARKER_UP:
    case SL_MARKER_DOWN:
      shape = up;
      n = 3;
      break;
    case SL_MARKER_PLUS:
    case SL_MARKER_CROSS:
      shape = plus;
      n = 12;
      break;
    default: return 0;
    }
  for (size_t i = 0; i < n; i++)
    {
      out[i] = shape[i];
      if (marker == SL_MARKER_DOWN)
        out[i].y = -out[i].y;
      if (turn)
        out[i]
          = (SlXY) { (shape[i].x - shape[i].y) * M_SQRT1_2, (shape[i].x + shape[i].y) * M_SQRT1_2 };
    }
  return n;
}

void
sl_canvas_marker (SlCanvas *canvas, SlMarker marker, double x, double y, double size, SlRgba colour,
                  SlRgba rim)
{
  SlXY     shape[13];
  size_t   n = corners (marker, shape);
  unsigned style = canvas->style;

  if (canvas->marker != NULL)
    {
      canvas->marker (canvas, marker, x, y, size, colour, rim);
      return;
    }
  canvas->style = 0; /* the rim has the colour of the paper */
  if (n == 0)
    {
      canvas->disc (canvas, x, y, 0.5 * size + 0.12 * size, rim, 0.0);
      canvas->style = style;
      if (marker == SL_MARKER_RING)
        canvas->disc (canvas, x, y, 0.4 * size, colour, 0.22 * size);
      else
        canvas->disc (canvas, x, y, 0.5 * size, colour, 0.0);
      return;
    }
  for (size_t i = 0; i < n; i++)
    shape[i] = (SlXY) { x + shape[i].x * size, y + shape[i].y * size };
  shape[n] = shape[0];
  canvas->line (canvas, shape, n + 1, rim, 0.24 * size, NULL);
  canvas->style = style;
  canvas->area (canvas, shape, n, colour);
}
