/* SPDX-License-Identifier: MIT
 *
 * Lines between the regions of a gating map: marching squares over the centres of the cells, for
 * any number of regions.  */
#include "plot/figure/plane.h"

#include <math.h>

#include "plot/base/geometry.h"

/* A crossing of the boundary lies on a side between two neighbouring centres; sides are numbered
 * so that two squares that share one agree.  */
typedef struct
{
  guint from, to; /* numbers of sides or, from `middles` on, of squares */
} Piece;

typedef struct
{
  const SlPlane *plane;
  SlEdges        edges;
  const double  *value;
  unsigned       squares; /* along an edge of the plane */
  GArray        *pieces;
} March;

static guint
side_across (const March *m, unsigned row, unsigned column)
{
  return 2 * (row * m->plane->side + column);
}

static guint
side_down (const March *m, unsigned row, unsigned column)
{
  return 2 * (row * m->plane->side + column) + 1;
}

static guint
middle (const March *m, unsigned row, unsigned column)
{
  return 2 * m->plane->side * m->plane->side + row * m->plane->side + column;
}

/* Where on the way from cell a to cell b the two regions meet, 0 … 1. */
static double
meeting (const March *m, size_t a, size_t b)
{
  const double *margin = m->plane->plane[SL_MAP_MARGIN];
  double        sum = margin[a] + margin[b];

  return m->edges == SL_EDGES_DECISION && sum > 0.0 ? margin[a] / sum : 0.5;
}

/* In units of cells; the centre of cell 0 is at ½. */
static SlXY
place (const March *m, guint number)
{
  unsigned side = m->plane->side;
  guint    middles = 2 * side * side, cell = number < middles ? number / 2 : number - middles;
  unsigned row = cell / side, column = cell % side;
  SlXY     at = { column + 0.5, row + 0.5 };

  if (number >= middles)
    return (SlXY) { at.x + 0.5, at.y + 0.5 };
  if (number % 2 == 0)
    at.x += meeting (m, cell, cell + 1);
  else
    at.y += meeting (m, cell, cell + side);
  return at;
}

static void
add (March *m, guint from, guint to)
{
  Piece piece = { from, to };

  g_array_append_val (m->pieces, piece);
}

static void
march_square (March *m, unsigned row, unsigned column)
{
  size_t   a = (size_t) row * m->plane->side + column, b = a + m->plane->side;
  guint    crossing[4];
  unsigned n = 0;

  if (m->value[a] != m->value[a + 1])
    crossing[n++] = side_across (m, row, column);
  if (m->value[b] != m->value[b + 1])
    crossing[n++] = side_across (m, row + 1, column);
  if (m->value[a] != m->value[b])
    crossing[n++] = side_down (m, row, column);
  if (m->value[a + 1] != m->value[b + 1])
    crossing[n++] = side_down (m, row, column + 1);
  if (n == 2)
    add (m, crossing[0], crossing[1]);
  /* Three or four regions meet: their borders do so in the middle. */
  else
    for (unsigned i = 0; i < n; i++)
      add (m, crossing[i], middle (m, row, column));
}

/* The pieces at each point, at most four. */
typedef struct
{
  guint  piece[4];
  guint8 n;
} Joint;

static int
unused_piece (const Joint *joint, const bool *used)
{
  for (guint8 i = 0; i < joint->n; i++)
    if (!used[joint->piece[i]])
      return (int) joint->piece[i];
  return -1;
}

static void
append (const March *m, GArray *points, guint number)
{
  SlXY at = place (m, number);

  at.x /= m->plane->side;
  at.y /= m->plane->side;
  g_array_append_val (points, at);
}

/* Follows the pieces from a point until there are none left. */
static void
follow (const March *m, const Joint *joint, bool *used, guint from, GArray *points)
{
  int piece = unused_piece (&joint[from], used);

  if (piece < 0)
    return;
  append (m, points, from);
  while (piece >= 0)
    {
      const Piece *p = &g_array_index (m->pieces, Piece, piece);

      used[piece] = true;
      from = p->from == from ? p->to : p->from;
      append (m, points, from);
      piece = unused_piece (&joint[from], used);
    }
  g_array_append_val (points, ((SlXY) { NAN, NAN }));
}

void
sl_plane_edges (const SlPlane *plane, SlEdges edges, GArray *points)
{
  static const SlMapPlane of[] = { [SL_EDGES_DECISION] = SL_MAP_LABEL,
                                   [SL_EDGES_PATTERN] = SL_MAP_PATTERN,
                                   [SL_EDGES_TOP] = SL_MAP_TOP };
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  March             m = { plane, edges, plane->plane[of[edges]], plane->side - 1, pieces };
  guint             numbers = 3 * plane->side * plane->side;
  g_autofree Joint *joint = g_new0 (Joint, numbers);
  g_autofree bool  *used = NULL;

  for (unsigned r = 0; r < m.squares; r++)
    for (unsigned c = 0; c < m.squares; c++)
      march_square (&m, r, c);
  used = g_new0 (bool, MAX (pieces->len, 1));
  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *p = &g_array_index (pieces, Piece, i);

      joint[p->from].piece[joint[p->from].n++] = i;
      joint[p->to].piece[joint[p->to].n++] = i;
    }
  /* Open lines from their ends, then what is left: closed ones. */
  for (guint i = 0; i < numbers; i++)
    while (joint[i].n % 2 == 1 && unused_piece (&joint[i], used) >= 0)
      follow (&m, joint, used, i, points);
  for (guint i = 0; i < numbers; i++)
    while (unused_piece (&joint[i], used) >= 0)
      follow (&m, joint, used, i, points);
}
