/* SPDX-License-Identifier: MIT
 *
 * Figures as pixels, without a display: where there is ink and where there must be none, the
 * rasteriser against cairo's stroke of every point, and what is drawn anew when.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/draw.h"
#include "plot/figure/panel.h"
#include "plot/screen/raster.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"

static const SlParts all_parts
  = { .title = true, .note = true, .legend = SL_LEGEND_ABOVE, .flags = true };

/* A picture and the same without data on it. */
typedef struct
{
  SlRender        *picture;
  SlTheme          theme;
  cairo_surface_t *whole, *still;
  const SlFrame   *frame;
  double           scale;
} View;

static cairo_surface_t *
image_for (const SlFrame *frame, double scale)
{
  cairo_surface_t *image = cairo_image_surface_create (
    CAIRO_FORMAT_RGB24, (int) ceil (frame->width * scale), (int) ceil (frame->height * scale));

  cairo_surface_set_device_scale (image, scale, scale);
  return image;
}

static void
draw_on (cairo_surface_t *image, const SlFigure *figure, const SlFrame *frame, const SlTheme *theme,
         double scale, void (*draw) (const SlDrawing *))
{
  cairo_t  *cr = cairo_create (image);
  SlText   *text = sl_text_new (theme->family);
  SlCanvas *canvas = sl_canvas_cairo_new (cr, text);

  draw (&(SlDrawing) { canvas, figure, frame, theme, scale, "figure" });
  sl_canvas_cairo_free (canvas);
  sl_text_free (text);
  cairo_destroy (cr);
  cairo_surface_flush (image);
}

static void
view_init (View *view, SlFigure *figure, SlThemeKind kind, int width, int height, double scale)
{
  view->theme = sl_theme_get (kind);
  view->scale = scale;
  view->picture = sl_render_new ();
  view->whole
    = sl_render_draw (view->picture, figure, &view->theme, &all_parts, width, height, scale, 0.0);
  g_assert_nonnull (view->whole);
  cairo_surface_flush (view->whole);
  view->frame = sl_render_frame (view->picture);
  view->still = image_for (view->frame, scale);
  draw_on (view->still, figure, view->frame, &view->theme, scale, sl_draw_static);
}

static void
view_clear (View *view)
{
  cairo_surface_destroy (view->still);
  sl_render_free (view->picture);
}

static uint32_t
pixel (cairo_surface_t *image, int x, int y)
{
  const unsigned char *data = cairo_image_surface_get_data (image);

  return ((const uint32_t *) (const void *) (data
                                             + (size_t) y
                                                 * (size_t) cairo_image_surface_get_stride (
                                                   image)))[x]
         & 0xffffff;
}

/* How different two colours are, 0..765. */
static int
distance (uint32_t a, uint32_t b)
{
  int sum = 0;

  for (int shift = 0; shift < 24; shift += 8)
    sum += abs ((int) (a >> shift & 255) - (int) (b >> shift & 255));
  return sum;
}

/* Pixels with data on them inside and outside of the plot rectangle, the latter allowed `reach`
 * px for markers.  */
static void
count_ink (const View *view, double reach, unsigned *inside, unsigned *outside)
{
  int           w = cairo_image_surface_get_width (view->whole);
  int           h = cairo_image_surface_get_height (view->whole);
  const SlRect *p = &view->frame->plot;

  *inside = *outside = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      {
        double px = (x + 0.5) / view->scale, py = (y + 0.5) / view->scale;

        if (distance (pixel (view->whole, x, y), pixel (view->still, x, y)) < 12)
          continue;
        if (px > p->x - reach && px < p->x + p->w + reach && py > p->y - reach
            && py < p->y + p->h + reach)
          ++*inside;
        else
          ++*outside;
      }
}

/* Every kind of panel, theme and scale: ink where it belongs, none elsewhere. */
static void
test_kinds (void)
{
  SlFigure figure = { 0 };
  SlRecord record;

  sample_record (&record, 3000, 1);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    for (unsigned k = 0; k < SL_N_THEMES; k++)
      for (unsigned s = 0; s < 3; s++)
        {
          static const double scales[] = { 1.0, 1.5, 2.0 };
          unsigned            inside, outside;
          View                view;

          sl_panel_update (&figure, &record, p, NULL, 0);
          view_init (&view, &figure, (SlThemeKind) k, 420, 260, scales[s]);
          count_ink (&view, 0.7 * view.theme.marker + 1.0, &inside, &outside);
          g_assert_cmpuint (outside, ==, 0);
          if (p == SAMPLE_NOTHING)
            g_assert_cmpuint (inside, ==, 0);
          else
            g_assert_cmpuint (inside, >, 300);
          view_clear (&view);
        }
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* A figure of one curve from arrays; no legend, no markers on dense curves. */
static void
one_curve (SlFigure *figure, const double *x, const double *y, size_t n)
{
  SlCurve *curve;

  *figure = (SlFigure) { .kind = SL_PROFILE, .mark = NAN };
  curve = sl_figure_curve (figure, "curve");
  curve->x = x;
  curve->y = y;
  curve->n = n;
}

static void
test_hard_data (void)
{
  static const double x[] = { 1, 2, 3, 4, 5, 6 };
  static const struct
  {
    double y[6];
    size_t n;
    bool   log_y, ink;
  } rows[] = {
    { { 0 }, 0, false, false },
    { { 5 }, 1, false, true },
    { { NAN }, 1, false, true }, /* the red tick */
    { { 7, 7, 7, 7, 7, 7 }, 6, false, true },
    { { 0, 0, 0, 0, 0, 0 }, 6, false, true },
    { { 0, 0, 0, 0, 0, 0 }, 6, true, true }, /* at the foot */
    { { -1, -1, -1, -1, -1, -1 }, 6, true, false },
    { { -1, -2, 3, 4, -5, 6 }, 6, true, true },
    { { 1, NAN, 3, NAN, 5, NAN }, 6, false, true },
    { { NAN, NAN, NAN, NAN, NAN, NAN }, 6, false, true },
    { { INFINITY, 1, -INFINITY, 2, 3, 4 }, 6, false, true },
    { { 1e308, -1e308, 1e308, -1e308, 0, 1e308 }, 6, false, true },
    { { 1e-308, 2e-308, 3e-308, 1e-308, 1e-308, 1e-308 }, 6, true, true },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    for (unsigned s = 1; s <= 2; s++)
      {
        SlFigure figure;
        unsigned inside, outside;
        View     view;

        one_curve (&figure, x, rows[i].y, rows[i].n);
        figure.view.log_y = rows[i].log_y;
        view_init (&view, &figure, SL_THEME_LIGHT, 300, 200, s);
        count_ink (&view, 0.7 * view.theme.marker + 1.0, &inside, &outside);
        g_assert_cmpuint (outside, ==, 0);
        g_assert_true ((inside > 0) == rows[i].ink);
        view_clear (&view);
        sl_figure_clear (&figure);
      }
}

/* Pixels of the left axis that have another colour than at half its height. */
static unsigned
count_breaks (const View *view)
{
  const SlRect *p = &view->frame->plot;
  int           x = (int) lround (p->x) - 1, middle = (int) (p->y + 0.5 * p->h);
  unsigned      n = 0;

  for (int y = (int) ceil (p->y); y < (int) (p->y + p->h) - 1; y++)
    n += distance (pixel (view->still, x, y), pixel (view->still, x, middle)) > 60;
  return n;
}

/* An axis is broken above the foot that has its zero, and nowhere else. */
static void
test_break (void)
{
  static const double x[] = { 1, 2, 3, 4 }, y[] = { 10, 0, 0.1, 1 };

  for (unsigned log_y = 0; log_y < 2; log_y++)
    {
      SlFigure figure;
      View     view;

      one_curve (&figure, x, y, 4);
      figure.view.log_y = log_y != 0;
      view_init (&view, &figure, SL_THEME_LIGHT, 300, 200, 1.0);
      g_assert_cmpint (count_breaks (&view) > 0, ==, log_y != 0);
      view_clear (&view);
      sl_figure_clear (&figure);
    }
}

/* Where a value is missing the line is broken and the lower edge has a red tick. */
static void
test_gap (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  View     view;
  uint32_t alarm = 0;
  unsigned red = 0;
  int      bottom, gap;

  sample_record (&record, 1200, 1);
  sl_panel_update (&figure, &record, SAMPLE_GAPS, NULL, 0);
  view_init (&view, &figure, SL_THEME_LIGHT, 600, 300, 1.0);
  alarm = (uint32_t) lround ((double) view.theme.alarm.r * 255.0) << 16
          | (uint32_t) lround ((double) view.theme.alarm.g * 255.0) << 8
          | (uint32_t) lround ((double) view.theme.alarm.b * 255.0);
  bottom = (int) (view.frame->plot.y + view.frame->plot.h) - 3;
  gap = (int) sl_frame_x (view.frame, 10.0 * (600 + 50));
  for (int y = (int) view.frame->plot.y; y < bottom - 8; y++)
    g_assert_cmpint (distance (pixel (view.whole, gap, y), pixel (view.still, gap, y)), <, 12);
  for (int x = (int) view.frame->plot.x; x < (int) (view.frame->plot.x + view.frame->plot.w); x++)
    red += pixel (view.whole, x, bottom) == alarm;
  /* A twelfth of the width and a dozen single ones. */
  g_assert_cmpuint (red, >, (unsigned) (view.frame->plot.w / 13.0));
  g_assert_cmpuint (red, <, (unsigned) (view.frame->plot.w / 6.0));
  view_clear (&view);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* Whether every pixel that one image clearly inks has at least some ink of the other next to it,
 * two rows up or down and one column to the side: on a steep flank, where a column is as high
 * as the plot, a fifth of a pixel to the side is many up or down.  */
static bool
covers (cairo_surface_t *less, cairo_surface_t *more, cairo_surface_t *still, const int box[4],
        int full, unsigned *inked)
{
  *inked = 0;
  for (int y = box[1]; y < box[3]; y++)
    for (int x = box[0]; x < box[2]; x++)
      {
        bool found = false;

        if (distance (pixel (less, x, y), pixel (still, x, y)) < 6 * full / 10)
          continue;
        ++*inked;
        for (int r = MAX (y - 2, box[1]); r <= MIN (y + 2, box[3] - 1) && !found; r++)
          for (int c = MAX (x - 1, box[0]); c <= MIN (x + 1, box[2] - 1) && !found; c++)
            found = distance (pixel (more, c, r), pixel (still, c, r)) > full / 12;
        if (!found)
          return false;
      }
  return true;
}

/* Our columns against cairo's stroke of every single point: the same ink. */
static void
compare_with_stroke (const double *x, const double *y, size_t n, double scale, bool zoomed)
{
  SlRaster           *raster = sl_raster_new ();
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  g_autofree SlFrame *frame = g_new (SlFrame, 1);
  cairo_surface_t    *still, *ours, *theirs;
  SlSeries            series = { 0 };
  SlFigure            figure;
  SlPixels            pixels;
  cairo_t            *cr;
  SlPen               pen;

  one_curve (&figure, NULL, NULL, 0);
  for (size_t i = 0; i < n; i++)
    g_assert_true (sl_series_append (&series, x[i], y[i]));
  figure.curve[0].series = &series;
  figure.kind = SL_SERIES;
  if (zoomed)
    figure.view = (SlView) { .zoomed = true,
                             .x_lo = x[n / 3],
                             .x_hi = x[n / 3 + 60],
                             .y_locked = true,
                             .y_lo = -0.8,
                             .y_hi = 0.9 };
  sl_figure_fit (&figure, HUGE_VAL);
  sl_frame_layout (frame, &figure, &theme, &all_parts, text, 500, 260);
  still = image_for (frame, scale);
  draw_on (still, &figure, frame, &theme, scale, sl_draw_static);
  ours = image_for (frame, scale);
  draw_on (ours, &figure, frame, &theme, scale, sl_draw_static);
  theirs = image_for (frame, scale);
  draw_on (theirs, &figure, frame, &theme, scale, sl_draw_static);

  pixels = (SlPixels) { (uint32_t *) (void *) cairo_image_surface_get_data (ours),
                        cairo_image_surface_get_width (ours), cairo_image_surface_get_height (ours),
                        cairo_image_surface_get_stride (ours) / 4, scale };
  sl_raster_curves (&(SlScreen) { raster, &pixels, &figure, frame, &theme });

  pen = sl_pen (&theme, 0, SL_MEASURED, false);
  cr = cairo_create (theirs);
  cairo_rectangle (cr, frame->plot.x, frame->plot.y, frame->plot.w, frame->plot.h);
  cairo_clip (cr);
  cairo_set_source_rgb (cr, (double) pen.colour.r, (double) pen.colour.g, (double) pen.colour.b);
  cairo_set_line_width (cr, pen.width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  for (size_t i = 0; i < n; i++)
    {
      cairo_line_to (cr, sl_frame_x (frame, x[i]), sl_frame_y (frame, y[i]));
      /* In pieces, because cairo takes minutes for a long path that crosses itself. */
      if (i % 30 == 29)
        {
          cairo_stroke (cr);
          cairo_move_to (cr, sl_frame_x (frame, x[i]), sl_frame_y (frame, y[i]));
        }
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
  cairo_surface_flush (theirs);

  {
    int      box[4] = { (int) (frame->plot.x * scale) + 2, (int) (frame->plot.y * scale),
                        (int) ((frame->plot.x + frame->plot.w) * scale) - 2,
                        (int) ((frame->plot.y + frame->plot.h) * scale) };
    int      full = distance ((uint32_t) lround ((double) pen.colour.r * 255.0) << 16
                                | (uint32_t) lround ((double) pen.colour.g * 255.0) << 8
                                | (uint32_t) lround ((double) pen.colour.b * 255.0),
                              0xffffff);
    unsigned n_ours = 0, n_theirs = 0;

    if (!covers (ours, theirs, still, box, full, &n_ours)
        || !covers (theirs, ours, still, box, full, &n_theirs) || n_ours > 1.25 * n_theirs
        || n_theirs > 1.25 * n_ours)
      {
        g_autofree char *a = g_build_filename (g_get_tmp_dir (), "sluice-stroke-ours.png", NULL);
        g_autofree char *b = g_build_filename (g_get_tmp_dir (), "sluice-stroke-cairo.png", NULL);

        cairo_surface_write_to_png (ours, a);
        cairo_surface_write_to_png (theirs, b);
        g_error ("%zu points, scale %g: %u pixels against cairo's %u; see %s", n, scale, n_ours,
                 n_theirs, a);
      }
    g_assert_true (zoomed || n_ours > 0.5 * frame->plot.w * scale);
  }
  cairo_surface_destroy (still);
  cairo_surface_destroy (ours);
  cairo_surface_destroy (theirs);
  sl_text_free (text);
  sl_raster_free (raster);
  sl_series_clear (&series);
  sl_figure_clear (&figure);
}

static void
test_stroke (void)
{
  enum { MOST = 30000 };
  g_autofree double  *x = g_new (double, MOST), *y = g_new (double, MOST);
  static const size_t sizes[] = { 80, 400, 1500, 4000, MOST };

  for (unsigned s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (unsigned shape = 0; shape < 3; shape++)
      for (unsigned scale = 1; scale <= 2; scale++)
        {
          for (size_t i = 0; i < sizes[s]; i++)
            {
              double t = (double) i / (double) sizes[s];

              x[i] = 10.0 * (double) i;
              y[i] = shape == 0   ? sin (9.0 * t) * exp (-t)
                     : shape == 1 ? 2.0 * sample_noise (i) - 1.0
                                  : (i / (sizes[s] / 7) % 2 == 0 ? -1.0 : 1.0);
            }
          compare_with_stroke (x, y, sizes[s], scale, false);
          if (sizes[s] >= 400)
            compare_with_stroke (x, y, sizes[s], scale, true);
        }
}

/* The static layer is drawn when it changed and only then, whatever the panel. */
static void
test_still (void)
{
  SlTheme  theme = sl_theme_get (SL_THEME_DARK);
  SlRecord record;

  sample_record (&record, 500, 1);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      SlRender *picture = sl_render_new ();
      SlFigure  figure = { 0 };

      sl_panel_update (&figure, &record, p, NULL, 0);
      for (unsigned i = 0; i < 4; i++)
        g_assert_nonnull (sl_render_draw (picture, &figure, &theme, &all_parts, 400, 300, 1.0, i));
      g_assert_cmpuint (sl_render_static_draws (picture), ==, 1);
      sl_render_free (picture);
      sl_figure_clear (&figure);
    }
  sl_record_clear (&record);
}

static void
test_layers (void)
{
  SlRender *picture = sl_render_new ();
  SlTheme   theme = sl_theme_get (SL_THEME_DARK), other = sl_theme_get (SL_THEME_LIGHT);
  SlFigure  figure = { 0 };
  SlRecord  record;
  SlView    view;

  sample_record (&record, 500, 1);
  sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0);
  g_assert_null (sl_render_draw (picture, &figure, &theme, &all_parts, 0, 100, 1.0, 0.0));
  for (unsigned i = 0; i < 5; i++)
    g_assert_nonnull (sl_render_draw (picture, &figure, &theme, &all_parts, 400, 300, 1.0, i));
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 1);

  /* New samples in a zoomed view leave the axes alone. */
  view = figure.view;
  view.zoomed = view.y_locked = true;
  view.x_lo = 0.0;
  view.x_hi = 9000.0;
  view.y_lo = 70.0;
  view.y_hi = 100.0;
  sl_figure_set_view (&figure, &view);
  sl_render_draw (picture, &figure, &theme, &all_parts, 400, 300, 1.0, 5.0);
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 2);
  g_assert_true (sl_record_take (&record, &(SlSample) { 7000, 80.0, 0, 1 }));
  g_assert_true (sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0));
  sl_render_draw (picture, &figure, &theme, &all_parts, 400, 300, 1.0, 6.0);
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 2);

  sl_figure_hide (&figure, 0, true);
  sl_render_draw (picture, &figure, &theme, &all_parts, 400, 300, 1.0, 6.0);
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 3);
  sl_render_draw (picture, &figure, &other, &all_parts, 400, 300, 1.0, 6.0);
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 4);
  sl_render_draw (picture, &figure, &other, &all_parts, 400, 300, 2.0, 6.0);
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 5);
  g_assert_true (sl_record_mark (&record, 3000.0, "theta 0 → 0.1"));
  sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0);
  sl_render_draw (picture, &figure, &other, &all_parts, 400, 300, 2.0, 6.0);
  g_assert_cmpuint (sl_render_static_draws (picture), ==, 6);
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* Every tile shows its own cells: the pixel in the middle of a cell has the cell's colour. */
static void
test_matrix (void)
{
  static const unsigned panels[] = { SAMPLE_LOAD, SAMPLE_FILTERS };

  for (unsigned k = 0; k < 2; k++)
    {
      SlFigure figure = { 0 };
      SlRecord record;
      View     view;
      unsigned seen = 0;

      sample_record (&record, 10, 1);
      sl_panel_update (&figure, &record, panels[k], NULL, 0);
      view_init (&view, &figure, SL_THEME_LIGHT, 640, 400, 2.0);
      for (double y = view.frame->plot.y + 0.25; y < view.frame->plot.y + view.frame->plot.h;
           y += 3.0)
        for (double x = view.frame->plot.x + 0.25; x < view.frame->plot.x + view.frame->plot.w;
             x += 3.0)
          {
            unsigned tile, row, column;
            double   value;
            SlRgba   c;

            if (!sl_frame_cell (view.frame, &figure, x, y, &tile, &row, &column, &value))
              continue;
            c = sl_tint_colour (&view.theme, &figure.colours.tint, value);
            /* Next to an edge the neighbour may win. */
            seen += distance (pixel (view.whole, (int) (x * 2.0), (int) (y * 2.0)),
                              (uint32_t) lround ((double) c.r * 255.0) << 16
                                | (uint32_t) lround ((double) c.g * 255.0) << 8
                                | (uint32_t) lround ((double) c.b * 255.0))
                    < 12;
          }
      g_assert_cmpuint (seen, >, (unsigned) (0.85 * view.frame->plot.w * view.frame->plot.h / 9.0));
      view_clear (&view);
      sl_figure_clear (&figure);
      sl_record_clear (&record);
    }
}

/* Raw values stay visible behind smoothed ones, paler. */
static void
test_smoothing (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  SlView   look;
  View     raw, both, alone;
  unsigned n_raw, n_both, n_alone, outside;

  sample_record (&record, 4000, 1);
  sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0);
  look = figure.view;
  look.smooth = 0.0;
  sl_figure_set_view (&figure, &look);
  view_init (&raw, &figure, SL_THEME_LIGHT, 600, 300, 1.0);
  count_ink (&raw, 6.0, &n_raw, &outside);
  look.smooth = 0.1;
  sl_figure_set_view (&figure, &look);
  view_init (&both, &figure, SL_THEME_LIGHT, 600, 300, 1.0);
  count_ink (&both, 6.0, &n_both, &outside);
  look.hide_raw = true;
  sl_figure_set_view (&figure, &look);
  view_init (&alone, &figure, SL_THEME_LIGHT, 600, 300, 1.0);
  count_ink (&alone, 6.0, &n_alone, &outside);
  g_assert_cmpuint (n_both, >, n_alone);
  g_assert_cmpuint (n_alone, <, n_raw);
  view_clear (&raw);
  view_clear (&both);
  view_clear (&alone);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/picture/kinds", test_kinds);
  g_test_add_func ("/plot/picture/hard-data", test_hard_data);
  g_test_add_func ("/plot/picture/break", test_break);
  g_test_add_func ("/plot/picture/gap", test_gap);
  g_test_add_func ("/plot/picture/stroke", test_stroke);
  g_test_add_func ("/plot/picture/still", test_still);
  g_test_add_func ("/plot/picture/layers", test_layers);
  g_test_add_func ("/plot/picture/matrix", test_matrix);
  g_test_add_func ("/plot/picture/smoothing", test_smoothing);
  return g_test_run ();
}
