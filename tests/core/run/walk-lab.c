/* SPDX-License-Identifier: MIT
 *
 * Random walks as a lab.  */
#include "tests/core/run/walk-lab.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/base/rng.h"

struct SlLabState
{
  SlRng      rng;
  sl_real    place[SL_LIST_MAX];
  uint64_t   step;
  SlSettings settings; /* what is before it goes into checkpoints */
};

static const SlChoice kinds[] = { { "fair", "Fair" }, { "up", "Upwards only" }, { 0 } };

/* clang-format off */
static const SlParam params[] = {
  { .id = "rate", .title = "Rate", .unit = "", .kind = SL_REAL, .lo = 0.0, .hi = 1e9,
    .fallback = 0.1, .effect = SL_LIVE },
  { .id = "layers", .title = "Layers", .kind = SL_LIST, .lo = 1, .hi = 1000, .list = "8-4",
    .effect = SL_RESTART, .one = "layer" },
  { .id = "rank", .title = "Rank", .kind = SL_LIST, .lo = 1, .hi = 1000, .list = "50-35",
    .each = "layers", .effect = SL_LIVE, .one = "layer" },
  { .id = "kind", .title = "Kind", .kind = SL_CHOICE, .choices = kinds, .effect = SL_LIVE },
  { .id = "diverge", .title = "Diverge", .kind = SL_INTEGER, .lo = 0, .hi = 1e9,
    .effect = SL_RESTART },
  { .id = "burst", .title = "Burst", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .fallback = 1,
    .effect = SL_RESTART },
  { .id = "work", .title = "Work", .kind = SL_INTEGER, .lo = 0, .hi = 1e9, .effect = SL_RESTART },
};

static const SlTrace walks[] = {
  { .id = "place", .title = "place", .unit = "", .each = "layers" },
  { .id = "rate", .title = "rate", .unit = "" },
};
/* clang-format on */
static const SlTrace places[] = { { .id = "places", .title = "places", .unit = "" } };

/* clang-format off */
static const SlPanel panels[] = {
  { .id = "walks", .title = "Walks", .kind = SL_SERIES, .traces = walks, .n_traces = 2 },
  { .id = "places", .title = "Places", .kind = SL_PROFILE, .traces = places, .n_traces = 1,
    .probe_seconds = 0.01 },
};
/* clang-format on */

static SlStatus
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  SlLabState *s = calloc (1, sizeof *s);

  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "walk", NULL, NULL);
  if (settings->value[WALK_LAYERS].v[0] == 13)
    {
      free (s);
      return sl_status_new (SL_EINVAL, "layers", "13", "a luckier number");
    }
  s->settings = *settings;
  sl_rng_init (&s->rng, seed, "walk");
  *state = s;
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  s->settings.value[param] = *value;
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  const SlValue *value = s->settings.value;

  s->step++;
  for (double i = 0; i < value[WALK_WORK].v[0]; i++)
    (void) sl_rng_next (&s->rng);
  for (unsigned k = 0; k < value[WALK_LAYERS].n; k++)
    {
      double stride = value[WALK_RATE].v[0] * sl_rng_normal (&s->rng) * value[WALK_RANK].v[k];

      s->place[k] += (sl_real) (value[WALK_KIND].v[0] == 0.0 ? stride : fabs (stride));
      if (value[WALK_DIVERGE].v[0] > 0 && (double) s->step >= value[WALK_DIVERGE].v[0])
        s->place[k] = (sl_real) NAN;
      for (double i = 0; i < value[WALK_BURST].v[0]; i++)
        sl_sink_value (sink, WALK_PANEL_WALKS, 0, k, (double) s->place[k] + i);
    }
  sl_sink_value (sink, WALK_PANEL_WALKS, 1, 0, value[WALK_RATE].v[0]);
  return isfinite (s->place[0]) ? SL_SUCCESS : sl_status_new (SL_EDIVERGED, "place", "nan", NULL);
}

static SlStatus
probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlSnapshot *snapshot = sink->open (sink, panel);
  unsigned    n = s->settings.value[WALK_LAYERS].n;
  double     *x;

  if (snapshot == NULL)
    return SL_SUCCESS;
  x = sl_snapshot_curve (snapshot, sink->layout->first[panel][0], n, false);
  for (unsigned k = 0; x != NULL && k < n; k++)
    {
      x[k] = k;
      x[n + k] = (double) s->place[k];
    }
  sink->publish (sink, snapshot);
  return SL_SUCCESS;
}

static SlStatus
score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  scores[0] = (SlScore) { "place", "Place", "", (double) s->place[0] };
  *n = 1;
  return SL_SUCCESS;
}

static SlSpan
weights (SlLabState *s)
{
  return (SlSpan) { s->place, s->settings.value[WALK_LAYERS].n };
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  piece[0] = (SlBlob) { "all", s, offsetof (SlLabState, settings) };
  return 1;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  return SL_SUCCESS;
}

static void
progress (const SlLabState *s, SlProgress *p)
{
  *p = (SlProgress) { (double) s->step, (double) s->step / 100.0, 2.0 * (double) s->step };
}

static void
destroy (SlLabState *s)
{
  free (s);
}

/* clang-format off */
const SlLab sl_walk_lab = {
  .id = "walk", .title = "Random walk", .summary = "", .reference = "",
  .params = params, .n_params = sizeof params / sizeof *params,
  .panels = panels, .n_panels = sizeof panels / sizeof *panels,
  .data = SL_NEEDS_NOTHING,
  .create = create, .set = set, .step = step, .probe = probe, .score = score,
  .weights = weights, .blobs = blobs, .state_version = 1, .restored = restored, .progress = progress, .destroy = destroy,
};
/* clang-format on */
