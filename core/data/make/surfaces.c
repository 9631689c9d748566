/* SPDX-License-Identifier: MIT
 *
 * Surfaces to take a style from.  They look the same everywhere, as a style should.  */
#include <math.h>

#include "core/data/image/canvas.h"

enum { EDDIES = 7 };

#define N_OF(run) (sizeof (run) / sizeof *(run))

typedef struct
{
  uint64_t seed;
  double   at[EDDIES][2], size[EDDIES];
} Stream;

/* Eddies lie on a loose grid, so that none is crowded. */
static void
stream_init (Stream *stream, uint64_t seed)
{
  static const double loose[EDDIES][2]
    = { { 0.30, 0.28 }, { 0.82, 0.36 }, { 1.20, 0.16 }, { 0.12, 0.72 },
        { 0.56, 0.78 }, { 1.02, 0.80 }, { 1.34, 0.58 } };

  stream->seed = seed;
  for (int i = 0; i < EDDIES; i++)
    {
      stream->at[i][0] = loose[i][0] + 0.12 * (sl_cell_random (seed, i, 1) - 0.5);
      stream->at[i][1] = loose[i][1] + 0.12 * (sl_cell_random (seed, i, 2) - 0.5);
      stream->size[i] = 0.10 + 0.06 * sl_cell_random (seed, i, 3);
    }
}

/* Which way the paint flows: along a slow drift, and round the eddies. */
static void
flow_direction (const Stream *stream, double x, double y, double to[2])
{
  double angle = 0.9 * sl_noise (stream->seed + 50, 1.6 * x, 1.6 * y), length;

  to[0] = 0.5 * cos (angle);
  to[1] = 0.5 * sin (angle);
  for (int i = 0; i < EDDIES; i++)
    {
      double dx = (x - stream->at[i][0]) / stream->size[i];
      double dy = (y - stream->at[i][1]) / stream->size[i];
      double far = dx * dx + dy * dy, pull = (i % 2 == 0 ? 2.4 : -2.4) / (1.0 + 0.3 * far * far);

      to[0] -= pull * dy;
      to[1] += pull * dx;
    }
  length = sqrt (to[0] * to[0] + to[1] * to[1]) + 1e-9;
  to[0] /= length;
  to[1] /= length;
}

/* Strokes of a brush that follow the flow: noise smeared along it. */
static double
stroke_shade (const Stream *stream, double x, double y)
{
  const double fineness = 34.0, step = 0.014;
  double       sum = 0.0, weight = 0.0;

  for (int way = -1; way <= 1; way += 2)
    {
      double px = x, py = y, to[2];

      for (int i = 0; i < 9; i++)
        {
          double w = 1.0 - i / 9.0;

          sum += w * sl_noise (stream->seed + 60, fineness * px, fineness * py);
          weight += w;
          flow_direction (stream, px, py, to);
          px += way * step * to[0];
          py += way * step * to[1];
        }
    }
  return sum / weight;
}

static SlColour
paint_swirls (uint64_t seed, double x, double y)
{
  static const uint32_t night[] = { 0x0a1640, 0x12307e, 0x1f57a6, 0x4c8fcb, 0x9cc7dc, 0xe9e3b4 };
  static const uint32_t lamp[] = { 0xfff6c0, 0xf6cf3f, 0xe39a1e, 0x6f8f5a };
  double                stroke, tone, nearest = 9.0;
  Stream                stream;
  SlColour              sky;

  stream_init (&stream, seed);
  stroke = stroke_shade (&stream, x, y);
  /* Every third eddy has no light in it. */
  for (int i = 0; i < EDDIES; i++)
    nearest = fmin (nearest, hypot (x - stream.at[i][0], y - stream.at[i][1]) / stream.size[i]
                               + (i % 3 == 1 ? 0.7 : 0.0));
  tone = 0.42 + 0.45 * sl_clouds (seed + 70, 2.2 * x, 2.2 * y, 3) + 1.7 * stroke
         + 0.12 * cos (7.0 * nearest);
  sky = sl_colour_run (night, N_OF (night), tone);
  return sl_colour_mix (sl_colour_run (lamp, N_OF (lamp), nearest - 0.25 - 2.2 * stroke), sky,
                        sl_smooth (0.75, 0.95, nearest + 2.0 * stroke));
}

/* The nearest stone of a field of them, one in each cell of a grid, and how much nearer it is than
 * the next.  */
static double
nearest_stone (uint64_t seed, double x, double y, double loose, int cell[2], double off[2])
{
  double best = 9.0, next = 9.0;
  int    cx = (int) floor (x), cy = (int) floor (y);

  for (int j = cy - 1; j <= cy + 1; j++)
    for (int i = cx - 1; i <= cx + 1; i++)
      {
        double dx = x - i - 0.5 - loose * (sl_cell_random (seed, i, j) - 0.5);
        double dy = y - j - 0.5 - loose * (sl_cell_random (seed + 1, i, j) - 0.5);
        double d = hypot (dx, dy);

        if (d < best)
          {
            next = best;
            best = d;
            cell[0] = i;
            cell[1] = j;
            off[0] = dx;
            off[1] = dy;
          }
        else
          next = fmin (next, d);
      }
  return next - best;
}

static SlColour
paint_mosaic (uint64_t seed, double x, double y)
{
  static const uint32_t glass[]
    = { 0x0f3a5f, 0x1d7a8c, 0x8fc1b5, 0xf1e4c3, 0xe8a33d, 0xc4512d, 0x7a1f2b };
  const double size = 24.0;
  double       off[2], gap, where, bend;
  int          cell[2];
  SlColour     stone;

  gap = nearest_stone (seed + 80, size * x, size * y, 0.75, cell, off);
  /* Bands of colour wind through the stones. */
  bend = sl_noise (seed + 82, cell[0] / 9.0, cell[1] / 9.0);
  where = 0.5 + 0.5 * sin (cell[1] / 3.1 + 4.0 * bend + 0.15 * cell[0]);
  where += 0.34 * (sl_cell_random (seed + 83, cell[0], cell[1]) - 0.5);
  stone = sl_colour_run (glass, N_OF (glass), where);
  stone = sl_colour_shade (stone, 0.96 - 0.30 * (off[0] + off[1])
                                    + 0.10 * sl_noise (seed + 84, 6 * size * x, 6 * size * y));
  return sl_colour_mix (sl_colour (0x2a2320), stone, sl_smooth (0.05, 0.13, gap));
}

static SlColour
paint_marble (uint64_t seed, double x, double y)
{
  static const uint32_t stone[]
    = { 0x0d2b33, 0x1c5f66, 0x6fb1a0, 0xefe6d0, 0xd98f5c, 0x8c3b2e, 0x2a1420, 0x1c5f66, 0xefe6d0 };
  double   wx = sl_clouds (seed + 90, 2.4 * x, 2.4 * y, 4);
  double   wy = sl_clouds (seed + 95, 2.4 * x + 5.2, 2.4 * y + 1.3, 4);
  double   band = sl_clouds (seed + 100, 2.0 * x + 2.2 * wx, 2.0 * y + 2.2 * wy, 5);
  double   layers = 0.5 + 0.5 * sin (11.0 * band + 2.5 * wx), vein;
  SlColour colour = sl_colour_run (stone, N_OF (stone), 0.5 + 1.25 * band + 0.14 * layers);

  vein = fabs (sl_clouds (seed + 105, 3.0 * x + 2.5 * wx, 3.0 * y + 2.5 * wy, 4));
  colour = sl_colour_shade (colour, 0.90 + 0.22 * layers);
  return sl_colour_mix (sl_colour (0xf3d27a), colour, sl_smooth (0.004, 0.028, vein));
}

/* A thread seen from above: light in the middle, with fibres along it. */
static SlColour
thread_shade (uint64_t seed, int number, double across, double along, double lift)
{
  static const uint32_t wool[] = { 0xb3262e, 0xe9ddc2, 0x1f3d6b, 0xd89b2b, 0x2f6b4f, 0xe9ddc2 };
  /* Stripes some threads wide, as of a plaid. */
  int    stripe = ((number % 36 + 36) % 36) / 6;
  double fibre = sl_noise (seed + 110, 2.2 * along + 17.0 * number, 5.0 * across + 0.8 * along);
  double light = 1.0 - 1.5 * across * across + 0.16 * fibre + 0.05 * lift;

  return sl_colour_shade (sl_colour (wool[stripe]), light * (0.72 + 0.28 * lift));
}

static SlColour
paint_weave (uint64_t seed, double x, double y)
{
  const double size = 36.0;
  double       u = size * x + 0.10 * sl_noise (seed + 112, 9.0 * x, 9.0 * y);
  double       v = size * y + 0.10 * sl_noise (seed + 113, 9.0 * x, 9.0 * y);
  int          i = (int) floor (u), j = (int) floor (v);
  double       a = u - i - 0.5, b = v - j - 0.5;
  int          turn = ((i + j) % 4 + 4) % 4;
  bool         upright = turn < 2; /* a twill: over two, under two, one further in each row */
  /* How far along its two crossings the thread on top is, from 0 to 1. */
  double over
    = upright ? (turn == 0 ? 0.5 + b : 1.5 + b) / 2.0 : (turn == 3 ? 1.5 - a : 0.5 - a) / 2.0;
  double lift = sin (M_PI * (over < 0.0 ? 0.0 : over > 1.0 ? 1.0 : over));

  return upright ? thread_shade (seed, i, a, v, lift) : thread_shade (seed + 3, j + 9, b, u, lift);
}

/* Dabs of a brush of pure colours, several layers of them on a pale ground. */
static SlColour
paint_dots (uint64_t seed, double x, double y)
{
  static const uint32_t pure[]
    = { 0x1b2f6b, 0x2f6fb1, 0x2e8f8a, 0x7fae5a, 0xf1cf63, 0xe98a3c, 0xc73e4a, 0x6b3f86, 0x1b2f6b };
  SlColour colour = sl_colour (0xefe3c8);

  for (int layer = 0; layer < 5; layer++)
    {
      const double size = 24.0 + 4.0 * layer;
      double       u = size * x + 3.3 * layer, v = size * y + 7.7 * layer, off[2], mood, own;
      int          cell[2];
      uint64_t     its = seed + 120 + 10 * (uint64_t) layer;

      nearest_stone (its, u, v, 0.9, cell, off);
      mood = 0.45 + 1.3 * sl_clouds (seed + 119, 1.8 * cell[0] / size, 1.8 * cell[1] / size, 2);
      own = sl_cell_random (its + 2, cell[0], cell[1]);
      /* Most dabs are of the colour of the place, some of the opposite one. */
      mood += own < 0.22 ? 0.5 : 0.16 * (own - 0.6);
      mood -= floor (mood);
      if (hypot (off[0], off[1] * 1.15) < 0.30 + 0.16 * sl_cell_random (its + 3, cell[0], cell[1]))
        colour = sl_colour_shade (sl_colour_run (pure, N_OF (pure), mood),
                                  1.06 - 0.35 * (off[0] + off[1]));
    }
  return colour;
}

/* Fans of waves, each row half hidden by the next. */
static SlColour
paint_waves (uint64_t seed, double x, double y)
{
  static const uint32_t ink[] = { 0x12284c, 0x1f4e79, 0x3f88b5, 0xf4ecd8 };
  const double          radius = 0.105, rise = radius / 2.0;
  double                wx = x + 0.006 * sl_noise (seed + 170, 14.0 * x, 14.0 * y);
  double                wy = y + 0.006 * sl_noise (seed + 171, 14.0 * x, 14.0 * y);
  int                   lowest = (int) floor (wy / rise) + 2;

  /* The lowest row is in front. */
  for (int row = lowest; row >= lowest - 3; row--)
    {
      double   shift = row % 2 == 0 ? 0.0 : radius, cy = row * rise;
      int      column = (int) floor ((wx - shift) / (2.0 * radius) + 0.5);
      double   cx = 2.0 * radius * column + shift, far = hypot (wx - cx, wy - cy) / radius;
      double   ring = 4.0 * far, own = sl_cell_random (seed + 172, column, row);
      double   paper = 0.05 * sl_noise (seed + 173, 90.0 * x, 90.0 * y);
      SlColour band;

      if (far >= 1.0 || wy > cy)
        continue;
      band = sl_colour (ink[ring < 1.0 ? 0 : ring < 2.0 ? 2 : 1]);
      if (own > 0.86)
        band = sl_colour (ring < 2.0 ? 0xc8452f : 0x8e2f26);
      band = sl_colour_shade (band, 0.92 + 0.16 * own + paper);
      return sl_colour_mix (sl_colour (ink[3]), band,
                            sl_smooth (0.07, 0.13, fabs (ring - floor (ring + 0.5)))
                              * sl_smooth (1.0, 0.965, far));
    }
  return sl_colour (ink[3]);
}

const SlPaint sl_surfaces[SL_N_SURFACES] = {
  [SL_SURFACE_SWIRLS] = paint_swirls, [SL_SURFACE_MOSAIC] = paint_mosaic,
  [SL_SURFACE_MARBLE] = paint_marble, [SL_SURFACE_WEAVE] = paint_weave,
  [SL_SURFACE_DOTS] = paint_dots,     [SL_SURFACE_WAVES] = paint_waves,
};
