/* SPDX-License-Identifier: MIT
 *
 * Scenes with things in them, to keep the content of: edges, shading and shapes that one knows
 * again.  */
#include <math.h>
#include <stdbool.h>

#include "core/data/image/canvas.h"

#define N_OF(run) (sizeof (run) / sizeof *(run))

/* A low sun behind hills, one behind the other, with a lake before them. */

static double
ridge_height (uint64_t seed, int k, double x)
{
  static const double base[] = { 0.50, 0.55, 0.62, 0.70 }, high[] = { 0.16, 0.13, 0.12, 0.08 };
  static const double wide[] = { 2.6, 2.1, 1.7, 1.4 };

  return base[k]
         - 2.0 * high[k] * sl_clouds (seed + 200 + (uint64_t) k, wide[k] * x + 3.1 * k, 0.5, 5);
}

static SlColour
evening_sky (uint64_t seed, double x, double y, double sun_x, double sun_y)
{
  static const uint32_t sky[] = { 0x27407a, 0x4f6fa8, 0xb59ab5, 0xf2a977, 0xfbd08a };
  double                far = hypot (x - sun_x, y - sun_y);
  double                streak = sl_clouds (seed + 210, 2.0 * x, 9.0 * y, 5);
  SlColour              colour = sl_colour_run (sky, N_OF (sky), y / 0.62);

  colour = sl_colour_mix (colour, sl_colour (0xfff0c0), 0.9 * exp (-9.0 * far));
  colour = sl_colour_mix (colour, sl_colour (y < 0.30 ? 0xf6c9b0 : 0xffe3b0),
                          0.8 * sl_smooth (0.06, 0.30, streak));
  return sl_colour_mix (sl_colour (0xfff8dc), colour, sl_smooth (0.078, 0.082, far));
}

static SlColour
hills_above_water (uint64_t seed, double x, double y)
{
  static const uint32_t haze[] = { 0x8a7aa3, 0x5f6f8f, 0x3f6a63, 0x2c5a36 };
  SlColour              colour = evening_sky (seed, x, y, 0.86, 0.36);

  for (int k = 0; k < 4; k++)
    {
      double top = ridge_height (seed, k, x), below = y - top;
      double grain = sl_clouds (seed + 220 + (uint64_t) k, 10.0 * x, 16.0 * y, 4);
      /* The side towards the sun is the lighter one. */
      double   slope = (ridge_height (seed, k, x + 0.01) - ridge_height (seed, k, x - 0.01)) / 0.02;
      double   lit = 0.10 + 0.28 * (x < 0.86 ? -slope : slope) * exp (-14.0 * below);
      SlColour side = sl_colour_mix (sl_colour (haze[k]), sl_colour (0xf2b27a), lit);

      side = sl_colour_shade (side, 1.04 + (0.3 + 0.15 * k) * grain - 0.5 * below);
      colour = sl_colour_mix (colour, side, sl_smooth (-0.002, 0.002, below));
    }
  return colour;
}

/* A tree: a stem and a crown of clumps. */
static SlColour
add_tree (uint64_t seed, SlColour under, double x, double y, double foot_x, double foot_y,
          double tall)
{
  double   u = (x - foot_x) / tall, v = (foot_y - y) / tall, edge;
  double   bump = 0.16 * sl_clouds (seed + 240, 6.0 * u, 6.0 * v, 4);
  bool     stem = fabs (u + 0.04 * v) < 0.045 * (1.2 - v) && v > 0.0 && v < 0.5;
  SlColour leaf;

  if (stem)
    under = sl_colour (u > 0.0 ? 0x3b2a1e : 0x59402c);
  edge = hypot (u / 0.42, (v - 0.68) / 0.36) + bump;
  leaf = sl_colour_shade (sl_colour (0x3e6b2f), 0.95 + 2.2 * bump + 0.5 * u + 0.7 * (v - 0.68));
  return sl_colour_mix (leaf, under, sl_smooth (0.97, 1.0, edge));
}

/* A house with its gable to the right, in units of its width. */
static SlColour
add_house (SlColour under, double u, double v)
{
  bool   gable = u > 0.0 && u < 0.42;
  double roof = gable ? 0.50 + 0.38 * (1.0 - fabs (u - 0.21) / 0.21) : 0.0;

  if (v < 0.0)
    return under;
  if (u > -0.62 && u <= 0.0 && v < 0.50)
    {
      double w = (u + 0.62) / 0.155;
      bool   window = v > 0.16 && v < 0.34 && w - floor (w) > 0.28 && w - floor (w) < 0.72;

      return sl_colour (window ? 0xffdf80 : 0xe6d8c0);
    }
  if (u > -0.68 + 0.50 * (v - 0.50) && u < 0.21 && v >= 0.50 && v < 0.88
      && u < 0.21 - 0.21 * (0.88 - v) / 0.38)
    return sl_colour_shade (sl_colour (0xa8412f), 0.92 + 0.16 * (fmod (20.0 * v, 1.0) > 0.5));
  if (gable && v < roof)
    {
      bool door = fabs (u - 0.21) < 0.055 && v < 0.26;
      bool window = fabs (u - 0.21) < 0.06 && v > 0.46 && v < 0.60;

      return sl_colour (door ? 0x4a2f22 : window ? 0xffdf80 : 0xc9b597);
    }
  return under;
}

static SlColour
paint_hills (uint64_t seed, double x, double y)
{
  const double shore = 0.755;
  double       bank
    = 0.90 - 0.10 * sl_smooth (0.35, 1.25, x) + 0.02 * sl_noise (seed + 231, 3.0 * x, 0.5);
  double   ripple = sl_clouds (seed + 230, 6.0 * x, 70.0 * y, 3);
  SlColour colour;

  if (y < shore)
    colour = hills_above_water (seed, x, y);
  else
    {
      /* The lake turns the picture over, darker and less steady the nearer it is. */
      double deep = y - shore;

      colour = hills_above_water (seed, x + 0.10 * ripple * sl_smooth (0.0, 0.1, deep),
                                  shore - 1.5 * deep + 0.04 * ripple);
      colour = sl_colour_mix (colour, sl_colour (0x2f4f74), 0.25 + 0.5 * deep);
      colour = sl_colour_mix (colour, sl_colour (0xffe3b0), 0.5 * sl_smooth (0.22, 0.5, ripple));
    }
  if (y > bank)
    {
      double blade = sl_noise (seed + 233, 90.0 * x, 22.0 * y);

      colour = sl_colour_shade (
        sl_colour_mix (sl_colour (0x6f8f3a), sl_colour (0x2c4a23), (y - bank) / 0.16),
        1.0 + 0.25 * blade);
    }
  colour = add_house (colour, (x - 1.10) / 0.26, (0.825 - y) / 0.26);
  return add_tree (seed, colour, x, y, 0.27, 0.93, 0.62);
}

/* Glossy balls on a table by a window. */

enum { BALLS = 5 };

typedef struct
{
  double   at[3], radius;
  uint32_t rgb;
  double   mirror;
} Ball;

static const Ball balls[BALLS] = {
  { { -0.52, 0.46, 3.05 }, 0.46, 0xc8372d, 0.10 }, { { 0.42, 0.62, 3.60 }, 0.62, 0xd9d9de, 0.65 },
  { { 0.98, 0.30, 2.62 }, 0.30, 0x2456a8, 0.12 },  { { -1.22, 0.34, 3.70 }, 0.34, 0xe7b52c, 0.10 },
  { { 0.20, 0.22, 2.30 }, 0.22, 0x3a9a5b, 0.10 },
};

static double
dot_product (const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* How far along the ray it meets a ball, and which; -1 for none. */
static int
meet_ball (const double from[3], const double way[3], double *far)
{
  int hit = -1;

  for (int i = 0; i < BALLS; i++)
    {
      double to[3], along, miss, half;

      for (int k = 0; k < 3; k++)
        to[k] = balls[i].at[k] - from[k];
      along = dot_product (to, way);
      miss = dot_product (to, to) - along * along;
      half = balls[i].radius * balls[i].radius - miss;
      if (half <= 0.0 || along - sqrt (half) < 1e-6 || along - sqrt (half) >= *far)
        continue;
      *far = along - sqrt (half);
      hit = i;
    }
  return hit;
}

static const double lamp[3] = { -0.48, 0.80, -0.36 };

/* The table is lit but for what the balls hide; the edge of a shadow is soft. */
static SlColour
table_colour (uint64_t seed, double x, double z)
{
  double   ring = sl_clouds (seed + 260, 0.7 * x, 5.0 * z, 4);
  double   grain = sl_noise (seed + 261, 5.0 * x, 60.0 * z);
  bool     dark = ((int) floor (1.6 * x + 40.0) + (int) floor (1.6 * z)) % 2 == 0;
  double   lit = 1.0;
  SlColour wood
    = sl_colour_shade (sl_colour (dark ? 0x7a4a2b : 0xd9b382), 1.0 + 0.35 * ring + 0.10 * grain);

  for (int i = 0; i < BALLS; i++)
    {
      double to[3] = { balls[i].at[0] - x, balls[i].at[1], balls[i].at[2] - z };
      double along = dot_product (to, lamp);
      double miss = sqrt (fmax (0.0, dot_product (to, to) - along * along)) / balls[i].radius;
      double touch = hypot (to[0], to[2]) / balls[i].radius;

      lit = fmin (lit, 0.42 + 0.58 * sl_smooth (0.72, 1.16, miss));
      lit *= 0.55 + 0.45 * sl_smooth (0.0, 0.85, touch);
    }
  return sl_colour_shade (wood, lit);
}

static SlColour
room_colour (uint64_t seed, const double from[3], const double way[3])
{
  double   down = way[1] < -1e-6 ? -from[1] / way[1] : 1e9;
  double   x = from[0] + down * way[0], z = from[2] + down * way[2];
  double   wall = 0.55 + 0.45 * way[1];
  SlColour plaster;

  if (z < 6.5 && z > -9.0 && down < 1e9)
    return table_colour (seed, x, z);
  plaster = sl_colour_mix (sl_colour (0x2f4a52), sl_colour (0x9fb8a8), wall - 0.35 * way[0]);
  plaster
    = sl_colour_shade (plaster, 1.0 + 0.20 * sl_clouds (seed + 270, 5.0 * way[0], 5.0 * way[1], 4));
  /* The window, which only what shines shows. */
  if (way[2] < 0.0 && way[1] > 0.25 && way[1] < 0.80 && way[0] < -0.12 && way[0] > -0.75
      && fabs (way[1] - 0.52) > 0.02 && fabs (way[0] + 0.44) > 0.02)
    return sl_colour (0xffffff);
  return plaster;
}

static SlColour
ray_colour (uint64_t seed, const double from[3], const double way[3], int bounces)
{
  double   far = 1e9, at[3], out[3], back[3], facing, shine, lit;
  int      hit = meet_ball (from, way, &far);
  SlColour own, seen;

  if (hit < 0)
    return room_colour (seed, from, way);
  for (int k = 0; k < 3; k++)
    {
      at[k] = from[k] + far * way[k];
      out[k] = (at[k] - balls[hit].at[k]) / balls[hit].radius;
    }
  facing = dot_product (out, way);
  for (int k = 0; k < 3; k++)
    back[k] = way[k] - 2.0 * facing * out[k];
  far = 1e9;
  lit = fmax (0.0, dot_product (out, lamp));
  if (meet_ball (at, lamp, &far) >= 0)
    lit *= 0.25;
  shine = pow (fmax (0.0, dot_product (back, lamp)), 60.0) * (lit > 0.0);
  own = sl_colour_shade (sl_colour (balls[hit].rgb), 0.30 + 0.14 * out[1] + 0.78 * lit);
  if (bounces > 0)
    {
      double edge = pow (1.0 + facing, 4.0);

      seen = ray_colour (seed, at, back, bounces - 1);
      own = sl_colour_mix (own, seen, balls[hit].mirror + 0.5 * edge);
    }
  return sl_colour_mix (own, sl_colour (0xffffff), 0.9 * shine);
}

static SlColour
paint_balls (uint64_t seed, double x, double y)
{
  const double eye[3] = { 0.0, 1.25, -1.2 };
  double       u = x - SL_CANVAS_WIDE / 2.0, v = 0.5 - y;
  double       way[3] = { 0.72 * u, 0.72 * v - 0.19, 1.0 }, length = sqrt (dot_product (way, way));

  for (int k = 0; k < 3; k++)
    way[k] /= length;
  return ray_colour (seed, eye, way, 2);
}

/* Houses by a canal. */

static const double fronts[] = { -0.08, 0.14, 0.33, 0.56, 0.74, 0.98, 1.17, 1.42 };

static SlColour
house_front (uint64_t seed, double x, double y, double ground, bool *front)
{
  static const uint32_t brick[]
    = { 0x8c3b2e, 0xd9a441, 0x4f6d7a, 0xb5553c, 0xe3d3b0, 0x6b4a3a, 0xa8b89a };
  static const double tall[] = { 0.47, 0.40, 0.50, 0.44, 0.52, 0.42, 0.48 };
  int                 n = 0, floors;
  double              wide, u, v, top, level, pane;
  SlColour            wall;

  while (n < 6 && x >= fronts[n + 1])
    n++;
  wide = fronts[n + 1] - fronts[n];
  u = (x - fronts[n]) / wide - 0.5;
  v = (ground - y) / tall[n];
  /* Gables in turn: pointed, stepped, like a bell. */
  top = n % 3 == 0   ? 1.0 + 0.30 * (1.0 - 2.0 * fabs (u))
        : n % 3 == 1 ? 1.0 + 0.30 * floor (5.0 * (1.0 - 2.0 * fabs (u))) / 5.0
                     : 1.0 + 0.34 * pow (cos (M_PI * u), 2.5);
  *front = v > 0.0 && v < top;
  wall
    = sl_colour_shade (sl_colour (brick[n]), 1.0 + 0.10 * sl_noise (seed + 280, 60.0 * x, 160.0 * y)
                                               - 0.18 * sl_smooth (0.40, 0.5, u) - 0.10 * v);
  if (v > top - 0.035)
    return sl_colour (0xf2ead8);
  floors = tall[n] > 0.45 ? 4 : 3;
  level = v * (floors + 0.35) - 0.2;
  pane = 1.5 + 3.0 * u;
  if (level > 0.0 && level < floors && fabs (u) < 0.47)
    {
      double a = pane - floor (pane) - 0.5, b = level - floor (level) - 0.5;
      bool   door = level < 1.0 && (int) floor (pane) == n % 3;
      bool   lit = sl_cell_random (seed + 281, 7 * n + (int) floor (pane), (int) level) > 0.55;

      if (door && fabs (a) < 0.30 && b < 0.34)
        return sl_colour (n % 2 == 0 ? 0x1f4a3a : 0x5a2630);
      if (!door && fabs (a) < 0.34 && fabs (b) < 0.36)
        {
          if (fabs (a) > 0.27 || fabs (b) > 0.30 || fabs (a) < 0.03 || fabs (b - 0.05) < 0.03)
            return sl_colour (0xf2ead8);
          return sl_colour_mix (sl_colour (lit ? 0xffcf5c : 0x27384a),
                                sl_colour (lit ? 0xfff0b0 : 0x6f8fa8), 0.5 + b + 0.4 * a);
        }
    }
  return wall;
}

static SlColour
town_above_water (uint64_t seed, double x, double y)
{
  static const uint32_t sky[] = { 0x6fa8dc, 0xa9cbe6, 0xe6e3d3, 0xf6d9a8 };
  const double          ground = 0.715;
  double                puff = sl_clouds (seed + 290, 2.2 * x, 4.0 * y, 5);
  bool                  front;
  SlColour              wall = house_front (seed, x, y, ground, &front);
  SlColour              colour = sl_colour_run (sky, N_OF (sky), y / 0.6);

  colour = sl_colour_mix (colour, sl_colour (0xffffff), 0.9 * sl_smooth (0.02, 0.30, puff));
  if (front)
    colour = wall;
  if (y > ground)
    colour = sl_colour_shade (sl_colour (y < 0.725 ? 0xcfc4b0 : 0x8a8074),
                              1.0 + 0.2 * sl_noise (seed + 291, 50.0 * x, 50.0 * y));
  return colour;
}

/* A boat on the water, in units of its length. */
static bool
boat_colour (double u, double v, SlColour *colour)
{
  bool hull = v < 0.0 && v > -0.16 && fabs (u) < 0.5 + 0.5 * v;
  bool mast = fabs (u) < 0.012 && v >= 0.0 && v < 0.85;
  bool sail = v > 0.08 && v < 0.80 && u > 0.03 && u < 0.03 + 0.40 * (0.80 - v) / 0.72;

  *colour = sl_colour (hull ? (v > -0.035 ? 0xf2ead8 : 0x9c2f2a) : sail ? 0xf6efe0 : 0x3b2a1e);
  if (sail)
    *colour = sl_colour_shade (*colour, 1.0 - 0.5 * u);
  return hull || mast || sail;
}

static SlColour
paint_canal (uint64_t seed, double x, double y)
{
  const double quay = 0.765;
  double       ripple = sl_clouds (seed + 292, 5.0 * x, 60.0 * y, 3), deep = y - quay;
  SlColour     colour, of_boat;

  if (boat_colour ((x - 0.98) / 0.34, (0.865 - y) / 0.34, &of_boat))
    return of_boat;
  if (y < quay)
    return town_above_water (seed, x, y);
  x += 0.09 * ripple * sl_smooth (0.0, 0.06, deep);
  y = quay - 1.9 * deep + 0.03 * ripple;
  colour = boat_colour ((x - 0.98) / 0.34, (y - 0.575) / 0.34, &of_boat)
             ? of_boat
             : town_above_water (seed, x, y);
  colour = sl_colour_mix (colour, sl_colour (0x28485c), 0.30 + 0.8 * deep);
  return sl_colour_mix (colour, sl_colour (0xe8f0f0), 0.6 * sl_smooth (0.24, 0.5, ripple));
}

const SlPaint sl_scenes[SL_N_SCENES] = {
  [SL_SCENE_HILLS] = paint_hills,
  [SL_SCENE_BALLS] = paint_balls,
  [SL_SCENE_CANAL] = paint_canal,
};
