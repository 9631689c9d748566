/* SPDX-License-Identifier: MIT
 *
 * Films of runs, read back by other means than they were written with and compared frame by frame with the exporter's
 * pictures; what all frames share; what is left after a failure.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/headless/headless.h"
#include "core/run/record/recipe.h"
#include "plot/export/ours.h"
#include "plot/export/sheet.h"
#include "plot/figure/panel.h"
#include "plot/film/palette.h"
#include "plot/film/scene.h"
#include "tests/plot/film-reader.h"
#include "tests/plot/plot-sample.h"
#include "tests/support/folder.h"

enum { LARGE = 5 << 20 /* bytes that no film of 60 moments at 800 px has */ };

static const double far
  = 3.0; /* CIEDE2000, that no colour of lines, letters and areas may be off */

static const char recipe_text[] = "{\"lab\": \"<sample> & \\\"Söhne\\\"\", \"seed\": 7}";

static GPtrArray *
make (const SlFilm *film)
{
  GError    *error = NULL;
  GPtrArray *files = sl_film_make (film, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (files);
  return files;
}

static GPtrArray *
make_as (const SlFilm *film, SlFilmFormat format)
{
  SlFilm other = *film;

  other.format = format;
  return make (&other);
}

/* CIELAB by its definition, in double precision. */
static void
lab_of (guint32 rgb, double lab[3])
{
  static const double m[3][3] = { { 0.4124564, 0.3575761, 0.1804375 },
                                  { 0.2126729, 0.7151522, 0.0721750 },
                                  { 0.0193339, 0.1191920, 0.9503041 } },
                      white[3] = { 0.95047, 1.0, 1.08883 };
  double f[3];

  for (unsigned i = 0; i < 3; i++)
    {
      double t = 0.0;

      for (unsigned k = 0; k < 3; k++)
        {
          double c = (rgb >> (16 - 8 * k) & 255) / 255.0;

          t += m[i][k] * (c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4)) / white[i];
        }
      f[i] = t > pow (6.0 / 29.0, 3.0) ? cbrt (t) : t * pow (29.0 / 6.0, 2.0) / 3.0 + 4.0 / 29.0;
    }
  lab[0] = 116.0 * f[1] - 16.0;
  lab[1] = 500.0 * (f[0] - f[1]);
  lab[2] = 200.0 * (f[1] - f[2]);
}

static double
turn (double radians)
{
  return radians < 0.0 ? radians + 2.0 * G_PI : radians;
}

/* CIEDE2000, as Sharma, Wu and Dalal have it (2005). */
static double
apart_in_lab (const double p[3], const double q[3])
{
  double c = (hypot (p[1], p[2]) + hypot (q[1], q[2])) / 2.0;
  double g = 1.5 - 0.5 * sqrt (pow (c, 7.0) / (pow (c, 7.0) + pow (25.0, 7.0)));
  double c1 = hypot (g * p[1], p[2]), c2 = hypot (g * q[1], q[2]);
  double h1 = c1 > 0.0 ? turn (atan2 (p[2], g * p[1])) : 0.0;
  double h2 = c2 > 0.0 ? turn (atan2 (q[2], g * q[1])) : 0.0;
  double dh = c1 * c2 == 0.0 ? 0.0 : h2 - h1, h = h1 + h2, t, l, sl, sc, sh, rt, dl, dc;

  dh += dh > G_PI ? -2.0 * G_PI : dh < -G_PI ? 2.0 * G_PI : 0.0;
  if (c1 * c2 > 0.0)
    h = (fabs (h1 - h2) <= G_PI ? h : h < 2.0 * G_PI ? h + 2.0 * G_PI : h - 2.0 * G_PI) / 2.0;
  c = (c1 + c2) / 2.0;
  l = pow ((p[0] + q[0]) / 2.0 - 50.0, 2.0);
  t = 1.0 - 0.17 * cos (h - G_PI / 6.0) + 0.24 * cos (2.0 * h) + 0.32 * cos (3.0 * h + G_PI / 30.0)
      - 0.20 * cos (4.0 * h - 63.0 * G_PI / 180.0);
  sl = 1.0 + 0.015 * l / sqrt (20.0 + l);
  sc = 1.0 + 0.045 * c;
  sh = 1.0 + 0.015 * c * t;
  rt = -2.0 * sqrt (pow (c, 7.0) / (pow (c, 7.0) + pow (25.0, 7.0)))
       * sin (G_PI / 3.0 * exp (-pow ((h * 180.0 / G_PI - 275.0) / 25.0, 2.0)));
  dl = (q[0] - p[0]) / sl;
  dc = (c2 - c1) / sc;
  dh = 2.0 * sqrt (c1 * c2) * sin (dh / 2.0) / sh;
  return sqrt (dl * dl + dc * dc + dh * dh + rt * dc * dh);
}

static double
apart (guint32 a, guint32 b)
{
  /* Of pairs that were asked for before. */
  static struct
  {
    guint32 a, b;
    double  apart;
  } known[1 << 12];
  gsize  at = (a * 0x9e3779b1U ^ b * 0x85ebca6bU) >> 20;
  double p[3], q[3];

  if (a == b)
    return 0.0;
  if (known[at].a == a && known[at].b == b)
    return known[at].apart;
  lab_of (a, p);
  lab_of (b, q);
  known[at].a = a;
  known[at].b = b;
  return known[at].apart = apart_in_lab (p, q);
}

/* Pairs of the paper's table. */
static void
test_measure (void)
{
  static const double pair[][7]
    = { { 50.0, 2.6772, -79.7751, 50.0, 0.0, -82.7485, 2.0425 },
        { 50.0, 2.5, 0.0, 50.0, 0.0, -2.5, 4.3065 },
        { 50.0, 2.4900, -0.0010, 50.0, -2.4900, 0.0011, 7.2195 },
        { 60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644 },
        { 2.0776, 0.0795, -1.1350, 0.9033, -0.0636, -0.5514, 0.9082 } };

  for (unsigned i = 0; i < G_N_ELEMENTS (pair); i++)
    g_assert_true (fabs (apart_in_lab (pair[i], pair[i] + 3) - pair[i][6]) < 1e-4);
}

/* How far the colours of two films of the same run are apart: at most, at most where three pixels in a row or column of the
 * second have one colour (lines, letters and areas without their edges), and where it has the
 * colour of letters, and in how much of all the colours are seen to be others.  */
typedef struct
{
  double most, flat, text, share;
} Apart;

static bool
is_flat (const FilmRead *film, const guint32 *pixel, unsigned x, unsigned y)
{
  gsize i = (gsize) y * film->width + x, w = film->width;

  return (x > 0 && x + 1 < w && pixel[i] == pixel[i - 1] && pixel[i] == pixel[i + 1])
         || (y > 0 && y + 1 < film->height && pixel[i] == pixel[i - w] && pixel[i] == pixel[i + w]);
}

static guint32
bytes_of (SlRgba colour)
{
  return (guint32) lround (255.0 * colour.r) << 16 | (guint32) lround (255.0 * colour.g) << 8
         | (guint32) lround (255.0 * colour.b);
}

static Apart
compare (const FilmRead *a, const FilmRead *b)
{
  SlTheme theme = sl_theme_get (SL_THEME_LIGHT);
  guint32 ink = bytes_of (theme.ink), soft = bytes_of (theme.soft);
  Apart   apart_by = { 0.0 };
  gsize   seen = 0;

  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_cmpuint (a->width, ==, b->width);
  g_assert_cmpuint (a->height, ==, b->height);
  for (unsigned f = 0; f < a->n; f++)
    for (unsigned y = 0; y < a->height; y++)
      for (unsigned x = 0; x < a->width; x++)
        {
          gsize  i = (gsize) y * a->width + x;
          double by;

          if (a->pixel[f][i] == b->pixel[f][i])
            continue;
          by = apart (a->pixel[f][i], b->pixel[f][i]);
          seen += !(by <= far);
          apart_by.most = fmax (apart_by.most, by);
          if (b->pixel[f][i] == ink || b->pixel[f][i] == soft)
            apart_by.text = fmax (apart_by.text, by);
          if (is_flat (b, b->pixel[f], x, y))
            apart_by.flat = fmax (apart_by.flat, by);
        }
  apart_by.share = (double) seen / ((double) a->n * a->width * a->height);
  return apart_by;
}

/* Of every film: times, that it goes on for ever, its recipe. */
static void
check_times (const FilmRead *read, const SlFilm *film)
{
  g_assert_true (read->for_ever);
  g_assert_cmpuint (read->n, ==, film->moments.n);
  for (unsigned i = 0; i < read->n; i++)
    g_assert_true (fabs (read->seconds[i] - (i + 1 < read->n ? film->delay : film->hold)) < 0.006);
}

/* The three forms of a film show the same; returns how far the colours of the GIF are off. */
static Apart
check_film (const SlFilm *film, gsize *bytes)
{
  g_autoptr (GPtrArray) frames = make_as (film, SL_FILM_FRAMES);
  g_autoptr (GPtrArray) apngs = make_as (film, SL_FILM_APNG), gifs = make_as (film, SL_FILM_GIF);
  FilmRead png, apng, gif;
  Apart    off;

  g_assert_cmpuint (frames->len, ==, film->moments.n);
  g_assert_true (apngs->len == 1 && gifs->len == 1);
  film_read_frames (&png, frames);
  film_read_apng (&apng, apngs->pdata[0]);
  film_read_gif (&gif, gifs->pdata[0]);
  check_times (&apng, film);
  check_times (&gif, film);
  g_assert_cmpfloat (compare (&apng, &png).most, ==, 0.0);
  off = compare (&gif, &png);
  if (bytes != NULL)
    *bytes = g_bytes_get_size (gifs->pdata[0]);
  g_test_message ("%s, %ux%u: %u frames, GIF %.2f MB, off by %.2f, edges %.2f, letters %.2f, %.4f "
                  "%%; APNG %.2f MB",
                  film->record->lab->id, png.width, png.height, png.n,
                  g_bytes_get_size (gifs->pdata[0]) / 1e6, off.flat, off.most, off.text,
                  100.0 * off.share, g_bytes_get_size (apngs->pdata[0]) / 1e6);
  film_read_clear (&png);
  film_read_clear (&apng);
  film_read_clear (&gif);
  return off;
}

static void
check_colours (Apart off)
{
  g_assert_cmpfloat (off.text, <=, 1.0);
  g_assert_cmpfloat (off.flat, <=, far);
  g_assert_cmpfloat (off.most, <=, 2.0 * far);
  g_assert_cmpfloat (off.share, <=, 1e-3);
}

/* A map has an area of a colour of its own for every pattern, of which the largest keep theirs. */
static void
check_map_colours (Apart off)
{
  g_assert_cmpfloat (off.text, <=, 1.0);
  g_assert_cmpfloat (off.flat, <=, 3.0 * far);
  g_assert_cmpfloat (off.share, <=, 0.05);
}

/* ---- a made-up run ---- */

enum { REPORTS = 40, MOMENTS = 5 };

/* Snapshots whose numbers grow from moment to moment. */
typedef struct
{
  SampleFigures sample;
  SlSettings    settings;
  SlSnapshot    shot;
} Made;

static uint64_t
made_step (const void *of, unsigned i)
{
  return 10 * REPORTS * i / (MOMENTS - 1);
}

static const SlSnapshot *
made_shot (const void *of, unsigned i, unsigned panel)
{
  Made *self = (Made *) of;

  if (!self->sample.record.has_snapshot[panel])
    return NULL;
  sl_snapshot_copy (&self->shot, &self->sample.record.snapshot[panel]);
  for (unsigned c = 0; c < self->shot.n_curves; c++)
    for (size_t k = 0; k < self->shot.curve[c].n; k++)
      self->shot.data[self->shot.curve[c].offset + self->shot.curve[c].n + k] *= 1.0 + i;
  if (self->shot.rows > 0 && sample_lab.panels[panel].kind == SL_HEATMAP)
    for (size_t k = 0; k < sl_snapshot_cells (&self->shot); k++)
      self->shot.data[k] *= 1.0 + i;
  return &self->shot;
}

static void
made_init (Made *self)
{
  *self = (Made) { 0 };
  sample_figures_init (&self->sample, REPORTS);
  sl_settings_default (&self->settings, sample_lab.params, sample_lab.n_params);
}

static void
made_clear (Made *self)
{
  sample_figures_clear (&self->sample);
  sl_snapshot_clear (&self->shot);
}

static SlFilm
made_film (const Made *self, unsigned panel, unsigned width, unsigned height)
{
  SlFilm film = { .record = &self->sample.record,
                  .settings = &self->settings,
                  .moments = { MOMENTS, made_step, made_shot, self },
                  .panel = { panel },
                  .n = 1,
                  .page = sl_export_options (SL_PRESET_SCREEN, 1),
                  .delay = 0.15,
                  .hold = 2.0 };

  film.page.recipe = recipe_text;
  sl_film_scale (&film.page, width, height);
  return film;
}

static void
test_same_frames (void)
{
  static const unsigned panels[] = { SAMPLE_AGREEMENT, SAMPLE_GAPS,  SAMPLE_SPREAD, SAMPLE_GROUPS,
                                     SAMPLE_LOAD,      SAMPLE_USAGE, SAMPLE_PARTS,  SAMPLE_ALIVE };
  Made                  made;

  made_init (&made);
  for (unsigned i = 0; i < G_N_ELEMENTS (panels); i++)
    {
      SlFilm film = made_film (&made, panels[i], 400, 225);

      check_colours (check_film (&film, NULL));
    }
  made_clear (&made);
}

static bool
same_range (const SlRange *a, const SlRange *b)
{
  return a->lo == b->lo && a->hi == b->hi;
}

/* What a frame has that no other frame may have otherwise. */
typedef struct
{
  SlRect   plot;
  SlRange  x, y, colours;
  unsigned names; /* in the legend */
} Shared;

static Shared
shared_of (SlScene *scene)
{
  SlPlotSheet sheet;
  SlFigure   *figure = &scene->figure[0];
  Shared      shared;

  sl_plot_sheet_init (&sheet, scene->page, 1, &scene->options, 1.0);
  shared = (Shared) { sheet.frame[0].plot,
                      figure->x_range,
                      figure->y_range,
                      { figure->colours.tint.scale.lo, figure->colours.tint.scale.hi },
                      sheet.frame[0].n_chips };
  sl_plot_sheet_clear (&sheet);
  return shared;
}

/* Nothing of a figure is later than a step; a curve that is still to come is none that failed. */
static void
check_past (const SlFigure *figure, double step)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];

      if (curve->series == NULL)
        continue;
      g_assert_cmpfloat (curve->series->step[curve->series->n - 1], <=, step);
      g_assert_true (curve->n_holes == 0 || curve->hole[0].first > 0);
    }
  for (unsigned f = 0; f < figure->flags.n; f++)
    g_assert_cmpfloat (figure->flags.at[f].step, <=, step);
}

static void
check_shared (const Made *made, unsigned panel)
{
  SlFilm  film = made_film (made, panel, 480, 320);
  GError *error = NULL;
  SlScene scene;
  Shared  first = { 0 };

  g_assert_true (sl_scene_init (&scene, &film, NULL, &error));
  for (unsigned m = 0; m < MOMENTS; m++)
    {
      Shared now;

      g_assert_true (sl_scene_show (&scene, m));
      now = shared_of (&scene);
      first = m == 0 ? now : first;
      g_assert_true (memcmp (&now.plot, &first.plot, sizeof now.plot) == 0);
      /* A picture of one example has none. */
      g_assert_true (sample_lab.panels[panel].kind == SL_ALIVE
                     || (same_range (&now.x, &first.x) && same_range (&now.y, &first.y)
                         && same_range (&now.colours, &first.colours)));
      g_assert_cmpuint (now.names, ==, first.names);
      check_past (&scene.figure[0], (double) made_step (made, m));
    }
  sl_scene_clear (&scene);
}

/* Axes, colour scales and the place of the plot are the same in all frames, and no frame shows what is still to come. */
static void
test_shared (void)
{
  Made made;

  made_init (&made);
  for (unsigned p = 0; p < SAMPLE_PANELS; p++)
    if (sample_lab.panels[p].kind != SL_IMAGE && p != SAMPLE_NOTHING)
      check_shared (&made, p);
  made_clear (&made);
}

/* The last frame of curves is the figure of the whole run. */
static void
test_last_frame (void)
{
  Made made;

  made_init (&made);
  for (unsigned p = SAMPLE_AGREEMENT; p <= SAMPLE_GAPS; p++)
    {
      SlFilm          film = made_film (&made, p, 480, 320);
      SlExportOptions page = film.page;
      GError         *error = NULL;
      FilmRead        read;
      unsigned        width, height;
      SlFigure        figure = { 0 }, *list = &figure;
      g_autoptr (GPtrArray) frames = make_as (&film, SL_FILM_FRAMES);
      g_autoptr (GBytes) bytes = NULL;
      g_autofree guint32 *pixel = NULL;

      sl_panel_update (&figure, &made.sample.record, p, NULL, 0);
      page.caption = "update 400";
      bytes = sl_export_page (&list, 1, &page, SL_EXPORT_PNG, &error);
      g_assert_no_error (error);
      pixel
        = film_read_png (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &width, &height);
      film_read_frames (&read, frames);
      g_assert_cmpmem (pixel, (gsize) width * height * 4, read.pixel[MOMENTS - 1],
                       (gsize) read.width * read.height * 4);
      g_assert_cmpint (memcmp (pixel, read.pixel[0], (gsize) width * height * 4), !=, 0);
      film_read_clear (&read);
      sl_figure_clear (&figure);
    }
  made_clear (&made);
}

static gpointer
make_aside (gpointer film)
{
  return make (film);
}

/* Also on a thread of its own. */
static void
test_same_bytes (void)
{
  Made made;

  made_init (&made);
  for (unsigned f = 0; f < SL_N_FILMS; f++)
    {
      SlFilm film = made_film (&made, SAMPLE_ALIVE, 320, 180);
      g_autoptr (GPtrArray) one = make_as (&film, f), two = NULL;

      film.format = f;
      two = g_thread_join (g_thread_new ("film", make_aside, &film));

      g_assert_cmpuint (one->len, ==, two->len);
      for (guint i = 0; i < one->len; i++)
        g_assert_true (g_bytes_equal (one->pdata[i], two->pdata[i]));
    }
  made_clear (&made);
}

static char *
temporary_folder (void)
{
  char *folder = g_dir_make_tmp ("sluice-film-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

static unsigned
files_in (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  unsigned n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* The recipe comes back out of every form, which is known for ours, whatever stands in title and caption. */
static void
test_recipe (void)
{
  static const char *const names[SL_N_FILMS] = { "film.gif", "film.png", "film/" };
  g_autofree char         *folder = temporary_folder (), *long_text = g_strnfill (10000, 'x');
  g_autofree char         *hostile
    = g_strconcat ("</script>\n\x01\x7f \"%s%n\" \xf0\x9f\x8e\x9e ", long_text, NULL);
  Made made;

  made_init (&made);
  for (unsigned f = 0; f < SL_N_FILMS; f++)
    {
      SlFilm           film = made_film (&made, SAMPLE_AGREEMENT, 320, 240);
      g_autofree char *path = g_build_filename (folder, names[f], NULL), *file = NULL, *back = NULL;
      GError          *error = NULL;
      g_autoptr (GPtrArray) files = NULL;

      film.page.title = film.page.caption = hostile;
      film.format = f;
      files = make (&film);
      g_assert_cmpint (sl_film_format_for (path), ==, f);
      g_assert_true (sl_film_save (files, f, path, "made", &error));
      file = f == SL_FILM_FRAMES ? g_build_filename (path, "made-0005.png", NULL) : g_strdup (path);
      back = sl_recipe_find (file, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (back, ==, recipe_text);
      g_assert_true (sl_export_is_ours (file));
    }
  g_assert_cmpuint (files_in (folder), ==, 3);
  g_assert_cmpint (sl_film_format_for ("film.mp4"), ==, -1);
  sl_remove_all (folder);
  made_clear (&made);
}

typedef struct
{
  GCancellable *cancellable;
  double        last, stop; /* done */
} Watched;

static void
on_progress (gpointer data, double done)
{
  Watched *watched = data;

  g_assert_true (done > watched->last && done <= 1.0);
  watched->last = done;
  if (done >= watched->stop)
    g_cancellable_cancel (watched->cancellable);
}

static void
test_cancelled (void)
{
  static const double stops[] = { 0.0, 0.3, 0.9 };
  Made                made;

  made_init (&made);
  for (unsigned f = 0; f < SL_N_FILMS; f++)
    for (unsigned s = 0; s < G_N_ELEMENTS (stops); s++)
      {
        SlFilm  film = made_film (&made, SAMPLE_LOSS, 200, 150);
        GError *error = NULL;
        g_autoptr (GCancellable) cancellable = g_cancellable_new ();
        Watched watched = { cancellable, 0.0, stops[s] };

        film.format = f;
        if (stops[s] == 0.0)
          g_cancellable_cancel (cancellable);
        g_assert_null (sl_film_make (&film, cancellable, on_progress, &watched, &error));
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
        g_clear_error (&error);
      }
  made_clear (&made);
}

/* A frame that cannot be written takes those before it along; a folder that was made is gone, one that was there stays. */
static void
test_half_written (void)
{
  g_autofree char *folder = temporary_folder ();
  g_autofree char *third = g_build_filename (folder, "made-0003.png", NULL);
  g_autofree char *inside = g_build_filename (third, "kept", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no", "film.gif", NULL);
  GError          *error = NULL;
  Made             made;
  SlFilm           film;
  g_autoptr (GPtrArray) files = NULL;

  made_init (&made);
  film = made_film (&made, SAMPLE_LOSS, 200, 150);
  files = make_as (&film, SL_FILM_FRAMES);
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_false (sl_film_save (files, SL_FILM_FRAMES, folder, "made", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_cmpuint (files_in (folder), ==, 1);
  g_assert_false (sl_film_save (files, SL_FILM_GIF, nowhere, "made", &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_cmpuint (files_in (folder), ==, 1);
  sl_remove_all (folder);
  made_clear (&made);
}

static void
test_refused (void)
{
  Made   made;
  SlFilm film;

  made_init (&made);
  film = made_film (&made, SAMPLE_LOSS, 800, 450);
  g_assert_true (sl_film_check (&film, NULL));
  for (unsigned i = 0; i < 6; i++)
    {
      SlFilm  wrong = film;
      GError *error = NULL;

      if (i < 3)
        sl_film_scale (&wrong.page, i == 0 ? 5000 : i == 1 ? 20 : 800, i == 2 ? 4097 : 0);
      else if (i == 3)
        wrong.delay = 0.001;
      else if (i == 4)
        wrong.delay = NAN;
      else
        wrong.hold = 1000.0;
      g_assert_false (sl_film_check (&wrong, &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
      g_assert_null (sl_film_make (&wrong, NULL, NULL, NULL, &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  made_clear (&made);
}

/* ---- colours ---- */

static void
test_palette (void)
{
  SlFilmPalette *palette = sl_film_palette_new ();
  guint32        few[255], many[5000], chosen[SL_FILM_COLOURS];
  uint8_t        number[5000];
  unsigned       n;

  for (unsigned i = 0; i < G_N_ELEMENTS (few); i++)
    few[i] = i * 0x010203 ^ 0xff000000; /* the upper byte says nothing */
  g_assert_true (sl_film_palette_count (palette, few, 51, 51, 5));
  g_assert_true (sl_film_palette_choose (palette));
  g_assert_cmpuint (sl_film_palette_colours (palette, chosen), ==, 255);
  sl_film_palette_find (palette, few, G_N_ELEMENTS (few), number);
  for (unsigned i = 0; i < G_N_ELEMENTS (few); i++)
    g_assert_cmphex (chosen[number[i]], ==, few[i] & 0xffffff);

  for (unsigned i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = (guint32) (0xffffff * sample_noise (i));
  /* A flat colour stays what it is. */
  for (unsigned i = 0; i < 100; i++)
    many[i] = 0x336699;
  g_assert_true (sl_film_palette_count (palette, many, 100, 100, 50));
  g_assert_true (sl_film_palette_choose (palette));
  n = sl_film_palette_colours (palette, chosen);
  g_assert_cmpuint (n, ==, SL_FILM_COLOURS);
  sl_film_palette_find (palette, many, G_N_ELEMENTS (many), number);
  for (unsigned i = 0; i < G_N_ELEMENTS (many); i++)
    {
      double off = apart (chosen[number[i]], many[i]);

      g_assert_cmpfloat (off, <, 14.0);
      for (unsigned c = 0; c < n; c++)
        g_assert_cmpfloat (3.0 * apart (chosen[c], many[i]) + 1.0, >=, off);
    }
  g_assert_cmphex (chosen[number[0]], ==, 0x336699);
  sl_film_palette_free (palette);
}

/* ---- runs of labs ---- */

typedef struct
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlFrames     *frames;
  unsigned      panel[2], n;
} Lab;

static bool
offer (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Lab     *self = data;
  SlStatus status = sl_frames_offer (self->frames, run->trainer, done);

  g_assert_true (sl_ok (&status));
  return true;
}

static void
train (Lab *self, unsigned steps, unsigned moments)
{
  const SlLab     *lab = self->plan.lab;
  const unsigned   first = 0;
  g_autofree bool *wanted = g_new0 (bool, lab->n_panels);
  SlStatus         status;

  self->plan.budget.steps = steps;
  for (unsigned i = 0; i < self->n; i++)
    wanted[self->panel[i]] = true;
  status = sl_headless_open (&self->run, &self->plan, NULL);
  g_assert_true (sl_ok (&status));
  self->frames = sl_frames_new (lab, wanted, moments, &first, 1);
  status = sl_headless_train (&self->run, offer, self);
  g_assert_true (sl_ok (&status));
  status = sl_frames_end (self->frames, self->run.trainer);
  g_assert_true (sl_ok (&status));
}

static SlFilm
lab_film (const Lab *self, unsigned width)
{
  SlFilm film = { .record = &self->run.record,
                  .settings = &self->run.recipe.settings,
                  .moments = sl_film_moments (self->frames),
                  .panel = { self->panel[0], self->panel[1] },
                  .n = self->n,
                  .page = sl_export_options (SL_PRESET_SCREEN, self->n),
                  .delay = 0.15,
                  .hold = 2.0 };

  film.page.recipe = recipe_text;
  sl_film_scale (&film.page, width, 0);
  return film;
}

static void
lab_clear (Lab *self)
{
  sl_frames_free (self->frames);
  sl_headless_clear (&self->run);
  sl_plan_clear (&self->plan);
}

/* The picture of every lab and, where it has one, its gating map. */
static void
test_lab (gconstpointer data)
{
  const SlLab *lab = data;
  int          map = sl_lab_panel (lab, "map");
  Lab          self = { .panel = { (unsigned) sl_lab_picture (lab), (unsigned) MAX (map, 0) },
                        .n = map >= 0 ? 2 : 1 };
  SlStatus     status;
  SlFilm       film;

  sl_plan_init (&self.plan, lab);
  self.plan.data = g_strdup (lab->trials[0].data);
  status = sl_settings_set_words (&self.plan.settings, lab->params, lab->n_params,
                                  lab->trials[0].settings);
  g_assert_true (sl_ok (&status));
  train (&self, 6, 4);
  film = lab_film (&self, 360);
  g_assert_cmpuint (film.moments.n, ==, 4);
  g_assert_cmpfloat (check_film (&film, NULL).text, <=, 1.0);
  lab_clear (&self);
}

/* What a slide or a page gets: 60 moments at 800 px. */
static void
test_size (gconstpointer data)
{
  const SlLab *lab = sl_lab_find (strcmp (data, "sign-estimator") == 0 ? data : "experts");
  const char  *panel = strcmp (data, "map") == 0 ? "map" : "alive";
  Lab          self = { .n = 1 };
  gsize        bytes;
  SlFilm       film;

  self.panel[0] = (unsigned) sl_lab_panel (lab, panel);
  sl_plan_init (&self.plan, lab);
  self.plan.data = g_strdup ("digits");
  train (&self, 60, 60);
  film = lab_film (&self, 800);
  g_assert_cmpuint (film.moments.n, ==, 60);
  (strcmp (panel, "map") == 0 ? check_map_colours : check_colours) (check_film (&film, &bytes));
  g_assert_cmpuint (bytes, <=, LARGE);
  lab_clear (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  g_test_add_func ("/film/measure", test_measure);
  g_test_add_func ("/film/same-frames", test_same_frames);
  g_test_add_func ("/film/shared", test_shared);
  g_test_add_func ("/film/last-frame", test_last_frame);
  g_test_add_func ("/film/same-bytes", test_same_bytes);
  g_test_add_func ("/film/recipe", test_recipe);
  g_test_add_func ("/film/cancelled", test_cancelled);
  g_test_add_func ("/film/half-written", test_half_written);
  g_test_add_func ("/film/refused", test_refused);
  g_test_add_func ("/film/palette", test_palette);
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_autofree char *name = g_strdup_printf ("/film/labs/%s", (*lab)->id);

      g_test_add_data_func (name, *lab, test_lab);
    }
  g_test_add_data_func ("/film/size/sign-estimator", "sign-estimator", test_size);
  g_test_add_data_func ("/film/size/experts", "experts", test_size);
  g_test_add_data_func ("/film/size/map", "map", test_size);
  return g_test_run ();
}
