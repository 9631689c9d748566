/* SPDX-License-Identifier: MIT
 *
 * The gating map; see map.h.  slice.c knows where the plane lies, palette.c which patterns are
 * told apart; here a lab is asked about its points and the picture is filled.  */
#include "core/lab/map/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/lab/kit/state.h"
#include "core/lab/map/palette.h"
#include "core/lab/map/slice.h"

enum { COARSEST = 32, PROJECTED = 600 /* examples of images */ };

/* Longest time of a picture while the run trains: at five a second this is 1/25 of the time. */
#define MOST_SECONDS 0.008

struct SlMap
{
  const SlLab     *lab;
  const SlDataset *dataset;
  SlSlice          slice;
  unsigned         side; /* as wished */
  bool             patient;
  double           per_cell; /* seconds at the last picture, 0: not known */
  SlPalette        palette;
  sl_real         *points; /* (SL_MAP_BATCH, D) */
  SlCell          *cells;  /* (side, side), grown as needed */
  size_t           capacity;
};

SlStatus
sl_map_new (SlMap **map, const SlLab *lab, const SlDataset *dataset)
{
  SlMap   *m = calloc (1, sizeof *m);
  SlStatus status;

  *map = NULL;
  if (m == NULL)
    return sl_status_no_memory ("map");
  m->lab = lab;
  m->dataset = dataset;
  m->side = 96;
  status = sl_slice_init (&m->slice, dataset);
  m->points = malloc ((size_t) SL_MAP_BATCH * dataset->features * sizeof *m->points);
  if (sl_ok (&status) && m->points == NULL)
    status = sl_status_no_memory ("map");
  if (sl_ok (&status))
    *map = m;
  else
    sl_map_free (m);
  return status;
}

void
sl_map_free (SlMap *map)
{
  if (map == NULL)
    return;
  sl_slice_clear (&map->slice);
  sl_palette_clear (&map->palette);
  free (map->points);
  free (map->cells);
  free (map);
}

void
sl_map_set_view (SlMap *map, const SlMapView *view)
{
  map->side = view->side < COARSEST      ? COARSEST
              : view->side > SL_MAP_SIDE ? SL_MAP_SIDE
                                         : view->side;
  map->patient = view->patient;
  sl_slice_set_view (&map->slice, view);
}

/* Cells along an edge: as many as the time allows, and up to twice the wished number while the run
 * is paused.  */
static unsigned
affordable_side (const SlMap *map, bool idle)
{
  unsigned side = map->side;

  if (idle)
    return 2 * side < SL_MAP_SIDE ? 2 * side : SL_MAP_SIDE;
  while (!map->patient && side > COARSEST && map->per_cell * side * side > MOST_SECONDS)
    side = side > COARSEST + 16 ? side - 16 : COARSEST;
  return side;
}

static SlStatus
evaluate_plane (SlMap *map, SlLabState *state, unsigned side, SlSink *sink)
{
  size_t n = (size_t) side * side;

  if (n > map->capacity)
    {
      SlCell *cells = realloc (map->cells, n * sizeof *cells);

      if (cells == NULL)
        return sl_status_no_memory ("map");
      map->cells = cells;
      map->capacity = n;
    }
  for (size_t done = 0; done < n; done += SL_MAP_BATCH)
    {
      size_t take = n - done < SL_MAP_BATCH ? n - done : SL_MAP_BATCH;

      if (sl_sink_hurry (sink))
        return sl_status_new (SL_ECANCELLED, "map", SL_NO_MESSAGE, SL_NO_MESSAGE);
      sl_slice_points (&map->slice, side, done, take, map->points);
      memset (map->cells + done, 0, take * sizeof *map->cells);
      map->lab->map (state, map->points, take, map->cells + done);
    }
  return sl_own_take (&state->own);
}

static SlStatus
fill_planes (SlMap *map, unsigned side, SlSnapshot *snapshot)
{
  size_t         n = (size_t) side * side;
  double        *plane[SL_MAP_PLANES], *values;
  const uint8_t *number;
  SlStatus       status = sl_palette_match (&map->palette, side, map->cells, &number);

  if (!sl_ok (&status))
    return status;
  values = sl_snapshot_matrix (snapshot, SL_MAP_PLANES, side, side);
  if (values == NULL)
    return sl_status_no_memory ("map");
  for (unsigned p = 0; p < SL_MAP_PLANES; p++)
    plane[p] = values + p * n;
  for (size_t i = 0; i < n; i++)
    {
      const SlCell *cell = &map->cells[i];

      plane[SL_MAP_PATTERN][i] = number[i];
      plane[SL_MAP_TOP][i] = cell->top;
      plane[SL_MAP_ACTIVE][i] = cell->active;
      plane[SL_MAP_COST][i] = (double) cell->cost;
      plane[SL_MAP_MISJUDGED][i] = (double) cell->misjudged;
      plane[SL_MAP_CONFIDENCE][i] = (double) cell->confidence;
      plane[SL_MAP_LABEL][i] = cell->label;
      plane[SL_MAP_MARGIN][i] = (double) cell->margin;
    }
  return SL_SUCCESS;
}

/* Training examples, evenly chosen, where they lie in the plane. */
static SlStatus
add_points (SlMap *map, unsigned panel, SlSink *sink, SlSnapshot *snapshot)
{
  size_t all = map->dataset->n[SL_TRAIN];
  size_t most = map->dataset->features > 2 ? PROJECTED : SL_MAP_POINTS, n = all < most ? all : most;
  double *out = sl_snapshot_curve (snapshot, sink->layout->first[panel][0], n, true);

  if (out == NULL)
    return sl_status_no_memory ("map");
  for (size_t i = 0; i < n; i++)
    {
      size_t  example = i * all / n;
      uint8_t label;

      sl_dataset_range (map->dataset, example, 1, map->points, &label);
      sl_slice_place (&map->slice, map->points, &out[i], &out[n + i]);
      out[2 * n + i] = label;
    }
  return SL_SUCCESS;
}

static void
add_names (SlMap *map, SlSnapshot *snapshot)
{
  sl_palette_names (&map->palette, snapshot);
  for (unsigned c = 0; c < map->dataset->classes; c++)
    sl_snapshot_name (snapshot, map->dataset->class_title != NULL
                                  ? map->dataset->class_title[c]
                                  : sl_message ("class %u", c).packed);
}

/* What the axes are called, where they are features with names; (z): in standard deviations from the mean. */
static void
add_axes (SlMap *map, SlSnapshot *snapshot)
{
  const char *const *title = map->dataset->feature_title;
  unsigned           axis[2];

  if (title == NULL || !sl_slice_axes (&map->slice, axis))
    return;
  for (unsigned i = 0; i < 2; i++)
    {
      char name[SL_MESSAGE_SIZE];

      snprintf (name, sizeof name, map->dataset->standardised ? "%s (z)" : "%s", title[axis[i]]);
      sl_snapshot_row_name (snapshot, name);
    }
}

SlStatus
sl_map_probe (SlMap *map, SlLabState *state, unsigned panel, SlSink *sink)
{
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;
  unsigned    side = affordable_side (map, sink->idle);
  double      begin = sl_clock_wall ();
  SlStatus    status;

  if (snapshot == NULL)
    return SL_SUCCESS;
  status = evaluate_plane (map, state, side, sink);
  if (sl_ok (&status))
    map->per_cell = (sl_clock_wall () - begin) / ((double) side * side);
  if (sl_ok (&status))
    status = fill_planes (map, side, snapshot);
  if (sl_ok (&status))
    status = add_points (map, panel, sink, snapshot);
  if (!sl_ok (&status))
    return status;
  sl_slice_rectangle (&map->slice, &snapshot->left, &snapshot->right, &snapshot->bottom,
                      &snapshot->top);
  snapshot->note = sl_slice_text (&map->slice);
  add_names (map, snapshot);
  add_axes (map, snapshot);
  sink->publish (sink, snapshot);
  return SL_SUCCESS;
}
