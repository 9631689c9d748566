/* SPDX-License-Identifier: MIT */
#include "core/run/cost/map.h"

#include <math.h>

enum { AROUND = SL_COST_MAP_SIDE / 2 };

/* From one column to the next, as a factor. */
static const double apart = 1.41421356237309515;

static bool
is_even (const SlParam *param)
{
  return param->kind == SL_REAL && !param->logarithmic;
}

static void
add_value (const SlParam *param, double value, double *values, unsigned *n)
{
  if (sl_param_is_whole (param))
    value = round (value);
  if (value >= param->lo && value <= param->hi && (*n == 0 || value > values[*n - 1]))
    values[(*n)++] = value;
}

/* Values around the one that is set, or all of its range where it is no size; returns how many. */
static unsigned
list_values (const SlParam *param, double now, double *values)
{
  double   from = now > 0 ? now : fmax (1, param->lo);
  unsigned n = 0;

  for (int i = -AROUND; i <= AROUND; i++)
    add_value (param,
               is_even (param) ? param->lo + (param->hi - param->lo) * (i + AROUND) / (2 * AROUND)
                               : from * pow (apart, i),
               values, &n);
  return n;
}

static unsigned
nearest (const double *values, unsigned n, double value)
{
  unsigned best = 0;

  for (unsigned i = 1; i < n; i++)
    if (fabs (values[i] - value) < fabs (values[best] - value))
      best = i;
  return best;
}

static void
set_all (SlValue *value, double to)
{
  for (unsigned i = 0; i < value->n; i++)
    value->v[i] = to;
}

/* Moves the values that are known to the front, and says which they were; returns how many. */
static unsigned
keep_known (const bool *known, unsigned n, double *value, unsigned *of)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < n; i++)
    if (known[i])
      {
        value[kept] = value[i];
        of[kept++] = i;
      }
  return kept;
}

/* Predicts all cells and forgets the rows and columns without any: some settings go only with multiples of
 * others.  False: there is none.  */
static bool
fill (const SlCostModel *model, const SlLab *lab, const SlSettings *settings,
      const SlDataset *dataset, const int param[2], SlCostMap *map)
{
  SlSettings *with = g_memdup2 (settings, sizeof *settings);
  double      all[SL_COST_MAP_SIDE][SL_COST_MAP_SIDE]; /* rows from the smallest value of y on */
  bool        row_known[SL_COST_MAP_SIDE] = { 0 }, column_known[SL_COST_MAP_SIDE] = { 0 };
  unsigned    row_of[SL_COST_MAP_SIDE], column_of[SL_COST_MAP_SIDE];

  for (unsigned r = 0; r < map->rows; r++)
    for (unsigned c = 0; c < map->columns; c++)
      {
        set_all (&with->value[param[0]], map->x_value[c]);
        set_all (&with->value[param[1]], map->y_value[r]);
        sl_settings_settle (with, lab->params, lab->n_params);
        all[r][c] = 100 / sl_cost_share (model, lab, with, dataset).seconds;
        row_known[r] = row_known[r] || isfinite (all[r][c]);
        column_known[c] = column_known[c] || isfinite (all[r][c]);
      }
  g_free (with);
  map->rows = keep_known (row_known, map->rows, map->y_value, row_of);
  map->columns = keep_known (column_known, map->columns, map->x_value, column_of);
  for (unsigned r = 0; r < map->rows; r++)
    for (unsigned c = 0; c < map->columns; c++)
      map->speed_up[(map->rows - 1 - r) * map->columns + c] = all[row_of[r]][column_of[c]];
  return map->rows > 0;
}

/* Where the line of 1 crosses between two neighbouring centres, from 0 to 1; not-a-number: nowhere. */
static double
crossing (double a, double b)
{
  double from = log (a), to = log (b);

  return (from < 0) != (to < 0) ? from / (from - to) : (double) NAN;
}

static void
add_point (SlCostMap *map, double x, double y)
{
  map->line_x[map->n] = x;
  map->line_y[map->n++] = y;
}

/* The square between four centres, the upper left one of which is given. */
static void
cut_square (SlCostMap *map, unsigned row, unsigned column)
{
  const double *a = &map->speed_up[row * map->columns + column], *c = a + map->columns;
  double        x = column + 1, y = row + 1,
         at[4] = { crossing (a[0], a[1]), crossing (a[1], c[1]), crossing (c[0], c[1]),
                   crossing (a[0], c[0]) };
  double   px[4] = { x + at[0], x + 1, x + at[2], x };
  double   py[4] = { y, y + at[1], y + 1, y + at[3] };
  unsigned n = 0;

  if (!isfinite (a[0]) || !isfinite (a[1]) || !isfinite (c[0]) || !isfinite (c[1]))
    return;
  for (unsigned side = 0; side < 4; side++)
    if (isfinite (at[side]))
      {
        add_point (map, px[side], py[side]);
        if (++n % 2 == 0)
          add_point (map, NAN, NAN);
      }
}

bool
sl_cost_map (const SlCostModel *model, const SlLab *lab, const SlSettings *settings,
             const SlDataset *dataset, SlCostMap *map)
{
  int param[2];

  if (lab->even[0] == NULL || lab->cost == NULL)
    return false;
  for (unsigned i = 0; i < 2; i++)
    param[i] = sl_param_find (lab->params, lab->n_params, lab->even[i]);
  *map = (SlCostMap) { .x = &lab->params[param[0]], .y = &lab->params[param[1]] };
  map->columns = list_values (map->x, settings->value[param[0]].v[0], map->x_value);
  map->rows = list_values (map->y, settings->value[param[1]].v[0], map->y_value);
  if (!fill (model, lab, settings, dataset, param, map))
    return false;
  map->x_now = nearest (map->x_value, map->columns, settings->value[param[0]].v[0]);
  map->y_now = nearest (map->y_value, map->rows, settings->value[param[1]].v[0]);
  for (unsigned row = 0; row + 1 < map->rows; row++)
    for (unsigned column = 0; column + 1 < map->columns; column++)
      cut_square (map, row, column);
  return true;
}

char *
sl_cost_map_csv (const SlCostMap *map)
{
  GString *text = g_string_new (NULL);
  char     number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "%s,%s,speed-up\n", map->x->id, map->y->id);
  for (unsigned row = 0; row < map->rows; row++)
    for (unsigned column = 0; column < map->columns; column++)
      {
        const double cells[] = { map->x_value[column], map->y_value[map->rows - 1 - row],
                                 map->speed_up[row * map->columns + column] };

        for (unsigned i = 0; i < G_N_ELEMENTS (cells); i++)
          g_string_append_printf (
            text, "%s%s", i > 0 ? "," : "",
            isfinite (cells[i]) ? g_ascii_formatd (number, sizeof number, "%.5g", cells[i]) : "");
        g_string_append_c (text, '\n');
      }
  return g_string_free (text, FALSE);
}
