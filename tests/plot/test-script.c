/* SPDX-License-Identifier: MIT
 *
 * Figures as scripts: matplotlib draws from them what we draw, axes and ends of curves within a pixel, and what
 * is hostile in a label stays a label.  Where matplotlib is not installed, the tests say so.
 * Argument: how many figures are compared, else twenty.  */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/canvas/script.h"
#include "plot/charts/front.h"
#include "plot/charts/overlay.h"
#include "plot/export/export.h"
#include "plot/export/sheet.h"
#include "plot/figure/panel.h"
#include "tests/plot/plot-sample.h"

#define DPI 288.0
#define PIXEL (DPI / 96.0) /* of the screen, in pixels of the pictures */

static unsigned figures = 20; /* to compare */

/* A folder with what a figure is written to. */
typedef struct
{
  char *folder, *ours, *theirs;
} Place;

static void
place_init (Place *place)
{
  place->folder = g_dir_make_tmp ("sluice-script-XXXXXX", NULL);
  place->ours = g_build_filename (place->folder, "ours.png", NULL);
  place->theirs = g_build_filename (place->folder, "theirs.png", NULL);
}

static void
place_clear (Place *place)
{
  g_autoptr (GDir) dir = g_dir_open (place->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (place->folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (place->folder), ==, 0);
  g_free (place->folder);
  g_free (place->ours);
  g_free (place->theirs);
}

static bool
run (const Place *place, const char **argv, bool may_fail)
{
  g_autofree char *said = NULL, *failed = NULL;
  int              status = -1;
  g_autoptr (GError) error = NULL;

  g_spawn_sync (place->folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &said,
                &failed, &status, &error);
  if (error == NULL && g_spawn_check_wait_status (status, NULL))
    return true;
  if (!may_fail)
    g_error ("%s: %s", argv[0], error != NULL ? error->message : failed);
  return false;
}

static bool
is_here (const Place *place)
{
  const char *python[] = { "/usr/bin/python3", "-c", "import matplotlib", NULL };

  return run (place, python, true);
}

static void
run_script (const Place *place)
{
  const char *python[] = { "/usr/bin/python3", "figure.py", "theirs.png", NULL };

  run (place, python, false);
}

static void
save (const Place *place, SlFigure *const *list, unsigned n, const SlExportOptions *options,
      SlExportFormat format, const char *name)
{
  g_autofree char *path = g_build_filename (place->folder, name, NULL);
  GError          *error = NULL;

  sl_export_save (list, n, options, format, path, &error);
  g_assert_no_error (error);
}

/* Pixels of about one colour inside a rectangle: their box, and the middle of those in its first and last
 * column.  */
typedef struct
{
  double left, right, top, bottom, begin, end;
  bool   any;
} Trace;

static bool
about (guint32 pixel, SlRgba c)
{
  enum { FAR = 56 };
  int r = (int) (pixel >> 16 & 255) - (int) lround (255.0 * (double) c.r);
  int g = (int) (pixel >> 8 & 255) - (int) lround (255.0 * (double) c.g);
  int b = (int) (pixel & 255) - (int) lround (255.0 * (double) c.b);

  return ABS (r) < FAR && ABS (g) < FAR && ABS (b) < FAR;
}

static Trace
find (cairo_surface_t *image, const SlRect *in, SlRgba colour)
{
  int x0 = MAX ((int) in->x, 0), y0 = MAX ((int) in->y, 0);
  int x1 = MIN ((int) ceil (in->x + in->w), cairo_image_surface_get_width (image));
  int y1 = MIN ((int) ceil (in->y + in->h), cairo_image_surface_get_height (image));
  const unsigned char *data = cairo_image_surface_get_data (image);
  int                  stride = cairo_image_surface_get_stride (image);
  Trace                found = { .top = HUGE_VAL, .bottom = -1.0 };

  for (int x = x0; x < x1; x++)
    {
      double   sum = 0.0;
      unsigned n = 0;

      for (int y = y0; y < y1; y++)
        if (about (((const guint32 *) (const void *) (data + y * stride))[x], colour))
          {
            found.top = MIN (found.top, y);
            found.bottom = MAX (found.bottom, y);
            sum += y;
            n++;
          }
      if (n == 0)
        continue;
      if (!found.any)
        {
          found.left = x;
          found.begin = sum / n;
        }
      found.any = true;
      found.right = x;
      found.end = sum / n;
    }
  return found;
}

static double
farthest (const Trace *a, const Trace *b, bool ends)
{
  double box = fmax (fmax (fabs (a->left - b->left), fabs (a->right - b->right)),
                     fmax (fabs (a->top - b->top), fabs (a->bottom - b->bottom)));

  return ends ? fmax (box, fmax (fabs (a->begin - b->begin), fabs (a->end - b->end))) : box;
}

/* Draws a figure twice and returns how far axes and curves are from each other, in px. */
static double
compare (const Place *place, SlFigure *figure, const SlExportOptions *options)
{
  SlPlotSheet      sheet;
  cairo_surface_t *ours, *theirs;
  double           worst = 0.0;
  SlRect           around;

  save (place, &figure, 1, options, SL_EXPORT_PNG, "ours.png");
  save (place, &figure, 1, options, SL_EXPORT_MATPLOTLIB, "figure.py");
  run_script (place);
  ours = cairo_image_surface_create_from_png (place->ours);
  theirs = cairo_image_surface_create_from_png (place->theirs);
  g_assert_cmpint (cairo_surface_status (ours), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_surface_status (theirs), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (ours), ==,
                   cairo_image_surface_get_width (theirs));
  g_assert_cmpint (cairo_image_surface_get_height (ours), ==,
                   cairo_image_surface_get_height (theirs));
  sl_plot_sheet_init (&sheet, &figure, 1, options, options->dpi / 96.0);
  around = sheet.frame[0].plot;
  around = (SlRect) { PIXEL * around.x, PIXEL * around.y, PIXEL * around.w, PIXEL * around.h };
  if (sl_frame_kind (&sheet.frame[0])->axes && !sheet.frame[0].empty)
    {
      SlRect box
        = { around.x - 2.0 * PIXEL, around.y, around.w + 4.0 * PIXEL, around.h + 2.0 * PIXEL };
      Trace a = find (ours, &box, sheet.theme.axis), b = find (theirs, &box, sheet.theme.axis);

      g_assert_true (a.any && b.any);
      worst = fmax (worst, farthest (&a, &b, false));
    }
  for (unsigned c = 0; c < figure->n_curves && sl_frame_kind (&sheet.frame[0])->values; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlRgba         colour = sl_theme_curve (&sheet.theme, curve->slot, curve->style);
      SlRect         box
        = { around.x + PIXEL, around.y + PIXEL, around.w - 2.0 * PIXEL, around.h - 2.0 * PIXEL };
      Trace a, b;

      if (curve->hidden || curve->style != SL_MEASURED)
        continue;
      a = find (ours, &box, colour);
      b = find (theirs, &box, colour);
      g_assert_true (a.any == b.any);
      worst = fmax (worst, a.any ? farthest (&a, &b,
                                             !sl_frame_kind (&sheet.frame[0])->bars
                                               && !sl_figure_marked (figure, c))
                                 : 0.0);
    }
  sl_plot_sheet_clear (&sheet);
  cairo_surface_destroy (ours);
  cairo_surface_destroy (theirs);
  return worst / PIXEL;
}

/* Every kind of figure, and some as others would have them. */
static void
test_alike (void)
{
  Place    place;
  SlRecord record;
  double   worst = 0.0;

  place_init (&place);
  sample_record (&record, 300, 1);
  if (!is_here (&place))
    g_test_skip ("matplotlib is not installed");
  else
    for (unsigned i = 0; i < figures; i++)
      {
        SlFigure        figure = { 0 };
        SlExportOptions options = sl_export_options (SL_PRESET_COLUMNS, 1);
        double          off;

        sl_panel_update (&figure, &record, i < SAMPLE_PANELS ? i : SAMPLE_LOSS, NULL, 0);
        options.dpi = DPI;
        if (i >= SAMPLE_PANELS)
          {
            options.legend = SL_LEGEND_RIGHT;
            options.width = 120.0;
            figure.view.log_y = !figure.view.log_y;
          }
        off = compare (&place, &figure, &options);
        g_test_message ("%s: %.1f px", figure.title, off);
        worst = fmax (worst, off);
        sl_figure_clear (&figure);
      }
  g_test_message ("%u figures, at most %.1f px from ours", figures, worst);
  g_assert_cmpfloat (worst, <=, 1.0);
  sl_record_clear (&record);
  place_clear (&place);
}

static unsigned
n_commas (const char *line)
{
  unsigned n = 0;

  for (; *line != '\0'; line++)
    n += *line == ',';
  return n;
}

/* The script reads a CSV file beside it, which has the values that stand inside a script that is written to no
 * regular file; that one runs without the file.  */
static void
test_data (void)
{
  Place            place;
  SlRecord         record;
  SlFigure         figure[SAMPLE_PANELS] = { 0 }, *list[SAMPLE_PANELS];
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMNS, SAMPLE_PANELS);
  g_autofree char *data = NULL, *source = NULL, *path = NULL, *file = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GBytes) page = NULL;
  gsize n;

  place_init (&place);
  path = g_build_filename (place.folder, "figure-data.csv", NULL);
  file = g_build_filename (place.folder, "figure.py", NULL);
  sample_record (&record, 300, 1);
  for (unsigned i = 0; i < SAMPLE_PANELS; i++)
    {
      sl_panel_update (&figure[i], &record, i, NULL, 0);
      list[i] = &figure[i];
    }
  save (&place, list, SAMPLE_PANELS, &options, SL_EXPORT_MATPLOTLIB, "figure.py");
  g_assert_true (g_file_get_contents (path, &data, &n, NULL));
  lines = g_strsplit (data, "\n", 3);
  g_assert_null (strchr (data, ' '));
  g_assert_cmpuint (n_commas (lines[0]), >, 10);
  g_assert_cmpuint (n_commas (lines[1]), ==, n_commas (lines[0]));
  g_assert_true (g_file_get_contents (file, &source, NULL, NULL));
  g_assert_null (strstr (source, data));
  page = sl_export_page (list, SAMPLE_PANELS, &options, SL_EXPORT_MATPLOTLIB, NULL);
  g_assert_nonnull (memmem (g_bytes_get_data (page, NULL), g_bytes_get_size (page), data, n));
  g_assert_true (g_file_set_contents (file, g_bytes_get_data (page, NULL),
                                      (gssize) g_bytes_get_size (page), NULL));
  g_assert_cmpint (g_unlink (path), ==, 0);
  if (is_here (&place))
    run_script (&place);
  for (unsigned i = 0; i < SAMPLE_PANELS; i++)
    sl_figure_clear (&figure[i]);
  sl_record_clear (&record);
  place_clear (&place);
}

/* ---- intervals ---- */

static guint32
pixel_of (cairo_surface_t *image, int x, int y)
{
  const unsigned char *data = cairo_image_surface_get_data (image);

  return ((const guint32 *) (const void *) (data + y * cairo_image_surface_get_stride (image)))[x];
}

/* How far two colours are from each other in one of red, green and blue. */
static int
distance (guint32 a, guint32 b)
{
  int most = 0;

  for (unsigned shift = 0; shift <= 16; shift += 8)
    most = MAX (most, ABS ((int) (a >> shift & 255) - (int) (b >> shift & 255)));
  return most;
}

/* Which part of what one picture has inside a rectangle the other has not, within two px; edges are soft. */
static double
missing (cairo_surface_t *of, cairo_surface_t *in, const SlRect *box)
{
  enum { PALE = 36 }; /* bands are not, the grid is */
  int      reach = (int) (2.0 * PIXEL);
  unsigned n = 0, lost = 0;

  for (int y = (int) box->y + reach; y < (int) (box->y + box->h) - reach; y++)
    for (int x = (int) box->x + reach; x < (int) (box->x + box->w) - reach; x++)
      {
        guint32 pixel = pixel_of (of, x, y);
        int     far = distance (pixel, 0xffffff);
        bool    there = false;

        if (far < PALE)
          continue;
        for (int dy = -reach; dy <= reach && !there; dy++)
          for (int dx = -reach; dx <= reach && !there; dx++)
            there = distance (pixel, pixel_of (in, x + dx, y + dy)) <= far / 2;
        n++;
        lost += !there;
      }
  g_assert_cmpuint (n, >, 0);
  return (double) lost / n;
}

/* The middle of each marker has one colour in both. */
static void
check_colours (const SlFrame *frame, const SlFigure *figure, cairo_surface_t *ours,
               cairo_surface_t *theirs)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    for (size_t i = 0; figure->curve[c].point != NULL && i < figure->curve[c].n; i++)
      {
        int x = (int) (PIXEL * sl_frame_x (frame, figure->curve[c].x[i]));
        int y = (int) (PIXEL * sl_frame_y (frame, figure->curve[c].y[i]));

        g_assert_cmpint (distance (pixel_of (ours, x, y), pixel_of (theirs, x, y)), <, 12);
      }
}

/* Draws a figure twice; what either picture has in its plot, the other has. */
static void
check_same (const Place *place, SlFigure *figure)
{
  SlExportOptions  options = sl_export_options (SL_PRESET_COLUMN, 1);
  SlPlotSheet      sheet;
  cairo_surface_t *ours, *theirs;
  SlRect           plot;

  options.dpi = DPI;
  save (place, &figure, 1, &options, SL_EXPORT_PNG, "ours.png");
  save (place, &figure, 1, &options, SL_EXPORT_MATPLOTLIB, "figure.py");
  run_script (place);
  ours = cairo_image_surface_create_from_png (place->ours);
  theirs = cairo_image_surface_create_from_png (place->theirs);
  g_assert_cmpint (cairo_surface_status (ours), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_surface_status (theirs), ==, CAIRO_STATUS_SUCCESS);
  sl_plot_sheet_init (&sheet, &figure, 1, &options, options.dpi / 96.0);
  plot = sheet.frame[0].plot;
  plot = (SlRect) { PIXEL * plot.x, PIXEL * plot.y, PIXEL * plot.w, PIXEL * plot.h };
  g_assert_cmpfloat (missing (ours, theirs, &plot), <, 0.25); /* thin lines are sharper in ours */
  g_assert_cmpfloat (missing (theirs, ours, &plot), <, 0.02);
  check_colours (&sheet.frame[0], figure, ours, theirs);
  sl_plot_sheet_clear (&sheet);
  cairo_surface_destroy (ours);
  cairo_surface_destroy (theirs);
}

/* Points with bars both ways, some pale, one alone and without a tone, and the ring of the knee. */
static void
make_points (SlFront *front, SlFigure *figure, bool toned, bool log)
{
  *front = (SlFront) { .frontier = true, .shape_title = { "one", "other" } };
  *figure = (SlFigure) { .x = { .label = "cost", .unit = "%" },
                         .y = { .label = "error", .unit = "%" },
                         .z = { .label = "k", .unit = "", .logarithmic = true },
                         .view.log_x = log };
  for (unsigned s = 0; s < 8; s++)
    for (unsigned seed = 0; seed < (s == 5 ? 1 : 3); seed++)
      sl_front_add (front,
                    &(SlFrontRun) { .key = s,
                                    .x = 10.0 + 12.0 * s + 3.0 * seed,
                                    .y = 40.0 / (1 + s) + (s % 3 == 1 ? 10.0 : 0.0) + 2.5 * seed,
                                    .tone = toned && s != 5 ? 1 << s : (double) NAN,
                                    .shape = s % 2,
                                    .title = "k" });
  g_assert_true (sl_front_update (front, figure));
}

static void
make_band (SlBand *band, SlFigure *figure)
{
  SlSeries        run[3] = { 0 };
  const SlSeries *runs[] = { &run[0], &run[1], &run[2] };

  for (unsigned r = 0; r < 3; r++)
    for (unsigned i = 0; i < 60; i++)
      sl_series_append (&run[r], i, i == 30 ? (double) NAN : 30.0 / (1 + i) + 6.0 * r + (i > 40));
  g_assert_true (sl_band_make (band, runs, 3, SL_BAND_RANGE));
  sl_overlay_begin_curves (figure, "error", "step");
  g_assert_true (sl_overlay_band (figure, &(SlOverlayRun) { "k 1", 1, 0, false },
                                  &(SlOverlayTrace) { "error", NULL, "%", 0 }, band));
  sl_overlay_end (figure);
  for (unsigned r = 0; r < 3; r++)
    sl_series_clear (&run[r]);
}

/* What matplotlib draws from half lengths and edges is what we draw. */
static void
test_intervals (void)
{
  Place    place;
  SlFigure figure = { 0 };
  SlBand   band = { 0 };

  place_init (&place);
  if (!is_here (&place))
    {
      g_test_skip ("matplotlib is not installed");
      place_clear (&place);
      return;
    }
  for (unsigned i = 0; i < 4; i++)
    {
      SlFront  front;
      SlFigure points;

      make_points (&front, &points, i % 2, i / 2);
      check_same (&place, &points);
      sl_figure_clear (&points);
      sl_front_clear (&front);
    }
  make_band (&band, &figure);
  check_same (&place, &figure);
  sl_figure_clear (&figure);
  sl_band_clear (&band);
  place_clear (&place);
}

/* What a person or a file can have written as a label is nothing that a program does. */
static void
test_hostile (void)
{
  static const char *const labels[] = {
    "'; system('touch HIT') #",     "\"; import os; os.mkdir('HIT') #",
    "\"\"\")\nopen('HIT', 'w')\n",  "`touch HIT` $(touch HIT) @HIT \\",
    "coding: latin-1 {} %s \\n \\",
  };
  Place            place;
  SlRecord         record;
  g_autofree char *hit = NULL;

  place_init (&place);
  hit = g_build_filename (place.folder, "HIT", NULL);
  sample_record (&record, 30, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      SlFigure        figure = { 0 }, *list = &figure;
      SlExportOptions options = sl_export_options (SL_PRESET_COLUMN, 1);

      sl_panel_update (&figure, &record, SAMPLE_AGREEMENT, NULL, 0);
      g_strlcpy (figure.title, labels[i], sizeof figure.title);
      g_strlcpy (figure.note, labels[i], sizeof figure.note);
      g_strlcpy (figure.curve[0].title, labels[i], sizeof figure.curve[0].title);
      g_strlcpy (figure.curve[0].id, labels[i], sizeof figure.curve[0].id);
      figure.y.label = labels[i];
      options.caption = options.title = labels[i];
      options.dpi = 50.0;
      save (&place, &list, 1, &options, SL_EXPORT_MATPLOTLIB, "figure.py");
      if (is_here (&place))
        run_script (&place);
      g_assert_false (g_file_test (hit, G_FILE_TEST_EXISTS));
      sl_figure_clear (&figure);
    }
  sl_record_clear (&record);
  place_clear (&place);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (argc > 1)
    figures = (unsigned) atoi (argv[1]);
  g_test_add_func ("/plot/script/alike", test_alike);
  g_test_add_func ("/plot/script/data", test_data);
  g_test_add_func ("/plot/script/intervals", test_intervals);
  g_test_add_func ("/plot/script/hostile", test_hostile);
  return g_test_run ();
}
