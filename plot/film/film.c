/* SPDX-License-Identifier: MIT */
#include "plot/film/film.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "plot/canvas/image-file.h"
#include "plot/export/describe.h"
#include "plot/export/sheet.h"
#include "plot/film/apng.h"
#include "plot/film/gif.h"
#include "plot/film/scene.h"

#define MM_PER_INCH 25.4

/* What is under way. */
typedef struct
{
  const SlFilm    *film;
  SlScene          scene;
  cairo_surface_t *image; /* of the frame that is shown */
  char            *description;
  GCancellable    *cancellable;
  SlFilmProgress   progress;
  gpointer         data;
  unsigned         done, all; /* frames drawn, some of them to count their colours */
} Making;

static uint64_t
step_of (const void *of, unsigned i)
{
  return sl_frames_step (of, i);
}

static const SlSnapshot *
shot_of (const void *of, unsigned i, unsigned panel)
{
  return sl_frames_at (of, i, panel, 0);
}

SlFilmMoments
sl_film_moments (const SlFrames *frames)
{
  return (SlFilmMoments) { sl_frames_count (frames), step_of, shot_of, frames };
}

int
sl_film_format_for (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (g_str_has_suffix (lower, "/"))
    return SL_FILM_FRAMES;
  if (g_str_has_suffix (lower, ".gif"))
    return SL_FILM_GIF;
  return g_str_has_suffix (lower, ".png") || g_str_has_suffix (lower, ".apng") ? (int) SL_FILM_APNG
                                                                               : -1;
}

/* px of a side, as the exporter rounds them. */
static double
pixels (const SlExportOptions *page, double mm)
{
  return round (mm * page->dpi / MM_PER_INCH);
}

void
sl_film_scale (SlExportOptions *page, unsigned width, unsigned height)
{
  page->dpi = width * MM_PER_INCH / page->width;
  if (height > 0)
    page->height = height * MM_PER_INCH / page->dpi;
}

static gboolean
within (const char *what, double value, double lo, double hi, GError **error)
{
  g_autofree char *found = g_strdup_printf ("%g", value);
  g_autofree char *expected = g_strdup_printf (_ ("%g to %g"), lo, hi);

  return (value >= lo && value <= hi) || sl_fail (error, SL_EINVAL, what, found, expected);
}

gboolean
sl_film_check (const SlFilm *film, GError **error)
{
  const SlExportOptions *page = &film->page;

  return within (SL_MARK ("width of a film in px"), pixels (page, page->width), SL_FILM_LEAST,
                 SL_FILM_MOST, error)
         && within (SL_MARK ("height of a film in px"), pixels (page, page->height), SL_FILM_LEAST,
                    SL_FILM_MOST, error)
         && within (SL_MARK ("seconds of a frame"), film->delay, 0.02, 60.0, error)
         && within (SL_MARK ("seconds of the last frame"), film->hold, 0.02, 60.0, error)
         && sl_export_check (page, film->n, SL_EXPORT_PNG, error);
}

static gboolean
no_memory (GError **error)
{
  return sl_fail (error, SL_ENOMEM, "film", NULL, NULL);
}

/* The image of a moment. */
static gboolean
draw (Making *self, unsigned moment, GError **error)
{
  SlScene    *scene = &self->scene;
  SlPlotSheet sheet;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (!sl_scene_show (scene, moment))
    return no_memory (error);
  sl_plot_sheet_init (&sheet, scene->page, scene->film->n, &scene->options,
                      scene->options.dpi / 96.0);
  sl_plot_sheet_paint (&sheet, self->image, sheet.device);
  sl_plot_sheet_clear (&sheet);
  cairo_surface_flush (self->image);
  if (self->progress != NULL)
    self->progress (self->data, (double) ++self->done / self->all);
  return cairo_surface_status (self->image) == CAIRO_STATUS_SUCCESS || no_memory (error);
}

static const uint32_t *
pixels_of (const Making *self)
{
  return (const uint32_t *) (const void *) cairo_image_surface_get_data (self->image);
}

static double
seconds_of (const SlFilm *film, unsigned moment)
{
  return moment + 1 == film->moments.n ? MAX (film->hold, film->delay) : film->delay;
}

static gboolean
count_colours (Making *self, SlFilmPalette *palette, GError **error)
{
  gsize stride = (gsize) cairo_image_surface_get_stride (self->image) / 4;

  for (unsigned m = 0; m < self->film->moments.n; m++)
    {
      if (!draw (self, m, error))
        return FALSE;
      if (!sl_film_palette_count (palette, pixels_of (self), stride,
                                  (unsigned) cairo_image_surface_get_width (self->image),
                                  (unsigned) cairo_image_surface_get_height (self->image)))
        return no_memory (error);
    }
  return sl_film_palette_choose (palette) || no_memory (error);
}

static GBytes *
write_gif (Making *self, SlFilmPalette *palette, GError **error)
{
  const SlFilm *film = self->film;
  gsize         stride = (gsize) cairo_image_surface_get_stride (self->image) / 4;
  SlGif        *gif;
  gboolean      good = TRUE;
  GBytes       *bytes;

  if (!count_colours (self, palette, error))
    return NULL;
  gif = sl_gif_new (palette, (unsigned) cairo_image_surface_get_width (self->image),
                    (unsigned) cairo_image_surface_get_height (self->image), film->page.recipe);
  for (unsigned m = 0; m < film->moments.n && good; m++)
    {
      good = draw (self, m, error);
      if (good)
        sl_gif_frame (gif, pixels_of (self), stride, seconds_of (film, m));
    }
  bytes = sl_gif_finish (gif);
  if (bytes == NULL && good)
    no_memory (error);
  if (!good)
    g_clear_pointer (&bytes, g_bytes_unref);
  return bytes;
}

static const char *
title_of (const Making *self)
{
  return self->film->page.title != NULL ? self->film->page.title : self->scene.figure[0].title;
}

/* In words what the last frame shows. */
static void
describe (Making *self)
{
  if (self->description == NULL && sl_scene_show (&self->scene, self->film->moments.n - 1))
    self->description = sl_export_describe (self->scene.page, self->film->n);
}

static GBytes *
write_apng (Making *self, GError **error)
{
  const SlFilm *film = self->film;
  SlApng  *apng = sl_apng_new (film->moments.n, film->page.dpi, title_of (self), self->description,
                               film->page.recipe);
  gboolean good = TRUE;
  GBytes  *bytes;

  for (unsigned m = 0; m < film->moments.n && good; m++)
    {
      good = draw (self, m, error);
      if (good)
        sl_apng_frame (apng, self->image, seconds_of (film, m));
    }
  bytes = sl_apng_finish (apng);
  if (bytes == NULL && good)
    no_memory (error);
  return bytes;
}

static gboolean
write_frames (Making *self, GPtrArray *files, GError **error)
{
  const SlFilm *film = self->film;

  for (unsigned m = 0; m < film->moments.n; m++)
    {
      GBytes *png;

      if (!draw (self, m, error))
        return FALSE;
      png = sl_png_write (self->image, film->page.dpi, title_of (self), self->scene.caption,
                          film->page.recipe);
      if (png == NULL)
        return no_memory (error);
      g_ptr_array_add (files, png);
    }
  return TRUE;
}

static gboolean
write_film (Making *self, GPtrArray *files, GError **error)
{
  GBytes        *bytes = NULL;
  SlFilmPalette *palette;

  describe (self);
  if (self->film->format == SL_FILM_FRAMES)
    return write_frames (self, files, error);
  if (self->film->format == SL_FILM_APNG)
    bytes = write_apng (self, error);
  else if ((palette = sl_film_palette_new ()) != NULL)
    {
      bytes = write_gif (self, palette, error);
      sl_film_palette_free (palette);
    }
  else
    no_memory (error);
  if (bytes != NULL)
    g_ptr_array_add (files, bytes);
  return bytes != NULL;
}

GPtrArray *
sl_film_make (const SlFilm *film, GCancellable *cancellable, SlFilmProgress progress, gpointer data,
              GError **error)
{
  GPtrArray *files;
  Making     self = { .film = film,
                      .cancellable = cancellable,
                      .progress = progress,
                      .data = data,
                      .all = film->moments.n * (film->format == SL_FILM_GIF ? 2 : 1) };
  gboolean   good;

  if (!sl_film_check (film, error))
    return NULL;
  files = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self.image
    = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) pixels (&film->page, film->page.width),
                                  (int) pixels (&film->page, film->page.height));
  good = cairo_surface_status (self.image) == CAIRO_STATUS_SUCCESS || no_memory (error);
  good = good && sl_scene_init (&self.scene, film, cancellable, error)
         && write_film (&self, files, error)
         && !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (self.scene.film != NULL)
    sl_scene_clear (&self.scene);
  cairo_surface_destroy (self.image);
  g_free (self.description);
  if (!good)
    g_clear_pointer (&files, g_ptr_array_unref);
  return files;
}
