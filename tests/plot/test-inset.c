/* SPDX-License-Identifier: MIT
 *
 * A part of the curves enlarged in their plot.  */
#include <math.h>
#include <string.h>

#include "plot/export/describe.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/layout/frame.h"
#include "tests/plot/plot-sample.h"

static void
set_up (SampleFigures *f, gconstpointer data)
{
  sample_figures_init (f, 200);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    {
      f->figure[p].view.inset = true;
      f->figure[p].view.inset_x = (SlRange) { 1500.0, 1600.0 };
    }
}

static void
tear_down (SampleFigures *f, gconstpointer data)
{
  sample_figures_clear (f);
}

static SlRect
box_at (SlFigure *figure, SlLegendPlace legend, double width, double height, SlFrame *frame)
{
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);
  SlText *text = sl_text_new (theme.family);

  sl_figure_fit (figure, HUGE_VAL);
  sl_frame_layout (frame, figure, &theme, &(SlParts) { .title = true, .legend = legend }, text,
                   width, height);
  sl_text_free (text);
  return frame->inset_box;
}

/* It lies inside of the plot and not on a legend there; without a curve or room there is none. */
static void
test_place (SampleFigures *f, gconstpointer data)
{
  SlFigure *loss = &f->figure[SAMPLE_LOSS];
  SlFrame   frame;
  SlRect    box = box_at (loss, SL_LEGEND_INSIDE, 600, 400, &frame);

  g_assert_cmpfloat (box.w, >, 0.3 * frame.plot.w);
  g_assert_cmpfloat (box.x, >=, frame.plot.x);
  g_assert_cmpfloat (box.y, >=, frame.plot.y);
  g_assert_cmpfloat (box.x + box.w, <=, frame.plot.x + frame.plot.w);
  g_assert_cmpfloat (box.y + box.h, <=, frame.plot.y + frame.plot.h);
  g_assert_cmpfloat (frame.plate.w, >, 0.0);
  g_assert_true (box.x + box.w <= frame.plate.x || frame.plate.x + frame.plate.w <= box.x
                 || box.y + box.h <= frame.plate.y || frame.plate.y + frame.plate.h <= box.y);
  g_assert_cmpfloat (box_at (loss, SL_LEGEND_ABOVE, 120, 90, &frame).w, ==, 0.0);
  g_assert_cmpfloat (box_at (&f->figure[SAMPLE_LOAD], SL_LEGEND_ABOVE, 600, 400, &frame).w, ==,
                     0.0);
  loss->view.inset = false;
  g_assert_cmpfloat (box_at (loss, SL_LEGEND_ABOVE, 600, 400, &frame).w, ==, 0.0);
}

static char *
text_of (GBytes *page)
{
  gsize       n;
  const char *bytes;

  g_assert_nonnull (page);
  bytes = g_bytes_get_data (page, &n);
  return g_strndup (bytes, n);
}

/* A corner that is free is taken. */
static void
test_free_corner (void)
{
  static const double x[] = { 0, 10 }, up[] = { 0, 10 }, down[] = { 10, 0 };

  for (unsigned falling = 0; falling < 2; falling++)
    {
      SlCurve  curve = { .title = "curve", .n = 2, .x = x, .y = falling ? down : up };
      SlFigure figure = { .kind = SL_PROFILE,
                          .n_curves = 1,
                          .curve = &curve,
                          .x = { .label = "x", .unit = "" },
                          .y = { .label = "y", .unit = "" },
                          .view = { .inset = true, .inset_x = { 4.9, 5.1 } },
                          .mark = NAN };
      SlFrame  frame;
      SlRect   box = box_at (&figure, SL_LEGEND_NONE, 600, 400, &frame);

      g_assert_cmpuint (sl_frame_hidden (&frame, &figure, &box), ==, 0);
    }
}

/* There and back again. */
static void
test_zoom (SampleFigures *f, gconstpointer data)
{
  SlFigure *figure = &f->figure[SAMPLE_LOSS];
  SlView    view = { .zoomed = true, .x_lo = 3.0, .x_hi = 9.0, .log_y = true };

  sl_figure_set_view (figure, &view);
  g_assert_false (sl_figure_inset_to_zoom (figure));
  g_assert_true (sl_figure_zoom_to_inset (figure));
  g_assert_true (figure->view.inset && !figure->view.zoomed && !figure->view.y_locked);
  g_assert_cmpfloat (figure->view.inset_x.lo, ==, 3.0);
  g_assert_cmpfloat (figure->view.inset_x.hi, ==, 9.0);
  g_assert_false (sl_figure_zoom_to_inset (figure)); /* nothing is zoomed now */
  g_assert_true (sl_figure_inset_to_zoom (figure));
  g_assert_true (figure->view.zoomed && !figure->view.inset && !figure->view.y_locked);
  g_assert_cmpfloat (figure->view.x_lo, ==, 3.0);
  g_assert_cmpfloat (figure->view.x_hi, ==, 9.0);

  /* Along y alone: all of x that was in view. */
  view = (SlView) { .y_locked = true, .y_lo = 0.1, .y_hi = 0.2 };
  sl_figure_set_view (figure, &view);
  sl_figure_fit (figure, HUGE_VAL);
  g_assert_true (sl_figure_zoom_to_inset (figure));
  g_assert_cmpfloat (figure->x_range.hi, >, 1000.0);
  g_assert_cmpfloat (figure->view.inset_x.lo, ==, figure->x_range.lo);
  g_assert_cmpfloat (figure->view.inset_x.hi, ==, figure->x_range.hi);
  g_assert_cmpfloat (figure->view.inset_y.lo, ==, 0.1);
  g_assert_cmpfloat (figure->view.inset_y.hi, ==, 0.2);
  sl_figure_set_view (&f->figure[SAMPLE_LOAD], &view);
  g_assert_false (sl_figure_zoom_to_inset (&f->figure[SAMPLE_LOAD]));
}

/* All formats draw it, twice the same, and the figure stays as it is. */
static void
test_formats (SampleFigures *f, gconstpointer data)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 1);
  SlFigure       *figure = &f->figure[SAMPLE_AGREEMENT];

  options.dpi = 96.0;
  for (int format = SL_EXPORT_PNG; format < SL_N_EXPORTS; format++)
    {
      g_autoptr (GBytes) first = NULL, second = NULL, without = NULL;
      GError *error = NULL;

      figure->view.inset = true;
      first = sl_export_page (&figure, 1, &options, format, &error);
      second = sl_export_page (&figure, 1, &options, format, &error);
      g_assert_false (figure->view.zoomed);
      figure->view.inset = false;
      without = sl_export_page (&figure, 1, &options, format, &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (first, second));
      g_assert_false (g_bytes_equal (first, without));
    }
}

/* Its axis has the numbers of the part, which the plot around it has not. */
static void
test_part (SampleFigures *f, gconstpointer data)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 1);
  SlFigure       *figure = &f->figure[SAMPLE_AGREEMENT];

  for (unsigned inset = 0; inset < 2; inset++)
    {
      g_autoptr (GBytes) page = NULL;
      g_autofree char *svg = NULL;

      figure->view.inset = inset != 0;
      page = sl_export_page (&figure, 1, &options, SL_EXPORT_SVG, NULL);
      svg = text_of (page);
      g_assert_cmpint (strstr (svg, ">1540<") != NULL, ==, inset);
    }
}

/* An inset has no axis title that says the unit: its ticks do. */
static void
test_per_cent (SampleFigures *f, gconstpointer data)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 1);
  SlFigure       *figure = &f->figure[SAMPLE_AGREEMENT];
  g_autoptr (GBytes) script = sl_export_page (&figure, 1, &options, SL_EXPORT_MATPLOTLIB, NULL);
  g_autofree char *text = text_of (script);

  g_assert_nonnull (strstr (text, "\302\240%\""));
}

/* Those who cannot see it are told what part it is. */
static void
test_words (SampleFigures *f, gconstpointer data)
{
  SlFigure        *figure = &f->figure[SAMPLE_AGREEMENT];
  g_autofree char *with = NULL, *without = NULL;

  sl_figure_fit (figure, HUGE_VAL);
  with = sl_export_describe (&figure, 1);
  figure->view.inset = false;
  without = sl_export_describe (&figure, 1);
  g_assert_nonnull (strstr (with, " An inset shows the part at update 1500 to 1600."));
  g_assert_null (strstr (without, "inset"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/plot/inset/place", SampleFigures, NULL, set_up, test_place, tear_down);
  g_test_add_func ("/plot/inset/free-corner", test_free_corner);
  g_test_add ("/plot/inset/zoom", SampleFigures, NULL, set_up, test_zoom, tear_down);
  g_test_add ("/plot/inset/formats", SampleFigures, NULL, set_up, test_formats, tear_down);
  g_test_add ("/plot/inset/part", SampleFigures, NULL, set_up, test_part, tear_down);
  g_test_add ("/plot/inset/words", SampleFigures, NULL, set_up, test_words, tear_down);
  g_test_add ("/plot/inset/per-cent", SampleFigures, NULL, set_up, test_per_cent, tear_down);
  return g_test_run ();
}
