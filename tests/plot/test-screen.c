/* SPDX-License-Identifier: MIT
 *
 * What is on the screen, without words: many samples and few, zoomed, smoothed, pale, dashed, by all themes and
 * at several scales.  Curves and maps against what they were; every panel is drawn, the same each time.  Letters have made-up widths, as in test-golden.c.
 *
 * After a change that is meant: SLUICE_RENEW=1 build/tests/plot/test-plot-screen, and look at the difference.  */
#include "tests/plot/made-up-text.h"

#include <math.h>
#include <string.h>

#include "plot/figure/panel.h"
#include "plot/screen/render.h"
#include "tests/plot/golden.h"
#include "tests/plot/plot-sample.h"

enum { FIELD = 8 };

/* One way to look at a panel. */
typedef struct
{
  unsigned    reports;
  int         width, height;
  double      scale;
  SlThemeKind theme;
  SlParts     parts;
  SlView      view;
  bool        ghosts;
  unsigned    picked, hidden; /* hidden: 1 + the curve */
} Look;

static const Look looks[] = {
  { 40, 200, 140, 1.0, SL_THEME_LIGHT, .view = { .smooth = 0.05 } },
  { 3000,
    210,
    130,
    1.0,
    SL_THEME_DARK,
    { .flags = true, .handle = true },
    .view = { .smooth = 0.2 } },
  { 900, 160, 120, 1.5, SL_THEME_CONTRAST,
    .view = { .zoomed = true, .x_lo = 2000.0, .x_hi = 2600.0 } },
  { 300, 130, 100, 2.0, SL_THEME_PROJECTOR, { .legend = SL_LEGEND_INSIDE }, .ghosts = true },
  { 500, 180, 110, 1.0, SL_THEME_GREY, .view = { .sorted = true, .hide_raw = true, .smooth = 0.02 },
    .picked = 3, .hidden = 2 },
  { 700, 150, 90, 1.25, SL_THEME_PROJECTOR_DARK, .view = { .log_y = true, .robust = true },
    .picked = 14 },
  { 2500, 120, 120, 1.0, SL_THEME_CONTRAST_DARK,
    .view = { .y_locked = true, .y_lo = 0.4, .y_hi = 96.0, .window = 4000.0, .log_x = true } },
  { 1, 100, 80, 1.0, SL_THEME_LIGHT, { .legend = SL_LEGEND_ABOVE, .title = true } },
};

/* Light in fields of some pixels, red, green and blue told apart by their weights. */
static void
add_image (GString *out, cairo_surface_t *image)
{
  const unsigned char *pixels = cairo_image_surface_get_data (image);
  int                  stride = cairo_image_surface_get_stride (image);
  int                  width = cairo_image_surface_get_width (image);
  int                  height = cairo_image_surface_get_height (image);

  for (int top = 0; top < height; top += FIELD)
    {
      g_string_append_c (out, (char) ('A' + top / FIELD % 26));
      for (int left = 0; left < width; left += FIELD)
        {
          double sum = 0.0;

          for (int y = top; y < MIN (top + FIELD, height); y++)
            for (int x = left; x < MIN (left + FIELD, width); x++)
              for (int c = 0; c < 3; c++)
                sum += (1 + c) * pixels[y * stride + 4 * x + c];
          g_string_append_printf (out, " %.2f", sum / (60.0 * FIELD * FIELD));
        }
      g_string_append_c (out, '\n');
    }
}

/* The image, which the caller destroys. */
static cairo_surface_t *
draw_look (const Look *look, unsigned panel)
{
  SlTheme          theme = sl_theme_get (look->theme);
  SlRender        *render = sl_render_new ();
  SlRecord         record, pinned;
  SlGhost          ghost = { &pinned, "seed 8" };
  SlFigure         figure = { 0 };
  SlView           view;
  cairo_surface_t *image;

  sample_record (&record, look->reports, 1);
  sample_record (&pinned, look->reports / 2 + 1, 2);
  sl_panel_update (&figure, &record, panel, &ghost, look->ghosts ? 1 : 0);
  view = look->view;
  view.log_x = view.log_x || figure.view.log_x;
  view.log_y = view.log_y != figure.view.log_y;
  sl_figure_set_view (&figure, &view);
  figure.picks.picked = look->picked;
  if (look->hidden > 0 && figure.n_curves > look->hidden)
    sl_figure_hide (&figure, look->hidden - 1, true);
  image = sl_render_draw (render, &figure, &theme, &look->parts, look->width, look->height,
                          look->scale, HUGE_VAL);
  g_assert_nonnull (image);
  cairo_surface_reference (image);
  sl_render_free (render);
  sl_figure_clear (&figure);
  sl_record_clear (&pinned);
  sl_record_clear (&record);
  return image;
}

static bool
is_alike (cairo_surface_t *a, cairo_surface_t *b)
{
  return memcmp (cairo_image_surface_get_data (a), cairo_image_surface_get_data (b),
                 (size_t) cairo_image_surface_get_stride (a)
                   * (size_t) cairo_image_surface_get_height (a))
         == 0;
}

/* More than one colour is on it. */
static bool
has_ink (cairo_surface_t *image)
{
  const unsigned char *pixels = cairo_image_surface_get_data (image);
  size_t               size = (size_t) cairo_image_surface_get_stride (image)
                * (size_t) cairo_image_surface_get_height (image);

  return memcmp (pixels, pixels + 4, size - 4) != 0;
}

static void
test_drawn (gconstpointer data)
{
  unsigned panel = GPOINTER_TO_UINT (data);

  for (unsigned i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      cairo_surface_t *image = draw_look (&looks[i], panel), *again = draw_look (&looks[i], panel);

      g_assert_true (is_alike (image, again));
      g_assert_true (panel == SAMPLE_NOTHING || has_ink (image));
      cairo_surface_destroy (image);
      cairo_surface_destroy (again);
    }
}

static void
test_looks (gconstpointer data)
{
  unsigned         panel = GPOINTER_TO_UINT (data);
  g_autofree char *name = g_strconcat ("screen-", sample_lab.panels[panel].id, ".txt", NULL);
  GString         *out = g_string_new (NULL);

  for (unsigned i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      cairo_surface_t *image = draw_look (&looks[i], panel);

      g_string_append_printf (out, "---- %u reports\n", looks[i].reports);
      add_image (out, image);
      cairo_surface_destroy (image);
    }
  golden_compare (name, out->str);
  g_string_free (out, TRUE);
}

/* A pixel is an image; less is none. */
static void
test_smallest (void)
{
  static const struct
  {
    int    width, height;
    double scale;
    bool   drawn;
  } rows[] = { { 1, 1, 1.0, true },  { 0, 9, 1.0, false }, { 9, 0, 1.0, false },
               { 9, 9, 0.0, false }, { 9, 1, 1.0, true },  { 1, 9, 0.5, true } };
  SlTheme       theme = sl_theme_get (SL_THEME_LIGHT);
  SampleFigures f;

  sample_figures_init (&f, 5);
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      SlRender *render = sl_render_new ();

      g_assert_true ((sl_render_draw (render, &f.figure[SAMPLE_LOSS], &theme, &(SlParts) { 0 },
                                      rows[i].width, rows[i].height, rows[i].scale, 0.0)
                      != NULL)
                     == rows[i].drawn);
      sl_render_free (render);
    }
  sample_figures_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      g_autofree char *path = g_strconcat ("/screen/drawn/", sample_lab.panels[p].id, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (p), test_drawn);
    }
  g_test_add_data_func ("/screen/curves", GUINT_TO_POINTER (SAMPLE_AGREEMENT), test_looks);
  g_test_add_data_func ("/screen/map", GUINT_TO_POINTER (SAMPLE_USAGE), test_looks);
  g_test_add_func ("/screen/smallest", test_smallest);
  return g_test_run ();
}
