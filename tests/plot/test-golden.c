/* SPDX-License-Identifier: MIT
 *
 * A figure of every kind against what it was: each word, line and place in files of vectors and scripts, what is
 * under the pointer, and what a change of the view does.  Letters have made-up widths here, so that no font of
 * the machine matters.  A number may differ in its last digit.  What holds for all figures is in test-bounds.c.
 *
 * After a change that is meant: SLUICE_RENEW=1 build/tests/plot/test-plot-golden, and look at the difference.  */
#include "tests/plot/made-up-text.h"

#include <math.h>
#include <stdlib.h>

#include "core/data/image/bitmap.h"
#include "core/labs/registry.h"
#include "plot/charts/front.h"
#include "plot/charts/gallery.h"
#include "plot/charts/overlay.h"
#include "plot/charts/parts.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/layout/frame.h"
#include "plot/screen/render.h"
#include "tests/plot/golden.h"
#include "tests/plot/plot-sample.h"
#include "tests/plot/svg-words.h"

enum { REPORTS = 220, WIDTH = 480, HEIGHT = 300, GRID = 12 };

/* ---- what is written ---- */

/* Pictures are packed by a library that may have another version; their colours are in the TikZ file. */
static void
drop_pictures (GString *svg)
{
  char *at;

  while ((at = strstr (svg->str, "base64,")) != NULL)
    {
      char *end = strchr (at, '"');

      g_assert_nonnull (end);
      g_string_erase (svg, at - svg->str, end - at);
    }
}

static void
add_page (GString *out, SlFigure *const *figures, unsigned n, const SlExportOptions *options,
          SlExportFormat format)
{
  GError *error = NULL;
  g_autoptr (GBytes) page = sl_export_page (figures, n, options, format, &error);
  GString *text;

  g_assert_no_error (error);
  text = g_string_new (NULL);
  g_string_append_len (text, g_bytes_get_data (page, NULL), (gssize) g_bytes_get_size (page));
  drop_pictures (text);
  g_string_append (out, text->str);
  g_string_free (text, TRUE);
}

/* ---- under the pointer ---- */

static char
letter_at (const SlFrame *frame, const SlFigure *figure, double x, double y)
{
  static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  unsigned          tile, row, column;
  double            value;
  int               chip = sl_frame_chip (frame, x, y);

  if (sl_frame_note (frame, x, y) > 0)
    return '!';
  if (chip >= 0)
    return letters[chip % 62];
  if (sl_frame_marker (frame, x, y) > 0)
    return '|';
  if (sl_frame_on_handle (frame, x, y))
    return '#';
  if (sl_frame_cell (frame, figure, x, y, &tile, &row, &column, &value))
    return letters[(7 * tile + 3 * row + column) % 62];
  row = sl_frame_row (frame, figure, x, y);
  return row > 0 ? letters[row % 62] : '.';
}

static void
add_places (GString *out, const SlFrame *frame, const SlFigure *figure)
{
  for (int y = GRID / 2; y < HEIGHT; y += GRID)
    {
      for (int x = GRID / 2; x < WIDTH; x += GRID)
        g_string_append_c (out, letter_at (frame, figure, x, y));
      g_string_append_c (out, '\n');
    }
  for (int x = 40; x < WIDTH && !frame->empty; x += 90)
    {
      double   px, py;
      SlRect   box = { x, 60, 80, 70 };
      unsigned hidden = sl_frame_hidden (frame, figure, &box);

      sl_frame_place (frame, x, 100.0, &px, &py);
      g_string_append_printf (out, "%d: hides %u, place %.6g %.6g\n", x, hidden, px, py);
    }
}

static void
add_reading (GString *out, const SlFrame *frame, const SlFigure *figure)
{
  for (int x = 60; x < WIDTH && !frame->empty; x += 70)
    {
      SlReading reading[16];
      double    at = sl_frame_value_x (frame, x);
      unsigned  n = sl_figure_read (figure, at, sl_frame_pixel (frame, at), reading, 16);
      char      text[256];

      for (unsigned i = 0; i < n; i++)
        g_string_append_printf (out, "%d: %s\n", x,
                                sl_reading_text (figure, &reading[i], text, sizeof text));
    }
}

static void
lay_out (SlFrame *frame, SlFigure *figure, const SlParts *parts, SlText *text)
{
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);

  sl_figure_fit (figure, HUGE_VAL);
  memset (frame, 0, sizeof *frame);
  sl_frame_layout (frame, figure, &theme, parts, text, WIDTH, HEIGHT);
}

static void
add_view (GString *out, const char *what, SlFrame *frame, SlFigure *figure, SlText *text)
{
  const SlView *v = &figure->view;

  lay_out (frame, figure, &(SlParts) { .title = true }, text);
  g_string_append_printf (out, "%s: x %.6g to %.6g, y %.6g to %.6g, zoomed %d, locked %d; ", what,
                          figure->x_range.lo, figure->x_range.hi, figure->y_range.lo,
                          figure->y_range.hi, v->zoomed, v->y_locked);
  for (unsigned i = 0; i < frame->n_x_ticks; i++)
    g_string_append_printf (out, " %s at %.2f", frame->x_tick[i].label, frame->x_at[i]);
  g_string_append (out, ";");
  for (unsigned i = 0; i < frame->n_y_ticks; i++)
    g_string_append_printf (out, " %s at %.2f", frame->y_tick[i].label, frame->y_at[i]);
  g_string_append_c (out, '\n');
}

static void
add_views (GString *out, SlFrame *frame, SlFigure *figure, SlText *text)
{
  SlView before = figure->view;

  if (!sl_figure_kind (figure)->lines)
    return;
  add_view (out, "at first", frame, figure, text);
  sl_frame_zoom (frame, figure, 200.0, 120.0, 0.5, 0.7);
  add_view (out, "closer", frame, figure, text);
  sl_frame_pan (frame, figure, 40.0, -25.0);
  add_view (out, "moved", frame, figure, text);
  sl_frame_pan (frame, figure, -5000.0, 0.0);
  add_view (out, "at the end", frame, figure, text);
  sl_frame_zoom_to (frame, figure, &(SlRect) { 150.0, 80.0, 120.0, 60.0 });
  add_view (out, "to a box", frame, figure, text);
  for (unsigned i = 0; i < 4; i++)
    {
      SlView view = before;

      view.log_x = i & 1;
      view.log_y = i & 2;
      view.smooth = i * 0.1;
      view.robust = i > 1;
      view.window = i == 3 ? 500.0 : 0.0;
      view.sorted = i == 2;
      sl_figure_set_view (figure, &view);
      add_view (out, "by other axes", frame, figure, text);
    }
  sl_figure_set_view (figure, &before);
}

/* What is on the screen, without words: light in fields of some px, 12.75 for white. */
static void
add_screen (GString *out, SlFigure *figure)
{
  SlTheme          theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender        *render = sl_render_new ();
  cairo_surface_t *image
    = sl_render_draw (render, figure, &theme, &(SlParts) { .flags = true, .handle = true }, WIDTH,
                      HEIGHT, 1.0, HUGE_VAL);
  const unsigned char *pixels = cairo_image_surface_get_data (image);
  int                  stride = cairo_image_surface_get_stride (image);

  for (int top = 0; top < HEIGHT; top += GRID)
    {
      g_string_append_c (out, (char) ('A' + top / GRID));
      for (int left = 0; left < WIDTH; left += GRID)
        {
          double sum = 0.0;

          for (int y = top; y < top + GRID; y++)
            for (int x = left; x < left + GRID; x++)
              for (int c = 0; c < 3; c++)
                sum += (1 + c) * pixels[y * stride + 4 * x + c];
          g_string_append_printf (out, " %.2f", sum / (6.0 * 20.0 * GRID * GRID));
        }
      g_string_append_c (out, '\n');
    }
  sl_render_free (render);
}

/* ---- the figures ---- */

static const unsigned of_each_kind[]
  = { SAMPLE_AGREEMENT, SAMPLE_SPREAD, SAMPLE_GROUPS, SAMPLE_CLASSES,
      SAMPLE_PICTURES,  SAMPLE_USAGE,  SAMPLE_LAYERS };

static void
one_figure (gconstpointer data)
{
  unsigned         p = GPOINTER_TO_UINT (data);
  SampleFigures    f;
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMN, 1);
  g_autofree char *name = g_strconcat (sample_lab.panels[p].id, ".txt", NULL);
  GString         *out = g_string_new (NULL);
  SlText          *text = sl_text_new ("any");
  SlFrame         *frame = g_new0 (SlFrame, 1);

  sample_figures_init (&f, REPORTS);
  for (unsigned format = 0; format < SL_N_EXPORTS; format++)
    if (format != SL_EXPORT_PNG && format != SL_EXPORT_PDF)
      add_page (out, f.list + p, 1, &options, (SlExportFormat) format);
  lay_out (
    frame, &f.figure[p],
    &(SlParts) {
      .legend = SL_LEGEND_ABOVE, .title = true, .note = true, .flags = true, .handle = true },
    text);
  add_places (out, frame, &f.figure[p]);
  add_reading (out, frame, &f.figure[p]);
  add_screen (out, &f.figure[p]);
  add_views (out, frame, &f.figure[p], text);
  golden_compare (name, out->str);
  g_free (frame);
  sl_text_free (text);
  g_string_free (out, TRUE);
  sample_figures_clear (&f);
}

static void
add_chart (GString *out, SlFigure *figure)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);

  add_page (out, &figure, 1, &options, SL_EXPORT_SVG);
  add_page (out, &figure, 1, &options, SL_EXPORT_TIKZ);
}

static void
add_front (GString *out)
{
  SlFront  front = { .frontier = true, .shape_title = { "one", "other" } };
  SlFigure figure = { .x = { "cost", "%" }, .y = { "error", "%" }, .z = { "rank", "" } };
  char     text[256];

  for (unsigned s = 1; s <= 9; s++)
    for (unsigned seed = 0; seed < 3; seed++)
      {
        SlFrontRun run = { .key = s,
                           .x = 10.0 * s + sample_noise (s + 10 * seed),
                           .y = 40.0 / s + 3.0 * sample_noise (100 * s + seed),
                           .tone = s,
                           .shape = s % 2,
                           .tag = 100 * s + seed };

        g_snprintf (run.title, sizeof run.title, "rank %u", s);
        sl_front_add (&front, &run);
      }
  g_assert_true (sl_front_update (&front, &figure));
  add_chart (out, &figure);
  for (unsigned i = 0; i < front.n; i++)
    g_string_append_printf (
      out, "%s; before it %d, after it %d\n", sl_front_text (&front, &figure, i, text, sizeof text),
      sl_front_next (&front, &figure, (int) i, -1), sl_front_next (&front, &figure, (int) i, 1));
  sl_front_clear (&front);
  sl_figure_clear (&figure);
}

/* Charts of parts that the golden ones have: nothing is cut at the edge and no text covers another. */
static void
check_chart (SlFigure *figure)
{
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlText         *text = sl_text_new ("any");
  GError         *error = NULL;
  g_autoptr (GBytes) page = sl_export_page (&figure, 1, &options, SL_EXPORT_SVG, &error);

  g_assert_no_error (error);
  svg_check_words (page, text, figure->title);
  sl_text_free (text);
}

static void
check_gallery (void)
{
  SlGallery gallery = { 0 };
  SlFigure  figure = { 0 };
  uint8_t   rgb[3 * 12 * 9];
  unsigned  k = 0;

  for (unsigned i = 0; i < 3; i++)
    {
      SlBitmap bitmap = { .width = 12 - 2 * i, .height = 9 - 3 * (i == 1), .rgb = rgb };
      SlStatus status;

      for (unsigned b = 0; b < sizeof rgb; b++)
        rgb[b] = (uint8_t) (255.0 * sample_noise (k++));
      status = sl_gallery_add (&gallery, i == 2 ? "the last\nof all" : "one", &bitmap);
      g_assert_true (sl_ok (&status));
    }
  sl_gallery_update (&gallery, &figure);
  check_chart (&figure);
  sl_gallery_clear (&gallery);
  sl_figure_clear (&figure);
}

static void
check_overlays (void)
{
  SlRecord        record[3];
  SlFigure        figure = { 0 };
  const SlSeries *runs[2];
  SlBand          band = { 0 };

  for (unsigned r = 0; r < 3; r++)
    sample_record (&record[r], 60 + 20 * r, r + 1);
  for (unsigned panel = SAMPLE_AGREEMENT; panel <= SAMPLE_SPECTRUM; panel++)
    {
      sl_overlay_begin (&figure, &sample_lab, panel);
      for (unsigned r = 0; r < 3; r++)
        sl_overlay_record (
          &figure, &(SlOverlayRun) { r == 1 ? "rank 8" : "rank 4", r + 1, r, r == 2 }, &record[r]);
      sl_overlay_end (&figure);
      check_chart (&figure);
    }
  for (unsigned r = 0; r < 2; r++)
    runs[r] = &record[2 * r].series[0];
  for (unsigned kind = SL_BAND_INTERVAL; kind <= SL_BAND_RANGE; kind++)
    {
      g_assert_true (sl_band_make (&band, runs, 2, (SlBandKind) kind));
      sl_overlay_begin_curves (&figure, "Some curves", "epoch");
      sl_overlay_band (&figure, &(SlOverlayRun) { "both", 1, 0, false },
                       &(SlOverlayTrace) { "a", "agreement", "%", 0 }, &band);
      sl_overlay_series (&figure, &(SlOverlayRun) { "one", 2, 1, false },
                         &(SlOverlayTrace) { "a", "agreement", "%", 1 }, runs[1]);
      sl_overlay_end (&figure);
      check_chart (&figure);
    }
  sl_band_clear (&band);
  sl_figure_clear (&figure);
  for (unsigned r = 0; r < 3; r++)
    sl_record_clear (&record[r]);
}

/* Bars on each other, with error bars that the numbers leave room for. */
static void
check_stacked (void)
{
  SampleFigures f;

  sample_figures_init (&f, REPORTS);
  f.figure[SAMPLE_GROUPS].categories.stacked = true;
  check_chart (&f.figure[SAMPLE_GROUPS]);
  f.figure[SAMPLE_SPEED].categories.stacked = true;
  check_chart (&f.figure[SAMPLE_SPEED]);
  sample_figures_clear (&f);
}

/* The network at work, in each of its forms. */
static void
test_alive (void)
{
  GString      *out = g_string_new (NULL);
  SampleFigures f;

  sample_figures_init (&f, REPORTS);
  for (unsigned p = SAMPLE_ALIVE; p <= SAMPLE_GLOW; p++)
    add_chart (out, &f.figure[p]);
  golden_compare ("alive.txt", out->str);
  sample_figures_clear (&f);
  g_string_free (out, TRUE);
}

static void
test_front (void)
{
  GString *out = g_string_new (NULL);

  add_front (out);
  golden_compare ("charts.txt", out->str);
  g_string_free (out, TRUE);
}

static void
test_charts (void)
{
  static void (*const check[]) (void) = { check_gallery, check_overlays, check_stacked };

  for (unsigned i = 0; i < G_N_ELEMENTS (check); i++)
    check[i]();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; i < G_N_ELEMENTS (of_each_kind); i++)
    {
      unsigned         p = of_each_kind[i];
      g_autofree char *path = g_strconcat ("/golden/", sample_lab.panels[p].id, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (p), one_figure);
    }
  g_test_add_func ("/golden/alive", test_alive);
  g_test_add_func ("/golden/front", test_front);
  g_test_add_func ("/golden/charts", test_charts);
  return g_test_run ();
}
