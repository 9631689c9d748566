/* SPDX-License-Identifier: MIT
 *
 * Axes: ranges that are hard, round ticks, labels that people would write.  */
#include <glib.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "plot/base/scale.h"
#include "plot/base/theme.h"
#include "plot/base/tint.h"
#include "tests/plot/plot-sample.h"

static char *
labels (double lo, double hi, bool logarithmic, unsigned wanted, bool integers)
{
  SlScale  scale = sl_scale_new (lo, hi, logarithmic);
  SlTick   ticks[SL_TICKS_MAX];
  unsigned n = sl_scale_ticks (&scale, wanted, integers, ticks);
  GString *out = g_string_new (NULL);

  for (unsigned i = 0; i < n; i++)
    if (!ticks[i].minor)
      g_string_append_printf (out, "%s%s", out->len > 0 ? "|" : "", ticks[i].label);
  return g_string_free (out, FALSE);
}

static void
test_labels (void)
{
  static const struct
  {
    double      lo, hi;
    bool        logarithmic;
    unsigned    wanted;
    bool        integers;
    const char *expected;
  } rows[] = {
    { 0, 1, false, 5, false, "0|0.2|0.4|0.6|0.8|1.0" },
    { 0, 0.35, false, 4, false, "0|0.1|0.2|0.3" },
    { -1, 1, false, 4, false, "−1.0|−0.5|0|0.5|1.0" },
    { 0, 100, false, 5, false, "0|20|40|60|80|100" },
    { 90.2, 97.9, false, 4, false, "92|94|96" },
    { 0, 20000, false, 4, false, "0|5 k|10 k|15 k|20 k" },
    { 0, 3.2e6, false, 4, true, "0|1 M|2 M|3 M" },
    { 1000000, 1000010, false, 5, true, "1000000|1000002|1000004|1000006|1000008|1000010" },
    { 0, 2, false, 8, true, "0|1|2" },
    { 0, 4e-5, false, 4, false, "0|1×10⁻⁵|2×10⁻⁵|3×10⁻⁵|4×10⁻⁵" },
    { 0, 4e18, false, 4, false, "0|1×10¹⁸|2×10¹⁸|3×10¹⁸|4×10¹⁸" },
    { 0.01, 10000, true, 7, false, "0.01|0.1|1|10|100|1000|10 k" },
    { 1e-8, 1, true, 3, false, "10⁻⁶|10⁻³|1" },
    { 0.02, 0.7, true, 6, false, "0.02|0.05|0.1|0.2|0.5" },
    { 1, 1e6, true, 8, true, "1|10|100|1000|10 k|100 k|1 M" },
    { 3.1, 3.9, true, 4, false, "3.2|3.4|3.6|3.8" },
    { 0.9, 1.1, false, 4, true, "1" },
    { 1, 3, false, 8, true, "1|2|3" },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *found
        = labels (rows[i].lo, rows[i].hi, rows[i].logarithmic, rows[i].wanted, rows[i].integers);
      g_autoptr (GString) spaced = g_string_new (found);

      g_string_replace (spaced, "\302\240", " ", 0);
      g_assert_cmpstr (spaced->str, ==, rows[i].expected);
    }
}

/* Whatever the range: at least two labels, in order, inside, none twice, short. */
static void
test_any_range (void)
{
  for (unsigned k = 0; k < 20000; k++)
    {
      double   middle = pow (10.0, 18.0 * sample_noise (4 * k) - 9.0) * (k % 3 == 0 ? -1.0 : 1.0);
      double   width = pow (10.0, 16.0 * sample_noise (4 * k + 1) - 8.0) * fabs (middle);
      bool     logarithmic = k % 4 == 0;
      SlScale  scale = sl_scale_new (middle - width, middle + width, logarithmic);
      unsigned wanted = 2 + k % 8, labelled = 0, n;
      SlTick   ticks[SL_TICKS_MAX];
      const char *before = "";

      if (k % 2 == 0)
        sl_scale_widen (&scale, wanted);
      g_assert_true (scale.lo < scale.hi);
      n = sl_scale_ticks (&scale, wanted, false, ticks);
      for (unsigned i = 0; i < n; i++)
        {
          double at = sl_scale_map (&scale, ticks[i].value);

          g_assert_true (at >= -1e-6 && at <= 1.0 + 1e-6);
          if (i > 0)
            g_assert_cmpfloat (ticks[i].value, >, ticks[i - 1].value);
          g_assert_true (ticks[i].minor == (ticks[i].label[0] == '\0'));
          if (ticks[i].minor)
            continue;
          labelled++;
          g_assert_cmpstr (ticks[i].label, !=, before);
          g_assert_cmpuint (g_utf8_strlen (ticks[i].label, -1), <, 20);
          before = ticks[i].label;
        }
      g_assert_cmpuint (labelled, >=, 2);
    }
}

static void
test_hard_ranges (void)
{
  static const double values[]
    = { 0, 1, -1, 5, 1e-300, -1e-300, 1e300, 1.7e308, -1.7e308, INFINITY, -INFINITY, NAN, 1e-9 };

  for (unsigned i = 0; i < G_N_ELEMENTS (values); i++)
    for (unsigned j = 0; j < G_N_ELEMENTS (values); j++)
      for (unsigned logarithmic = 0; logarithmic < 2; logarithmic++)
        {
          SlScale scale = sl_scale_new (values[i], values[j], logarithmic);
          SlTick  ticks[SL_TICKS_MAX];

          g_assert_true (isfinite (scale.lo) && isfinite (scale.hi) && scale.lo < scale.hi);
          g_assert_true (!logarithmic || scale.lo > 0.0);
          g_assert_true (isfinite (sl_scale_map (&scale, 0.5 * scale.lo + 0.5 * scale.hi)));
          g_assert_cmpuint (sl_scale_ticks (&scale, 5, false, ticks), <=, SL_TICKS_MAX);
        }
  /* One value lies in the middle of its axis. */
  for (unsigned i = 0; i < 5; i++)
    {
      SlScale scale = sl_scale_new (values[i], values[i], false);

      g_assert_cmpfloat_with_epsilon (sl_scale_map (&scale, values[i]), 0.5, 1e-9);
    }
}

static void
test_map (void)
{
  SlScale linear = sl_scale_new (-3.0, 5.0, false), log = sl_scale_new (0.01, 100.0, true);

  g_assert_cmpfloat_with_epsilon (sl_scale_map (&linear, -3.0), 0.0, 1e-15);
  g_assert_cmpfloat_with_epsilon (sl_scale_map (&linear, 5.0), 1.0, 1e-15);
  g_assert_cmpfloat_with_epsilon (sl_scale_map (&log, 1.0), 0.5, 1e-12);
  g_assert_true (sl_scale_map (&log, 0.0) == -HUGE_VAL && sl_scale_map (&log, -1.0) == -HUGE_VAL);
  g_assert_true (isnan (sl_scale_map (&linear, NAN)));
  for (double t = -0.5; t <= 1.5; t += 0.01)
    {
      g_assert_cmpfloat_with_epsilon (sl_scale_map (&linear, sl_scale_unmap (&linear, t)), t,
                                      1e-12);
      g_assert_cmpfloat_with_epsilon (sl_scale_map (&log, sl_scale_unmap (&log, t)), t, 1e-12);
    }
}

/* Ends go out to round numbers, and stay where they are some. */
static void
test_widen (void)
{
  static const struct
  {
    double   lo, hi;
    bool     logarithmic;
    unsigned ticks;
    double   to_lo, to_hi;
  } rows[] = {
    { 1.0, 1000.0, true, 5, 1.0, 1000.0 }, { 2.0, 500.0, true, 5, 2.0, 500.0 },
    { 3.0, 300.0, true, 5, 2.0, 500.0 },   { 0.05, 0.6, true, 5, 0.05, 1.0 },
    { 7.0, 8.0, true, 5, 5.0, 10.0 },      { 0.0, 10.0, false, 5, 0.0, 10.0 },
    { 0.3, 9.7, false, 5, 0.0, 10.0 },     { -3.0, 5.0, false, 4, -4.0, 6.0 },
    { 2.0, 4.0, false, 4, 2.0, 4.0 },      { 0.0, 1.0, false, 0, 0.0, 1.0 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      SlScale scale = sl_scale_new (rows[i].lo, rows[i].hi, rows[i].logarithmic);

      sl_scale_widen (&scale, rows[i].ticks);
      g_assert_cmpfloat_with_epsilon (scale.lo, rows[i].to_lo, 1e-12);
      g_assert_cmpfloat_with_epsilon (scale.hi, rows[i].to_hi, 1e-12);
    }
}

/* Zero has its place at the foot of a logarithmic axis, below everything else, and a tick. */
static void
test_foot (void)
{
  SlScale  scale = sl_scale_new (0.01, 100.0, true);
  SlTick   ticks[SL_TICKS_MAX];
  unsigned n;

  scale.foot = 0.2;
  g_assert_cmpfloat (sl_scale_map (&scale, 0.0), ==, 0.0);
  g_assert_cmpfloat_with_epsilon (sl_scale_map (&scale, 0.005), 0.1, 1e-12);
  g_assert_cmpfloat_with_epsilon (sl_scale_map (&scale, 0.01), 0.2, 1e-12);
  g_assert_cmpfloat_with_epsilon (sl_scale_map (&scale, 1.0), 0.6, 1e-12);
  g_assert_cmpfloat_with_epsilon (sl_scale_map (&scale, 100.0), 1.0, 1e-12);
  g_assert_true (sl_scale_map (&scale, -1.0) == -HUGE_VAL);
  for (double t = 0.0; t <= 1.5; t += 0.01)
    g_assert_cmpfloat_with_epsilon (sl_scale_map (&scale, sl_scale_unmap (&scale, t)), t, 1e-12);
  n = sl_scale_ticks (&scale, 5, false, ticks);
  g_assert_cmpuint (n, >, 3);
  g_assert_cmpfloat (ticks[0].value, ==, 0.0);
  g_assert_cmpstr (ticks[0].label, ==, "0");
  g_assert_cmpfloat (ticks[1].value, >=, 0.01 * (1.0 - 1e-9));
}

static void
test_numbers (void)
{
  static const struct
  {
    double      value;
    int         digits;
    const char *expected;
  } rows[] = {
    { 0, 3, "0" },
    { -0.0, 3, "0" },
    { 0.1 + 0.2, 12, "0.3" },
    { 97.1234, 3, "97.1" },
    { 1234.5, 3, "1234" },
    { 12345, 3, "12.3\302\240k" },
    { 9996, 3, "9996" },
    { 9999.6, 3, "10\302\240k" },
    { -999999, 3, "−1\302\240M" },
    { 9.9e-5, 1, "0.0001" },
    { 9.96e14, 2, "1×10¹⁵" },
    { -2.5e6, 2, "−2.5\302\240M" },
    { 0.00123, 2, "0.0012" },
    { 3.2e-7, 2, "3.2×10⁻⁷" },
    { 1e20, 3, "1×10²⁰" },
    { INFINITY, 3, "∞" },
    { -INFINITY, 3, "−∞" },
    { NAN, 3, "not a number" },
    { 100, 4, "100" },
  };
  char text[64];

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (sl_number_text (rows[i].value, rows[i].digits, text, sizeof text), ==,
                     rows[i].expected);
}

static void
test_spreads (void)
{
  static const struct
  {
    double      value, spread;
    int         digits;
    const char *expected;
  } rows[] = {
    { 1.8312, 0.0512, 4, "1.83 ± 0.05" },
    { 57.31, 1.24, 3, "57 ± 1" },
    { 57.31, 0.4, 3, "57.3 ± 0.4" },
    { 0.0123, 0.002, 3, "0.012 ± 0.002" },
    { 123.4, 0.6, 3, "123 ± 1" },
    { 123.4, 0.04, 3, "123" },
    { 1.83, NAN, 4, "1.83" },
    { 1.83, 0, 4, "1.83" },
    { NAN, 1, 3, "not a number" },
    { 7832, 40, 3, "7832 ± 40" },
    { 4e-4, 0.7, 3, "0.0 ± 0.7" },
  };
  char text[64];

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (
      sl_spread_text (rows[i].value, rows[i].spread, rows[i].digits, text, sizeof text), ==,
      rows[i].expected);
  g_assert_cmpstr (sl_interval_text (16.884, 1.9765, 4, text, sizeof text), ==, "16.9 ± 2.0");
  g_assert_cmpstr (sl_interval_text (-0.886, 1.135, 4, text, sizeof text), ==, "−0.9 ± 1.1");
  g_assert_cmpstr (sl_interval_text (16.172, 0.0483, 4, text, sizeof text), ==, "16.17 ± 0.05");
  g_assert_cmpstr (sl_interval_text (4e-4, 0.712, 4, text, sizeof text), ==, "0.00 ± 0.71");
  g_assert_cmpstr (sl_interval_text (0.0, 3.2, 4, text, sizeof text), ==, "0.0 ± 3.2");
  g_assert_cmpstr (sl_interval_text (12312, 452, 4, text, sizeof text), ==, "12.31\u00a0k ± 452");
  g_assert_cmpstr (sl_interval_text (1.83, NAN, 4, text, sizeof text), ==, "1.83");
  g_assert_cmpstr (sl_percent_text (0.4321, text, sizeof text), ==, "0.43");
  g_assert_cmpstr (sl_percent_text (9.96, text, sizeof text), ==, "10");
  g_assert_cmpstr (sl_percent_text (999.4, text, sizeof text), ==, "999");
  g_assert_cmpstr (sl_percent_text (7832, text, sizeof text), ==, "> 999");
}

/* Text of a theme at least 4.5:1 against the paper, everything that is drawn 3:1 against the plot,
 * and no two of the first curves alike in marker.  */
static void
test_themes (void)
{
  for (unsigned k = 0; k < SL_N_THEMES; k++)
    {
      SlTheme theme = sl_theme_get ((SlThemeKind) k);

      g_assert_cmpfloat (sl_contrast (theme.ink, theme.paper), >=, 4.5);
      g_assert_cmpfloat (sl_contrast (theme.soft, theme.paper), >=, 4.5);
      g_assert_cmpfloat (sl_contrast (theme.flag, theme.plot), >=, 4.5);
      g_assert_cmpfloat (sl_contrast (theme.alarm, theme.plot), >=, 3.0);
      g_assert_cmpfloat (sl_contrast (theme.axis, theme.paper), >=, 3.0);
      g_assert_cmpfloat (sl_contrast (theme.neutral, theme.plot), >=, 3.0);
      g_assert_true (theme.dark == (sl_contrast (theme.paper, (SlRgba) { 0, 0, 0, 1 }) < 10.0));
      for (unsigned c = 0; c < SL_THEME_COLOURS; c++)
        {
          g_assert_cmpfloat (sl_contrast (theme.curve[c], theme.plot), >=, 3.0);
          for (unsigned b = 0; b < c; b++)
            g_assert_cmpint (sl_theme_marker (b, SL_MEASURED), !=,
                             sl_theme_marker (c, SL_MEASURED));
        }
    }
}

/* ---- colour-blind eyes ---- */

/* How colours look without one kind of cones, on linear red, green and blue: Machado, Oliveira and Fernandes,
 * "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.  */
static const struct
{
  const char *kind;
  double      matrix[3][3];
} eyes[] = {
  { "all cones", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
  { "protanopia",
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } } },
  { "deuteranopia",
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } } },
  { "tritanopia",
    { { 1.255528, -0.076749, -0.178779 },
      { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 } } },
};

static void
multiply (const double matrix[3][3], const double v[3], double out[3])
{
  for (unsigned i = 0; i < 3; i++)
    out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
}

/* OKLab (Ottosson 2020) of a colour as these eyes see it. */
static void
see (SlRgba colour, const double eye[3][3], double lab[3])
{
  static const double to_cones[3][3] = { { 0.4122214708, 0.5363325363, 0.0514459929 },
                                         { 0.2119034982, 0.6806995451, 0.1073969566 },
                                         { 0.0883024619, 0.2817188376, 0.6299787005 } };
  static const double to_lab[3][3] = { { 0.2104542553, 0.7936177850, -0.0040720468 },
                                       { 1.9779984951, -2.4285922050, 0.4505937099 },
                                       { 0.0259040371, 0.7827717662, -0.8086757660 } };
  const double        encoded[3] = { (double) colour.r, (double) colour.g, (double) colour.b };
  double              linear[3], seen[3], cones[3];

  for (unsigned i = 0; i < 3; i++)
    linear[i]
      = encoded[i] <= 0.04045 ? encoded[i] / 12.92 : pow ((encoded[i] + 0.055) / 1.055, 2.4);
  multiply (eye, linear, seen);
  for (unsigned i = 0; i < 3; i++)
    seen[i] = CLAMP (seen[i], 0.0, 1.0);
  multiply (to_cones, seen, cones);
  for (unsigned i = 0; i < 3; i++)
    cones[i] = cbrt (cones[i]);
  multiply (to_lab, cones, lab);
}

/* The smallest distance of two of the first n curves. */
static double
least_distance (const SlTheme *theme, unsigned n, const double eye[3][3])
{
  double least = INFINITY;

  for (unsigned a = 0; a < n; a++)
    for (unsigned b = 0; b < a; b++)
      {
        double one[3], other[3];

        see (theme->curve[a], eye, one);
        see (theme->curve[b], eye, other);
        least
          = fmin (least, hypot (hypot (one[0] - other[0], one[1] - other[1]), one[2] - other[2]));
      }
  return least;
}

/* Distances in OKLab, in which black and white are 1 apart: any two curves at least 0.06, the first four at
 * least 0.1.  */
static void
test_colour_blind (void)
{
  for (unsigned k = 0; k < SL_N_THEMES * SL_N_PALETTES; k++)
    for (unsigned e = 0; e < G_N_ELEMENTS (eyes); e++)
      {
        SlTheme theme = sl_theme_get ((SlThemeKind) (k % SL_N_THEMES));
        double  all, first;

        sl_theme_set_palette (&theme, (SlPaletteKind) (k / SL_N_THEMES));
        for (unsigned c = 0; c < SL_THEME_COLOURS; c++)
          g_assert_cmpfloat (sl_contrast (theme.curve[c], theme.paper), >=, 2.995);
        all = least_distance (&theme, SL_THEME_COLOURS, eyes[e].matrix);
        first = least_distance (&theme, 4, eyes[e].matrix);
        g_test_message ("theme %u, %s, %s: %.3f, the first four %.3f", k % SL_N_THEMES,
                        sl_palette_id ((SlPaletteKind) (k / SL_N_THEMES)), eyes[e].kind, all,
                        first);
        g_assert_cmpfloat (all, >=, 0.06);
        g_assert_cmpfloat (first, >=, 0.1);
      }
}

/* The sequential map rises in lightness all the way. */
static void
test_maps (void)
{
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);
  SlRgba  black = { 0, 0, 0, 1 };
  double  before = 0.0;

  for (double t = 0.0; t <= 1.0; t += 0.02)
    {
      double lightness = sl_contrast (sl_map_sequential (&theme, t), black);

      g_assert_cmpfloat (lightness, >, before);
      before = lightness;
    }
  g_assert_cmpfloat (sl_contrast (sl_map_diverging (&theme, 0.0), theme.plot), >, 1.1);
  g_assert_cmpfloat (sl_contrast (sl_map_diverging (&theme, 0.0), theme.plot), <, 1.3);
  g_assert_cmpfloat (sl_contrast (sl_map_diverging (&theme, 1.0), theme.plot), >, 6.0);
  g_assert_cmpfloat (sl_contrast (sl_map_diverging (&theme, -1.0), theme.plot), >, 6.0);
}

static double
distance (SlRgba a, SlRgba b)
{
  double p[3], q[3];

  sl_to_oklab (a, p);
  sl_to_oklab (b, q);
  return sqrt ((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
               + (p[2] - q[2]) * (p[2] - q[2]));
}

/* On a scale of ratios a fifth more or less is seen, the farther the more, and four times are not yet
 * eight times.  */
static void
test_ratios (void)
{
  static const SlThemeKind kinds[] = { SL_THEME_LIGHT, SL_THEME_DARK, SL_THEME_PROJECTOR };
  static const double      more[] = { 1.2, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0 };
  SlTint                   tint = sl_tint_new (0.2, 8.0, 1.0, true);

  for (unsigned k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      SlTheme theme = sl_theme_get (kinds[k]);
      SlRgba  even = sl_tint_colour (&theme, &tint, 1.0), last = even;

      g_assert_cmpfloat (distance (even, sl_tint_colour (&theme, &tint, 1.0 / 1.2)), >, 0.03);
      for (unsigned i = 0; i < G_N_ELEMENTS (more); i++)
        {
          SlRgba colour = sl_tint_colour (&theme, &tint, more[i]);

          g_assert_cmpfloat (distance (last, colour), >, 0.03);
          g_assert_cmpfloat (distance (even, colour), >, distance (even, last));
          last = colour;
        }
      g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 0.0)), ==,
                       sl_packed (sl_tint_at (&theme, &tint, 0.0)));
    }
}

int
main (int argc, char **argv)
{
  /* A comma for the decimal point, where there is such a locale, must change nothing. */
  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    setlocale (LC_NUMERIC, "fr_FR.UTF-8");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scale/widen", test_widen);
  g_test_add_func ("/plot/scale/labels", test_labels);
  g_test_add_func ("/plot/scale/any-range", test_any_range);
  g_test_add_func ("/plot/scale/hard-ranges", test_hard_ranges);
  g_test_add_func ("/plot/scale/map", test_map);
  g_test_add_func ("/plot/scale/foot", test_foot);
  g_test_add_func ("/plot/scale/numbers", test_numbers);
  g_test_add_func ("/scale/spreads", test_spreads);
  g_test_add_func ("/plot/theme/contrast", test_themes);
  g_test_add_func ("/plot/theme/colour-blind", test_colour_blind);
  g_test_add_func ("/plot/theme/maps", test_maps);
  g_test_add_func ("/plot/theme/ratios", test_ratios);
  return g_test_run ();
}
