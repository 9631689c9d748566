/* SPDX-License-Identifier: MIT
 *
 * Maps, parallel coordinates, pages and their words as files against what they were, and what an update of an
 * overlay keeps and begins anew.  Letters have made-up widths, as in test-golden.c.
 *
 * After a change that is meant: SLUICE_RENEW=1 build/tests/plot/test-plot-charts, and look at the difference.  */
#include "tests/plot/made-up-text.h"

#include <math.h>

#include "plot/charts/overlay.h"
#include "plot/export/describe.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/figure/parallel.h"
#include "plot/layout/frame.h"
#include "plot/layout/parallel.h"
#include "plot/screen/render.h"
#include "tests/plot/golden.h"
#include "tests/plot/plot-sample.h"

static void
add_page (GString *out, SlFigure *figure, const SlExportOptions *options, SlExportFormat format)
{
  GError *error = NULL;
  g_autoptr (GBytes) page = sl_export_page (&figure, 1, options, format, &error);
  const char *text, *picture;

  g_assert_no_error (error);
  /* Pictures are packed by a library that may have another version. */
  for (text = g_bytes_get_data (page, NULL); (picture = strstr (text, "base64,")) != NULL;)
    {
      g_string_append_len (out, text, picture - text);
      text = strchr (picture, '"');
    }
  g_string_append (out, text);
}

/* Colours of some pixels of the plot. */
static void
add_pixels (GString *out, SlFigure *figure, SlThemeKind kind)
{
  SlTheme          theme = sl_theme_get (kind);
  SlRender        *render = sl_render_new ();
  cairo_surface_t *image
    = sl_render_draw (render, figure, &theme, &(SlParts) { .title = true }, 300, 200, 1.0, 0.0);
  const unsigned char *data = cairo_image_surface_get_data (image);
  int                  stride = cairo_image_surface_get_stride (image);

  for (int y = 5; y < 200; y += 13)
    {
      g_string_append_c (out, (char) ('A' + y / 13));
      for (int x = 5; x < 300; x += 13)
        g_string_append_printf (out, " %d",
                                data[y * stride + 4 * x] + 2 * data[y * stride + 4 * x + 1]
                                  + 3 * data[y * stride + 4 * x + 2]);
      g_string_append_c (out, '\n');
    }
  sl_render_free (render);
}

/* ---- maps ---- */

enum { SIDE = 16 };

static void
fill_map (SlSnapshot *snapshot)
{
  double *at[SL_MAP_PLANES], *values, *points;

  sl_snapshot_reset (snapshot);
  values = sl_snapshot_matrix (snapshot, SL_MAP_PLANES, SIDE, SIDE);
  for (unsigned p = 0; p < SL_MAP_PLANES; p++)
    at[p] = values + p * SIDE * SIDE;
  for (unsigned i = 0; i < SIDE * SIDE; i++)
    {
      double   x = -1.0 + (i % SIDE + 0.5) / (SIDE / 2), y = 1.0 - (i / SIDE + 0.5) / (SIDE / 2);
      unsigned sector = (x > 0.2) + 2 * (y > -0.3) + 4 * (x * y > 0.1);

      at[SL_MAP_LABEL][i] = hypot (x, y) < 0.7 ? 1 : x > 0.5 ? 2 : 0;
      at[SL_MAP_MARGIN][i] = fmin (1.0, fabs (hypot (x, y) - 0.7));
      at[SL_MAP_PATTERN][i] = sector == 7 ? SL_MAP_COLOURS : sector;
      at[SL_MAP_TOP][i] = sector % 3;
      at[SL_MAP_ACTIVE][i] = i == 40 ? (double) NAN : 1.0 + sector / 2.0;
      at[SL_MAP_COST][i] = 100.0 + 50.0 * x;
      for (unsigned p = SL_MAP_COST + 1; p < SL_MAP_PLANES; p++)
        at[p][i] = 0.5 + 0.4 * sin (3.0 * x + p) * cos (2.0 * y);
    }
  points = sl_snapshot_curve (snapshot, 0, 9, true);
  for (unsigned i = 0; i < 9; i++)
    {
      points[i] = -1.1 + 0.25 * i;
      points[9 + i] = sin (5.0 * i);
      points[18 + i] = i % 3;
    }
  snapshot->left = snapshot->bottom = -1.0;
  snapshot->right = snapshot->top = 1.0;
  g_strlcpy (snapshot->names, "#0\n#1\n#2\n#3\n#4\n#205\n", sizeof snapshot->names);
  for (int i = 6; i < SL_MAP_COLOURS; i++)
    g_strlcat (snapshot->names, "\n", sizeof snapshot->names);
  g_strlcat (snapshot->names, "outside\ninside\nright\n", sizeof snapshot->names);
}

/* Axes have the names of features where the map says them, and else their own. */
static void
test_map_axes (void)
{
  SlFigure   figure = { .title = "A map", .kind = SL_MAP, .mark = NAN };
  SlSnapshot snapshot = { 0 };

  fill_map (&snapshot);
  figure.x = (SlAxis) { .label = "x" };
  figure.y = (SlAxis) { .label = "y" };
  sl_figure_kind (&figure)->take (&figure, NULL, &snapshot);
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpstr (figure.x.label, ==, "x");
  g_strlcpy (snapshot.row_names, "age (z)\nincome (z)\n", sizeof snapshot.row_names);
  sl_figure_kind (&figure)->take (&figure, NULL, &snapshot);
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpstr (figure.x.label, ==, "age (z)");
  g_assert_cmpstr (figure.y.label, ==, "income (z)");
  sl_figure_clear (&figure);
  sl_snapshot_clear (&snapshot);
}

static void
test_maps (void)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);
  SlFigure        figure = { .title = "A map", .kind = SL_MAP, .mark = NAN };
  SlSnapshot      snapshot = { 0 };
  GString        *out = g_string_new (NULL);
  char            text[256];

  fill_map (&snapshot);
  figure.x = (SlAxis) { .label = "x" };
  figure.y = (SlAxis) { .label = "y" };
  sl_figure_kind (&figure)->take (&figure, NULL, &snapshot);
  for (unsigned mode = 0; mode < SL_PLANE_MODES; mode++)
    {
      figure.view.plane = (SlPlaneMode) mode;
      figure.view.alone = mode == SL_PLANE_TOP ? 3 : 0;
      add_page (out, &figure, &options, SL_EXPORT_SVG);
      if (mode == SL_PLANE_PATTERN)
        add_page (out, &figure, &options, SL_EXPORT_TIKZ);
      add_pixels (out, &figure, mode % 2 > 0 ? SL_THEME_DARK : SL_THEME_LIGHT);
    }
  for (unsigned colour = 0; colour <= SL_MAP_COLOURS; colour += 2)
    {
      sl_message_show (sl_plane_region_text (&figure.plane, colour).packed, NULL, text,
                       sizeof text);
      g_string_append_printf (out, "%s\n", text);
    }
  for (size_t cell = 0; cell < SIDE * SIDE; cell += 21)
    {
      sl_message_show (sl_plane_text (&figure.plane, cell).packed, NULL, text, sizeof text);
      g_string_append_printf (out, "%s\n", text);
    }
  for (double at = -1.0; at <= 1.0; at += 0.4)
    {
      size_t cell = 0;
      bool   inside = sl_plane_at (&figure.plane, at, -at, &cell);

      g_string_append_printf (out, "%.1f: %d %zu\n", at, inside, cell);
    }
  golden_compare ("maps.txt", out->str);
  g_string_free (out, TRUE);
  sl_figure_clear (&figure);
  sl_snapshot_clear (&snapshot);
}

/* The cell under the pointer and its pattern, also in the last row and column. */
static void
test_map_cells (void)
{
  SlFigure   figure = { .kind = SL_MAP, .mark = NAN };
  SlSnapshot snapshot = { 0 };
  SlTheme    theme = sl_theme_get (SL_THEME_LIGHT);
  SlText    *text = sl_text_new ("any");
  SlFrame   *frame = g_new0 (SlFrame, 1);
  SlRect    *plot = &frame->plot;
  unsigned   tile, row, column;
  double     value;

  fill_map (&snapshot);
  sl_figure_kind (&figure)->take (&figure, NULL, &snapshot);
  sl_figure_fit (&figure, HUGE_VAL);
  sl_frame_layout (frame, &figure, &theme, &(SlParts) { 0 }, text, 300, 200);
  for (unsigned r = 0; r < SIDE; r += 5)
    for (unsigned c = 0; c < SIDE; c += 3)
      {
        g_assert_true (sl_frame_cell (frame, &figure, plot->x + plot->w * (c + 0.5) / SIDE,
                                      plot->y + plot->h * (r + 0.5) / SIDE, &tile, &row, &column,
                                      &value));
        g_assert_cmpuint (tile, ==, 0);
        g_assert_cmpuint (row, ==, r);
        g_assert_cmpuint (column, ==, c);
        g_assert_cmpfloat (value, ==, figure.plane.plane[SL_MAP_PATTERN][r * SIDE + c]);
      }
  g_assert_false (
    sl_frame_cell (frame, &figure, plot->x - 0.1, plot->y + 5.0, &tile, &row, &column, &value));
  g_free (frame);
  sl_text_free (text);
  sl_figure_clear (&figure);
  sl_snapshot_clear (&snapshot);
}

/* ---- parallel coordinates ---- */

static const SlChoice methods[]
  = { { "dense", "Dense" }, { "estimate", "Estimate of the signs" }, { NULL, NULL } };

static void
fill_parallel (SlParallel *parallel)
{
  sl_parallel_axis (parallel, "Rank", "", true);
  sl_parallel_axis (parallel, "Method", "", false)->choices = methods;
  sl_parallel_axis (parallel, "Executed multiplications", "%", false);
  sl_parallel_axis (parallel, "Error", "%", false);
  for (unsigned i = 0; i < 14; i++)
    {
      double line[4] = { 1 << i % 7, i % 2, 10.0 + 5.0 * (i % 7) + sample_noise (i),
                         i % 5 == 4 ? (double) NAN : 20.0 - 2.0 * (i % 7) };

      g_assert_true (sl_parallel_line (parallel, line));
    }
}

static void
add_parallel_places (GString *out, const SlParallel *parallel, SlFigure *figure)
{
  SlTheme  theme = sl_theme_get (SL_THEME_LIGHT);
  SlText  *text = sl_text_new ("any");
  SlFrame *frame = g_new0 (SlFrame, 1);
  char     words[64];

  sl_figure_fit (figure, HUGE_VAL);
  sl_frame_layout (frame, figure, &theme, &(SlParts) { .title = true }, text, 400, 240);
  for (unsigned a = 0; a < parallel->n_axes; a++)
    for (int y = 20; y < 240; y += 30)
      {
        double value = sl_parallel_value (parallel, frame, a, y);

        g_string_append_printf (out, "%u %d: %s at %.2f %.2f, axis %d, line %d\n", a, y,
                                sl_parallel_text (parallel, a, value, words, sizeof words),
                                sl_parallel_x (parallel, frame, a),
                                sl_parallel_y (parallel, frame, a, value),
                                sl_parallel_axis_at (parallel, frame, 90.0 * a + y / 4.0, 12.0),
                                sl_parallel_line_at (parallel, frame, 95.0 * a + 60.0, y, 5.0));
      }
  g_free (frame);
  sl_text_free (text);
}

static void
test_parallel (void)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, 1);
  SlParallel      parallel = { 0 };
  SlFigure        figure = { 0 };
  GString        *out = g_string_new (NULL);

  fill_parallel (&parallel);
  for (unsigned round = 0; round < 3; round++)
    {
      parallel.colour = round == 2 ? 9 : 2 * round;
      parallel.marked = round == 1 ? 3 : 0;
      if (round > 0)
        {
          sl_parallel_brush (&parallel, 2, 30.0, round == 2 ? 900.0 : 12.0);
          sl_parallel_brush (&parallel, 0, round == 2 ? 500.0 : 2.0, 700.0);
        }
      sl_parallel_update (&parallel, &figure, "Some runs");
      add_page (out, &figure, &options, SL_EXPORT_SVG);
      add_parallel_places (out, &parallel, &figure);
    }
  add_page (out, &figure, &options, SL_EXPORT_TIKZ);
  golden_compare ("parallel.txt", out->str);
  g_string_free (out, TRUE);
  sl_figure_clear (&figure);
  sl_parallel_clear (&parallel);
}

/* ---- pages ---- */

static void
add_options (GString *out, const SlExportOptions *o)
{
  g_string_append_printf (out, " %.2f x %.2f, %.0f dpi, %.3f %.3f, across %u, %d%d%d%d, %d %d\n",
                          o->width, o->height, o->dpi, o->type, o->line, o->across, o->letters,
                          o->titles, o->flags, o->notes, o->legend, o->theme);
}

static void
test_options (void)
{
  GString *out = g_string_new (NULL);

  for (unsigned preset = 0; preset <= SL_N_PRESETS; preset++)
    for (unsigned n = 0; n < 9; n++)
      {
        SlExportOptions options = sl_export_options ((SlExportPreset) preset, n);

        g_string_append_printf (out, "%u %u:", preset, n);
        add_options (out, &options);
        for (unsigned across = 0; across < 4; across++)
          {
            sl_export_across (&options, (SlExportPreset) preset, n, across);
            g_string_append_printf (out, " %u x %.2f;", options.across, options.height);
          }
        g_string_append_c (out, '\n');
      }
  for (unsigned tiles = 1; tiles < 15; tiles++)
    {
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
      SlFigure        figure = { .matrix.tiles = tiles,
                                 .matrix.across = tiles > 9    ? 4
                                                  : tiles == 5 ? 8
                                                               : 0,
                                 .matrix.rows = 6,
                                 .matrix.columns = 8,
                                 .matrix.alike = tiles != 3 };

      options.caption = tiles % 2 > 0 ? "words" : NULL;
      sl_export_fit (&options, tiles == 4 ? SL_PRESET_SLIDE : SL_PRESET_COLUMN,
                     (SlFigure *[]) { &figure }, 1);
      add_options (out, &options);
    }
  golden_compare ("options.txt", out->str);
  g_string_free (out, TRUE);
}

/* The names of all figures on a page of their own, and everything in words: each title and each curve. */
static void
test_words (void)
{
  GString      *names = g_string_new (NULL);
  SampleFigures f;

  for (unsigned reports = 0; reports < 300; reports += 140)
    {
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, SAMPLE_PANELS);
      g_autoptr (GBytes) legend = NULL;
      g_autofree char *words = NULL;

      sample_figures_init (&f, reports);
      sl_figure_hide (&f.figure[SAMPLE_LOSS], 1, true);
      for (unsigned p = 0; p < SAMPLE_PANELS; p++)
        sl_figure_fit (f.list[p], HUGE_VAL);
      words = sl_export_describe (f.list, SAMPLE_PANELS);
      for (unsigned p = 0; p < SAMPLE_PANELS; p++)
        g_assert_nonnull (strstr (words, f.figure[p].title));
      for (unsigned c = 0; c < f.figure[SAMPLE_AGREEMENT].n_curves && reports > 0; c++)
        g_assert_nonnull (strstr (words, f.figure[SAMPLE_AGREEMENT].curve[c].title));
      g_assert_null (strstr (words, "nan"));
      legend = sl_export_legend (f.list, SAMPLE_PANELS, &options, SL_EXPORT_SVG, NULL);
      g_string_append (names, legend != NULL ? g_bytes_get_data (legend, NULL) : "none");
      sample_figures_clear (&f);
    }
  golden_compare ("legends.txt", names->str);
  g_string_free (names, TRUE);
}

/* ---- overlays ---- */

static void
overlay (SlFigure *figure, SlRecord *record, unsigned panel, unsigned runs)
{
  sl_overlay_begin (figure, &sample_lab, panel);
  for (unsigned r = 0; r < runs; r++)
    {
      g_autofree char *title = g_strdup_printf ("run %u", r + 1);

      g_assert_true (
        sl_overlay_record (figure, &(SlOverlayRun) { title, r + 1, r, false }, record));
    }
  sl_overlay_end (figure);
}

/* The same panel keeps the view, another begins with that of its axes; what is left of a mark, a note and
 * curves that are not there any more goes.  */
static void
test_overlay_again (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  uint64_t version;

  sample_record (&record, 50, 1);
  overlay (&figure, &record, SAMPLE_AGREEMENT, 3);
  g_assert_cmpuint (figure.n_curves, ==, 9);
  g_assert_true (figure.view_set && !figure.view.log_x && !figure.view.log_y);
  g_assert_cmpuint (figure.panel, ==, SAMPLE_AGREEMENT);
  figure.view.zoomed = true;
  figure.view.x_lo = 100.0;
  figure.view.x_hi = 200.0;
  figure.mark = 5.0;
  figure.fitted = true;
  version = figure.version;
  overlay (&figure, &record, SAMPLE_AGREEMENT, 2);
  g_assert_cmpuint (figure.n_curves, ==, 6);
  g_assert_true (figure.view.zoomed && figure.fitted);
  g_assert_cmpuint (figure.version, ==, version + 1);
  g_assert_true (isnan (figure.mark));
  for (unsigned c = 0; c < 6; c++)
    {
      g_assert_true (figure.curve[c].series
                     == &record.series[record.layout.first[SAMPLE_AGREEMENT][0] + c % 3]);
      g_assert_true (!figure.curve[c].bare && !figure.curve[c].thin && !figure.curve[c].scatter);
      g_assert_cmpuint (figure.curve[c].group, ==, c / 3 + 1);
      g_assert_cmpstr (figure.curve[c].group_title, ==, c / 3 > 0 ? "run 2" : "run 1");
      g_assert_cmpstr (figure.curve[c].unit, ==, "%");
      g_assert_cmpint (figure.curve[c].style, ==, SL_MEASURED);
    }
  g_assert_true (figure.note[0] != '\0');
  overlay (&figure, &record, SAMPLE_LOSS, 1);
  g_assert_true (!figure.view.zoomed && figure.view.log_y && !figure.view.log_x);
  g_assert_false (figure.fitted);
  overlay (&figure, &record, SAMPLE_SPECTRUM, 1);
  g_assert_true (figure.view.log_y && figure.view.log_x);
  g_assert_cmpuint (figure.curve[0].n, ==, 400);
  overlay (&figure, &record, SAMPLE_GAPS, 2);
  g_assert_cmpstr (figure.note, ==, ""); /* a curve each: nothing to tell apart */
  g_assert_cmpstr (figure.curve[1].title, ==, "run 2");
  overlay (&figure, &record, SAMPLE_USAGE, 1);
  g_assert_cmpuint (figure.kind, ==, SL_SERIES);
  g_assert_cmpuint (figure.n_curves, ==, 16);
  overlay (&figure, &record, SAMPLE_NOTHING, 1);
  g_assert_cmpuint (figure.n_curves, ==, 0);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* From the seventh run on there are no markers, from the thirty-first on lines are thin. */
static void
test_overlay_many (void)
{
  static const unsigned runs[] = { 6, 7, 30, 31 };
  SlFigure              figure = { 0 };
  SlRecord              record;

  sample_record (&record, 20, 1);
  for (unsigned i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      overlay (&figure, &record, SAMPLE_AGREEMENT, runs[i]);
      for (unsigned c = 0; c < figure.n_curves; c++)
        {
          g_assert_true (figure.curve[c].bare == (i > 0));
          g_assert_true (figure.curve[c].thin == (i > 2));
        }
    }
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

static void
curves (SlFigure *figure, const char *title, const SlSeries *series)
{
  sl_overlay_begin_curves (figure, title, "epoch");
  g_assert_true (sl_overlay_series (figure, &(SlOverlayRun) { "one", 3, 10, true },
                                    &(SlOverlayTrace) { "a", NULL, NULL, 4 }, series));
  sl_overlay_end (figure);
}

static void
test_overlay_curves (void)
{
  SlFigure figure = { 0 };
  SlSeries series = { 0 };
  SlBand   band = { .n = 1 };

  sl_series_append (&series, 1.0, 2.0);
  curves (&figure, "first", &series);
  g_assert_cmpuint (figure.kind, ==, SL_SERIES);
  g_assert_cmpstr (figure.y.label, ==, "first");
  g_assert_cmpstr (figure.x.label, ==, "epoch");
  g_assert_true (figure.integer_x && figure.view_set && isnan (figure.mark));
  g_assert_cmpuint (figure.curve[0].slot, ==, 10 % SL_THEME_COLOURS + SL_THEME_COLOURS * (4 % 3));
  g_assert_cmpstr (figure.curve[0].unit, ==, "");
  g_assert_true (figure.curve[0].ghost);
  figure.view.zoomed = figure.fitted = true;
  curves (&figure, "first", &series);
  g_assert_true (figure.view.zoomed && figure.fitted);
  curves (&figure, "second", &series);
  g_assert_true (!figure.view.zoomed && !figure.fitted);
  /* A band of one has no edges. */
  sl_overlay_begin_curves (&figure, "second", "epoch");
  g_assert_true (sl_overlay_band (&figure, &(SlOverlayRun) { "one", 3, 1, false },
                                  &(SlOverlayTrace) { "a", NULL, NULL, 0 }, &band));
  g_assert_true (figure.curve[0].low == NULL && figure.curve[0].high == NULL);
  band.n = 2;
  g_assert_true (sl_overlay_band (&figure, &(SlOverlayRun) { "one", 4, 1, false },
                                  &(SlOverlayTrace) { "a", NULL, NULL, 0 }, &band));
  g_assert_true (figure.curve[1].low == &band.low && figure.curve[1].high == &band.high);
  g_assert_true (figure.curve[1].series == &band.mean);
  sl_overlay_end (&figure);
  sl_figure_clear (&figure);
  sl_series_clear (&series);
}

/* Curves for which there is no room are told of. */
static void
test_overlay_full (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  bool     room = true;

  sample_record (&record, 20, 1);
  sl_overlay_begin (&figure, &sample_lab, SAMPLE_AGREEMENT);
  for (unsigned r = 0; r < 342; r++)
    {
      g_assert_true (room);
      room = sl_overlay_record (&figure, &(SlOverlayRun) { "run", r + 1, r, false }, &record);
    }
  g_assert_false (room); /* 341 of three curves leave room for one */
  g_assert_cmpuint (figure.n_curves, ==, SL_CURVES_MAX);
  g_assert_false (sl_overlay_band (&figure, &(SlOverlayRun) { "run", 999, 1, false },
                                   &(SlOverlayTrace) { "a", NULL, NULL, 0 }, &(SlBand) { 0 }));
  sl_overlay_end (&figure);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/charts/maps", test_maps);
  g_test_add_func ("/charts/maps-axes", test_map_axes);
  g_test_add_func ("/charts/map-cells", test_map_cells);
  g_test_add_func ("/charts/parallel", test_parallel);
  g_test_add_func ("/charts/options", test_options);
  g_test_add_func ("/charts/words", test_words);
  g_test_add_func ("/charts/overlay-again", test_overlay_again);
  g_test_add_func ("/charts/overlay-many", test_overlay_many);
  g_test_add_func ("/charts/overlay-curves", test_overlay_curves);
  g_test_add_func ("/charts/overlay-full", test_overlay_full);
  return g_test_run ();
}
