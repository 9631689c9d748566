/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `sign-estimator`: a few units of every layer, and the estimates that say which of
 * them are computed, for one example.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>

enum { SHOWN = 8 /* units of a layer */, MOST_COLUMNS = MOST_HIDDEN + 2 };

/* Layers stand in columns from left to right, the input first and the output last; the nodes of a
 * column are together, and those of the estimates come behind all of them.  */
typedef struct
{
  SlProbe   *p;
  SlSignLab *s;
  unsigned   columns, first[MOST_COLUMNS + 1], shown[MOST_COLUMNS], nodes;
  double     largest[MOST_COLUMNS];
  double    *row;
} Picture;

/* The unit that stands for place i of a column. */
static size_t
unit_at (const Picture *v, unsigned column, unsigned i)
{
  size_t units = v->s->net.width[column];

  return (2 * i + 1) * units / (2 * v->shown[column]);
}

static double
value_of (const Picture *v, unsigned column, unsigned i)
{
  return (double) v->s->tape.x[column][unit_at (v, column, i)];
}

static bool
is_hidden (const Picture *v, unsigned column)
{
  return column > 0 && column + 1 < v->columns;
}

/* Inputs and outputs are always computed. */
static bool
is_on (const Picture *v, unsigned column, unsigned i)
{
  return !is_hidden (v, column) || v->s->tape.est[column - 1][unit_at (v, column, i)] > 0;
}

static bool
is_active (const Picture *v, unsigned column, unsigned i)
{
  return v->s->tape.pre[column - 1][unit_at (v, column, i)] > 0;
}

static void
lay_out (Picture *v)
{
  v->columns = v->s->net.layers + 1;
  for (unsigned c = 0; c < v->columns; c++)
    {
      size_t units = v->s->net.width[c];

      v->shown[c] = (unsigned) (units < SHOWN ? units : SHOWN);
      v->first[c] = v->nodes;
      v->nodes += v->shown[c];
      for (unsigned i = 0; i < v->shown[c]; i++)
        v->largest[c] = fmax (v->largest[c], fabs (value_of (v, c, i)));
    }
  v->first[v->columns] = v->nodes;
  v->nodes += v->s->hidden;
}

static unsigned
count_on (const Picture *v, unsigned column)
{
  unsigned on = 0;

  for (unsigned i = 0; i < v->shown[column]; i++)
    on += is_on (v, column, i);
  return on;
}

/* Lines to what is computed, one into each estimate and one to each unit that it switches on. */
static unsigned
count_edges (const Picture *v)
{
  unsigned edges = 0;

  for (unsigned c = 1; c < v->columns; c++)
    edges += count_on (v, c) * (count_on (v, c - 1) + is_hidden (v, c)) + is_hidden (v, c);
  return edges;
}

static void
name_unit (Picture *v, unsigned column, unsigned i)
{
  size_t    unit = unit_at (v, column, i) + 1;
  double    value = value_of (v, column, i);
  SlMessage text;

  if (column == 0)
    text = sl_message ("input %zu: %.2g", unit, value);
  else if (column + 1 == v->columns)
    text = sl_message ("output %zu: %.2g", unit, value);
  else if (is_on (v, column, i))
    text = is_active (v, column, i)
             ? sl_message ("unit %zu of layer %u: computed, %.2g", unit, column, value)
             : sl_message ("unit %zu of layer %u: computed for nothing", unit, column);
  else
    text = is_active (v, column, i)
             ? sl_message ("unit %zu of layer %u: not computed, and lost", unit, column)
             : sl_message ("unit %zu of layer %u: not computed, and off", unit, column);
  sl_probe_name (v->p, "\t%s\n", text.packed);
}

static void
add_row (Picture *v, double from, double x, double y, double size, double value)
{
  v->row[0] = from;
  v->row[1] = x;
  v->row[2] = y;
  v->row[3] = size;
  v->row[4] = value;
  v->row += SL_GRAPH_COLUMNS;
}

static double
tint_of (const Picture *v, unsigned column, unsigned i)
{
  return v->largest[column] > 0 ? 100.0 * fabs (value_of (v, column, i)) / v->largest[column] : 0.0;
}

static void
add_units (Picture *v, unsigned column)
{
  double x = (double) column / (v->columns - 1.0);

  for (unsigned i = 0; i < v->shown[column]; i++)
    {
      double y = v->shown[column] > 1 ? 0.76 * i / (v->shown[column] - 1.0) : 0.38;

      add_row (v, -1.0, x, y, is_on (v, column, i) ? 0.5 : 0.0, tint_of (v, column, i));
      name_unit (v, column, i);
    }
}

/* The estimate of a layer, between it and what it reads. */
static void
add_estimate (Picture *v, unsigned layer)
{
  SlSignLab      *s = v->s;
  SlPredictorKind kind = sl_sign_kind (s);
  size_t          units = s->net.width[layer + 1], on = 0;
  double          share;
  SlMessage       name;

  for (size_t i = 0; i < units; i++)
    on += s->tape.est[layer][i] > 0;
  share = 100.0 * (double) on / (double) units;
  if (kind == SL_PREDICTOR_BITS)
    name = sl_message ("signs: %.0f %% on", share);
  else if (kind == SL_PREDICTOR_ORACLE)
    name = sl_message ("oracle: %.0f %% on", share);
  else
    name = sl_message ("rank %zu: %.0f %% on",
                       kind == SL_PREDICTOR_LEARNED ? s->predictor[layer].learned.rank
                                                    : s->predictor[layer].svd.rank,
                       share);
  add_row (v, -1.0, (layer + 0.5) / (v->columns - 1.0), 1.0, 0.7, share);
  sl_probe_name (v->p, "%s\t%s\n", name.packed,
                 sl_message ("%zu of the %zu units of layer %u are computed for this example", on,
                             units, layer + 1)
                   .packed);
}

static void
add_edges (Picture *v, unsigned column)
{
  double estimate = v->first[v->columns] + column - 1.0;

  if (is_hidden (v, column))
    add_row (v, v->first[column - 1] + v->shown[column - 1] - 1.0, estimate, 1.0, 0.3, 0.0);
  for (unsigned i = 0; i < v->shown[column]; i++)
    {
      if (!is_on (v, column, i))
        continue;
      for (unsigned j = 0; j < v->shown[column - 1]; j++)
        if (is_on (v, column - 1, j))
          add_row (v, v->first[column - 1] + j, v->first[column] + i, 0.0, 0.04,
                   tint_of (v, column - 1, j));
      if (is_hidden (v, column))
        add_row (v, estimate, v->first[column] + i, 2.0, 0.1, 0.0);
    }
}

void
sl_sign_probe_schematic (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  Picture    v = { .p = p, .s = s };
  SlEstimate gated;

  if (!sl_sign_probe_estimate (p, &gated))
    return;
  sl_sign_run_validation (s, 1, &gated);
  lay_out (&v);
  v.row = sl_probe_matrix (p, 1, v.nodes + count_edges (&v), SL_GRAPH_COLUMNS);
  if (v.row == NULL)
    return;
  p->snapshot->hi = 100.0;
  for (unsigned c = 0; c < v.columns; c++)
    add_units (&v, c);
  for (unsigned l = 0; l < s->hidden; l++)
    add_estimate (&v, l);
  for (unsigned c = 1; c < v.columns; c++)
    add_edges (&v, c);
  sl_probe_note (p, "A few units of each layer, one validation example; weights after update %llu",
                 (unsigned long long) s->base.now.t);
}
