/* SPDX-License-Identifier: MIT
 *
 * Random walks as a lab.  */
#include "tests/core/run/walk-lab.h"

#include <math.h>

#include "core/base/rng.h"
#include "core/lab/kit/probe.h"
#include "core/lab/kit/state.h"

typedef struct
{
  SlRng   rng;
  sl_real place[SL_LIST_MAX];
} Walk;

typedef struct
{
  SlLabState base;
  Walk      *now;
} SlWalkLab;

static inline SlWalkLab *
sl_walk (SlLabState *state)
{
  return (SlWalkLab *) state;
}

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
  { .id = "end", .title = "End", .kind = SL_INTEGER, .lo = 0, .hi = 1e9, .effect = SL_RESTART },
  { .id = "pace", .title = "Pace", .kind = SL_REAL, .lo = 0, .hi = 1e9, .effect = SL_LIVE },
};

static const SlTrace walks[] = {
  { .id = "place", .title = "place", .unit = "", .each = "layers" },
  { .id = "rate", .title = "rate", .unit = "" },
  { 0 },
};
/* clang-format on */
static const SlTrace places[] = { { .id = "places", .title = "places", .unit = "" }, { 0 } };

/* clang-format off */
static const SlPanel panels[] = {
  { .id = "walks", .title = "Walks", .kind = SL_SERIES, .traces = walks },
  { .id = "places", .title = "Places", .kind = SL_PROFILE, .traces = places,
    .probe_seconds = 0.01 },
};
/* clang-format on */

static SlStatus
shape (SlLabState *state)
{
  return sl_value_of (state, WALK_LAYERS) == 13
           ? sl_status_new (SL_EINVAL, "layers", sl_message ("13"), sl_message ("a luckier number"))
           : SL_SUCCESS;
}

static void
carve (SlLabState *state)
{
  SlWalkLab *s = sl_walk (state);

  s->now = sl_arena_carve (&state->kept, 1, sizeof *s->now);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlWalkLab *s = sl_walk (state);

  state->weights = (SlSpan) { s->now->place, state->settings.value[WALK_LAYERS].n };
  sl_rng_init (&s->now->rng, seed, "walk");
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  Walk          *now = sl_walk (state)->now;
  const SlValue *value = state->settings.value;

  state->now.examples = ++state->now.t;
  state->now.macs += 2.0;
  for (double i = 0; i < value[WALK_WORK].v[0]; i++)
    (void) sl_rng_next (&now->rng);
  for (unsigned k = 0; k < value[WALK_LAYERS].n; k++)
    {
      double stride = value[WALK_RATE].v[0] * sl_rng_normal (&now->rng) * value[WALK_RANK].v[k];

      now->place[k] += (sl_real) (value[WALK_KIND].v[0] == 0.0 ? stride : fabs (stride));
      if (value[WALK_DIVERGE].v[0] > 0 && (double) state->now.t >= value[WALK_DIVERGE].v[0])
        now->place[k] = (sl_real) NAN;
      for (double i = 0; i < value[WALK_BURST].v[0]; i++)
        sl_sink_value (sink, WALK_PANEL_WALKS, 0, k, (double) now->place[k] + i);
    }
  sl_sink_value (sink, WALK_PANEL_WALKS, 1, 0, value[WALK_RATE].v[0]);
  return isfinite (now->place[0])
           ? SL_SUCCESS
           : sl_status_new (SL_EDIVERGED, "place", sl_message ("nan"), SL_NO_MESSAGE);
}

static SlMessage
ended (const SlLabState *state)
{
  double end = sl_value_of (state, WALK_END);

  return end > 0.0 && (double) state->now.t >= end ? sl_message ("home after %.0f steps", end)
                                                   : SL_NO_MESSAGE;
}

static void
probe_places (SlProbe *p)
{
  unsigned n = p->state->settings.value[WALK_LAYERS].n;
  double   place[SL_LIST_MAX];

  for (unsigned k = 0; k < n; k++)
    place[k] = (double) sl_walk (p->state)->now->place[k];
  sl_probe_values (p, 0, 0, 0, n, place);
}

static const SlProbePanel probes[] = { [WALK_PANEL_PLACES] = probe_places };

static void
score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  scores[(*n)++] = (SlScore) { "place", "Place", "", (double) sl_walk (state)->now->place[0] };
}

/* clang-format off */
const SlLab sl_walk_lab = {
  .id = "walk", .title = "Random walk", .summary = "", .reference = "",
  .params = params, .n_params = sizeof params / sizeof *params,
  .panels = panels, .n_panels = sizeof panels / sizeof *panels,
  .data = SL_NEEDS_NOTHING,
  .state_bytes = sizeof (SlWalkLab), .state_version = 1, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = probes, .score = score, .ended = ended,
  .pace = "pace",
};
/* clang-format on */
