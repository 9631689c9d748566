/* SPDX-License-Identifier: MIT
 *
 * What has which colour on a gating map: it follows from the numbers of the units alone.  */
#include "plot/figure/plane.h"

#include <math.h>

/* Strength of a unit's colour as ground and as stripes, and of a class's tone at its boundary and where nothing speaks
 * against it.  */
#define UNIT 0.62
#define INK 0.9
#define UNSURE 0.06
#define SURE 0.60

/* Adds a unit's colour to a sum in Oklab. */
static void
add_unit (const SlTheme *theme, unsigned unit, double strength, double sum[3])
{
  double colour[3], ground[3];

  sl_to_oklab (theme->curve[unit % SL_THEME_COLOURS], colour);
  sl_to_oklab (theme->plot, ground);
  for (int i = 0; i < 3; i++)
    sum[i] += ground[i] + strength * (colour[i] - ground[i]);
}

static SlRgba
mean_of (const double sum[3], unsigned n)
{
  return sl_from_oklab ((double[]) { sum[0] / n, sum[1] / n, sum[2] / n });
}

static void
add_stripes (const SlTheme *theme, unsigned unit, SlGround *ground, double ink[3], unsigned *n)
{
  if (unit < SL_THEME_COLOURS)
    return;
  ground->stripes |= 1U << (unit / SL_THEME_COLOURS - 1) % SL_PLANE_STRIPES;
  add_unit (theme, unit, INK, ink);
  (*n)++;
}

SlGround
sl_plane_units (const SlTheme *theme, uint64_t set)
{
  SlGround ground = { .colour = sl_mix (theme->plot, theme->soft, 0.10) };
  double   sum[3] = { 0 }, ink[3] = { 0 };
  unsigned n = 0, striped = 0;

  if (set >> SL_CELL_HASH)
    {
      /* Of very many: any colour, but always the same. */
      add_unit (theme, (unsigned) (set % SL_THEME_COLOURS), 0.35 + 0.25 * (double) (set >> 8 & 1),
                sum);
      n = 1;
    }
  for (unsigned unit = 0; unit < SL_CELL_HASH && !(set >> SL_CELL_HASH); unit++)
    if (set >> unit & 1)
      {
        add_unit (theme, unit, UNIT, sum);
        add_stripes (theme, unit, &ground, ink, &striped);
        n++;
      }
  if (n > 0)
    ground.colour = mean_of (sum, n);
  if (striped > 0)
    ground.ink = mean_of (ink, striped);
  return ground;
}

/* Tones of grey from near the paper to near the ink. */
static SlRgba
class_tone (const SlPlane *plane, const SlTheme *theme, unsigned label)
{
  unsigned last = MAX (plane->classes, 2) - 1;

  return sl_mix (theme->plot, theme->ink, 0.25 + 0.75 * (label % (last + 1)) / last);
}

SlRgba
sl_plane_class (unsigned label)
{
  return label % 2 == 0 ? (SlRgba) { 1, 1, 1, 1 } : (SlRgba) { 0.1F, 0.1F, 0.1F, 1 };
}

SlMarker
sl_plane_class_marker (unsigned label)
{
  static const SlMarker shape[]
    = { SL_MARKER_DISC, SL_MARKER_SQUARE, SL_MARKER_UP, SL_MARKER_DIAMOND, SL_MARKER_DOWN };

  return shape[label / 2 % G_N_ELEMENTS (shape)];
}

SlRgba
sl_plane_pale (const SlTheme *theme, SlRgba colour)
{
  return sl_mix (theme->plot, colour, 0.2);
}

SlGround
sl_plane_ground (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, unsigned value)
{
  double lo = 0.0, hi = 1.0;

  if (mode == SL_PLANE_TOP)
    {
      SlGround ground = { 0 };
      double   sum[3] = { 0 }, ink[3] = { 0 };
      unsigned n = 0;

      add_unit (theme, value, UNIT, sum);
      add_stripes (theme, value, &ground, ink, &n);
      ground.colour = mean_of (sum, 1);
      if (n > 0)
        ground.ink = mean_of (ink, 1);
      return ground;
    }
  if (mode == SL_PLANE_PATTERN)
    return value < SL_MAP_COLOURS && plane->known[value]
             ? sl_plane_units (theme, plane->set[value])
             : (SlGround) { .colour = sl_mix (theme->plot, theme->soft, 0.25) };
  if (mode == SL_PLANE_DECISION)
    return (SlGround) { .colour = sl_mix (theme->plot, class_tone (plane, theme, value), SURE) };
  sl_plane_range (plane, mode, &lo, &hi);
  return (SlGround) { .colour = sl_map_sequential (theme, (value - lo) / (hi - lo)) };
}

/* Colours of the cells of values, each made once. */
static void
fill_grounds (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, const double *value,
              uint32_t *pixels)
{
  size_t   n = (size_t) plane->side * plane->side;
  double   last = -1.0;
  uint32_t colour = 0;

  for (size_t i = 0; i < n; i++)
    {
      if (value[i] != last)
        colour = sl_packed (
          sl_plane_ground (plane, theme, mode, (unsigned) sl_plane_whole (value[i])).colour);
      last = value[i];
      pixels[i] = colour;
    }
}

static void
fill_values (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, const double *value,
             uint32_t *pixels)
{
  const double *margin = plane->plane[SL_MAP_MARGIN];
  double        lo = 0.0, hi = 1.0;

  sl_plane_range (plane, mode, &lo, &hi);
  for (size_t i = 0; i < (size_t) plane->side * plane->side; i++)
    pixels[i] = sl_packed (
      mode == SL_PLANE_DECISION
        ? sl_mix (theme->plot, class_tone (plane, theme, (unsigned) sl_plane_whole (value[i])),
                  UNSURE + (SURE - UNSURE) * CLAMP (margin[i], 0.0, 1.0))
        : sl_map_sequential (theme, (value[i] - lo) / (hi - lo)));
}

void
sl_plane_fill (const SlPlane *plane, const SlTheme *theme, SlPlaneMode mode, int isolated,
               uint32_t *pixels)
{
  const double *value = plane->plane[sl_plane_mode_plane (mode)];
  const double *pattern = plane->plane[SL_MAP_PATTERN];

  if (mode == SL_PLANE_PATTERN || mode == SL_PLANE_TOP)
    fill_grounds (plane, theme, mode, value, pixels);
  else
    fill_values (plane, theme, mode, value, pixels);
  for (size_t i = 0; isolated >= 0 && i < (size_t) plane->side * plane->side; i++)
    if ((int) pattern[i] != isolated)
      {
        SlRgba colour
          = { (float) (pixels[i] >> 16 & 255) / 255.0F, (float) (pixels[i] >> 8 & 255) / 255.0F,
              (float) (pixels[i] & 255) / 255.0F, 1.0F };

        pixels[i] = sl_packed (sl_plane_pale (theme, colour));
      }
}
