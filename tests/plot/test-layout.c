/* SPDX-License-Identifier: MIT
 *
 * The numbers and colours of axes against what they were, and what holds for ticks on axes of any range.
 *
 * After a change that is meant: SLUICE_RENEW=1 build/tests/plot/test-plot-layout, and look at the difference.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/base/scale.h"
#include "plot/base/theme.h"
#include "plot/base/tint.h"
#include "tests/plot/golden.h"

/* ---- axes ---- */

static const double ends[][2] = {
  { 0, 1 },       { 0, 0.3 },       { -1, 1 },      { 0.1, 0.9 },    { 97.3, 98.1 },  { 3, 3 },
  { 0, 0 },       { -5, -5 },       { 0, 9999 },    { 0, 12345 },    { 5e5, 3e6 },    { 0, 4e9 },
  { 0, 7e13 },    { 1e15, 5e15 },   { 0, 2e-4 },    { -3e-6, 1e-5 }, { 8, 1200 },     { 1, 10 },
  { 0.5, 2 },     { 0.002, 0.03 },  { 1, 1e8 },     { 1e-9, 1e-2 },  { 3, 4 },        { 900, 1100 },
  { 1e-5, 3e13 }, { 2, 7 },         { 5, 1 },       { NAN, 4 },      { 2, INFINITY }, { -2, 100 },
  { 1e-40, 1e3 }, { 10000, 10001 }, { 0.25, 0.75 }, { 1e4, 1.9e4 },
};

/* Ticks ascend inside of the axis, those with a label have that number, and a place and its value are one. */
static void
check_scale (const SlScale *scale)
{
  static const unsigned wanted[] = { 0, 1, 3, 5, 9, 40 };
  SlTick                tick[SL_TICKS_MAX];

  for (double at = 0.0; at <= 1.0; at += 0.25)
    {
      double value = sl_scale_unmap (scale, at);

      g_assert_true (fabs (sl_scale_map (scale, value) - at) <= 1e-6);
    }
  for (unsigned i = 0; i < 2 * G_N_ELEMENTS (wanted); i++)
    {
      bool     whole = i % 2 > 0;
      unsigned n = sl_scale_ticks (scale, wanted[i / 2], whole, tick), labels = 0;

      if (whole && scale->logarithmic && scale->lo < 1.0)
        continue; /* no axis of whole numbers */

      g_assert_cmpuint (n, <=, SL_TICKS_MAX);
      for (unsigned k = 0; k < n; k++)
        {
          double at = sl_scale_map (scale, tick[k].value);

          g_assert_true (at >= -1e-4 && at <= 1.0 + 1e-4);
          g_assert_true (k == 0 || tick[k].value > tick[k - 1].value);
          if (tick[k].minor)
            continue;
          g_assert_true (tick[k].label[0] != '\0');
          for (unsigned j = 0; j < k; j++)
            g_assert_true (tick[j].minor || strcmp (tick[j].label, tick[k].label) != 0);
          labels++;
        }
      g_assert_true (scale->logarithmic || whole || wanted[i / 2] < 3 || labels >= 1);
    }
}

static void
test_scales (void)
{
  for (unsigned i = 0; i < 2 * G_N_ELEMENTS (ends); i++)
    {
      SlScale scale = sl_scale_new (ends[i / 2][0], ends[i / 2][1], i % 2 > 0);

      g_assert_true (isfinite (scale.lo) && isfinite (scale.hi) && scale.lo < scale.hi);
      check_scale (&scale);
      for (unsigned ticks = 0; ticks < 8; ticks += 3)
        {
          SlScale wide = scale;

          sl_scale_widen (&wide, ticks);
          g_assert_true (wide.lo <= scale.lo && wide.hi >= scale.hi);
          check_scale (&wide);
        }
    }
}

static void
test_numbers (void)
{
  static const double values[]
    = { 0,      1,       -1,      9.95,    9.949, 0.5,      99.95,     999.4, 999.5,
        999.6,  1000,    9999,    9999.6,  10000, 12345,    -12345,    1e5,   999999,
        1e6,    3.456e6, 1e9,     2.5e12,  1e15,  9.9e14,   1.5e15,    0.001, 0.0001,
        9.9e-5, 1.23e-7, 0.12345, 1.0 / 3, NAN,   INFINITY, -INFINITY, 7.5e-4 };
  static const double spreads[] = { 0, 0.04, 0.5, 1, 30, NAN, INFINITY, 1e-5, 0.049, -1, 0.0999 };
  GString            *out = g_string_new (NULL);
  char                text[64];

  for (unsigned i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_string_append_printf (out, "%a:", values[i]);
      for (int digits = 0; digits < 20; digits += digits < 4 ? 1 : 5)
        g_string_append_printf (out, " %s;", sl_number_text (values[i], digits, text, sizeof text));
      g_string_append_printf (out, " %s %%;", sl_percent_text (values[i], text, sizeof text));
      for (unsigned s = 0; s < G_N_ELEMENTS (spreads); s++)
        g_string_append_printf (
          out, " %s;", sl_spread_text (values[i], spreads[s], 2 + s % 3, text, sizeof text));
      g_string_append_c (out, '\n');
    }
  golden_compare_exactly ("numbers.txt", out->str);
  g_string_free (out, TRUE);
}

/* ---- looks ---- */

static void
add_colour (GString *out, SlRgba colour)
{
  g_string_append_printf (out, " x%06x", sl_packed (colour) & 0xffffffu);
}

static void
add_theme (GString *out, const SlTheme *theme)
{
  const SlRgba *colour[]
    = { &theme->paper, &theme->plot,  &theme->ink,  &theme->soft,   &theme->grid,
        &theme->axis,  &theme->alarm, &theme->flag, &theme->neutral };

  g_string_append_printf (out, "theme %d %d: %.2f %.2f %.2f %.2f %.2f;", theme->kind, theme->dark,
                          theme->type, theme->title, theme->line, theme->hair, theme->marker);
  for (unsigned i = 0; i < G_N_ELEMENTS (colour); i++)
    add_colour (out, *colour[i]);
  for (unsigned slot = 0; slot < SL_THEME_COLOURS; slot++)
    g_string_append_printf (out, " x%06x on it x%06x, %.2f;",
                            sl_packed (theme->curve[slot]) & 0xffffffu,
                            sl_packed (sl_ink_on (theme->curve[slot])) & 0xffffffu,
                            sl_contrast (theme->curve[slot], theme->plot));
  g_string_append_c (out, '\n');
}

static void
add_styles (GString *out, const SlTheme *theme)
{
  for (unsigned style = SL_MEASURED; style <= SL_PUBLISHED; style++)
    for (unsigned slot = 0; slot < 26; slot += 3)
      {
        const double *dash = sl_theme_dash (theme, slot, (SlStyle) style);

        g_string_append_printf (out, "  %u %u: marker %d,", style, slot,
                                sl_theme_marker (slot, (SlStyle) style));
        add_colour (out, sl_theme_curve (theme, slot, (SlStyle) style));
        for (; *dash > 0.0; dash++)
          g_string_append_printf (out, " %.2f", *dash);
        g_string_append_c (out, '\n');
      }
}

static void
add_maps (GString *out, const SlTheme *theme)
{
  SlTint plain = sl_tint_new (-1.0, 3.0, 7.0, false), two = sl_tint_new (-1.0, 3.0, 0.5, false);

  g_string_append (out, "  maps:");
  for (double at = -1.25; at < 3.5; at += 0.5)
    {
      add_colour (out, sl_tint_colour (theme, &plain, at));
      add_colour (out, sl_tint_colour (theme, &two, at));
    }
  add_colour (out, sl_tint_colour (theme, &two, NAN));
  add_colour (out, sl_hatch_ink (theme->plot));
  g_string_append_printf (out, " %.3f %.3f\n", sl_hatch_pitch (theme), sl_hatch_width (theme));
}

static void
test_themes (void)
{
  GString *out = g_string_new (NULL);

  for (unsigned kind = 0; kind < SL_N_THEMES; kind++)
    for (unsigned palette = 0; palette < SL_N_PALETTES; palette++)
      {
        SlTheme theme = sl_theme_get ((SlThemeKind) kind);

        sl_theme_set_palette (&theme, (SlPaletteKind) palette);
        add_theme (out, &theme);
        if (palette == 0)
          {
            add_styles (out, &theme);
            add_maps (out, &theme);
          }
        sl_theme_fit (&theme, 7.0);
        add_theme (out, &theme);
      }
  golden_compare_exactly ("themes.txt", out->str);
  g_string_free (out, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/scales", test_scales);
  g_test_add_func ("/layout/numbers", test_numbers);
  g_test_add_func ("/layout/themes", test_themes);
  return g_test_run ();
}
