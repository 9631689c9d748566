/* SPDX-License-Identifier: MIT */
#include "core/lab/sink.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void
sl_sink_value (SlSink *sink, unsigned panel, unsigned trace, unsigned instance, double value)
{
  SlSample sample = { .step = sink->step,
                      .value = value,
                      .channel = sink->layout->first[panel][trace] + instance,
                      .generation = sink->generation };

  assert (panel < SL_PANELS_MAX && trace < SL_TRACES_MAX && sample.channel < sink->layout->n);
  if (sink->take != NULL)
    sink->take (sink, &sample);
}

void
sl_snapshot_reset (SlSnapshot *snapshot)
{
  snapshot->n_curves = 0;
  snapshot->rows = snapshot->columns = snapshot->tiles = snapshot->depth = snapshot->span = 0;
  snapshot->lo = snapshot->hi = 0.0;
  snapshot->mark = NAN;
  snapshot->note = SL_NO_MESSAGE;
  snapshot->names[0] = snapshot->row_names[0] = '\0';
  snapshot->left = snapshot->right = snapshot->bottom = snapshot->top = 0.0;
  snapshot->n_data = 0;
  snapshot->touched = false;
}

void
sl_snapshot_clear (SlSnapshot *snapshot)
{
  free (snapshot->data);
  *snapshot = (SlSnapshot) { 0 };
}

/* Makes room for `n` more numbers; NULL when memory runs out, else where they begin. */
static double *
extend_data (SlSnapshot *snapshot, size_t n)
{
  size_t need = snapshot->n_data + n;

  if (need > snapshot->capacity)
    {
      size_t  capacity = need + need / 2;
      double *data = realloc (snapshot->data, capacity * sizeof *data);

      if (data == NULL)
        return NULL;
      snapshot->data = data;
      snapshot->capacity = capacity;
    }
  double *begin = snapshot->data + snapshot->n_data;

  memset (begin, 0, n * sizeof *begin);
  snapshot->n_data = need;
  return begin;
}

SlStatus
sl_snapshot_copy (SlSnapshot *to, const SlSnapshot *from)
{
  double *data = to->data;
  size_t  capacity = to->capacity;

  if (from->n_data > capacity)
    {
      data = realloc (data, from->n_data * sizeof *data);
      if (data == NULL)
        {
          sl_snapshot_reset (to);
          return sl_status_no_memory ("snapshot");
        }
      capacity = from->n_data;
    }
  *to = *from;
  to->data = data;
  to->capacity = capacity;
  if (from->n_data > 0)
    memcpy (data, from->data, from->n_data * sizeof *data);
  return SL_SUCCESS;
}

static void
add_name (char names[SL_SNAPSHOT_NAMES], const char *name)
{
  size_t used = strlen (names);

  if (used + strlen (name) + 2 <= SL_SNAPSHOT_NAMES)
    strcpy (stpcpy (names + used, name), "\n");
}

void
sl_snapshot_name (SlSnapshot *snapshot, const char *name)
{
  add_name (snapshot->names, name);
}

void
sl_snapshot_row_name (SlSnapshot *snapshot, const char *name)
{
  add_name (snapshot->row_names, name);
}

double *
sl_snapshot_curve (SlSnapshot *snapshot, uint32_t channel, size_t n, bool with_spread)
{
  size_t  offset = snapshot->n_data;
  double *begin;

  if (snapshot->n_curves == SL_SNAPSHOT_CURVES)
    return NULL;
  begin = extend_data (snapshot, n * (with_spread ? 3 : 2));
  if (begin != NULL)
    snapshot->curve[snapshot->n_curves++] = (SlSnapshotCurve) {
      .channel = channel, .has_spread = with_spread, .offset = offset, .n = n
    };
  return begin;
}

static double *
make_tiles (SlSnapshot *snapshot, unsigned tiles, unsigned depth, unsigned rows, unsigned columns)
{
  double *begin = extend_data (snapshot, (size_t) tiles * depth * rows * columns);

  if (begin != NULL)
    {
      snapshot->tiles = tiles;
      snapshot->depth = depth;
      snapshot->rows = rows;
      snapshot->columns = columns;
    }
  return begin;
}

double *
sl_snapshot_matrix (SlSnapshot *snapshot, unsigned tiles, unsigned rows, unsigned columns)
{
  return make_tiles (snapshot, tiles, 1, rows, columns);
}

double *
sl_snapshot_pictures (SlSnapshot *snapshot, unsigned tiles, unsigned rows, unsigned columns)
{
  return make_tiles (snapshot, tiles, 3, rows, columns);
}
