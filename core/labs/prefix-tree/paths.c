/* SPDX-License-Identifier: MIT
 *
 * The paths of the first examples.  The network is drawn as init() draws it, without its tables: with first
 * weights a tree is its root.  Some units of a wide layer stand for all of them, and some windows for many.  */
#include "core/labs/prefix-tree/paths.h"

#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/init.h"
#include "core/nn/kernels/small-gemm.h"
#include "core/nn/kernels/vector.h"
#include "core/nn/tree/bits.h"

enum {
  LOOKED = 256, /* examples at most, */
  UNITS = 128,  /* units of a layer, */
  LOOKS = 8,    /* windows of a tree or, of units that are alike, choices of those that decide */
  THIN = 8,     /* examples of a product */
};

/* What the units of a layer get from the examples. */
typedef struct
{
  size_t   n, width, looked; /* examples, units, and those that are computed */
  sl_real *pre;              /* (n, looked) */
} Outputs;

static bool
begin (const SlPrefixLab *s, size_t n, Outputs *outputs)
{
  size_t   d = s->base.dataset->features;
  uint8_t *label = malloc (n);

  *outputs = (Outputs) { n, d, d, label != NULL ? malloc (n * d * sizeof *outputs->pre) : NULL };
  if (outputs->pre != NULL)
    sl_dataset_range (s->base.dataset, 0, n, outputs->pre, label);
  free (label);
  return outputs->pre != NULL;
}

/* A dense layer without biases of so many units on another, which is rectified, or on the input as it is.  Thin
 * products, since those stay on this thread and leave the threads of others as they are.  */
static bool
draw_layer (SlRng *rng, Outputs *from, bool raw, size_t width, Outputs *to)
{
  size_t   looked = width < UNITS ? width : UNITS, n = from->looked * looked;
  sl_real *w = malloc (n * sizeof *w), *none = calloc (looked, sizeof *none);
  double   stands_for = (double) from->width / (double) from->looked;

  *to = (Outputs) { from->n, width, looked, malloc (from->n * looked * sizeof *to->pre) };
  if (w == NULL || none == NULL || to->pre == NULL)
    {
      free (w);
      free (none);
      free (to->pre);
      to->pre = NULL;
      return false;
    }
  if (!raw)
    sl_relu_forward (from->n * from->looked, from->pre, from->pre);
  sl_init_glorot (rng, from->width, width, n, w);
  sl_vector_scale (n, (sl_real) sqrt (stands_for), w, w);
  for (size_t e = 0; e < from->n; e += THIN)
    sl_small_gemm_forward (from->n - e < THIN ? from->n - e : THIN, from->looked, looked,
                           from->pre + e * from->looked, w, none, to->pre + e * looked);
  free (w);
  free (none);
  return true;
}

/* Puts in *to what is drawn on it, in the place of what it was. */
static bool
replace (SlRng *rng, bool raw, size_t width, Outputs *outputs)
{
  Outputs above;
  bool    good = draw_layer (rng, outputs, raw, width, &above);

  free (outputs->pre);
  *outputs = above;
  return good;
}

/* What decides a bit is compared with: one bit of all examples. */
static sl_real
threshold_of (const SlPrefixLab *s, const Outputs *gating, size_t unit)
{
  sl_real work[LOOKED];

  if (is_sampled (s))
    return 0;
  if (sl_value_of (&s->base, P_THRESHOLD) == THRESHOLD_FIXED)
    return (sl_real) sl_value_of (&s->base, P_TAU);
  return sl_tree_median (gating->n, gating->pre + unit, gating->looked, work);
}

/* Puts a bit more at the end of each path (n). */
static void
turn (const SlPrefixLab *s, const Outputs *gating, size_t unit, SlRng *chance, uint32_t *path)
{
  sl_real tau = threshold_of (s, gating, unit);

  for (size_t e = 0; e < gating->n; e++)
    {
      sl_real v = gating->pre[e * gating->looked + unit];
      bool    on = v > tau;

      if (chance != NULL)
        on = sl_rng_uniform (chance) < 1 / (1 + exp (-(double) v));
      path[e] = 2 * path[e] + on;
    }
}

static int
compare (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

  return (x > y) - (x < y);
}

/* Counts `times` nodes that so many examples come to. */
static void
add_node (SlPrefixLevel *level, double times, double examples)
{
  double class = round (2 * log2 (examples));

  class = fmin (fmax (class, 0), SL_PREFIX_CLASSES - 1);
  level->nodes[(size_t) class] += times;
  level->examples[(size_t) class] += times * examples;
}

/* The sorted paths (n) of a window, for a batch of `each` times as many. */
static void
count_paths (const SlTree *tree, size_t n, const uint32_t *path, double times, double each,
             SlPrefixSpread *spread)
{
  for (unsigned l = tree->top; l <= tree->shape.k; l++)
    for (size_t e = 0, begin = 0; e < n; e++)
      if (e + 1 == n || path[e + 1] >> (tree->shape.k - l) != path[e] >> (tree->shape.k - l))
        {
          add_node (&spread->level[l], times, each * (double) (e + 1 - begin));
          begin = e + 1;
        }
}

/* The paths of a batch whose bits these outputs decide; `alike`: drawn units, any of which can stand for those that
 * a window looks at.  `chance`: bits by chance, or NULL.  */
static void
spread_windows (const SlPrefixLab *s, const SlTree *tree, const Outputs *gating, bool alike,
                size_t batch, SlRng *chance, SlPrefixSpread *spread)
{
  Outputs  some = *gating;
  unsigned k = tree->shape.k, looks = alike || tree->windows > LOOKS ? LOOKS : tree->windows;

  some.n = batch < gating->n ? batch : gating->n;
  memset (spread, 0, sizeof *spread);
  for (unsigned i = 0; i < looks; i++)
    {
      unsigned w = looks > 1 ? i * (tree->windows - 1) / (looks - 1) : 0;
      uint32_t path[LOOKED] = { 0 };

      for (unsigned bit = 0; bit < k; bit++)
        {
          uint32_t unit = tree->chosen[w * k + bit];

          unit = alike ? unit + i * k : tree->source[unit];
          turn (s, &some, unit % gating->looked, chance, path);
        }
      qsort (path, some.n, sizeof *path, compare);
      count_paths (tree, some.n, path, (double) tree->windows / looks,
                   (double) batch / (double) some.n, spread);
    }
}

/* A tree on these outputs: a pass, unless NULL, and an update. */
static bool
spread_tree (const SlPrefixLab *s, const SlPrefixLayer *layer, Outputs *below, SlRng *rng,
             size_t examples, SlPrefixSpread *pass, SlPrefixSpread *step)
{
  SlTree  tree = layer->tree;
  Outputs gating = *below;
  bool    good;

  tree.source = malloc (tree.shape.inputs * sizeof *tree.source);
  tree.chosen = malloc (((size_t) tree.windows * tree.shape.k + 1) * sizeof *tree.chosen);
  good = tree.source != NULL && tree.chosen != NULL;
  if (good && is_sampled (s))
    good = draw_layer (rng, below, layer->raw, tree.bits, &gating);
  if (good)
    {
      bool alike = is_sampled (s) || !layer->raw;

      sl_tree_choose (&tree, sl_value_of (&s->base, P_SOURCES) == SOURCES_DRAWN, rng);
      spread_windows (s, &tree, &gating, alike, sl_count_of (&s->base, P_BATCH),
                      is_sampled (s) ? rng : NULL, step);
      if (pass != NULL)
        spread_windows (s, &tree, &gating, alike, examples, NULL, pass);
    }
  if (good && is_sampled (s))
    free (gating.pre);
  free (tree.source);
  free (tree.chosen);
  return good;
}

bool
sl_prefix_spread (const SlPrefixLab *s, size_t examples, SlPrefixSpread *pass,
                  SlPrefixSpread step[MOST_TREES])
{
  size_t  batch = sl_count_of (&s->base, P_BATCH), most = batch > examples ? batch : examples;
  size_t  there = s->base.dataset->n[SL_TRAIN];
  Outputs outputs;
  SlRng   rng;
  bool    good;

  most = most < LOOKED ? most : LOOKED;
  sl_rng_init (&rng, 1, "paths");
  good = begin (s, most < there ? most : there, &outputs);
  for (unsigned l = 0; l < s->body.layers && good; l++)
    good = replace (&rng, l == 0, s->body.width[l + 1], &outputs);
  for (unsigned l = 0; l < s->layers && good; l++)
    {
      const SlPrefixLayer *layer = &s->layer[l];

      good
        = spread_tree (s, layer, &outputs, &rng, examples, l == 0 ? pass : NULL, &step[l])
          && (l + 1 == s->layers || replace (&rng, layer->raw, layer->tree.shape.units, &outputs));
    }
  free (outputs.pre);
  return good;
}
