/* SPDX-License-Identifier: MIT */
#include "core/labs/style/math/features.h"

#include <assert.h>
#include <string.h>

#include "core/labs/style/math/features-private.h"
#include "core/nn/kernels/blocks.h"
#include "core/nn/kernels/clones.h"

enum { LARGEST_SIDE = 8192 }; /* pixels */

/* Layers that the first `taps` taps take. */
static unsigned
steps_for (const SlFeatures *features, unsigned taps)
{
  unsigned steps = 0;

  for (unsigned t = 0; t < taps; t++)
    {
      unsigned value = features->tap[t].value;

      if (value > 0 && features->value[value].last_step + 1 > steps)
        steps = features->value[value].last_step + 1;
    }
  return steps;
}

/* Sizes of everything; false when a window does not fit. */
static bool
lay_out (SlFeatureRun *run)
{
  const SlFeatures *features = run->features;

  run->tall[0] = run->height;
  run->wide[0] = run->width;
  run->products = 0;
  for (unsigned i = 0; i < run->steps; i++)
    {
      const SlFeatureStep *step = &features->step[i];
      size_t               tall = run->tall[step->from], wide = run->wide[step->from];

      if (step->kind == SL_STEP_CONV)
        {
          SlConv *conv = &run->conv[i];

          *conv = (SlConv) { features->value[step->from].channels,
                             step->outputs,
                             tall,
                             wide,
                             step->side,
                             step->side,
                             step->stride,
                             step->pad };
          if (!sl_conv_valid (conv))
            return false;
          run->tall[step->to] = sl_conv_height (conv);
          run->wide[step->to] = sl_conv_width (conv);
          run->products += sl_conv_executed (conv);
        }
      else
        {
          SlPool *pool = &run->pool[i];

          *pool = (SlPool) { tall, wide, step->side, step->side, step->stride, step->ceil };
          if (!sl_pool_valid (pool))
            return false;
          run->tall[step->to] = sl_pool_height (pool);
          run->wide[step->to] = sl_pool_width (pool);
        }
    }
  return true;
}

static bool
size_fits (const SlFeatures *features, size_t height, size_t width, unsigned taps)
{
  SlFeatureRun run = {
    .features = features, .height = height, .width = width, .steps = steps_for (features, taps)
  };

  return height > 0 && width > 0 && lay_out (&run);
}

SlStatus
sl_features_fit (const SlFeatures *features, size_t height, size_t width, unsigned taps)
{
  size_t least = 1;

  if (height <= LARGEST_SIDE && width <= LARGEST_SIDE && size_fits (features, height, width, taps))
    return SL_SUCCESS;
  while (least < LARGEST_SIDE && !size_fits (features, least, least, taps))
    least++;
  return sl_status_new (SL_EINVAL, "picture", sl_message ("%zu x %zu pixels", width, height),
                        sl_message ("%zu to %d a side for \"%s\" of %s", least, LARGEST_SIDE,
                                    features->tap[taps - 1].name, features->title.packed));
}

static size_t
value_size (const SlFeatureRun *run, unsigned value)
{
  return run->features->value[value].channels * run->tall[value] * run->wide[value];
}

/* The layers between which the slope of a value has to be kept: from the last one that reads the
 * value, where the way back begins to write it, to the first one that makes it.  */
static void
life_of_slope (const SlFeatureRun *run, unsigned value, int *begin, int *end)
{
  const SlFeatures *features = run->features;

  *end = value > 0 ? (int) features->value[value].first_step : -1;
  *begin = value > 0 ? (int) features->value[value].last_step : -1;
  for (unsigned i = 0; i < run->steps; i++)
    if (features->step[i].from == value)
      *begin = (int) i;
}

/* Whether a value is among what the layers of the run make. */
static bool
is_made (const SlFeatureRun *run, unsigned value)
{
  return value == 0 || run->features->value[value].last_step < run->steps;
}

/* A piece of memory that slopes take in turn. */
typedef struct
{
  size_t size;
  int    free_below; /* layers below this one may have it */
} Slot;

/* Gives each slope a slot, the later layers first; returns how many slots that takes. */
static unsigned
share_slots (const SlFeatureRun *run, Slot *slot, unsigned *slot_of)
{
  unsigned n = 0;

  for (int layer = (int) run->steps; layer >= -1; layer--)
    for (unsigned v = 0; v < run->features->n_values; v++)
      {
        int      begin, end;
        unsigned s = 0;

        if (!is_made (run, v))
          continue;
        life_of_slope (run, v, &begin, &end);
        if (begin != layer)
          continue;
        while (s < n && slot[s].free_below <= begin)
          s++;
        if (s == n)
          slot[n++] = (Slot) { 0 };
        slot[s].free_below = end;
        if (value_size (run, v) > slot[s].size)
          slot[s].size = value_size (run, v);
        slot_of[v] = s;
      }
  return n;
}

static void
cut_slopes (SlFeatureRun *run, SlArena *arena)
{
  Slot     slot[SL_FEATURE_VALUES];
  unsigned slot_of[SL_FEATURE_VALUES] = { 0 }, n = share_slots (run, slot, slot_of);
  sl_real *memory[SL_FEATURE_VALUES];

  for (unsigned s = 0; s < n; s++)
    memory[s] = sl_arena_reals (arena, slot[s].size);
  for (unsigned v = 0; v < run->features->n_values; v++)
    run->slope[v] = is_made (run, v) ? memory[slot_of[v]] : NULL;
}

void
sl_features_carve (SlFeatureRun *run, const SlFeatures *features, size_t height, size_t width,
                   unsigned taps, bool backward, SlArena *arena)
{
  unsigned passes = SL_CONV_FORWARD | (backward ? SL_CONV_TO_INPUT : 0);
  size_t   work = 0;

  memset (run, 0, sizeof *run);
  run->features = features;
  run->height = height;
  run->width = width;
  run->taps = taps;
  run->backward = backward;
  run->steps = steps_for (features, taps);
  lay_out (run);
  for (unsigned v = 0; v < features->n_values; v++)
    if (is_made (run, v))
      run->value[v] = sl_arena_reals (arena, value_size (run, v));
  for (unsigned i = 0; i < run->steps; i++)
    if (features->step[i].kind == SL_STEP_MAX && backward)
      run->where[i] = sl_arena_carve (arena, value_size (run, features->step[i].to), 1);
    else if (features->step[i].kind == SL_STEP_CONV && sl_conv_work (&run->conv[i], passes) > work)
      work = sl_conv_work (&run->conv[i], passes);
  if (backward)
    cut_slopes (run, arena);
  run->work = sl_arena_reals (arena, work);
}

size_t
sl_features_positions (const SlFeatureRun *run, unsigned tap, size_t *height, size_t *width)
{
  unsigned value = run->features->tap[tap].value;

  if (height != NULL)
    *height = run->tall[value];
  if (width != NULL)
    *width = run->wide[value];
  return run->tall[value] * run->wide[value];
}

const sl_real *
sl_features_tap (const SlFeatureRun *run, unsigned tap)
{
  assert (tap < sl_features_taps (run->features));
  return run->value[run->features->tap[tap].value];
}

void
sl_features_forward (SlFeatureRun *run, const sl_real *image)
{
  const SlFeatures *features = run->features;
  size_t            plane = run->height * run->width;

  for (unsigned c = 0; c < 3; c++)
    for (size_t i = 0; i < plane; i++)
      run->value[0][c * plane + i]
        = image[features->colour[c] * plane + i] * features->scale[c] + features->offset[c];
  for (unsigned i = 0; i < run->steps; i++)
    {
      const SlFeatureStep *step = &features->step[i];
      const sl_real       *x = run->value[step->from];
      size_t               channels = features->value[step->from].channels;
      sl_real *y = run->value[step->to] + step->first * run->tall[step->to] * run->wide[step->to];

      if (step->kind == SL_STEP_CONV)
        sl_conv_forward (&run->conv[i], 1, x, features->weights + step->w,
                         features->weights + step->b, features->value[step->to].relu, y, run->work);
      else if (step->kind == SL_STEP_MAX)
        sl_pool_max_forward (&run->pool[i], channels, x, y, run->where[i]);
      else
        sl_pool_mean_forward (&run->pool[i], channels, x, y);
    }
}

/* slope = (slope + extra) where y > 0, or everywhere; extra may be NULL, and slope is not read
 * while it is `fresh`.  */
SL_CLONES static void
finish_slope (size_t n, bool fresh, const sl_real *extra, bool relu, const sl_real *y,
              sl_real *slope)
{
  if (extra != NULL && fresh)
    memcpy (slope, extra, n * sizeof *slope);
  else if (extra != NULL)
    for (size_t i = 0; i < n; i++)
      slope[i] += extra[i];
  if (relu)
    for (size_t i = 0; i < n; i++)
      slope[i] = y[i] > 0 ? slope[i] : 0;
}

/* A pass back: which slopes were begun, and what is to be added to them. */
typedef struct
{
  const sl_real *extra[SL_FEATURE_VALUES];
  bool           begun[SL_FEATURE_VALUES];
} Back;

static void
finish_value (SlFeatureRun *run, Back *back, unsigned v)
{
  const SlFeatureValue *value = &run->features->value[v];
  size_t                plane = run->tall[v] * run->wide[v];
  const sl_real        *extra = back->extra[v];

  if (extra == NULL && (!back->begun[v] || !value->relu))
    return;
#pragma omp parallel for schedule(static) if (value->channels * plane > 1 << 17)
  for (size_t c = 0; c < value->channels; c++)
    finish_slope (plane, !back->begun[v], extra != NULL ? extra + c * plane : NULL, value->relu,
                  run->value[v] + c * plane, run->slope[v] + c * plane);
  back->begun[v] = true;
}

/* Through one layer, from the slope of what it makes to that of what it reads. */
static void
step_back (SlFeatureRun *run, Back *back, unsigned i)
{
  const SlFeatures    *features = run->features;
  const SlFeatureStep *step = &features->step[i];
  size_t               channels = features->value[step->from].channels;
  const sl_real       *dy
    = run->slope[step->to] + step->first * run->tall[step->to] * run->wide[step->to];
  sl_real *dx = run->slope[step->from];

  /* No layer after the pooling reads what is pooled, so its slope begins there. */
  if (step->kind == SL_STEP_CONV)
    sl_conv_backward (&run->conv[i], 1, NULL, features->weights + step->w, dy, NULL, NULL, dx,
                      back->begun[step->from], run->work);
  else if (step->kind == SL_STEP_MAX)
    sl_pool_max_backward (&run->pool[i], channels, dy, run->where[i], dx);
  else
    sl_pool_mean_backward (&run->pool[i], channels, dy, dx);
  back->begun[step->from] = true;
}

void
sl_features_backward (SlFeatureRun *run, const sl_real *const *slope, sl_real *dimage)
{
  const SlFeatures *features = run->features;
  size_t            plane = run->height * run->width;
  Back              back = { 0 };

  for (unsigned t = 0; t < run->taps; t++)
    back.extra[features->tap[t].value] = slope[t];
  for (unsigned i = run->steps; i-- > 0;)
    {
      unsigned to = features->step[i].to;

      if (i == features->value[to].last_step)
        finish_value (run, &back, to);
      if (back.begun[to])
        step_back (run, &back, i);
    }
  for (unsigned c = 0; c < 3; c++)
    for (size_t i = 0; i < plane; i++)
      dimage[features->colour[c] * plane + i]
        = back.begun[0] ? run->slope[0][c * plane + i] * features->scale[c] : 0;
}
