/* SPDX-License-Identifier: MIT
 *
 * Where a word fits into a region of a gating map: in its largest connected piece, tried over a grid
 * that need not be as fine as the map.  */
#include <math.h>
#include <string.h>

#include "plot/figure/plane.h"

enum { MOST_SIDE = 96 };

/* Gives a cell and all that it is connected with a number, and returns how many those are. */
static guint
flood (SlPieces *pieces, guint cell, guint number, guint *stack)
{
  guint side = pieces->side, n = 0, cells = 0;

  stack[n++] = cell;
  pieces->piece[cell] = number;
  while (n > 0)
    {
      guint at = stack[--n], column = at % side, next[4], k = 0;

      cells++;
      if (column > 0)
        next[k++] = at - 1;
      if (column + 1 < side)
        next[k++] = at + 1;
      if (at >= side)
        next[k++] = at - side;
      if (at + side < side * side)
        next[k++] = at + side;
      while (k > 0)
        if (pieces->piece[next[--k]] == G_MAXUINT && pieces->value[next[k]] == pieces->value[at])
          {
            pieces->piece[next[k]] = number;
            stack[n++] = next[k];
          }
    }
  return cells;
}

/* The cell of the plane in the middle of a row or column of the grid. */
static size_t
cell_of (const SlPlane *plane, guint side, guint i)
{
  return (2 * i + 1) * (size_t) plane->side / (2 * side);
}

void
sl_pieces_find (SlPieces *pieces, const SlPlane *plane, SlPlaneMode mode)
{
  const double     *value = plane->plane[sl_plane_mode_plane (mode)];
  const double     *label = plane->plane[SL_MAP_LABEL];
  guint             side = MIN (plane->side, MOST_SIDE), n = side * side;
  g_autofree guint *stack = g_new (guint, n);

  *pieces = (SlPieces) { side, g_new (int, n), g_new (guint, n), g_new0 (guint8, n),
                         g_array_new (FALSE, FALSE, sizeof (guint)) };
  for (guint r = 0; r < side; r++)
    for (guint c = 0; c < side; c++)
      {
        size_t row = cell_of (plane, side, r) * plane->side, at = row + cell_of (plane, side, c);

        pieces->value[r * side + c] = sl_plane_whole (value[at]);
        pieces->piece[r * side + c] = G_MAXUINT;
        if (c + 1 < side && r + 1 < side)
          pieces->boundary[r * side + c]
            = label[at] != label[row + cell_of (plane, side, c + 1)]
              || label[at]
                   != label[cell_of (plane, side, r + 1) * plane->side + cell_of (plane, side, c)];
      }
  for (guint i = 0; i < n; i++)
    if (pieces->piece[i] == G_MAXUINT)
      {
        guint cells = flood (pieces, i, pieces->cells->len, stack);

        g_array_append_val (pieces->cells, cells);
      }
}

void
sl_pieces_clear (SlPieces *pieces)
{
  g_free (pieces->value);
  g_free (pieces->piece);
  g_free (pieces->boundary);
  g_array_unref (pieces->cells);
}

/* A cell of the largest piece of a value, or -1. */
static int
largest_piece (const SlPieces *pieces, unsigned value)
{
  guint most = 0;
  int   found = -1;

  for (guint i = 0; i < pieces->side * pieces->side; i++)
    if (pieces->value[i] == (int) value
        && g_array_index (pieces->cells, guint, pieces->piece[i]) > most)
      {
        most = g_array_index (pieces->cells, guint, pieces->piece[i]);
        found = (int) i;
      }
  return found;
}

/* How many cells of the piece are above and left of each corner, (side + 1, side + 1), and its middle;
 * `clear`: without those on a class boundary.  */
static guint *
count_corners (const SlPieces *pieces, guint piece, bool clear, double *x, double *y)
{
  guint  side = pieces->side, line = side + 1, n = g_array_index (pieces->cells, guint, piece);
  guint *corner = g_new0 (guint, line * line), columns = 0, rows = 0;

  for (guint r = 0; r < side; r++)
    {
      const guint  *at = pieces->piece + r * side;
      const guint8 *boundary = pieces->boundary + r * side;
      const guint  *above = corner + r * line + 1;
      guint        *here = corner + (r + 1) * line + 1, run = 0;

      for (guint c = 0; c < side; c++)
        {
          guint in = at[c] == piece;

          columns += in * c;
          rows += in * r;
          run += in & (guint) !(clear && boundary[c]);
          here[c] = above[c] + run;
        }
    }
  *x = 0.5 + (double) columns / n;
  *y = 0.5 + (double) rows / n;
  return corner;
}

/* The full rectangle of w × h cells that is nearest to the middle of the piece. */
static bool
nearest (const guint *corner, guint side, guint w, guint h, double *x, double *y)
{
  guint  line = side + 1;
  double middle_x = *x, middle_y = *y, least = HUGE_VAL;

  for (guint r = 0; r + h <= side; r++)
    for (guint c = 0; c + w <= side; c++)
      {
        const guint *top = corner + r * line + c, *bottom = top + h * line;
        double       away;

        if (bottom[w] + top[0] - bottom[0] - top[w] < w * h)
          continue;
        away = (c + 0.5 * w - middle_x) * (c + 0.5 * w - middle_x)
               + (r + 0.5 * h - middle_y) * (r + 0.5 * h - middle_y);
        if (away >= least)
          continue;
        least = away;
        *x = c + 0.5 * w;
        *y = r + 0.5 * h;
      }
  return least < HUGE_VAL;
}

/* The same for a rectangle as many times as large as it can be. */
static bool
roomiest (const guint *corner, guint side, double w, double h, double *x, double *y)
{
  static const double times[] = { 2.4, 1.7, 1.3, 1.0 };

  for (unsigned i = 0; i < G_N_ELEMENTS (times); i++)
    if (nearest (corner, side, (guint) ceil (times[i] * w), (guint) ceil (times[i] * h), x, y))
      return true;
  return false;
}

bool
sl_pieces_place (const SlPieces *pieces, unsigned value, double width, double height, double *x,
                 double *y)
{
  double            side = pieces->side, w = width * side, h = height * side;
  int               cell = largest_piece (pieces, value);
  guint             piece = cell >= 0 ? pieces->piece[cell] : 0;
  g_autofree guint *all = NULL, *clear = NULL;

  if (cell < 0 || g_array_index (pieces->cells, guint, piece) < w * h)
    return false;
  all = count_corners (pieces, piece, false, x, y);
  if (!nearest (all, pieces->side, (guint) ceil (w), (guint) ceil (h), x, y))
    return false;
  /* Over a class boundary only where there is no other place. */
  clear = count_corners (pieces, piece, true, x, y);
  if (!roomiest (clear, pieces->side, w, h, x, y))
    roomiest (all, pieces->side, w, h, x, y);
  *x /= side;
  *y /= side;
  return true;
}
