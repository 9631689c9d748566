/* SPDX-License-Identifier: MIT
 *
 * Pictures in colour: which pixel has which colour, large and small, on the
 * screen and in files, and what is at a point.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/run/files/table.h"
#include "plot/export/export.h"
#include "plot/figure/panel.h"
#include "plot/screen/render.h"
#include "tests/plot/plot-sample.h"

/* One panel of the sample as a picture. */
typedef struct
{
  SlRecord         record;
  SlFigure         figure;
  SlTheme          theme;
  SlRender        *picture;
  cairo_surface_t *image;
  const SlFrame   *frame;
} Shown;

static void
draw (Shown *s, int width, int height)
{
  static const SlParts parts = { .note = true, .legend = SL_LEGEND_ABOVE, .flags = true };

  s->image
    = sl_render_draw (s->picture, &s->figure, &s->theme, &parts, width, height, 1.0, HUGE_VAL);
  g_assert_nonnull (s->image);
  cairo_surface_flush (s->image);
  s->frame = sl_render_frame (s->picture);
}

static void
show (Shown *s, unsigned panel)
{
  memset (s, 0, sizeof *s);
  sample_record (&s->record, 10, 1);
  s->theme = sl_theme_get (SL_THEME_LIGHT);
  s->picture = sl_render_new ();
  g_assert_true (sl_panel_update (&s->figure, &s->record, panel, NULL, 0));
}

static void
drop (Shown *s)
{
  sl_render_free (s->picture);
  sl_figure_clear (&s->figure);
  sl_record_clear (&s->record);
}

/* A colour channel of the image, 0 … 1. */
static double
channel (const Shown *s, double x, double y, unsigned plane)
{
  const unsigned char *data = cairo_image_surface_get_data (s->image);
  int                  stride = cairo_image_surface_get_stride (s->image);

  return data[(int) y * stride + (int) x * 4 + 2 - (int) plane] / 255.0;
}

/* The mean of a part of a tile, without what is missing. */
static double
mean_of (const SlFigure *figure, unsigned tile, unsigned plane, double c0, double c1, double r0,
         double r1)
{
  double   sum = 0.0;
  unsigned n = 0;

  for (unsigned r = (unsigned) r0; r < (unsigned) ceil (r1) && r < figure->matrix.rows; r++)
    for (unsigned c = (unsigned) c0; c < (unsigned) ceil (c1) && c < figure->matrix.columns; c++)
      {
        sum += sl_figure_cell (figure, tile, plane, r, c);
        n++;
      }
  return sum / n;
}

static void
test_colours (void)
{
  static const int sizes[][2] = { { 1100, 600 }, { 480, 320 }, { 260, 200 }, { 150, 120 } };
  Shown            s;

  show (&s, SAMPLE_PICTURES);
  g_assert_true (sl_figure_coloured (&s.figure));
  for (unsigned k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      double   cells;
      unsigned compared = 0;

      draw (&s, sizes[k][0], sizes[k][1]);
      g_assert_cmpfloat (s.frame->key.w, ==, 0.0);
      g_assert_cmpfloat (fabs (s.frame->tiles.w - s.frame->tiles.h), <, 1e-9);
      for (unsigned tile = 0; tile < s.figure.matrix.tiles; tile++)
        {
          SlRect at = sl_frame_tile (s.frame, tile);

          cells = s.figure.matrix.columns / at.w;
          g_assert_cmpfloat (fabs (at.w - at.h), <, 1e-9);
          g_assert_cmpfloat (at.x + at.w, <=, sizes[k][0]);
          g_assert_cmpfloat (at.y + at.h + s.frame->tiles.caption, <=, sizes[k][1]);
          for (double y = ceil (at.y) + 1; y < at.y + at.h - 2; y += 7)
            for (double x = ceil (at.x) + 1; x < at.x + at.w - 2; x += 5)
              for (unsigned plane = 0; plane < 3; plane++)
                {
                  double want
                    = mean_of (&s.figure, tile, plane, (x - at.x) * cells, (x + 1 - at.x) * cells,
                               (y - at.y) * cells, (y + 1 - at.y) * cells);

                  /* What is missing shows the paper. */
                  if (isnan (want))
                    continue;
                  g_assert_cmpfloat (fabs (channel (&s, x, y, plane) - want), <, 0.13);
                  compared++;
                }
        }
      g_assert_cmpuint (compared, >, 100);
    }
  draw (&s, 480, 320);
  {
    SlRect at = sl_frame_tile (s.frame, 1);

    for (unsigned plane = 0; plane < 3; plane++)
      g_assert_cmpfloat (channel (&s, at.x + at.w / 2, at.y + 4, plane), ==, 1.0);
  }
  drop (&s);
}

/* Ink of a caption stands under its tile, and none where a tile is narrower than a word. */
static void
test_captions (void)
{
  Shown s;
  char  name[64];

  show (&s, SAMPLE_PICTURES);
  g_assert_true (sl_figure_column_name (&s.figure, 2, name, sizeof name));
  g_assert_cmpstr (name, ==, "both");
  draw (&s, 480, 320);
  g_assert_cmpfloat (s.frame->tiles.caption, >, 0.0);
  for (unsigned tile = 0; tile < 3; tile++)
    {
      SlRect at = sl_frame_tile (s.frame, tile);
      double ink = 0.0;

      for (double y = at.y + at.h + 1; y < at.y + at.h + s.frame->tiles.caption; y++)
        for (double x = at.x; x < at.x + at.w; x++)
          ink += 1.0 - channel (&s, x, y, 1);
      g_assert_cmpfloat (ink, >, 20.0);
    }
  draw (&s, 100, 90);
  g_assert_cmpfloat (s.frame->tiles.caption, ==, 0.0);
  drop (&s);
}

static void
test_pointer (void)
{
  unsigned tile, row, column;
  double   value;
  SlRect   at;
  Shown    s;

  show (&s, SAMPLE_PICTURES);
  draw (&s, 480, 320);
  at = sl_frame_tile (s.frame, 2);
  g_assert_true (
    sl_frame_cell (s.frame, &s.figure, at.x + at.w - 1, at.y + 1, &tile, &row, &column, &value));
  g_assert_cmpuint (tile, ==, 2);
  g_assert_cmpuint (row, ==, 0);
  g_assert_cmpuint (column, ==, 95);
  g_assert_cmpfloat (value, ==, sl_figure_cell (&s.figure, 2, 0, 0, 95));
  g_assert_false (
    sl_frame_cell (s.frame, &s.figure, at.x + 3, at.y + at.h + 3, &tile, &row, &column, &value));
  drop (&s);
}

/* Tables say which colour and which picture. */
static void
test_tables (void)
{
  g_autofree char *csv = NULL, *json = NULL;
  g_auto (GStrv) line = NULL, row = NULL;
  Shown s;

  show (&s, SAMPLE_PICTURES);
  csv = sl_table_panel_csv (&s.record, SAMPLE_PICTURES, 0, 0);
  line = g_strsplit (csv, "\n", -1);
  g_assert_true (g_str_has_prefix (line[0], "tile,caption,colour,row,0,1,"));
  g_assert_cmpuint (g_strv_length (line), ==, 1 + 3 * 3 * 96 + 1);
  g_assert_true (g_str_has_prefix (line[1 + 96 * 4 + 7], "1,style,green,7,"));
  row = g_strsplit (line[1 + 96 * 8 + 3], ",", -1);
  g_assert_cmpuint (g_strv_length (row), ==, 4 + 96);
  g_assert_cmpfloat (g_ascii_strtod (row[4 + 50], NULL), ==,
                     sl_figure_cell (&s.figure, 2, 2, 3, 50));
  json = sl_table_json (&s.record, NULL);
  g_assert_nonnull (strstr (json, "\"depth\": 3"));
  drop (&s);
}

static void
test_files (void)
{
  for (unsigned format = 0; format < SL_N_EXPORTS; format++)
    {
      Shown           s;
      SlFigure       *list[1];
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      show (&s, SAMPLE_PICTURES);
      list[0] = &s.figure;
      sl_figure_fit (&s.figure, HUGE_VAL);
      bytes = sl_export_page (list, 1, &options, (SlExportFormat) format, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_bytes_get_size (bytes), >, 1000);
      drop (&s);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/tiles/colours", test_colours);
  g_test_add_func ("/plot/tiles/captions", test_captions);
  g_test_add_func ("/plot/tiles/pointer", test_pointer);
  g_test_add_func ("/plot/tiles/tables", test_tables);
  g_test_add_func ("/plot/tiles/files", test_files);
  return g_test_run ();
}
