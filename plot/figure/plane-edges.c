/* SPDX-License-Identifier: MIT
 *
 * Lines between the regions of a gating map: marching squares over the centres of the cells, for
 * any number of regions, made smooth between the places where three of them meet.  */
#include "plot/figure/plane.h"

#include <math.h>

#include "plot/base/geometry.h"

/* Cells around the plane: one like its neighbour inside, so that lines leave the plane as they reach
 * its rim, and one outside, so that every region is closed.  */
enum { AROUND = 2, OUTSIDE = -1 };

/* Rounds of smoothing, each a step that shrinks and one that swells (after Taubin), which keeps the
 * areas.  */
enum { ROUNDS = 8 };
#define SHRINK 0.5
#define SWELL (-0.53)

/* How near to the middle of a cell a border comes. */
#define CLOSEST 0.02

/* A crossing of the boundary lies on a side between two neighbouring centres; sides are numbered
 * so that two squares that share one agree.  */
typedef struct
{
  guint from, to; /* numbers of joints */
  int   a, b;     /* values on its sides, as in SlArc */
} Piece;

/* The pieces at a point, at most four. */
typedef struct
{
  guint  piece[4];
  guint8 n;
  SlXY   at; /* units of the plane */
} Joint;

typedef struct
{
  const SlPlane *plane;
  SlEdges        edges;
  unsigned       side; /* with the cells around */
  int           *value;
  guint         *number; /* 1 + joint of each side and each middle of a square; 0: none yet */
  GArray        *pieces, *joints;
} March;

/* The cell of the plane that a cell is, or is like. */
static size_t
inside (const March *m, size_t cell)
{
  int side = (int) m->plane->side;
  int row = (int) (cell / m->side) - AROUND, column = (int) (cell % m->side) - AROUND;

  return (size_t) CLAMP (row, 0, side - 1) * m->plane->side + (size_t) CLAMP (column, 0, side - 1);
}

/* Where on the way from cell a to cell b the two regions meet, 0 … 1: where both are least sure. */
static double
meeting (const March *m, size_t a, size_t b)
{
  static const SlMapPlane sure[]
    = { [SL_EDGES_DECISION] = SL_MAP_MARGIN, [SL_EDGES_PATTERN] = SL_MAP_CONFIDENCE };
  const double *value = m->plane->plane[sure[m->edges == SL_EDGES_PATTERN]];
  double        from, sum;

  if (m->edges == SL_EDGES_TOP || m->edges == SL_EDGES_ACTIVE || m->value[a] == OUTSIDE
      || m->value[b] == OUTSIDE)
    return 0.5;
  from = value[inside (m, a)];
  sum = from + value[inside (m, b)];
  return sum > 0.0 ? CLAMP (from / sum, CLOSEST, 1.0 - CLOSEST) : 0.5;
}

/* The joint of a number at a place in cells. */
static guint
joint_at (March *m, size_t number, double row, double column)
{
  if (m->number[number] == 0)
    {
      Joint joint = { .at = { (column - AROUND + 0.5) / m->plane->side,
                              (row - AROUND + 0.5) / m->plane->side } };

      g_array_append_val (m->joints, joint);
      m->number[number] = m->joints->len;
    }
  return m->number[number] - 1;
}

static guint
side_joint (March *m, size_t a, size_t b)
{
  bool   down = b != a + 1;
  double t = meeting (m, a, b), row = (double) (a / m->side), column = (double) (a % m->side);

  return joint_at (m, 3 * a + down, row + (down ? t : 0.0), column + (down ? 0.0 : t));
}

/* The middle of a cell in units of the plane. */
static SlXY
middle_of (const March *m, size_t cell)
{
  return (SlXY) { ((double) (cell % m->side) - AROUND + 0.5) / m->plane->side,
                  ((double) (cell / m->side) - AROUND + 0.5) / m->plane->side };
}

/* Adds a piece of the border between two cells that have different values. */
static void
add (March *m, guint from, guint to, size_t a, size_t b)
{
  SlXY  p = g_array_index (m->joints, Joint, from).at, q = g_array_index (m->joints, Joint, to).at;
  SlXY  c = middle_of (m, a);
  bool  east = (q.x - p.x) * (c.y - p.y) < (q.y - p.y) * (c.x - p.x);
  Piece piece = { from, to, m->value[east ? a : b], m->value[east ? b : a] };
  guint number = m->pieces->len;

  g_array_append_val (m->pieces, piece);
  for (int end = 0; end < 2; end++)
    {
      Joint *joint = &g_array_index (m->joints, Joint, end == 0 ? from : to);

      joint->piece[joint->n++] = number;
    }
}

static void
march_square (March *m, size_t a)
{
  size_t s = m->side, from[4] = { a, a + s, a, a + 1 },
         to[4] = { a + 1, a + s + 1, a + s, a + s + 1 };
  guint    crossing[4];
  unsigned which[4], n = 0;

  for (unsigned i = 0; i < 4; i++)
    if (m->value[from[i]] != m->value[to[i]])
      {
        which[n] = i;
        crossing[n++] = side_joint (m, from[i], to[i]);
      }
  if (n == 2)
    {
      add (m, crossing[0], crossing[1], from[which[0]], to[which[0]]);
      return;
    }
  /* Three or four regions meet: their borders do so in the middle. */
  for (unsigned i = 0; i < n; i++)
    add (m, crossing[i], joint_at (m, 3 * a + 2, (double) (a / s) + 0.5, (double) (a % s) + 0.5),
         from[which[i]], to[which[i]]);
}

/* One step of smoothing; the ends of an open line stay. */
static void
smooth (SlXY *point, guint n, bool closed, double by)
{
  SlXY first = point[0], before = closed ? point[n - 2] : first;

  for (guint i = closed ? 0 : 1; i + 1 < n; i++)
    {
      SlXY here = point[i], next = closed && i + 2 == n ? first : point[i + 1];

      if (i > 0 || closed)
        {
          point[i].x += by * (0.5 * (before.x + next.x) - here.x);
          point[i].y += by * (0.5 * (before.y + next.y) - here.y);
        }
      before = here;
    }
  if (closed)
    point[n - 1] = point[0];
}

/* Follows the pieces from a joint to the next where regions meet, or around. */
static void
follow (const March *m, bool *used, guint piece, guint from, SlContours *out)
{
  const Piece *p = &g_array_index (m->pieces, Piece, piece);
  bool         forth = p->from == from;
  SlArc        arc = { forth ? p->a : p->b, forth ? p->b : p->a, from, from, out->points->len, 0 };
  bool         closed, plain = p->a != OUTSIDE && p->b != OUTSIDE;

  g_array_append_val (out->points, g_array_index (m->joints, Joint, from).at);
  for (;;)
    {
      const Joint *joint;

      used[piece] = true;
      p = &g_array_index (m->pieces, Piece, piece);
      arc.to = p->from == arc.to ? p->to : p->from;
      joint = &g_array_index (m->joints, Joint, arc.to);
      g_array_append_val (out->points, joint->at);
      if (joint->n != 2 || arc.to == from)
        break;
      piece = joint->piece[joint->piece[0] == piece];
    }
  arc.n = out->points->len - arc.first;
  closed = arc.from == arc.to && g_array_index (m->joints, Joint, from).n == 2;
  for (int round = 0; plain && arc.n > 2 && round < 2 * ROUNDS; round++)
    smooth (&g_array_index (out->points, SlXY, arc.first), arc.n, closed,
            round % 2 == 0 ? SHRINK : SWELL);
  g_array_append_val (out->arcs, arc);
}

static void
read_values (March *m)
{
  static const SlMapPlane of[] = { [SL_EDGES_DECISION] = SL_MAP_LABEL,
                                   [SL_EDGES_PATTERN] = SL_MAP_PATTERN,
                                   [SL_EDGES_TOP] = SL_MAP_TOP,
                                   [SL_EDGES_ACTIVE] = SL_MAP_ACTIVE };
  const double           *plane = m->plane->plane[of[m->edges]];

  for (size_t i = 0; i < (size_t) m->side * m->side; i++)
    {
      size_t row = i / m->side, column = i % m->side, last = m->side - 1;
      bool   rim = row == 0 || column == 0 || row == last || column == last;

      m->value[i] = rim ? OUTSIDE : sl_plane_whole (plane[inside (m, i)]);
    }
}

void
sl_plane_contours (const SlPlane *plane, SlEdges edges, SlContours *out)
{
  unsigned side = plane->side + 2 * AROUND;
  size_t   n = (size_t) side * side;
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr (GArray) joints = g_array_new (FALSE, FALSE, sizeof (Joint));
  g_autofree int   *value = g_new (int, n);
  g_autofree guint *number = g_new0 (guint, 3 * n);
  g_autofree bool  *used = NULL;
  March             m = { plane, edges, side, value, number, pieces, joints };

  *out = (SlContours) { g_array_new (FALSE, FALSE, sizeof (SlXY)),
                        g_array_new (FALSE, FALSE, sizeof (SlArc)), 0 };
  read_values (&m);
  for (size_t i = 0; i + side + 1 < n; i++)
    if (i % side + 1 < side
        && (value[i] != value[i + 1] || value[i] != value[i + side]
            || value[i] != value[i + side + 1]))
      march_square (&m, i);
  used = g_new0 (bool, MAX (pieces->len, 1));
  /* Lines between meeting places, then what is left: closed ones. */
  for (guint j = 0; j < joints->len; j++)
    {
      const Joint *joint = &g_array_index (joints, Joint, j);

      for (guint8 k = 0; joint->n != 2 && k < joint->n; k++)
        if (!used[joint->piece[k]])
          follow (&m, used, joint->piece[k], j, out);
    }
  for (guint i = 0; i < pieces->len; i++)
    if (!used[i])
      follow (&m, used, i, g_array_index (pieces, Piece, i).from, out);
  out->joints = joints->len;
}

void
sl_contours_clear (SlContours *contours)
{
  g_array_unref (contours->points);
  g_array_unref (contours->arcs);
}

void
sl_plane_edges (const SlPlane *plane, SlEdges edges, GArray *points)
{
  SlContours contours;

  sl_plane_contours (plane, edges, &contours);
  for (guint i = 0; i < contours.arcs->len; i++)
    {
      const SlArc *arc = &g_array_index (contours.arcs, SlArc, i);

      if (arc->a == OUTSIDE || arc->b == OUTSIDE)
        continue;
      g_array_append_vals (points, &g_array_index (contours.points, SlXY, arc->first), arc->n);
      g_array_append_val (points, ((SlXY) { NAN, NAN }));
    }
  sl_contours_clear (&contours);
}
