/* SPDX-License-Identifier: MIT */
#include "ui/input/picture.h"

#include <adwaita.h>
#include <math.h>

#include "core/lab/subject.h"
#include "plot/base/theme.h"

enum {
  SIDE_MOST = 64, /* pixels of a picture that is no input of one's own */
  SMALL = 56,     /* pixels up to which other points are no help */
};

static SlTheme
theme_of (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean         dark = adw_style_manager_get_dark (style);

  if (adw_style_manager_get_high_contrast (style))
    return sl_theme_get (dark ? SL_THEME_CONTRAST_DARK : SL_THEME_CONTRAST);
  return sl_theme_get (dark ? SL_THEME_DARK : SL_THEME_LIGHT);
}

/* Pixels (height, width), each as a square, so that they are seen to be pixels. */
static GdkTexture *
grow (const guint32 *pixel, unsigned width, unsigned height, unsigned side)
{
  unsigned by = MAX (side / MAX (width, height), 1);
  gsize    stride = (gsize) width * by * sizeof *pixel;
  guint32 *grown = g_new (guint32, (gsize) width * by * height * by), *to = grown;
  g_autoptr (GBytes) bytes = NULL;

  for (unsigned y = 0; y < height * by; y++)
    for (unsigned x = 0; x < width * by; x++)
      *to++ = pixel[y / by * width + x / by];
  bytes = g_bytes_new_take (grown, stride * height * by);
  return gdk_memory_texture_new ((int) (width * by), (int) (height * by), GDK_MEMORY_DEFAULT, bytes,
                                 stride);
}

static GdkTexture *
ink_texture (const float *ink, unsigned width, unsigned height, unsigned side)
{
  SlTheme             theme = theme_of ();
  g_autofree guint32 *pixel = g_new (guint32, (gsize) width * height);

  for (unsigned i = 0; i < width * height; i++)
    pixel[i] = sl_packed (sl_mix (theme.plot, theme.ink, (double) ink[i]));
  return grow (pixel, width, height, side);
}

/* What is 0 and what is 1 of the numbers of an example. */
static void
range_of (const SlDataset *data, const sl_real *x, double *lo, double *span)
{
  *lo = (double) data->offset;
  *span = 255.0 * (double) data->scale;
  if (data->bytes != NULL)
    return;
  *lo = *span = (double) x[0];
  for (unsigned i = 0; i < data->features; i++)
    {
      *lo = fmin (*lo, (double) x[i]);
      *span = fmax (*span, (double) x[i]);
    }
  *span -= *lo;
}

/* Any example: an image as it is, other numbers as a square of them.  Large ones lose rows and columns. */
static GdkTexture *
numbers_texture (const SlDataset *data, const sl_real *x, unsigned side)
{
  gboolean image = data->width > 0, coloured = image && data->channels == 3;
  unsigned across = image ? data->width : (unsigned) ceil (sqrt ((double) data->features));
  unsigned down = image ? data->height : (data->features + across - 1) / across;
  unsigned step = (MAX (across, down) + SIDE_MOST - 1) / SIDE_MOST;
  unsigned width = (across + step - 1) / step, height = (down + step - 1) / step;
  SlTheme  theme = theme_of ();
  g_autofree guint32 *pixel = g_new (guint32, (gsize) width * height);
  double              lo, span;

  range_of (data, x, &lo, &span);
  for (unsigned i = 0; i < width * height; i++)
    {
      gsize at = (gsize) (i / width) * step * across + (gsize) (i % width) * step;
      float part[3] = { 0 };

      for (unsigned c = 0; c < 3; c++)
        {
          gsize from = at + (coloured ? c * (gsize) across * down : 0);

          if (from < data->features && span > 0.0)
            part[c] = (float) CLAMP (((double) x[from] - lo) / span, 0.0, 1.0);
        }
      pixel[i] = sl_packed (coloured ? (SlRgba) { part[0], part[1], part[2], 1.0F }
                                     : sl_mix (theme.plot, theme.ink, (double) part[0]));
    }
  return grow (pixel, width, height, side);
}

static void
dot (cairo_t *cr, SlRgba colour, double x, double y, double radius)
{
  cairo_set_source_rgb (cr, (double) colour.r, (double) colour.g, (double) colour.b);
  cairo_arc (cr, x, y, radius, 0.0, 2.0 * G_PI);
  cairo_fill (cr);
}

/* A point of a plane, parts of its side, among the examples as pale dots; where it is small alone, on a shade. */
static GdkTexture *
plane_texture (const SlDataset *data, const SlOwnPlane *plane, double px, double py, unsigned side)
{
  SlTheme          theme = theme_of ();
  cairo_surface_t *surface
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) side, (int) side);
  cairo_t    *cr = cairo_create (surface);
  double      radius = fmax (0.011 * side, 0.8);
  GdkTexture *texture;
  g_autoptr (GBytes) bytes = NULL;

  if (side <= SMALL)
    theme.plot = sl_mix (theme.plot, theme.ink, 0.08);
  cairo_set_source_rgb (cr, (double) theme.plot.r, (double) theme.plot.g, (double) theme.plot.b);
  cairo_paint (cr);
  for (size_t i = 0; i < plane->n && side > SMALL; i++)
    {
      sl_real x[2];
      double  ex, ey;

      sl_dataset_range (data, plane->first + i, 1, x, NULL);
      sl_own_place (plane, (double[]) { (double) x[0], (double) x[1] }, &ex, &ey);
      dot (cr, sl_mix (theme.plot, theme.ink, 0.4), ex * side, ey * side, radius);
    }
  dot (cr, theme.plot, px * side, py * side, fmax (5.0 * radius, 5.0));
  dot (cr, theme.ink, px * side, py * side, fmax (3.6 * radius, 3.6));
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface),
                       (gsize) cairo_image_surface_get_stride (surface) * side);
  texture = gdk_memory_texture_new ((int) side, (int) side, GDK_MEMORY_DEFAULT, bytes,
                                    (gsize) cairo_image_surface_get_stride (surface));
  cairo_surface_destroy (surface);
  return texture;
}

GdkTexture *
sl_input_texture (SlOwn *own, unsigned side)
{
  const SlDataset *data = sl_own_dataset (own);
  float            ink[SL_SUBJECT_NUMBERS];
  SlOwnPlane       plane;
  double           x, y;

  if (sl_own_plane (own, &plane))
    {
      sl_own_point (own, &plane, &x, &y);
      return plane_texture (data, &plane, x, y, side);
    }
  if (sl_own_picture (own, ink))
    return ink_texture (ink, data->width, data->height, side);
  return sl_input_example_texture (own, sl_own_example (own), side);
}

GdkTexture *
sl_input_example_texture (SlOwn *own, unsigned example, unsigned side)
{
  const SlDataset    *data = sl_own_dataset (own);
  g_autofree sl_real *x = NULL;
  SlOwnPlane          plane;
  SlSplit             split;
  double              px, py;

  if (data == NULL || data->stream || data->features == 0)
    return NULL;
  split = data->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  x = g_new (sl_real, data->features);
  sl_dataset_range (data, sl_dataset_first (data, split) + example % data->n[split], 1, x, NULL);
  if (!sl_own_plane (own, &plane))
    return numbers_texture (data, x, side);
  sl_own_place (&plane, (double[]) { (double) x[0], (double) x[1] }, &px, &py);
  return plane_texture (data, &plane, px, py, side);
}
