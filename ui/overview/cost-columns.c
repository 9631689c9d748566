/* SPDX-License-Identifier: MIT */
#include "ui/overview/cost-columns.h"

#include <glib/gi18n.h>
#include <math.h>

enum { GAP = 8, TIGHT_GAP = 4, SCALE_LEAST = 5 /* sizes of the type */ };

static int
width_of (const SlStripSizes *sizes, const char *text)
{
  return sizes->width_of (sizes->widget, text);
}

/* Room for the longest figure, and between two. */
static double
figure_width (const SlStripSizes *sizes)
{
  return width_of (sizes, "> 999") + 0.4 * sizes->type;
}

/* The widest timed figure in full, so that none is cut; with spreads or without. */
static double
timed_width (const SlStripSizes *sizes, gboolean spread)
{
  double widest = figure_width (sizes);

  for (unsigned i = 0; i < sizes->n; i++)
    {
      g_autofree char *text = sl_strip_cost_text (&sizes->row[i], SL_STRIP_TIMED, spread);

      widest = fmax (widest, width_of (sizes, text) + sizes->type);
    }
  return widest;
}

static double
key_width (const SlStripSizes *sizes)
{
  double width = width_of (sizes, _ ("% of dense"));

  for (unsigned which = 0; which < SL_STRIP_COSTS; which++)
    width += width_of (sizes, sl_strip_title (which)) + 2.2 * sizes->type;
  return width;
}

static double
error_width (const SlStripSizes *sizes, const char *title)
{
  return fmax (width_of (sizes, title), width_of (sizes, "100.0"));
}

/* Lays all columns but the scale and the last, from the left; returns their width. */
static double
lay_names (const SlStripSizes *sizes, double gap, SlStripColumns *at)
{
  double   x = 0.0;
  gboolean paired = FALSE;

  for (unsigned i = 0; i < sizes->n; i++)
    {
      x = fmax (x, width_of (sizes, sizes->row[i].name));
      paired = paired || sizes->row[i].paired;
    }
  at->error = x += GAP + gap + error_width (sizes, _ ("error, %"));
  at->dense = 0.0;
  if (paired)
    at->dense = x += GAP + gap + error_width (sizes, _ ("dense"));
  return x + 2.0 * GAP;
}

SlStripColumns
sl_strip_columns (const SlStripSizes *sizes, double width)
{
  SlStripColumns at = { 0 };
  double         left = lay_names (sizes, GAP, &at), figure = figure_width (sizes), room;

  if (left - GAP + 2.0 * figure + timed_width (sizes, FALSE) > width)
    left = lay_names (sizes, TIGHT_GAP, &at);
  at.left = at.key = left;
  at.two_lines = left + key_width (sizes) > width;
  room = width - 2.0 * figure - GAP - left;
  /* Spreads are shown where the scale stays long enough to be read. */
  at.spread = room - timed_width (sizes, TRUE) >= SCALE_LEAST * sizes->type;
  at.right = left + room - timed_width (sizes, at.spread);
  if (at.right - left < 2.0 * sizes->type)
    at.right = left - GAP;
  for (unsigned which = 0; which < SL_STRIP_TIMED; which++)
    at.figure[which] = at.right + GAP + (which + 1.0) * figure;
  at.figure[SL_STRIP_TIMED] = width;
  if (at.two_lines)
    at.key = 0.0;
  return at;
}

/* Names and figures without a scale; and with one that can be read. */
void
sl_strip_measure_width (const SlStripSizes *sizes, int *minimum, int *natural)
{
  SlStripColumns at;
  double         figure = figure_width (sizes), key = key_width (sizes);
  double         tight = lay_names (sizes, TIGHT_GAP, &at), names = lay_names (sizes, GAP, &at);
  double         busy = width_of (sizes, C_ ("timed cost", "busy")) + sizes->type;
  double         timed = fmax (width_of (sizes, "100 ± 10") + sizes->type, busy);

  *minimum = (int) ceil (fmax (tight + 2.0 * figure - GAP + fmax (figure, busy), key));
  *natural = (int) ceil (
    fmax (names + 2.0 * figure + GAP + timed + (SCALE_LEAST + 2.0) * sizes->type, names + key));
}
