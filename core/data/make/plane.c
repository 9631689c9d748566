/* SPDX-License-Identifier: MIT
 *
 * Tasks in the plane: two features from about -1 to 1, drawn from a shape per class and
 * then moved by Gaussian noise.  Shape, noise and order come from three streams, so that
 * the noise moves the points without drawing others.  */
#include <math.h>
#include <stdio.h>

#include "core/data/set/draft.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"

enum { CENTRES_MAX = 8 * 4 };

typedef struct
{
  SlRng    rng; /* of the shape */
  unsigned classes;
  unsigned detail; /* cells a side, clusters a class */
  double   turns;  /* of a spiral */
  double   centre[CENTRES_MAX][2];
} Shape;

/* Draws one point of the class `label`. */
typedef void (*Draw) (Shape *shape, unsigned label, double at[2]);

static double
uniform_between (SlRng *rng, double lo, double hi)
{
  return lo + (hi - lo) * sl_rng_uniform (rng);
}

static void
draw_xor (Shape *shape, unsigned label, double at[2])
{
  bool left = sl_rng_below (&shape->rng, 2) == 1;

  /* A gap along the axes, so that without noise the classes do not touch. */
  at[0] = uniform_between (&shape->rng, 0.05, 1.0) * (left ? -1.0 : 1.0);
  at[1] = uniform_between (&shape->rng, 0.05, 1.0) * (left == (label == 1) ? 1.0 : -1.0);
}

static void
draw_moons (Shape *shape, unsigned label, double at[2])
{
  double angle = uniform_between (&shape->rng, 0.0, M_PI);
  double x = cos (angle), y = sin (angle);

  /* Unit half circles about (0, 0) and (1, 1/2), moved and scaled to fit from -1 to 1. */
  at[0] = ((label == 0 ? x : 1.0 - x) - 0.5) / 1.5;
  at[1] = ((label == 0 ? y : 0.5 - y) - 0.25) / 1.5;
}

static void
draw_spirals (Shape *shape, unsigned label, double at[2])
{
  /* The square root would spread the points evenly over the area; along the arm an even
   * spread wants a little less.  The gap keeps the arms apart in the middle.  */
  double radius = 0.08 + 0.92 * pow (sl_rng_uniform (&shape->rng), 0.6);
  double angle = 2.0 * M_PI * (shape->turns * radius + (double) label / shape->classes);

  at[0] = radius * cos (angle);
  at[1] = radius * sin (angle);
}

static void
draw_rings (Shape *shape, unsigned label, double at[2])
{
  /* Evenly over the area of a band that takes 0.7 of its share of the radius; the inmost
   * is a disc.  */
  double share = 1.0 / (shape->classes - 0.3);
  double inner = label * share, outer = inner + 0.7 * share;
  double radius = sqrt (uniform_between (&shape->rng, inner * inner, outer * outer));
  double angle = uniform_between (&shape->rng, 0.0, 2.0 * M_PI);

  at[0] = radius * cos (angle);
  at[1] = radius * sin (angle);
}

static void
draw_checkerboard (Shape *shape, unsigned label, double at[2])
{
  unsigned cells = shape->detail, column, row;
  double   side = 2.0 / cells;

  do
    {
      column = (unsigned) sl_rng_below (&shape->rng, cells);
      row = (unsigned) sl_rng_below (&shape->rng, cells);
    }
  while ((column + row) % 2 != label);
  at[0] = -1.0 + side * (column + uniform_between (&shape->rng, 0.06, 0.94));
  at[1] = -1.0 + side * (row + uniform_between (&shape->rng, 0.06, 0.94));
}

static void
draw_mixture (Shape *shape, unsigned label, double at[2])
{
  size_t cluster = label * shape->detail + sl_rng_below (&shape->rng, shape->detail);

  at[0] = shape->centre[cluster][0];
  at[1] = shape->centre[cluster][1];
}

/* Centres that do not crowd: each is the farthest from the others among a few tries
 * (Mitchell's best candidate).  */
static void
place_centres (Shape *shape, uint64_t seed)
{
  unsigned n = shape->classes * shape->detail;
  SlRng    rng;

  sl_rng_init (&rng, seed, "centres");
  for (unsigned i = 0; i < n; i++)
    {
      double best = -1.0;

      for (int try = 0; try < 20; try++)
        {
          double x = uniform_between (&rng, -0.8, 0.8), y = uniform_between (&rng, -0.8, 0.8),
                 nearest = 9.0;

          for (unsigned j = 0; j < i; j++)
            nearest = fmin (nearest, hypot (x - shape->centre[j][0], y - shape->centre[j][1]));
          if (nearest > best)
            {
              best = nearest;
              shape->centre[i][0] = x;
              shape->centre[i][1] = y;
            }
        }
    }
}

static void
fill_draft (SlDraft *draft, Shape *shape, Draw draw, double noise, uint64_t seed)
{
  SlRng noise_rng;

  sl_rng_init (&shape->rng, seed, "points");
  sl_rng_init (&noise_rng, seed, "noise");
  for (size_t i = 0; i < draft->n; i++)
    {
      unsigned label = (unsigned) (i % shape->classes);
      double   at[2];

      draw (shape, label, at);
      for (int j = 0; j < 2; j++)
        draft->values[2 * i + j] = (sl_real) (float) (at[j] + noise * sl_rng_normal (&noise_rng));
      draft->label[i] = (uint8_t) label;
    }
}

static SlStatus
make_plane (const SlSource *source, const SlSettings *settings, Shape *shape, Draw draw,
            SlDataset **dataset)
{
  size_t      n = (size_t) sl_source_option (source, settings, "points");
  SlSplitting splitting = sl_source_splitting (source->params, source->n_params, settings);
  SlDraft     draft;
  SlStatus    status = sl_draft_init (&draft, source->id, SL_DRAFT_VALUES, n, 2, false);

  if (!sl_ok (&status))
    return status;
  fill_draft (&draft, shape, draw, sl_source_option (source, settings, "noise"), splitting.seed);
  status = sl_draft_split (&draft, &splitting, source->id);
  if (!sl_ok (&status))
    {
      sl_draft_clear (&draft);
      return status;
    }
  draft.dataset->classes = shape->classes;
  snprintf (draft.dataset->title, sizeof draft.dataset->title, "%s", source->title);
  *dataset = sl_draft_finish (&draft);
  return SL_SUCCESS;
}

/* clang-format off */
#define POINTS                                                                              \
  {                                                                                         \
    .id = "points", .title = "Points", .unit = "", .group = "Data",                         \
    .help = "How many points there are in all splits together. With few points, the "       \
            "validation error is imprecise.",                                               \
    .source = "", .kind = SL_INTEGER, .lo = 30, .hi = 200000, .step = 100, .fallback = 1000, \
    .logarithmic = true, .effect = SL_RESTART,                                              \
  }

#define NOISE(usual)                                                                        \
  {                                                                                         \
    .id = "noise", .title = "Noise", .unit = "", .group = "Data",                           \
    .help = "Standard deviation of the Gaussian noise on both features, which reach from "  \
            "about -1 to 1. With much of it the classes overlap.",                          \
    .source = "", .kind = SL_REAL, .lo = 0, .hi = 0.5, .step = 0.01, .fallback = usual,     \
    .effect = SL_RESTART,                                                                   \
  }

#define COUNT(name, words, least, most, usual, text)                                        \
  {                                                                                         \
    .id = name, .title = words, .unit = "", .group = "Data", .help = text, .source = "",    \
    .kind = SL_INTEGER, .lo = least, .hi = most, .step = 1, .fallback = usual,              \
    .effect = SL_RESTART,                                                                   \
  }
/* clang-format on */

#define N_OF(params) (sizeof (params) / sizeof *(params))

static const SlParam xor_params[]
  = { POINTS, NOISE (0.05), SL_OPTION_VALID, SL_OPTION_TEST, SL_OPTION_SEED };

static SlStatus
open_xor (const SlSettings *settings, const SlSourceFiles *files, SlDataset **dataset)
{
  Shape shape = { .classes = 2 };

  return make_plane (&sl_source_xor, settings, &shape, draw_xor, dataset);
}

const SlSource sl_source_xor = {
  .id = "xor",
  .title = "XOR",
  .help = "Four quadrants; opposite ones have the same class, so no straight line separates the "
          "classes.",
  .yields = SL_NEEDS_PLANE,
  .params = xor_params,
  .n_params = N_OF (xor_params),
  .open = open_xor,
};

static const SlParam moons_params[]
  = { POINTS, NOISE (0.08), SL_OPTION_VALID, SL_OPTION_TEST, SL_OPTION_SEED };

static SlStatus
open_moons (const SlSettings *settings, const SlSourceFiles *files, SlDataset **dataset)
{
  Shape shape = { .classes = 2 };

  return make_plane (&sl_source_moons, settings, &shape, draw_moons, dataset);
}

const SlSource sl_source_moons = {
  .id = "moons",
  .title = "Two moons",
  .help = "Two half circles that reach into each other.",
  .yields = SL_NEEDS_PLANE,
  .params = moons_params,
  .n_params = N_OF (moons_params),
  .open = open_moons,
};

/* clang-format off */
static const SlParam spirals_params[] = {
  COUNT ("arms", "Arms", 2, 8, 2, "How many spiral arms there are, one class each. More arms lie "
                                  "closer together."),
  {
    .id = "turns", .title = "Turns", .unit = "", .group = "Data",
    .help = "How often an arm goes round. More turns need a finer boundary.",
    .source = "", .kind = SL_REAL, .lo = 0.25, .hi = 3, .step = 0.25, .fallback = 1.25,
    .effect = SL_RESTART,
  },
  POINTS, NOISE (0.02), SL_OPTION_VALID, SL_OPTION_TEST, SL_OPTION_SEED,
};
/* clang-format on */

static SlStatus
open_spirals (const SlSettings *settings, const SlSourceFiles *files, SlDataset **dataset)
{
  const SlSource *source = &sl_source_spirals;
  Shape           shape = { .classes = (unsigned) sl_source_option (source, settings, "arms"),
                            .turns = sl_source_option (source, settings, "turns") };

  return make_plane (source, settings, &shape, draw_spirals, dataset);
}

const SlSource sl_source_spirals = {
  .id = "spirals",
  .title = "Spirals",
  .help = "Spiral arms that wind round each other, one class each.",
  .yields = SL_NEEDS_PLANE,
  .params = spirals_params,
  .n_params = N_OF (spirals_params),
  .open = open_spirals,
};

static const SlParam rings_params[] = {
  COUNT ("rings", "Rings", 2, 6, 2,
         "How many rings there are, one class each; the inmost is a "
         "disc. More rings are thinner."),
  POINTS,
  NOISE (0.05),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

static SlStatus
open_rings (const SlSettings *settings, const SlSourceFiles *files, SlDataset **dataset)
{
  Shape shape = { .classes = (unsigned) sl_source_option (&sl_source_rings, settings, "rings") };

  return make_plane (&sl_source_rings, settings, &shape, draw_rings, dataset);
}

const SlSource sl_source_rings = {
  .id = "rings",
  .title = "Rings",
  .help = "Rings about one centre, one class each.",
  .yields = SL_NEEDS_PLANE,
  .params = rings_params,
  .n_params = N_OF (rings_params),
  .open = open_rings,
};

static const SlParam checkerboard_params[] = {
  COUNT ("cells", "Cells a side", 2, 8, 4,
         "How many cells the board has along one side. With more "
         "of them each needs its own piece of the boundary."),
  POINTS,
  NOISE (0.02),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

static SlStatus
open_checkerboard (const SlSettings *settings, const SlSourceFiles *files, SlDataset **dataset)
{
  Shape shape
    = { .classes = 2,
        .detail = (unsigned) sl_source_option (&sl_source_checkerboard, settings, "cells") };

  return make_plane (&sl_source_checkerboard, settings, &shape, draw_checkerboard, dataset);
}

const SlSource sl_source_checkerboard = {
  .id = "checkerboard",
  .title = "Checkerboard",
  .help = "Black and white cells of a board.",
  .yields = SL_NEEDS_PLANE,
  .params = checkerboard_params,
  .n_params = N_OF (checkerboard_params),
  .open = open_checkerboard,
};

static const SlParam mixture_params[] = {
  COUNT ("classes", "Classes", 2, 8, 3,
         "How many classes there are. Their clusters are placed by "
         "the data seed."),
  COUNT ("clusters", "Clusters a class", 1, 4, 2,
         "How many Gaussian clusters each class has. With "
         "several, a class lies in separate places."),
  POINTS,
  NOISE (0.1),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

static SlStatus
open_mixture (const SlSettings *settings, const SlSourceFiles *files, SlDataset **dataset)
{
  const SlSource *source = &sl_source_mixture;
  Shape           shape = { .classes = (unsigned) sl_source_option (source, settings, "classes"),
                            .detail = (unsigned) sl_source_option (source, settings, "clusters") };

  place_centres (&shape, (uint64_t) sl_source_option (source, settings, "seed"));
  return make_plane (source, settings, &shape, draw_mixture, dataset);
}

const SlSource sl_source_mixture = {
  .id = "mixture",
  .title = "Gaussian mixture",
  .help = "Gaussian clusters in random places, some for each class.",
  .yields = SL_NEEDS_PLANE,
  .params = mixture_params,
  .n_params = N_OF (mixture_params),
  .open = open_mixture,
};
