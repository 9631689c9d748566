/* SPDX-License-Identifier: MIT
 *
 * Tasks in the plane: two features from about -1 to 1, drawn from a shape per class and
 * then moved by Gaussian noise.  Shape, noise and order come from three streams, so that
 * the noise moves the points without drawing others.  */
#include <math.h>

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
  /* A square root would spread the points evenly over the area; an even spread along the arm needs
   * less.  The gap keeps the arms apart in the middle.  */
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

/* A task, and the options that say how many classes it has, or two, and how fine it is. */
static const struct
{
  const SlSource *source;
  Draw            draw;
  const char     *classes, *detail;
} tasks[] = {
  { &sl_source_xor, draw_xor, NULL, NULL },
  { &sl_source_moons, draw_moons, NULL, NULL },
  { &sl_source_spirals, draw_spirals, "arms", NULL },
  { &sl_source_rings, draw_rings, "rings", NULL },
  { &sl_source_checkerboard, draw_checkerboard, NULL, "cells" },
  { &sl_source_mixture, draw_mixture, "classes", "clusters" },
};

static SlStatus
open_plane (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
            SlDataset **dataset)
{
  size_t      n = (size_t) sl_source_option (source, settings, "points"), task = 0;
  SlSplitting splitting = sl_source_splitting (source->params, source->n_params, settings);
  Shape       shape = { .classes = 2 };
  SlDraft     draft;
  SlStatus    status = sl_draft_init (&draft, source->id, SL_DRAFT_VALUES, n, 2, false);

  if (!sl_ok (&status))
    return status;
  while (tasks[task].source != source)
    task++;
  if (tasks[task].classes != NULL)
    shape.classes = (unsigned) sl_source_option (source, settings, tasks[task].classes);
  if (tasks[task].detail != NULL)
    shape.detail = (unsigned) sl_source_option (source, settings, tasks[task].detail);
  if (source == &sl_source_spirals)
    shape.turns = sl_source_option (source, settings, "turns");
  if (source == &sl_source_mixture)
    place_centres (&shape, splitting.seed);
  fill_draft (&draft, &shape, tasks[task].draw, sl_source_option (source, settings, "noise"),
              splitting.seed);
  status = sl_draft_split (&draft, &splitting, source->id);
  draft.dataset->classes = shape.classes;
  return sl_draft_deliver (&draft, status, source->title, dataset);
}

#define POINTS                                                                                     \
  SL_OPTION ("points", "Points", "", "In all splits together.", "", .kind = SL_INTEGER, .lo = 30,  \
             .hi = 200000, .step = 100, .fallback = 1000, .logarithmic = true)

#define NOISE(usual)                                                                               \
  SL_OPTION ("noise", "Noise", "",                                                                 \
             "Standard deviation of the noise on both features, which reach from about -1 to 1.",  \
             "", .kind = SL_REAL, .lo = 0, .hi = 0.5, .step = 0.01, .fallback = usual)

#define COUNT(name, words, least, most, usual, text)                                               \
  SL_OPTION (name, words, "", text, "", .kind = SL_INTEGER, .lo = least, .hi = most, .step = 1,    \
             .fallback = usual)

#define N_OF(params) (sizeof (params) / sizeof *(params))

static const SlParam xor_params[]
  = { POINTS, NOISE (0.05), SL_OPTION_VALID, SL_OPTION_TEST, SL_OPTION_SEED };

const SlSource sl_source_xor = {
  .id = "xor",
  .title = "XOR",
  .help = "Four quadrants; opposite ones have the same class.",
  .yields = SL_NEEDS_PLANE,
  .params = xor_params,
  .n_params = N_OF (xor_params),
  .open = open_plane,
};

static const SlParam moons_params[]
  = { POINTS, NOISE (0.08), SL_OPTION_VALID, SL_OPTION_TEST, SL_OPTION_SEED };

const SlSource sl_source_moons = {
  .id = "moons",
  .title = "Two moons",
  .help = "Two half circles that reach into each other.",
  .yields = SL_NEEDS_PLANE,
  .params = moons_params,
  .n_params = N_OF (moons_params),
  .open = open_plane,
};

static const SlParam spirals_params[] = {
  COUNT ("arms", "Arms", 2, 8, 2, "One class each."),
  SL_OPTION ("turns", "Turns", "", "Turns of an arm.", "", .kind = SL_REAL, .lo = 0.25, .hi = 3,
             .step = 0.25, .fallback = 1.25),
  POINTS,
  NOISE (0.02),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

const SlSource sl_source_spirals = {
  .id = "spirals",
  .title = "Spirals",
  .help = "Spiral arms wound round each other, one class each.",
  .yields = SL_NEEDS_PLANE,
  .params = spirals_params,
  .n_params = N_OF (spirals_params),
  .open = open_plane,
};

static const SlParam rings_params[] = {
  COUNT ("rings", "Rings", 2, 6, 2, "Rings, one class each; the inmost is a disc."),
  POINTS,
  NOISE (0.05),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

const SlSource sl_source_rings = {
  .id = "rings",
  .title = "Rings",
  .help = "Rings about one centre, one class each.",
  .yields = SL_NEEDS_PLANE,
  .params = rings_params,
  .n_params = N_OF (rings_params),
  .open = open_plane,
};

static const SlParam checkerboard_params[] = {
  COUNT ("cells", "Cells per side", 2, 8, 4, "Cells along one side."),
  POINTS,
  NOISE (0.02),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

const SlSource sl_source_checkerboard = {
  .id = "checkerboard",
  .title = "Checkerboard",
  .help = "Black and white cells of a board.",
  .yields = SL_NEEDS_PLANE,
  .params = checkerboard_params,
  .n_params = N_OF (checkerboard_params),
  .open = open_plane,
};

static const SlParam mixture_params[] = {
  COUNT ("classes", "Classes", 2, 8, 3, "Classes, whose clusters the data seed places."),
  COUNT ("clusters", "Clusters per class", 1, 4, 2, "Gaussian clusters of each class."),
  POINTS,
  NOISE (0.1),
  SL_OPTION_VALID,
  SL_OPTION_TEST,
  SL_OPTION_SEED,
};

const SlSource sl_source_mixture = {
  .id = "mixture",
  .title = "Gaussian mixture",
  .help = "Gaussian clusters in random places, some for each class.",
  .yields = SL_NEEDS_PLANE,
  .params = mixture_params,
  .n_params = N_OF (mixture_params),
  .open = open_plane,
};
