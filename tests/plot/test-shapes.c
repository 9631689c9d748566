/* SPDX-License-Identifier: MIT
 *
 * Shapes that few figures have: bars and bands without values, insets, lone points, ticks
 * in percent; and what gives a curve its colour.  Letters have made-up widths, as in test-golden.c.  */
#include "tests/plot/made-up-text.h"

#include <math.h>

#include "core/data/image/bitmap.h"
#include "plot/canvas/canvas.h"
#include "plot/charts/front.h"
#include "plot/charts/gallery.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/layout/frame.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"
#include "tests/plot/svg-words.h"
#include "tests/support/close.h"

/* No text is cut or covers another, and no number is drawn that is none. */
static void
check_page (SlFigure *figure, const SlExportOptions *options)
{
  GError *error = NULL;
  SlText *text = sl_text_new ("any");
  g_autoptr (GBytes) page = sl_export_page (&figure, 1, options, SL_EXPORT_SVG, &error);

  g_assert_no_error (error);
  svg_check_words (page, text, figure->title);
  g_assert_null (strstr (g_bytes_get_data (page, NULL), "nan"));
  g_assert_null (strstr (g_bytes_get_data (page, NULL), "\"inf"));
  sl_text_free (text);
}

/* ---- shapes in files ---- */

static void
check_bars (void)
{
  static const double x[] = { 1, 2, 3, 4 }, y[] = { 3, NAN, -1, INFINITY },
                      z[] = { NAN, 2, 0, 1.5 }, spread[] = { 0.5, 1, NAN, 0.2 };
  static const char *const names[] = { "one", "two words", "three", "four", NULL };
  SlExportOptions          options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlFigure                 figure
    = { .title = "Bars", .kind = SL_BARS, .categories.name = names, .categories.n = 4 };

  figure.mark = NAN;
  for (unsigned c = 0; c < 2; c++)
    {
      SlCurve *curve = sl_figure_curve (&figure, c > 0 ? "b" : "a");

      g_strlcpy (curve->title, c > 0 ? "second" : "first", sizeof curve->title);
      curve->slot = c;
      curve->x = x;
      curve->y = c > 0 ? z : y;
      curve->spread = c > 0 ? NULL : spread;
      curve->n = 4;
    }
  check_page (&figure, &options);
  figure.curve[1].hidden = true;
  check_page (&figure, &options);
  sl_figure_clear (&figure);
}

/* More points than have error bars, on axes of both kinds. */
static void
check_bands (void)
{
  enum { POINTS = 41 };
  double          x[POINTS], y[POINTS], spread[POINTS];
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlFigure        figure = { .title = "A band", .kind = SL_PROFILE, .mark = 20.0 };
  SlCurve        *curve = sl_figure_curve (&figure, "a");

  for (unsigned i = 0; i < POINTS; i++)
    {
      x[i] = i + 1.0;
      y[i] = 3.0 + sin (0.3 * i) + 0.1 * sample_noise (i);
      spread[i] = i == 7 ? (double) NAN : i == 9 ? 4.0 : 0.3 + 0.01 * i;
    }
  curve->x = x;
  curve->y = y;
  curve->spread = spread;
  for (unsigned round = 0; round < 3; round++)
    {
      curve->n = POINTS - (round == 2);
      figure.view.log_y = round == 1;
      check_page (&figure, &options);
    }
  sl_figure_clear (&figure);
}

static void
check_insets (void)
{
  static const double ranges[][4]
    = { { 300, 700, 0, 0 }, { 1500, 1900, 92, 98 }, { 2, 60, 60, 99 }, { 2000, 2600, 0, 0 } };
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);
  SampleFigures   f;

  sample_figures_init (&f, 220);
  for (unsigned i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      SlView *view = &f.figure[SAMPLE_AGREEMENT].view;

      view->inset = true;
      view->inset_x = (SlRange) { ranges[i][0], ranges[i][1] };
      view->inset_y = (SlRange) { ranges[i][2], ranges[i][3] };
      f.figure[SAMPLE_AGREEMENT].mark = i == 1 ? 1700.0 : (double) NAN;
      check_page (&f.figure[SAMPLE_AGREEMENT], &options);
    }
  sample_figures_clear (&f);
}

/* Rows that are nothing in all that is in view, sorted and not. */
static void
check_ends (void)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  SampleFigures   f;

  sample_figures_init (&f, 220);
  for (unsigned panel = SAMPLE_USAGE; panel <= SAMPLE_LAYERS; panel++)
    for (unsigned sorted = 0; sorted < 2; sorted++)
      {
        SlView *view = &f.figure[panel].view;

        view->zoomed = true;
        view->x_lo = sorted > 0 ? 850.0 : 1990.0;
        view->x_hi = sorted > 0 ? 1150.0 : 2190.0;
        view->sorted = sorted > 0;
        f.figure[panel].picks.picked = 13 - 8 * sorted;
        check_page (&f.figure[panel], &options);
      }
  sample_figures_clear (&f);
}

static void
test_files (void)
{
  check_bars ();
  check_bands ();
  check_insets ();
  check_ends ();
}

/* A snapshot that says that it has more cells than it has numbers is not read. */
static void
test_cells_missing (void)
{
  SlSnapshot snapshot = { 0 };
  SlFigure   figure = { 0 };

  sl_snapshot_reset (&snapshot);
  sl_snapshot_matrix (&snapshot, 1, 3, 4);
  snapshot.span = 0;
  sl_panel_take_matrix (&figure, NULL, &snapshot);
  g_assert_true (figure.matrix.cell == snapshot.data);
  g_assert_cmpuint (figure.picks.span, ==, 1);
  figure.matrix.cell = NULL;
  snapshot.rows = 4;
  sl_panel_take_matrix (&figure, NULL, &snapshot);
  g_assert_null (figure.matrix.cell);
  snapshot.n_data = 0;
  snapshot.rows = 0;
  sl_panel_take_matrix (&figure, NULL, &snapshot);
  g_assert_null (figure.matrix.cell);
  sl_snapshot_clear (&snapshot);
}

/* ---- lines in pixels ---- */

enum { IMAGE = 40 };

static bool
is_dark (cairo_surface_t *image, int x, int y)
{
  const uint32_t *data = (const uint32_t *) (const void *) cairo_image_surface_get_data (image);

  return (data[y * (cairo_image_surface_get_stride (image) / 4) + x] & 0xff) < 128;
}

/* A point without neighbours is a dot, one with them is not in the way, and long lines have no gaps. */
static void
test_lone_points (void)
{
  enum { LONG = 120 };
  static const SlXY points[]
    = { { 5, 5 }, { NAN, 0 }, { 15, 5 }, { 25, 5 }, { NAN, NAN }, { 35, 5 }, { 35, 35 } };
  static const double dash[] = { 3.0, 4.0, 0.0 };
  const SlRgba        black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };
  SlText             *text = sl_text_new ("any");
  cairo_surface_t    *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, IMAGE, IMAGE);
  cairo_t            *cr = cairo_create (image);
  SlCanvas           *canvas = sl_canvas_cairo_new (cr, text);
  SlXY                wave[LONG];

  canvas->rect (canvas, &(SlRect) { 0, 0, IMAGE, IMAGE }, white);
  canvas->line (canvas, points, 1, black, 4.0, NULL);
  canvas->line (canvas, points + 1, 5, black, 4.0, NULL); /* what is behind is not its business */
  cairo_surface_flush (image);
  g_assert_true (is_dark (image, 5, 5) && is_dark (image, 35, 5) && is_dark (image, 20, 5));
  g_assert_false (is_dark (image, 10, 5) || is_dark (image, 30, 5) || is_dark (image, 35, 20));
  canvas->rect (canvas, &(SlRect) { 0, 0, IMAGE, IMAGE }, white);
  for (unsigned i = 0; i < LONG; i++)
    wave[i] = (SlXY) { i * (IMAGE - 1.0) / (LONG - 1), 20.0 };
  canvas->line (canvas, wave, LONG, black, 2.0, NULL);
  for (int x = 0; x < IMAGE; x++)
    g_assert_true (is_dark (image, x, 20));
  canvas->rect (canvas, &(SlRect) { 0, 0, IMAGE, IMAGE }, white);
  canvas->line (canvas, wave, LONG, black, 2.0, dash);
  for (int x = 0; x < IMAGE - 1; x++)
    if (x % 7 != 2 && x % 7 != 6) /* at the ends of the dashes */
      g_assert_true (is_dark (image, x, 20) == (x % 7 < 3));
  sl_canvas_cairo_free (canvas);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
  sl_text_free (text);
}

/* ---- ticks in percent ---- */

static void
test_percent (void)
{
  static const double x[] = { 1, 2, 3 }, y[] = { 0.02, 1.0, 70.0 };
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new ("any");
  SlFrame            *frame = g_new0 (SlFrame, 1);
  SlFigure            figure = { .kind = SL_PROFILE, .mark = NAN };
  SlCurve            *curve = sl_figure_curve (&figure, "a");
  unsigned            labels = 0;

  curve->x = x;
  curve->y = y;
  curve->n = 3;
  figure.y.unit = "%";
  figure.view.log_y = true;
  sl_figure_fit (&figure, HUGE_VAL);
  sl_frame_layout (frame, &figure, &theme, &(SlParts) { .title = true }, text, 300, 200);
  g_assert_cmpstr (frame->y_label, ==, "");
  for (unsigned i = 0; i < frame->n_y_ticks; i++)
    if (frame->y_tick[i].minor)
      g_assert_cmpstr (frame->y_tick[i].label, ==, "");
    else
      {
        g_assert_true (g_str_has_suffix (frame->y_tick[i].label, "\302\240%"));
        labels++;
      }
  g_assert_cmpuint (labels, >=, 2);
  g_assert_cmpuint (labels, <, frame->n_y_ticks);
  g_assert_cmpstr (frame->x_tick[0].label, ==, "1.0");
  g_free (frame);
  sl_figure_clear (&figure);
  sl_text_free (text);
}

/* ---- colours ---- */

/* clang-format off */
static const SlParam layers[] = {
  { .id = "hidden", .title = "", .unit = "", .group = "", .help = "", .source = "", .kind = SL_LIST, .lo = 1,
    .hi = 9, .step = 1, .effect = SL_RESTART, .list = "4-4-4", .one = "layer" },
};
#define TRACE(id, style, each) { id, id, "", "", style, each }
static const SlPanel panels[] = {
  { "family", "Family", .help = "", .source = "", .kind = SL_SERIES, .x = { "update", "" }, .y = { "", "" },
    SL_TRACES (TRACE ("m", SL_MEASURED, "hidden"), TRACE ("t", SL_TARGET, "hidden"), TRACE ("one", SL_MEASURED, NULL)) },
  { "late", "Late", .help = "", .source = "", .kind = SL_SERIES, .x = { "update", "" }, .y = { "", "" },
    SL_TRACES (TRACE ("one", SL_MEASURED, NULL), TRACE ("m", SL_MEASURED, "hidden")) },
  { "two", "Two", .help = "", .source = "", .kind = SL_SERIES, .x = { "update", "" }, .y = { "", "" },
    SL_TRACES (TRACE ("m", SL_MEASURED, "hidden"), TRACE ("n", SL_MEASURED, "hidden")) },
  { "none", "None", .help = "", .source = "", .kind = SL_SERIES, .x = { "update", "" }, .y = { "", "" },
    SL_TRACES (TRACE ("t", SL_TARGET, "hidden"), TRACE ("one", SL_MEASURED, NULL)) },
};
/* clang-format on */
static const SlLab lab = { .id = "colours",
                           .title = "",
                           .summary = "",
                           .reference = "",
                           .params = layers,
                           .n_params = G_N_ELEMENTS (layers),
                           .panels = panels,
                           .n_panels = G_N_ELEMENTS (panels) };

/* A family of measured curves has the first colours, what belongs to one of them has its colour; of two
 * families, and of none, each curve has its own.  */
static void
test_slots (void)
{
  static const struct
  {
    unsigned n, slot[7];
  } rows[] = { { 7, { 0, 1, 2, 0, 1, 2, 3 } },
               { 4, { 3, 0, 1, 2 } },
               { 6, { 0, 1, 2, 3, 4, 5 } },
               { 4, { 0, 1, 2, 3 } } };
  SlSettings settings;
  SlRecord   record;
  SlStatus   status;

  sl_settings_default (&settings, lab.params, lab.n_params);
  sl_settings_settle (&settings, lab.params, lab.n_params);
  status = sl_record_init (&record, &lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  for (unsigned p = 0; p < G_N_ELEMENTS (rows); p++)
    {
      SlFigure figure = { 0 };

      for (unsigned c = 0; c < record.layout.n; c++)
        sl_series_append (&record.series[c], 10.0, 1.0 + c);
      sl_panel_update (&figure, &record, p, NULL, 0);
      g_assert_cmpuint (figure.n_curves, ==, rows[p].n);
      for (unsigned c = 0; c < figure.n_curves; c++)
        g_assert_cmpuint (figure.curve[c].slot, ==, rows[p].slot[c]);
      sl_figure_clear (&figure);
    }
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shapes/files", test_files);
  g_test_add_func ("/shapes/cells-missing", test_cells_missing);
  g_test_add_func ("/shapes/lone-points", test_lone_points);
  g_test_add_func ("/shapes/percent", test_percent);
  g_test_add_func ("/shapes/slots", test_slots);
  return g_test_run ();
}
