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

void
sl_pieces_find (SlPieces *pieces, const SlPlane *plane, SlPlaneMode mode)
{
  const double     *value = plane->plane[sl_plane_mode_plane (mode)];
  guint             side = MIN (plane->side, MOST_SIDE), n = side * side;
  g_autofree guint *stack = g_new (guint, n);

  *pieces = (SlPieces) { side, g_new (int, n), g_new (guint, n), g_new (int, n),
                         g_array_new (FALSE, FALSE, sizeof (guint)) };
  for (guint i = 0; i < n; i++)
    {
      size_t row = (2 * (i / side) + 1) * (size_t) plane->side / (2 * side);
      size_t column = (2 * (i % side) + 1) * (size_t) plane->side / (2 * side);

      pieces->value[i] = (int) value[row * plane->side + column];
      pieces->label[i] = (int) plane->plane[SL_MAP_LABEL][row * plane->side + column];
      pieces->piece[i] = G_MAXUINT;
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
  g_free (pieces->label);
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

/* Whether a class boundary passes by a cell. */
static bool
on_boundary (const SlPieces *pieces, guint r, guint c)
{
  guint side = pieces->side, at = r * side + c;

  return (c + 1 < side && pieces->label[at] != pieces->label[at + 1])
         || (r + 1 < side && pieces->label[at] != pieces->label[at + side]);
}

/* How many cells of the piece are above and left of each corner, (side + 1, side + 1), and its middle;
 * `clear`: without those on a class boundary.  */
static guint *
count_corners (const SlPieces *pieces, guint piece, bool clear, double *x, double *y)
{
  guint  side = pieces->side, line = side + 1;
  guint *corner = g_new0 (guint, line * line);
  double n = g_array_index (pieces->cells, guint, piece);

  *x = *y = 0.0;
  for (guint r = 0; r < side; r++)
    for (guint c = 0; c < side; c++)
      {
        bool in = pieces->piece[r * side + c] == piece;

        *x += in ? (c + 0.5) / n : 0.0;
        *y += in ? (r + 0.5) / n : 0.0;
        corner[(r + 1) * line + c + 1] = corner[(r + 1) * line + c] + corner[r * line + c + 1]
                                         - corner[r * line + c]
                                         + (in && !(clear && on_boundary (pieces, r, c)));
      }
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
        away = hypot (c + 0.5 * w - middle_x, r + 0.5 * h - middle_y);
        if (away >= least)
          continue;
        least = away;
        *x = c + 0.5 * w;
        *y = r + 0.5 * h;
      }
  return least < HUGE_VAL;
}

bool
sl_pieces_place (const SlPieces *pieces, unsigned value, double width, double height, double *x,
                 double *y)
{
  static const double roomy[] = { 2.4, 1.7, 1.3, 1.0 };
  int                 cell = largest_piece (pieces, value);
  double              side = pieces->side;

  /* Over a class boundary only where there is no other place. */
  for (int clear = 1; cell >= 0 && clear >= 0; clear--)
    {
      g_autofree guint *corner = count_corners (pieces, pieces->piece[cell], clear, x, y);

      for (unsigned i = 0; i < G_N_ELEMENTS (roomy); i++)
        if (nearest (corner, pieces->side, (guint) ceil (roomy[i] * width * side),
                     (guint) ceil (roomy[i] * height * side), x, y))
          {
            *x /= side;
            *y /= side;
            return true;
          }
    }
  return false;
}
