/* SPDX-License-Identifier: MIT
 *
 * The themes and colour maps; see theme.h.  Tests hold the colours to their contrast.  */
#include "plot/base/theme.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SL_N(array) (sizeof (array) / sizeof *(array))

/* Everything that differs between themes, colours as 0xRRGGBB.  Colours of curves
 * are told apart by colour-blind eyes too, the first four best: a test simulates three kinds of them and
 * holds every pair to a distance.  */
typedef struct
{
  bool     dark;
  uint32_t paper, plot, ink, soft, grid, axis, alarm, flag, neutral;
  uint32_t curve[SL_THEME_COLOURS];
  double   zoom, line;
} Palette;

/* clang-format off */
static const Palette palettes[SL_N_THEMES] = {
  [SL_THEME_LIGHT] = {
    false, 0xffffff, 0xffffff, 0x2a2a2e, 0x5e5c64, 0xe9e9ec, 0x8a8a90, 0xc01c28, 0x6a4fa3, 0x66666c,
    { 0x1b92f3, 0xdf7600, 0x077857, 0xb5529b, 0xa87e5a, 0x2984c4, 0x7d7415, 0x404040 }, 1.0, 1.6 },
  [SL_THEME_DARK] = {
    true, 0x1e1e1e, 0x1e1e1e, 0xededed, 0xb5b5ba, 0x333336, 0x7c7c82, 0xff7b63, 0xb59ae8, 0xa6a6ac,
    { 0x2ea3ec, 0xf86d10, 0x2fdd91, 0xd682a7, 0xe3ad3a, 0xa0cdf9, 0xecd642, 0xd0d0d0 }, 1.0, 1.6 },
  [SL_THEME_CONTRAST] = {
    false, 0xffffff, 0xffffff, 0x000000, 0x1a1a1a, 0xc8c8c8, 0x000000, 0xa00000, 0x4b1d8f, 0x333333,
    { 0x044e99, 0xab4f29, 0x0f4436, 0x910068, 0x562f04, 0x0a68a3, 0x564d05, 0x000000 }, 1.0, 2.2 },
  [SL_THEME_CONTRAST_DARK] = {
    true, 0x000000, 0x000000, 0xffffff, 0xf0f0f0, 0x4a4a4a, 0xffffff, 0xff9d8a, 0xd9c2ff, 0xdddddd,
    { 0x9bcdfb, 0xff9b59, 0x25fbd3, 0xc2a0b7, 0xffca60, 0x7cb8e6, 0xfbf174, 0xffffff }, 1.0, 2.2 },
  [SL_THEME_PROJECTOR] = {
    false, 0xffffff, 0xffffff, 0x000000, 0x2b2b2b, 0xd8d8dc, 0x444448, 0xc00010, 0x5a2fa8, 0x4a4a4e,
    { 0x164995, 0x960100, 0x017c58, 0xc7499a, 0xae7227, 0x0580c0, 0x6f6501, 0x202020 }, 1.7, 1.9 },
  [SL_THEME_PROJECTOR_DARK] = {
    true, 0x000000, 0x000000, 0xffffff, 0xe4e4e4, 0x3c3c40, 0xb4b4ba, 0xff8a75, 0xcdb2ff, 0xc8c8cc,
    { 0x63b5ff, 0xff8626, 0x23f093, 0xde9cb5, 0xf7c13a, 0xa7dfff, 0xf7e653, 0xcdcdcd }, 1.7, 1.9 },
  [SL_THEME_GREY] = {
    false, 0xffffff, 0xffffff, 0x000000, 0x404040, 0xe4e4e4, 0x606060, 0x000000, 0x404040, 0x606060,
    { 0x000000, 0x5a5a5a, 0x131313, 0x909090, 0x292929, 0x757575, 0x030303, 0x414141 }, 1.0, 1.6 },
};
/* clang-format on */

static SlRgba
rgb (uint32_t packed)
{
  return (SlRgba) { (float) (packed >> 16 & 255) / 255.0F, (float) (packed >> 8 & 255) / 255.0F,
                    (float) (packed & 255) / 255.0F, 1.0F };
}

static void
zoom (SlTheme *theme, double factor)
{
  theme->type *= factor;
  theme->title *= factor;
  theme->line *= factor;
  theme->hair *= factor;
  theme->marker *= factor;
}

SlTheme
sl_theme_get (SlThemeKind kind)
{
  const Palette *p = &palettes[(unsigned) kind < SL_N_THEMES ? kind : SL_THEME_LIGHT];
  SlTheme        theme = {
           .kind = kind,
           .dark = p->dark,
           .paper = rgb (p->paper),
           .plot = rgb (p->plot),
           .ink = rgb (p->ink),
           .soft = rgb (p->soft),
           .grid = rgb (p->grid),
           .axis = rgb (p->axis),
           .alarm = rgb (p->alarm),
           .flag = rgb (p->flag),
           .neutral = rgb (p->neutral),
           .family = "Cantarell, DejaVu Sans, sans-serif",
           .type = 11.5,
           .title = 13.5,
           .line = p->line,
           .hair = 1.0,
           .marker = 6.5,
  };

  for (unsigned i = 0; i < SL_THEME_COLOURS; i++)
    theme.curve[i] = rgb (p->curve[i]);
  if (p->zoom > 1.0)
    zoom (&theme, p->zoom);
  return theme;
}

void
sl_theme_set_palette (SlTheme *theme, SlPaletteKind palette)
{
  static const SlThemeKind of[SL_N_PALETTES][2] = {
    [SL_PALETTE_STRONG] = { SL_THEME_PROJECTOR, SL_THEME_PROJECTOR_DARK },
    [SL_PALETTE_DEEP] = { SL_THEME_CONTRAST, SL_THEME_CONTRAST_DARK },
  };

  if (palette == SL_PALETTE_BRIGHT || theme->kind == SL_THEME_GREY)
    return;
  for (unsigned i = 0; i < SL_THEME_COLOURS; i++)
    theme->curve[i] = rgb (palettes[of[palette][theme->dark]].curve[i]);
}

static const char *const palette_ids[SL_N_PALETTES] = {
  [SL_PALETTE_BRIGHT] = "bright",
  [SL_PALETTE_STRONG] = "strong",
  [SL_PALETTE_DEEP] = "deep",
};

const char *
sl_palette_id (SlPaletteKind palette)
{
  return palette_ids[palette];
}

int
sl_palette_find (const char *id)
{
  for (int i = 0; i < SL_N_PALETTES; i++)
    if (strcmp (palette_ids[i], id) == 0)
      return i;
  return -1;
}

void
sl_theme_fit (SlTheme *theme, double type)
{
  zoom (theme, type / theme->type);
}

SlRgba
sl_theme_curve (const SlTheme *theme, unsigned slot, SlStyle style)
{
  return style == SL_PUBLISHED ? theme->neutral : theme->curve[slot % SL_THEME_COLOURS];
}

const double *
sl_theme_dash (const SlTheme *theme, unsigned slot, SlStyle style)
{
  static const double solid[] = { 0 }, target[] = { 4.6, 2.6, 0 }, theory[] = { 2.6, 1.9, 0 },
                      reference[] = { 1.3, 2, 0 }, published[] = { 7, 2.5, 1.3, 2.5, 0 },
                      broken[] = { 14, 2, 0 }, thrice[] = { 10, 2, 2, 2, 2, 2, 0 };

  switch (style)
    {
    case SL_TARGET: return target;
    case SL_THEORY: return theory;
    case SL_REFERENCE: return reference;
    case SL_PUBLISHED: return published;
    case SL_MEASURED: break;
    }
  /* Without colour, and from the second round of colours on, measured curves too. */
  if (theme->kind == SL_THEME_GREY)
    slot = slot % 3;
  else
    slot = slot / SL_THEME_COLOURS % 3;
  return slot == 0 ? solid : slot == 1 ? broken : thrice;
}

SlMarker
sl_theme_marker (unsigned slot, SlStyle style)
{
  if (style == SL_PUBLISHED)
    return SL_MARKER_RING;
  return (SlMarker) ((slot + slot / SL_THEME_COLOURS) % SL_N_MARKERS);
}

SlRgba
sl_mix (SlRgba a, SlRgba b, double t)
{
  float f = (float) t;

  return (SlRgba) { a.r + f * (b.r - a.r), a.g + f * (b.g - a.g), a.b + f * (b.b - a.b), 1.0F };
}

static double
to_linear (float v)
{
  return (double) v <= 0.04045 ? (double) v / 12.92 : pow (((double) v + 0.055) / 1.055, 2.4);
}

static float
from_linear (double v)
{
  v = v > 0.0 ? (v < 1.0 ? v : 1.0) : 0.0;
  return (float) (v <= 0.0031308 ? 12.92 * v : 1.055 * pow (v, 1.0 / 2.4) - 0.055);
}

/* Oklab as Ottosson has it (2020). */
void
sl_to_oklab (SlRgba colour, double lab[3])
{
  double r = to_linear (colour.r), g = to_linear (colour.g), b = to_linear (colour.b);
  double l = cbrt (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

  lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

SlRgba
sl_from_oklab (const double lab[3])
{
  double l = pow (lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2], 3.0);
  double m = pow (lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2], 3.0);
  double s = pow (lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2], 3.0);

  return (SlRgba) { from_linear (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                    from_linear (-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                    from_linear (-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), 1.0F };
}

uint32_t
sl_packed (SlRgba c)
{
  return 0xff000000U | (uint32_t) lround ((double) c.r * 255.0) << 16
         | (uint32_t) lround ((double) c.g * 255.0) << 8 | (uint32_t) lround ((double) c.b * 255.0);
}

static double
luminance (SlRgba c)
{
  const float  channel[3] = { c.r, c.g, c.b };
  const double weight[3] = { 0.2126, 0.7152, 0.0722 };
  double       sum = 0.0;

  for (unsigned i = 0; i < 3; i++)
    {
      double v = (double) channel[i];

      sum += weight[i] * (v <= 0.03928 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4));
    }
  return sum;
}

double
sl_contrast (SlRgba a, SlRgba b)
{
  double la = luminance (a) + 0.05, lb = luminance (b) + 0.05;

  return la > lb ? la / lb : lb / la;
}

SlRgba
sl_ink_on (SlRgba colour)
{
  SlRgba black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };

  return sl_contrast (colour, black) > sl_contrast (colour, white) ? black : white;
}

/* Linear between evenly spaced colours; `t` outside 0..1 and not-a-number are cut to the ends. */
static SlRgba
between (const uint32_t *stops, unsigned n, double t)
{
  unsigned i;

  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  t *= n - 1;
  i = (unsigned) t < n - 1 ? (unsigned) t : n - 2;
  return sl_mix (rgb (stops[i]), rgb (stops[i + 1]), t - i);
}

SlRgba
sl_map_sequential (const SlTheme *theme, double t)
{
  static const uint32_t cividis[] = { 0x00204d, 0x00306f, 0x2a406c, 0x48526b, 0x5e626e, 0x727374,
                                      0x878479, 0x9e9677, 0xb6a971, 0xd0be67, 0xead357, 0xffea46 };
  static const uint32_t grey[] = { 0xf2f2f2, 0x000000 };

  if (theme->kind == SL_THEME_GREY)
    return between (grey, SL_N (grey), t);
  return between (cividis, SL_N (cividis), t);
}

SlRgba
sl_map_diverging (const SlTheme *theme, double t)
{
  static const uint32_t light[]
    = { 0x083e75, 0x3f8cc4, 0xa3cbe4, 0xeeeeee, 0xf3c090, 0xd27d2c, 0x7d3600 };
  static const uint32_t dark[]
    = { 0xb3e0ff, 0x58a8e6, 0x265a86, 0x303034, 0x85501c, 0xe08a35, 0xffd9a8 };
  static const uint32_t grey[] = { 0x000000, 0x787878, 0xe4e4e4 };

  t = (t + 1.0) / 2.0;
  if (theme->kind == SL_THEME_GREY)
    return between (grey, SL_N (grey), t);
  return theme->dark ? between (dark, SL_N (dark), t) : between (light, SL_N (light), t);
}
