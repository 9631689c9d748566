/* SPDX-License-Identifier: MIT
 *
 * Where everything of a figure goes at many sizes, and the numbers, ticks, ranges and colours of axes, against
 * what they were.  Letters have made-up widths, as in test-golden.c.
 *
 * After a change that is meant: SLUICE_RENEW=1 build/tests/plot/test-plot-layout, and look at the difference.  */
#include "tests/plot/made-up-text.h"

#include <math.h>

#include "plot/base/tint.h"
#include "plot/layout/frame.h"
#include "tests/plot/golden.h"
#include "tests/plot/plot-sample.h"

/* ---- a frame as text ---- */

static void
add_rect (GString *out, const char *name, const SlRect *r)
{
  if (r->w != 0.0)
    g_string_append_printf (out, " %s %.2f %.2f %.2f %.2f;", name, r->x, r->y, r->w, r->h);
}

static void
add_ticks (GString *out, const char *name, const SlTick *tick, const double *at, unsigned n)
{
  g_string_append_printf (out, "%s:", name);
  for (unsigned i = 0; i < n; i++)
    g_string_append_printf (out, " %s%s %.2f", tick[i].minor ? "-" : "", tick[i].label, at[i]);
  g_string_append_c (out, '\n');
}

static void
add_chips (GString *out, const SlFrame *f)
{
  for (unsigned i = 0; i < f->n_chips; i++)
    {
      const SlChip *chip = &f->chip[i];

      g_string_append_printf (out, "chip %u %u \"%s\" at %.2f %.2f,", chip->curve, chip->slot,
                              chip->text, chip->text_x, chip->baseline);
      add_rect (out, "in", &chip->rect);
      g_string_append_printf (out, " %d %d%d%d%d%d\n", chip->style, chip->hidden, chip->ghost,
                              chip->line, chip->marker, chip->toned);
    }
  if (f->n_more > 0)
    g_string_append_printf (out, "%u more at %.2f %.2f\n", f->n_more, f->more_x, f->more_y);
}

static void
add_above (GString *out, const SlFrame *f)
{
  g_string_append_printf (out, "title \"%s\" %.2f, x \"%s\" %.2f, y \"%s\" %.2f\n", f->title,
                          f->title_y, f->x_label, f->x_label_y, f->y_label, f->y_label_x);
  for (unsigned i = 0; i < f->n_notes; i++)
    g_string_append_printf (out, "note \"%s\" %.2f\n", f->note[i], f->note_y + i * f->note_step);
  for (unsigned i = 0; i < f->n_flags; i++)
    {
      g_string_append_printf (out, "flag %u to %u at %.2f", f->flag[i].first, f->flag[i].last,
                              f->flag[i].x);
      add_rect (out, "badge", &f->flag[i].badge);
      g_string_append_c (out, '\n');
    }
}

static void
add_beside (GString *out, const SlFrame *f)
{
  for (unsigned i = 0; i < f->n_swatches; i++)
    {
      g_string_append_printf (out, "swatch %u \"%s\" %.2f", f->swatch[i].colour, f->swatch[i].text,
                              f->swatch[i].baseline);
      add_rect (out, "box", &f->swatch[i].box);
      g_string_append_c (out, '\n');
    }
  if (f->key.w == 0.0)
    return;
  add_rect (out, "key", &f->key);
  add_rect (out, "zero", &f->key_zero);
  g_string_append_printf (out, " \"%s\", \"%s\" %.2f, %d%d; ", f->key_zero_text, f->key_title,
                          f->key_title_x, f->tint.below, f->tint.above);
  add_ticks (out, "key", f->key_tick, f->key_at, f->n_key_ticks);
}

static void
add_user_notes (GString *out, const SlFrame *f)
{
  for (unsigned i = 0; i < f->n_user_notes; i++)
    {
      const SlFrameNote *note = &f->user_note[i];

      g_string_append_printf (out, "mine %u at %.2f %.2f,", note->number, note->x, note->y);
      add_rect (out, "box", &note->box);
      for (unsigned line = 0; line < note->n_lines; line++)
        g_string_append_printf (out, " \"%s\" %.2f %.2f", note->line[line], note->pad,
                                note->first + line * note->step);
      g_string_append_c (out, '\n');
    }
}

static void
add_frame (GString *out, const SlFrame *f)
{
  add_rect (out, "plot", &f->plot);
  add_rect (out, "plate", &f->plate);
  add_rect (out, "inset", &f->inset_box);
  g_string_append_printf (out, " x %.6g to %.6g from %.4f, y %.6g to %.6g from %.4f;", f->x.lo,
                          f->x.hi, f->x.foot, f->y.lo, f->y.hi, f->y.foot);
  g_string_append_printf (out, " %.2f %.2f %.2f %.2f; %d%d%d%d; row %u; mark %.2f\n", f->pad,
                          f->inset, f->bar, f->x_type, f->flip_y, f->upright, f->empty, f->handle,
                          f->picked, isfinite (f->mark) ? f->mark : -1.0);
  add_above (out, f);
  add_chips (out, f);
  add_ticks (out, "x", f->x_tick, f->x_at, f->n_x_ticks);
  for (unsigned i = 0; i < f->n_x_ticks; i++)
    if (f->x_second[i][0] != '\0')
      g_string_append_printf (out, "second %u \"%s\" %.2f\n", i, f->x_second[i], f->x_ticks_y);
  add_ticks (out, "y", f->y_tick, f->y_at, f->n_y_ticks);
  add_beside (out, f);
  add_user_notes (out, f);
  if (f->tiles_across > 0)
    g_string_append_printf (out, "tiles %u %u %d: %.2f %.2f %.2f, %.2f %u, %.2f %.2f\n",
                            f->tiles_across, f->tiles_down, f->tiles_turned, f->tile_w, f->tile_h,
                            f->tile_gap, f->caption, f->caption_lines, f->side_w, f->side_h);
}

/* ---- sizes ---- */

typedef struct
{
  double      width, height;
  SlThemeKind theme;
  SlParts     parts;
} Size;

static const Size sizes[] = {
  { 640, 420, SL_THEME_LIGHT, { SL_LEGEND_BELOW, true, true, true, true } },
  { 470, 220, SL_THEME_PROJECTOR, { SL_LEGEND_ABOVE, true, true, true, true } },
  { 330, 240, SL_THEME_LIGHT, { SL_LEGEND_RIGHT, true, .letter = 28, .left = 90, .top = 50 } },
  { 300, 170, SL_THEME_DARK, { SL_LEGEND_INSIDE, .letter = 3, .whole = true } },
  { 210, 150, SL_THEME_LIGHT, { SL_LEGEND_BELOW, true, true, true } },
  { 180, 100, SL_THEME_CONTRAST, { SL_LEGEND_RIGHT, true, true, true, .whole = true } },
  { 110, 70, SL_THEME_LIGHT, { SL_LEGEND_ABOVE, true, true, true } },
};

static void
lay_out (GString *out, SlFigure *figure, const Size *size, SlText *text)
{
  SlTheme  theme = sl_theme_get (size->theme);
  SlFrame *frame = g_new0 (SlFrame, 1);

  sl_figure_fit (figure, HUGE_VAL);
  sl_frame_layout (frame, figure, &theme, &size->parts, text, size->width, size->height);
  g_string_append_printf (out, "---- %.0f x %.0f\n", size->width, size->height);
  add_frame (out, frame);
  g_free (frame);
}

/* What a person did to the figure, another thing at each size. */
static void
change (SlFigure *figure, unsigned way)
{
  SlView view = figure->view;

  if (way % 2 == 1 && figure->n_curves > 1)
    sl_figure_hide (figure, 1, true);
  figure->picked = way % 4;
  view.log_y = way == 3;
  view.log_x = way == 4;
  view.sorted = way >= 4;
  view.inset = way == 0 || way == 2;
  view.inset_x = (SlRange) { 500.0, 800.0 };
  sl_figure_set_view (figure, &view);
  figure->notes.n = way < 4 ? 3 : 0;
  figure->notes.at[0] = (SlNote) { .x = way < 2 ? 900.0 : 0.1, .y = 0.2 };
  figure->notes.at[1] = (SlNote) { .x = 6.0, .y = 95.0 };
  figure->notes.at[2] = (SlNote) { .x = 2100.0, .y = 2.0 };
  sl_note_set_text (&figure->notes.at[0], "Here it begins to be better than without it");
  sl_note_set_text (&figure->notes.at[1], "two");
  sl_note_set_text (&figure->notes.at[2], "at the very end of what there is to be seen by anyone");
}

static void
test_sizes (gconstpointer data)
{
  unsigned         p = GPOINTER_TO_UINT (data);
  g_autofree char *name = g_strconcat ("layout-", sample_lab.panels[p].id, ".txt", NULL);
  SampleFigures    f;
  SlText          *text = sl_text_new ("any");
  GString         *out = g_string_new (NULL);

  for (unsigned i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      sample_figures_init (&f, i == 5 ? 12 : 220);
      change (&f.figure[p], i);
      lay_out (out, &f.figure[p], &sizes[i], text);
      sample_figures_clear (&f);
    }
  golden_compare (name, out->str);
  g_string_free (out, TRUE);
  sl_text_free (text);
}

/* ---- axes ---- */

static const double ends[][2] = {
  { 0, 1 },       { 0, 0.3 },       { -1, 1 },      { 0.1, 0.9 },    { 97.3, 98.1 },  { 3, 3 },
  { 0, 0 },       { -5, -5 },       { 0, 9999 },    { 0, 12345 },    { 5e5, 3e6 },    { 0, 4e9 },
  { 0, 7e13 },    { 1e15, 5e15 },   { 0, 2e-4 },    { -3e-6, 1e-5 }, { 8, 1200 },     { 1, 10 },
  { 0.5, 2 },     { 0.002, 0.03 },  { 1, 1e8 },     { 1e-9, 1e-2 },  { 3, 4 },        { 900, 1100 },
  { 1e-5, 3e13 }, { 2, 7 },         { 5, 1 },       { NAN, 4 },      { 2, INFINITY }, { -2, 100 },
  { 1e-40, 1e3 }, { 10000, 10001 }, { 0.25, 0.75 }, { 1e4, 1.9e4 },
};

static void
add_scale (GString *out, const SlScale *scale)
{
  static const unsigned wanted[] = { 0, 1, 3, 5, 9, 40 };
  SlTick                tick[SL_TICKS_MAX];

  g_string_append_printf (out, "%.9g to %.9g, from %.3f:", scale->lo, scale->hi, scale->foot);
  for (double at = -0.25; at < 1.3; at += 0.25)
    g_string_append_printf (out, " %.6g %.6g", sl_scale_unmap (scale, at),
                            sl_scale_map (scale, sl_scale_unmap (scale, at)));
  g_string_append_printf (out, "; %.6g\n", sl_scale_least (scale));
  for (unsigned i = 0; i < 2 * G_N_ELEMENTS (wanted); i++)
    {
      unsigned n = sl_scale_ticks (scale, wanted[i / 2], i % 2 > 0, tick);

      g_string_append_printf (out, "  %u%s:", wanted[i / 2], i % 2 > 0 ? " whole" : "");
      for (unsigned k = 0; k < n; k++)
        if (tick[k].minor)
          g_string_append_printf (out, " (%.6g)", tick[k].value);
        else
          g_string_append_printf (out, " %s", tick[k].label);
      g_string_append_c (out, '\n');
    }
}

static void
test_scales (void)
{
  GString *out = g_string_new (NULL);

  for (unsigned i = 0; i < 2 * G_N_ELEMENTS (ends); i++)
    {
      SlScale scale = sl_scale_new (ends[i / 2][0], ends[i / 2][1], i % 2 > 0);

      add_scale (out, &scale);
      if (i % 2 > 0)
        {
          scale.foot = 0.1;
          add_scale (out, &scale);
        }
      for (unsigned ticks = 0; ticks < 8; ticks += 3)
        {
          SlScale wide = scale;

          sl_scale_widen (&wide, ticks);
          g_string_append_printf (out, "  wider %.9g to %.9g;", wide.lo, wide.hi);
        }
      g_string_append_c (out, '\n');
    }
  golden_compare_exactly ("scales.txt", out->str);
  g_string_free (out, TRUE);
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
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      g_autofree char *path = g_strconcat ("/layout/", sample_lab.panels[p].id, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (p), test_sizes);
    }
  g_test_add_func ("/layout/scales", test_scales);
  g_test_add_func ("/layout/numbers", test_numbers);
  g_test_add_func ("/layout/themes", test_themes);
  return g_test_run ();
}
