/* SPDX-License-Identifier: MIT
 *
 * What lies on heat maps, bars made of parts, notes, and pages of several figures.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/files/table.h"
#include "plot/draw/draw.h"
#include "plot/export/export.h"
#include "plot/export/sheet.h"
#include "plot/figure/panel.h"
#include "plot/layout/frame.h"
#include "plot/screen/render.h"
#include "tests/support/close.h"

static const SlLab *
capacity (void)
{
  return sl_lab_find ("capacity");
}

static unsigned
panel_of (const char *id)
{
  int panel = sl_lab_panel (capacity (), id);

  g_assert_cmpint (panel, >=, 0);
  return (unsigned) panel;
}

static void
begin (SlRecord *record)
{
  SlSettings settings;

  sl_settings_default (&settings, capacity ()->params, capacity ()->n_params);
  g_assert_cmpint (sl_record_init (record, capacity (), &settings, 1).code, ==, SL_OK);
}

/* Cells of 1 at every step with a parabola over them and a mark, as a waterfall has them. */
static void
show_waterfall (SlRecord *record, bool drifting)
{
  unsigned   panel = panel_of ("waterfall");
  SlSnapshot snapshot = { .generation = 1, .panel = panel };
  double    *data;

  sl_snapshot_reset (&snapshot);
  data = sl_snapshot_matrix (&snapshot, 1, 9, 21);
  for (unsigned i = 0; i < 9 * 21; i++)
    data[i] = 0.5;
  snapshot.lo = 0.01;
  snapshot.hi = 1.0;
  snapshot.left = -10.5;
  snapshot.right = 10.5;
  snapshot.mark = 4.0;
  data = sl_snapshot_curve (&snapshot, record->layout.first[panel][1], 5, false);
  memcpy (data, (double[]) { drifting ? 1 : -6, -3, 0, 3, 6, 1, 0.25, 0, 0.25, 1 },
          10 * sizeof *data);
  g_assert_true (sl_record_show (record, &snapshot));
  sl_snapshot_clear (&snapshot);
}

static void
show_places (SlRecord *record)
{
  unsigned   panel = panel_of ("where");
  SlSnapshot snapshot = { .generation = 1, .panel = panel };

  sl_snapshot_reset (&snapshot);
  for (unsigned c = 0; c < 4; c++)
    {
      double *data = sl_snapshot_curve (&snapshot, record->layout.first[panel][c], 2, true);

      data[1] = 1;
      data[2] = 10.0 * (c + 1);
      data[3] = 40.0 - 10.0 * c;
      data[5] = 3.0;
    }
  g_assert_true (sl_record_show (record, &snapshot));
  sl_snapshot_clear (&snapshot);
}

static uint32_t
pixel (cairo_surface_t *image, double x, double y)
{
  const uint32_t *data = (const uint32_t *) (const void *) cairo_image_surface_get_data (image);

  return data[(int) y * (cairo_image_surface_get_stride (image) / 4) + (int) x] & 0xffffff;
}

static unsigned
lightness (uint32_t rgb)
{
  return ((rgb >> 16) + (rgb >> 8 & 0xff) + (rgb & 0xff)) / 3;
}

/* Lines go through their points, dark on a light rim, whichever way they run; the axis is that of
 * the snapshot, and the legend names even one line.  */
static void
test_lines (gconstpointer drifting)
{
  SlRecord         record;
  SlFigure         figure = { 0 };
  SlRender        *picture = sl_render_new ();
  SlTheme          theme = sl_theme_get (SL_THEME_LIGHT);
  const SlFrame   *frame;
  cairo_surface_t *image;
  unsigned         under;

  begin (&record);
  show_waterfall (&record, drifting != NULL);
  g_assert_true (sl_panel_update (&figure, &record, panel_of ("waterfall"), NULL, 0));
  g_assert_cmpuint (figure.n_curves, ==, 1);
  g_assert_true (figure.curve[0].scatter == (drifting != NULL));
  image
    = sl_render_draw (picture, &figure, &theme,
                      &(SlParts) { .legend = SL_LEGEND_ABOVE, .handle = true }, 420, 320, 1.0, 0.0);
  frame = sl_render_frame (picture);
  sl_assert_near (frame->x.lo, -10.5, 0, 1e-12);
  sl_assert_near (frame->x.hi, 10.5, 0, 1e-12);
  g_assert_cmpuint (frame->n_chips, ==, 1);
  g_assert_true (frame->chip[0].line && !frame->chip[0].marker);
  sl_assert_near (frame->mark, sl_frame_x (frame, 4.0), 0, 1e-9);
  under = lightness (pixel (image, sl_frame_x (frame, 9), sl_frame_y (frame, 0.6)));
  g_assert_cmpuint (lightness (pixel (image, sl_frame_x (frame, 3), sl_frame_y (frame, 0.25))), <,
                    under);
  g_assert_cmpuint (lightness (pixel (image, sl_frame_x (frame, 4.5), sl_frame_y (frame, 0.625))),
                    <, under);
  /* The knob: a ring on the axis under the mark. */
  g_assert_true (frame->handle);
  g_assert_cmpuint (lightness (pixel (image, frame->mark, frame->plot.y + frame->plot.h)), >, 200);
  g_assert_cmpuint (lightness (pixel (image, frame->mark + 0.75 * sl_frame_handle_radius (frame),
                                      frame->plot.y + frame->plot.h)),
                    <, 100);
  figure.curve[0].hidden = true;
  figure.version++;
  image = sl_render_draw (picture, &figure, &theme, &(SlParts) { .legend = SL_LEGEND_ABOVE }, 420,
                          320, 1.0, 0.0);
  g_assert_cmpuint (lightness (pixel (image, sl_frame_x (frame, 4.5), sl_frame_y (frame, 0.625))),
                    ==, under);
  g_assert_false (sl_render_frame (picture)->handle);
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* Cells, lines, mark and axis come back from a JSON export. */
static void
test_json (void)
{
  SlRecord         record, again;
  g_autofree char *json = NULL, *recipe = NULL;
  g_autoptr (GError) error = NULL;
  const SlSnapshot *shot;

  begin (&record);
  show_waterfall (&record, true);
  json = sl_table_json (&record, NULL);
  g_assert_true (sl_table_read_json (json, &again, &recipe, &error));
  g_assert_no_error (error);
  shot = &again.snapshot[panel_of ("waterfall")];
  g_assert_cmpuint (shot->rows, ==, 9);
  g_assert_cmpuint (shot->columns, ==, 21);
  for (unsigned i = 0; i < 9 * 21; i++)
    g_assert_cmpfloat (shot->data[i], ==, 0.5);
  g_assert_cmpuint (shot->n_curves, ==, 1);
  g_assert_cmpfloat (shot->data[shot->curve[0].offset], ==, 1);
  g_assert_cmpfloat (shot->data[shot->curve[0].offset + 9], ==, 1);
  g_assert_cmpfloat (shot->mark, ==, 4);
  g_assert_cmpfloat (shot->left, ==, -10.5);
  sl_record_clear (&record);
  sl_record_clear (&again);
}

/* Parts stand on each other, each in its colour, and a part that is switched off leaves no hole. */
static void
test_stack (void)
{
  SlRecord         record;
  SlFigure         figure = { 0 };
  SlRender        *picture = sl_render_new ();
  SlTheme          theme = sl_theme_get (SL_THEME_LIGHT);
  const SlFrame   *frame;
  cairo_surface_t *image;
  double           x;

  begin (&record);
  show_places (&record);
  g_assert_true (sl_panel_update (&figure, &record, panel_of ("where"), NULL, 0));
  image = sl_render_draw (picture, &figure, &theme, &(SlParts) { .legend = SL_LEGEND_ABOVE }, 420,
                          320, 1.0, 0.0);
  frame = sl_render_frame (picture);
  sl_assert_near (frame->y.lo, 0, 0, 1e-12);
  sl_assert_near (frame->y.hi, 100, 0, 1e-12);
  x = frame->plot.x + 0.5 * frame->bar - 0.25 * 0.62 * frame->bar;
  for (unsigned c = 0, below = 0; c < 4; c++)
    {
      SlRgba colour = sl_pen (&theme, figure.curve[c].slot, SL_MEASURED, false).colour;

      g_assert_cmphex (pixel (image, x, sl_frame_y (frame, below + 5.0 * (c + 1))), ==,
                       sl_packed (colour) & 0xffffff);
      below += 10 * (c + 1);
    }
  sl_figure_hide (&figure, 1, true);
  image = sl_render_draw (picture, &figure, &theme, &(SlParts) { .legend = SL_LEGEND_ABOVE }, 420,
                          320, 1.0, 0.0);
  g_assert_cmphex (pixel (image, x, sl_frame_y (frame, 25)), ==,
                   sl_packed (sl_pen (&theme, figure.curve[2].slot, SL_MEASURED, false).colour)
                     & 0xffffff);
  sl_render_free (picture);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* Without a range of its own the axis reaches what the tallest pile needs. */
static void
test_stack_range (void)
{
  SlRecord record;
  SlFigure figure = { 0 };

  begin (&record);
  show_places (&record);
  sl_panel_update (&figure, &record, panel_of ("where"), NULL, 0);
  figure.y.lo = figure.y.hi = 0.0;
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.y_range.lo, <=, 0);
  g_assert_cmpfloat (figure.y_range.hi, >=, 100);
  g_assert_cmpfloat (figure.y_range.hi, <, 160);
  sl_figure_hide (&figure, 3, true);
  sl_figure_fit (&figure, HUGE_VAL);
  g_assert_cmpfloat (figure.y_range.hi, <, 120);
  sl_figure_clear (&figure);
  sl_record_clear (&record);
}

/* A page keeps the order it is given, lines plots up and leaves figures as they were. */
static void
test_sheet (void)
{
  SlRecord        record;
  SlFigure        figure[4] = { 0 }, *list[4];
  SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 4);
  g_autoptr (GBytes) svg = NULL;
  SlPlotSheet sheet;
  const char *text, *first, *second;

  begin (&record);
  show_waterfall (&record, false);
  show_places (&record);
  for (unsigned i = 0; i < 4; i++)
    {
      sl_panel_update (&figure[i], &record, panel_of (i % 2 == 0 ? "where" : "waterfall"), NULL, 0);
      list[i] = &figure[i];
    }
  figure[0].y_range = (SlRange) { -3, 7 };
  sl_plot_sheet_init (&sheet, list, 4, &options, 0.0);
  g_assert_cmpuint (sheet.across, ==, 2);
  g_assert_cmpuint (sheet.down, ==, 2);
  g_assert_cmpfloat (figure[0].y_range.hi, ==, 100);
  for (unsigned i = 0; i < 4; i++)
    {
      g_assert_cmpstr (sheet.frame[i].title + 3, ==,
                       i % 2 == 0 ? " Where the capacity goes" : " Waterfall");
      g_assert_cmpint (sheet.frame[i].title[1], ==, "abcd"[i]);
      g_assert_cmpfloat (sheet.frame[i].plot.x, ==, sheet.frame[i % 2].plot.x);
      g_assert_cmpfloat (sheet.frame[i].plot.y, ==, sheet.frame[i & 2].plot.y);
      g_assert_cmpfloat (sheet.frame[i].plot.w, >, 100);
      g_assert_cmpfloat (sheet.frame[i].type, ==, sheet.frame[0].type);
    }
  sl_plot_sheet_clear (&sheet);
  g_assert_cmpfloat (figure[0].y_range.lo, ==, -3);
  g_assert_cmpfloat (figure[0].y_range.hi, ==, 7);

  sl_export_across (&options, SL_PRESET_COLUMNS, 4, 1);
  g_assert_cmpfloat (options.height, ==, 4 * 60.0);
  sl_export_across (&options, SL_PRESET_COLUMNS, 4, 9);
  g_assert_cmpuint (options.across, ==, 4);
  options.width = 400.0;
  svg = sl_export_page (list, 4, &options, SL_EXPORT_SVG, NULL);
  text = g_bytes_get_data (svg, NULL);
  first = strstr (text, "(a) Where");
  second = strstr (text, "(b) Waterfall");
  g_assert_true (first != NULL && second != NULL && first < second);
  for (unsigned i = 0; i < 4; i++)
    sl_figure_clear (&figure[i]);
  sl_record_clear (&record);
}

/* All of a note that fills its room is there, line after line, whatever its letters. */
static void
test_note (gconstpointer data)
{
  const char         *unit = data;
  double              x[] = { 0.0, 1.0 };
  SlCurve             curve = { .x = x, .y = x, .n = 2 };
  SlFigure            figure = { .kind = SL_PROFILE, .mark = NAN, .curve = &curve, .n_curves = 1 };
  SlTheme             theme = sl_theme_get (SL_THEME_LIGHT);
  SlText             *text = sl_text_new (theme.family);
  g_autofree SlFrame *frame = g_new (SlFrame, 1);
  g_autoptr (GString) words = g_string_new (NULL), shown = g_string_new (NULL);
  const char *line = frame->user_note[0].line;

  while (words->len + strlen (unit) < SL_NOTE_TEXT)
    g_string_append (words, unit);
  figure.notes = (SlNotes) { .n = 1, .at = { { .x = 0.5, .y = 0.5 } } };
  sl_note_set_text (&figure.notes.at[0], words->str);
  sl_figure_fit (&figure, HUGE_VAL);
  sl_frame_layout (frame, &figure, &theme, &(SlParts) { 0 }, text, 4000.0, 300.0);
  g_assert_cmpuint (frame->n_user_notes, ==, 1);
  g_assert_cmpuint (frame->user_note[0].n_lines, ==, SL_FRAME_NOTE_LINES);
  for (unsigned i = 0; i < SL_FRAME_NOTE_LINES; i++, line += strlen (line) + 1)
    {
      g_assert_true (line < frame->user_note[0].line + SL_FRAME_NOTE_TEXT);
      g_assert_true (g_utf8_validate (line, -1, NULL));
      g_string_append_printf (shown, "%s%s", i > 0 ? " " : "", line);
    }
  if (g_str_has_suffix (shown->str, "…"))
    g_string_truncate (shown, shown->len - strlen ("…"));
  g_assert_true (g_str_has_prefix (words->str, shown->str));
  g_assert_cmpuint (shown->len, >, 60);
  sl_text_free (text);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/plot-over/lines", NULL, test_lines);
  g_test_add_data_func ("/plot-over/lines-drifting", "", test_lines);
  g_test_add_func ("/plot-over/json", test_json);
  g_test_add_func ("/plot-over/stack", test_stack);
  g_test_add_func ("/plot-over/stack-range", test_stack_range);
  g_test_add_func ("/plot-over/sheet", test_sheet);
  g_test_add_data_func ("/plot-over/note", "four words of it, ", test_note);
  g_test_add_data_func ("/plot-over/note-letters", "ééé ààà ", test_note);
  return g_test_run ();
}
