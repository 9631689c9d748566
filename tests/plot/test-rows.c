/* SPDX-License-Identifier: MIT
 *
 * Histories, shares, named columns: which row is where, what it is called, which colour
 * its values have, on the screen and in files.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/draw.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/figure/rows.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"

static const SlParts parts = { .note = true, .legend = SL_LEGEND_ABOVE, .flags = true };

/* One panel of the sample as a picture. */
typedef struct
{
  SlRecord         record;
  SlFigure         figure;
  SlTheme          theme;
  SlRender        *picture;
  cairo_surface_t *image;
  const SlFrame   *frame;
  double           scale;
} Shown;

static void
draw (Shown *s, int width, int height)
{
  s->image
    = sl_render_draw (s->picture, &s->figure, &s->theme, &parts, width, height, s->scale, HUGE_VAL);
  g_assert_nonnull (s->image);
  cairo_surface_flush (s->image);
  s->frame = sl_render_frame (s->picture);
}

static void
show (Shown *s, unsigned panel, size_t n, SlThemeKind theme, double scale)
{
  memset (s, 0, sizeof *s);
  sample_record (&s->record, n, 1);
  s->theme = sl_theme_get (theme);
  s->picture = sl_render_new ();
  s->scale = scale;
  g_assert_true (sl_panel_update (&s->figure, &s->record, panel, NULL, 0));
  draw (s, 480, 320);
}

static void
drop (Shown *s)
{
  sl_render_free (s->picture);
  sl_figure_clear (&s->figure);
  sl_record_clear (&s->record);
}

static uint32_t
pixel_of (cairo_surface_t *image, int x, int y)
{
  const unsigned char *data = cairo_image_surface_get_data (image);
  size_t               stride = (size_t) cairo_image_surface_get_stride (image);

  return ((const uint32_t *) (const void *) (data + (size_t) y * stride))[x] & 0xffffff;
}

/* The pixel at a point in px. */
static uint32_t
at (const Shown *s, double x, double y)
{
  return pixel_of (s->image, (int) (x * s->scale), (int) (y * s->scale));
}

static bool
alike (uint32_t a, uint32_t b, int most)
{
  int sum = 0;

  for (int shift = 0; shift < 24; shift += 8)
    sum += abs ((int) (a >> shift & 255) - (int) (b >> shift & 255));
  return sum <= most;
}

static double
middle_of_row (const Shown *s, unsigned row)
{
  return s->frame->plot.y + s->frame->plot.h * (row - 0.5) / s->figure.rows.n;
}

/* Rows are the instances of what is measured, from the first on top. */
static void
test_rows (void)
{
  Shown s;
  char  text[96];

  show (&s, SAMPLE_USAGE, 400, SL_THEME_LIGHT, 1.0);
  g_assert_cmpuint (s.figure.n_curves, ==, 16); /* not the reference */
  g_assert_cmpuint (s.figure.rows.n, ==, 16);
  g_assert_true (s.figure.rows.counted && s.figure.picks.possible && s.figure.integer_x);
  g_assert_cmpstr (sl_figure_name (&s.figure, 6), ==, "expert 7");
  g_assert_cmpfloat (s.frame->y.lo, ==, 0.5);
  g_assert_cmpfloat (s.frame->y.hi, ==, 16.5);
  for (unsigned row = 1; row <= 16; row++)
    {
      g_assert_cmpuint (sl_figure_row_number (&s.figure, row), ==, row);
      g_assert_cmpuint (
        sl_frame_row (s.frame, &s.figure, s.frame->plot.x + 5.0, middle_of_row (&s, row)), ==, row);
      g_assert_cmpfloat_with_epsilon (sl_frame_y (s.frame, row), middle_of_row (&s, row), 1e-6);
    }
  g_assert_cmpuint (sl_frame_row (s.frame, &s.figure, s.frame->plot.x - 1.0, middle_of_row (&s, 3)),
                    ==, 0);
  for (unsigned i = 0; i < s.frame->n_y_ticks; i++)
    {
      g_snprintf (text, sizeof text, "%g", s.frame->y_tick[i].value);
      g_assert_cmpstr (s.frame->y_tick[i].label, ==, text);
      g_assert_cmpfloat (s.frame->y_tick[i].value, ==, rint (s.frame->y_tick[i].value));
    }
  g_assert_cmpuint (s.frame->n_y_ticks, >=, 8);
  g_assert_cmpstr (s.frame->key_title, ==, "load ÷ ideal");
  g_assert_cmpstr (s.frame->key_zero_text, ==, "dead");
  g_assert_cmpuint (s.frame->n_chips, ==, 0);

  /* A hidden row is gone, and the others keep their numbers. */
  sl_figure_hide (&s.figure, 1, true);
  draw (&s, 480, 320);
  g_assert_cmpuint (s.figure.rows.n, ==, 15);
  g_assert_cmpuint (sl_figure_row_number (&s.figure, 2), ==, 3);
  g_assert_cmpuint (sl_figure_row_of (&s.figure, 2), ==, 0);
  drop (&s);
}

/* By the mean of what is in view, which may change with the view. */
static void
test_sorted (void)
{
  Shown  s;
  SlView view;
  double before = HUGE_VAL;

  show (&s, SAMPLE_USAGE, 1000, SL_THEME_LIGHT, 1.0);
  view = s.figure.view;
  view.sorted = true;
  sl_figure_set_view (&s.figure, &view);
  draw (&s, 480, 320);
  for (unsigned r = 0; r < 16; r++)
    {
      const SlSeries *series = s.figure.curve[s.figure.rows.curve[r]].series;
      double          mean;

      g_assert_true (sl_series_mean (series, 0, series->n, &mean));
      g_assert_cmpfloat (mean, <=, before);
      before = mean;
    }
  g_assert_cmpuint (s.figure.rows.curve[0], ==, 2); /* the favourite */
  s.figure.picks.picked = 3;
  draw (&s, 480, 320);
  g_assert_cmpuint (s.frame->picked, ==, 1);

  /* At the end four of them are dead, and the one that was unknown comes before those. */
  view.zoomed = true;
  view.x_lo = 9000.0;
  view.x_hi = 10000.0;
  sl_figure_set_view (&s.figure, &view);
  draw (&s, 480, 320);
  for (unsigned r = 12; r < 16; r++)
    g_assert_cmpuint (s.figure.rows.curve[r], ==, r);
  /* Where a row has no value at all it comes last. */
  view.x_lo = 4200.0;
  view.x_hi = 4800.0;
  sl_figure_set_view (&s.figure, &view);
  draw (&s, 480, 320);
  g_assert_cmpuint (s.figure.rows.curve[15], ==, 5);

  view.sorted = false;
  sl_figure_set_view (&s.figure, &view);
  draw (&s, 480, 320);
  for (unsigned r = 0; r < 16; r++)
    g_assert_cmpuint (s.figure.rows.curve[r], ==, r);
  drop (&s);
}

/* Sorted rows do not jump about with every sample. */
static void
test_calm (void)
{
  SlFigure figure = { 0 };
  SlRecord record;
  SlView   view;
  uint32_t first;

  sample_record (&record, 0, 1);
  first = record.layout.first[SAMPLE_USAGE][0];
  for (uint64_t step = 1; step <= 20; step++)
    for (uint32_t e = 0; e < 16; e++)
      sl_record_take (&record, &(SlSample) { step, e, first + e, 1 });
  sl_panel_update (&figure, &record, SAMPLE_USAGE, NULL, 0);
  view = figure.view;
  view.sorted = true;
  sl_figure_set_view (&figure, &view);
  sl_figure_fit (&figure, 10.0);
  g_assert_cmpuint (figure.rows.curve[0], ==, 15);
  sl_record_take (&record, &(SlSample) { 21, 1e6, first + 4, 1 });
  sl_panel_update (&figure, &record, SAMPLE_USAGE, NULL, 0);
  sl_figure_fit (&figure, 11.0);
  g_assert_cmpuint (figure.rows.curve[0], ==, 15);
  sl_figure_fit (&figure, 12.5);
  g_assert_cmpuint (figure.rows.curve[0], ==, 4);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* Every cell of a history has the colour of the mean in its pixel column; zeros are hatched, gaps
 * are paper.  */
static void
test_history_pixels (void)
{
  for (unsigned theme = 0; theme < SL_N_THEMES; theme++)
    for (unsigned scale = 1; scale <= 2; scale++)
      {
        unsigned      plain = 0, right = 0, hatched = 0, inked = 0, gaps = 0;
        const SlRect *p;
        uint32_t      zero, paper;
        Shown         s;

        show (&s, SAMPLE_USAGE, 6000, (SlThemeKind) theme, scale);
        s.figure.flags.n = 0;
        draw (&s, 480, 320);
        p = &s.frame->plot;
        zero = sl_packed (sl_tint_colour (&s.theme, &s.figure.colours.tint, 0.0)) & 0xffffff;
        paper = sl_packed (s.theme.plot) & 0xffffff;
        for (double x = p->x + 0.25; x < p->x + p->w; x += 1.0)
          {
            SlCellMean mean[16];
            double     value = sl_frame_value_x (s.frame, floor (x * scale) / scale + 0.5 / scale);

            sl_rows_at (&s.figure, value, sl_frame_pixel (s.frame, value) / scale, mean);
            for (unsigned r = 0; r < 16; r++)
              {
                uint32_t got = at (&s, x, middle_of_row (&s, r + 1));

                if (isnan (mean[r].mean))
                  {
                    g_assert_cmphex (got, ==, paper);
                    gaps++;
                  }
                else if (mean[r].zero)
                  {
                    hatched++;
                    inked += !alike (got, zero, 30);
                  }
                else
                  {
                    plain++;
                    right += alike (
                      got,
                      sl_packed (sl_tint_colour (&s.theme, &s.figure.colours.tint, mean[r].mean)),
                      24);
                  }
              }
          }
        g_assert_cmpuint (right, >, plain - plain / 50);
        g_assert_cmpuint (gaps, >, (unsigned) (0.08 * p->w));
        /* Of a zero some is line and some is not. */
        g_assert_cmpuint (inked, >, hatched / 10);
        g_assert_cmpuint (inked, <, hatched / 2);
        drop (&s);
      }
}

/* Each band covers its share of the height. */
static void
test_shares_pixels (void)
{
  static const unsigned panels[] = { SAMPLE_PARTS, SAMPLE_LAYERS };

  for (unsigned k = 0; k < 2; k++)
    for (unsigned scale = 1; scale <= 2; scale++)
      {
        unsigned      seen = 0, right = 0;
        const SlRect *p;
        Shown         s;

        show (&s, panels[k], 500, SL_THEME_LIGHT, scale);
        s.figure.flags.n = 0;
        draw (&s, 480, 320);
        g_assert_cmpfloat (s.frame->y.hi, ==, 100.0);
        g_assert_cmpuint (s.frame->n_chips, ==, k == 0 ? 0 : 3);
        p = &s.frame->plot;
        for (double x = p->x + 0.25; x < p->x + p->w; x += 3.0)
          {
            double     value = sl_frame_value_x (s.frame, x), begin[SL_CURVES_MAX + 1];
            SlCellMean mean[SL_CURVES_MAX];

            sl_rows_at (&s.figure, value, sl_frame_pixel (s.frame, value), mean);
            if (!sl_rows_stack (mean, s.figure.rows.n, 1, begin))
              continue;
            for (unsigned r = 0; r <= s.figure.rows.n; r++)
              begin[r] = p->y + p->h * begin[r];
            g_assert_cmpfloat_with_epsilon (begin[0], p->y, 1e-9);
            g_assert_cmpfloat_with_epsilon (begin[s.figure.rows.n], p->y + p->h, 1e-9);
            for (unsigned r = 0; r < s.figure.rows.n; r++)
              {
                SlRgba colour = sl_rows_colour (&s.figure, &s.theme, s.figure.rows.curve[r]);
                double middle = 0.5 * (begin[r] + begin[r + 1]);

                /* Beside a line between two bands. */
                if (begin[r + 1] - begin[r] < 8.0)
                  continue;
                seen++;
                right += alike (at (&s, x, middle), sl_packed (colour), 6);
                g_assert_cmpuint (sl_frame_row (s.frame, &s.figure, x, middle), ==, r + 1);
              }
          }
        g_assert_cmpuint (seen, >, 300);
        g_assert_cmpuint (right, >, seen - seen / 50);
        drop (&s);
      }
}

/* Parts of a column, with values that have none. */
static void
test_stack (void)
{
  SlCellMean mean[4] = { { .mean = 1.0 }, { .mean = NAN }, { .mean = -2.0 }, { .mean = 3.0 } };
  double     begin[5] = { 9, 9, 9, 9, 9 };

  g_assert_true (sl_rows_stack (mean, 4, 1, begin));
  g_assert_cmpfloat (begin[0], ==, 0.0);
  g_assert_cmpfloat (begin[1], ==, 0.25);
  g_assert_cmpfloat (begin[2], ==, 0.25);
  g_assert_cmpfloat (begin[3], ==, 0.25);
  g_assert_cmpfloat (begin[4], ==, 1.0);
  mean[0].mean = mean[3].mean = 0.0;
  begin[1] = 9.0;
  g_assert_false (sl_rows_stack (mean, 4, 1, begin));
  g_assert_cmpfloat (begin[1], ==, 9.0);
}

/* The file shows what the screen shows. */
static void
test_vector (void)
{
  static const unsigned panels[] = { SAMPLE_USAGE, SAMPLE_PARTS, SAMPLE_CLASSES };

  for (unsigned k = 0; k < G_N_ELEMENTS (panels); k++)
    {
      cairo_surface_t *theirs = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 480, 320);
      cairo_t         *cr = cairo_create (theirs);
      unsigned         same = 0, all = 0;
      SlCanvas        *canvas;
      SlText          *text;
      Shown            s;

      show (&s, panels[k], 2000, SL_THEME_LIGHT, 1.0);
      text = sl_text_new (s.theme.family);
      canvas = sl_canvas_cairo_new (cr, text);
      {
        SlDrawing drawing = { canvas, &s.figure, s.frame, &s.theme, 1.0, "figure" };

        sl_draw_static (&drawing);
        sl_draw_data (&drawing);
        sl_draw_overlay (&drawing);
      }
      sl_canvas_cairo_free (canvas);
      sl_text_free (text);
      cairo_destroy (cr);
      cairo_surface_flush (theirs);
      for (int y = 0; y < 320; y++)
        for (int x = 0; x < 480; x++, all++)
          same += alike (pixel_of (theirs, x, y), pixel_of (s.image, x, y), 90);
      /* The fine lines between bands are of whole pixels here and not there. */
      if (same < all - all / (panels[k] == SAMPLE_PARTS ? 20 : 50))
        g_error ("panel %u: %u of %u pixels differ", panels[k], all - same, all);
      cairo_surface_destroy (theirs);
      drop (&s);
    }
}

/* A colour per value: neutral in the centre, ends where they are asked for, both named. */
static void
test_tint (void)
{
  SlTheme  theme = sl_theme_get (SL_THEME_LIGHT);
  SlTint   tint = sl_tint_new (0.0, 3.0, 1.0, false);
  uint32_t neutral = sl_packed (sl_map_diverging (&theme, 0.0));
  Shown    s;

  g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 1.0)), ==, neutral);
  g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 0.0)), ==,
                   sl_packed (sl_map_diverging (&theme, -1.0)));
  g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 2.0)), ==,
                   sl_packed (sl_map_diverging (&theme, 0.5)));
  g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 77.0)), ==,
                   sl_packed (sl_map_diverging (&theme, 1.0)));
  tint = sl_tint_new (0.01, 100.0, 0.0, true);
  g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 1.0)), ==,
                   sl_packed (sl_map_sequential (&theme, 0.5)));
  g_assert_cmphex (sl_packed (sl_tint_colour (&theme, &tint, 0.0)), ==,
                   sl_packed (sl_map_sequential (&theme, 0.0)));

  show (&s, SAMPLE_USAGE, 1000, SL_THEME_LIGHT, 1.0);
  g_assert_true (s.frame->tint.above && !s.frame->tint.below);
  g_assert_cmpstr (s.frame->key_tick[s.frame->n_key_ticks - 1].label, ==, "≥\u00a03");
  drop (&s);
  /* Nothing beyond the end while the favourite is not that far. */
  show (&s, SAMPLE_USAGE, 100, SL_THEME_LIGHT, 1.0);
  s.figure.view.zoomed = true;
  s.figure.view.x_lo = 0.0;
  s.figure.view.x_hi = 300.0;
  draw (&s, 480, 320);
  g_assert_false (s.frame->tint.above);
  drop (&s);
}

/* Named columns have all their names, rows their numbers from 1; a long note goes on below. */
static void
test_names (void)
{
  static const char *const names[]
    = { "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
        "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot" };
  char    name[64];
  SlText *text;
  Shown   s;

  show (&s, SAMPLE_CLASSES, 10, SL_THEME_LIGHT, 1.0);
  text = sl_text_new (s.theme.family);
  g_assert_cmpuint (s.frame->n_x_ticks, ==, 10);
  g_assert_true (s.frame->upright);
  for (unsigned i = 0; i < 10; i++)
    {
      g_assert_cmpstr (s.frame->x_tick[i].label, ==, names[i]);
      g_assert_true (sl_figure_column_name (&s.figure, i, name, sizeof name));
      g_assert_cmpstr (name, ==, names[i]);
      /* Nothing hangs over the edge. */
      g_assert_cmpfloat (s.frame->plot.y + s.frame->plot.h + 5.0
                           + sl_text_width (text, names[i], s.theme.type, false),
                         <, 320.0);
    }
  g_assert_false (sl_figure_column_name (&s.figure, 10, name, sizeof name));
  g_assert_cmpstr (s.frame->y_tick[0].label, ==, "1");
  g_assert_cmpuint (s.frame->n_notes, ==, 2);
  for (unsigned i = 0; i < s.frame->n_notes; i++)
    g_assert_cmpfloat (sl_text_width (text, s.frame->note[i], 0.92 * s.theme.type, false), <,
                       480.0);
  g_assert_true (g_str_has_suffix (s.frame->note[1], "goes on below"));

  /* Rows may have names of their own: layers of a model are not numbered from 1. */
  s.figure.matrix.row_names = "3\n7\nmtp 0\n";
  draw (&s, 480, 320);
  g_assert_cmpstr (s.frame->y_tick[0].label, ==, "3");
  g_assert_cmpstr (s.frame->y_tick[1].label, ==, "7");
  g_assert_cmpstr (s.frame->y_tick[2].label, ==, "mtp 0");
  g_assert_true (sl_figure_row_name (&s.figure, 2, name, sizeof name));
  g_assert_cmpstr (name, ==, "mtp 0");
  g_assert_false (sl_figure_row_name (&s.figure, 3, name, sizeof name));
  s.figure.matrix.row_names = NULL;

  /* Wide enough, the names lie. */
  draw (&s, 1200, 400);
  g_assert_false (s.frame->upright);
  g_assert_cmpstr (s.frame->x_tick[9].label, ==, "Ankle boot");
  /* A wide plot has a long note in one line, whole. */
  memset (s.figure.note, '0', sizeof s.figure.note - 1);
  s.figure.note[200] = '\0';
  draw (&s, 3000, 400);
  g_assert_cmpstr (s.frame->note[0], ==, s.figure.note);
  /* Too small for two lines, the note is cut instead. */
  draw (&s, 420, 190);
  g_assert_cmpuint (s.frame->n_notes, <=, 1);
  sl_text_free (text);
  drop (&s);
}

/* The bins of a histogram: a numbered axis, upwards, which nothing sorts. */
static void
test_bins (void)
{
  Shown  s;
  SlView view;

  show (&s, SAMPLE_RATES, 500, SL_THEME_LIGHT, 1.0);
  g_assert_true (s.frame->tint.scale.logarithmic && s.figure.view.log_y);
  g_assert_false (s.frame->y.logarithmic);
  g_assert_cmpfloat (s.frame->y.lo, ==, 0.0);
  g_assert_cmpfloat (s.frame->y.hi, ==, 80.0);
  for (unsigned number = 1; number <= 16; number++)
    {
      double middle = sl_frame_y (s.frame, 5.0 * number - 2.5);

      g_assert_cmpuint (sl_figure_row_of (&s.figure, number), ==, 17 - number);
      g_assert_cmpuint (
        sl_figure_row_number (&s.figure,
                              sl_frame_row (s.frame, &s.figure, s.frame->plot.x + 9.0, middle)),
        ==, number);
    }
  view = s.figure.view;
  view.sorted = true;
  sl_figure_set_view (&s.figure, &view);
  draw (&s, 480, 320);
  g_assert_cmpuint (s.figure.rows.curve[0], ==, 15);
  g_assert_cmpuint (s.figure.rows.curve[15], ==, 0);
  drop (&s);
}

/* As many rows as a figure holds, in as little height as a card has. */
static void
test_most (void)
{
  SlSettings     settings;
  SlRecord       record;
  SlStatus       status;
  SlFigure       figure = { 0 };
  SlTheme        theme = sl_theme_get (SL_THEME_LIGHT);
  SlRender      *picture = sl_render_new ();
  const SlFrame *frame;

  sl_settings_default (&settings, sample_lab.params, sample_lab.n_params);
  sl_settings_settle (&settings, sample_lab.params, sample_lab.n_params);
  status = sl_settings_set (&settings, sample_lab.params, sample_lab.n_params, "experts", "64");
  g_assert_true (sl_ok (&status));
  status = sl_record_init (&record, &sample_lab, &settings, 1);
  g_assert_true (sl_ok (&status));
  for (uint64_t step = 1; step <= 300; step++)
    for (uint32_t e = 0; e < 64; e++)
      g_assert_true (sl_record_take (
        &record, &(SlSample) { step, 0.1 * e, record.layout.first[SAMPLE_USAGE][0] + e, 1 }));
  for (unsigned panel = SAMPLE_USAGE; panel <= SAMPLE_PARTS; panel++)
    {
      sl_panel_update (&figure, &record, panel, NULL, 0);
      g_assert_nonnull (sl_render_draw (picture, &figure, &theme, &parts, 300, 190, 1.0, 0.0));
      frame = sl_render_frame (picture);
      g_assert_cmpuint (figure.rows.n, ==, 64);
      g_assert_cmpuint (
        sl_frame_row (frame, &figure, frame->plot.x + 50.0, frame->plot.y + frame->plot.h - 0.5),
        ==, 64);
      for (unsigned i = 1; i < frame->n_y_ticks; i++)
        g_assert_cmpfloat (fabs (frame->y_at[i] - frame->y_at[i - 1]), >, 0.9 * theme.type);
    }
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* A hundred times the samples, about the same file. */
static void
test_size (void)
{
  static const unsigned panels[] = { SAMPLE_USAGE, SAMPLE_PARTS };
  SlExportOptions       options = sl_export_options (SL_PRESET_COLUMNS, 1);

  for (unsigned k = 0; k < 2; k++)
    {
      gsize size[2];

      for (unsigned many = 0; many < 2; many++)
        {
          g_autoptr (GBytes) bytes = NULL;
          SlFigure figure = { 0 }, *list[1] = { &figure };
          SlRecord record;

          sample_record (&record, many ? 100000 : 1000, 1);
          sl_panel_update (&figure, &record, panels[k], NULL, 0);
          bytes = sl_export_page (list, 1, &options, SL_EXPORT_SVG, NULL);
          g_assert_nonnull (bytes);
          size[many] = g_bytes_get_size (bytes);
          sl_figure_clear (&figure);
          sl_record_clear (&record);
        }
      g_assert_cmpuint (size[1], <, 2 * size[0]);
      g_assert_cmpuint (size[1], <, 1000000);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/rows/rows", test_rows);
  g_test_add_func ("/plot/rows/sorted", test_sorted);
  g_test_add_func ("/plot/rows/calm", test_calm);
  g_test_add_func ("/plot/rows/history-pixels", test_history_pixels);
  g_test_add_func ("/plot/rows/shares-pixels", test_shares_pixels);
  g_test_add_func ("/plot/rows/stack", test_stack);
  g_test_add_func ("/plot/rows/vector", test_vector);
  g_test_add_func ("/plot/rows/tint", test_tint);
  g_test_add_func ("/plot/rows/names", test_names);
  g_test_add_func ("/plot/rows/bins", test_bins);
  g_test_add_func ("/plot/rows/most", test_most);
  g_test_add_func ("/plot/rows/size", test_size);
  return g_test_run ();
}
