/* SPDX-License-Identifier: MIT
 *
 * A static layer, a composed image and the frame that both were made for; see picture.h.  */
#include "plot/screen/render.h"

#include <math.h>
#include <string.h>

#include "plot/draw/draw.h"
#include "plot/screen/raster.h"

struct SlRender
{
  SlText          *text;
  const char      *family; /* that `text` was made for */
  SlRaster        *raster;
  cairo_surface_t *still, *whole; /* static layer; with data on top */
  double           scale;
  SlFrame          frame, next;
  unsigned         static_draws;
};

SlRender *
sl_render_new (void)
{
  SlRender *picture = g_new0 (SlRender, 1);

  picture->raster = sl_raster_new ();
  return picture;
}

static void
drop_surfaces (SlRender *picture)
{
  g_clear_pointer (&picture->still, cairo_surface_destroy);
  g_clear_pointer (&picture->whole, cairo_surface_destroy);
}

void
sl_render_free (SlRender *picture)
{
  if (picture == NULL)
    return;
  drop_surfaces (picture);
  sl_raster_free (picture->raster);
  sl_text_free (picture->text);
  g_free (picture);
}

const SlFrame *
sl_render_frame (const SlRender *picture)
{
  return &picture->frame;
}

unsigned
sl_render_static_draws (const SlRender *picture)
{
  return picture->static_draws;
}

/* Makes both surfaces of the right size; false when memory ran out. */
static bool
prepare (SlRender *picture, int width, int height, double scale)
{
  int w = (int) ceil (width * scale), h = (int) ceil (height * scale);

  if (picture->whole != NULL && cairo_image_surface_get_width (picture->whole) == w
      && cairo_image_surface_get_height (picture->whole) == h && picture->scale == scale)
    return true;
  drop_surfaces (picture);
  memset (&picture->frame, 0, sizeof picture->frame);
  picture->still = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
  picture->whole = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
  if (cairo_surface_status (picture->still) != CAIRO_STATUS_SUCCESS
      || cairo_surface_status (picture->whole) != CAIRO_STATUS_SUCCESS)
    {
      drop_surfaces (picture);
      return false;
    }
  cairo_surface_set_device_scale (picture->still, scale, scale);
  cairo_surface_set_device_scale (picture->whole, scale, scale);
  picture->scale = scale;
  return true;
}

/* Draws with one of the sl_draw functions on a surface. */
static void
draw_on (SlRender *picture, cairo_surface_t *surface, const SlFigure *figure, const SlTheme *theme,
         void (*draw) (const SlDrawing *))
{
  cairo_t  *cr = cairo_create (surface);
  SlCanvas *canvas = sl_canvas_cairo_new (cr, picture->text);

  draw (&(SlDrawing) { canvas, figure, &picture->frame, theme, picture->scale, "figure" });
  sl_canvas_cairo_free (canvas);
  cairo_destroy (cr);
}

cairo_surface_t *
sl_render_draw (SlRender *picture, SlFigure *figure, const SlTheme *theme, const SlParts *parts,
                int width, int height, double scale, double now)
{
  SlPixels pixels;

  if (width < 1 || height < 1 || !(scale > 0.0) || !prepare (picture, width, height, scale))
    return NULL;
  if (picture->text == NULL || picture->family != theme->family)
    {
      sl_text_free (picture->text);
      picture->text = sl_text_new (theme->family);
      picture->family = theme->family;
      memset (&picture->frame, 0, sizeof picture->frame);
    }
  sl_figure_fit (figure, now);
  sl_frame_layout (&picture->next, figure, theme, parts, picture->text, width, height);
  if (memcmp (&picture->next, &picture->frame, sizeof picture->frame) != 0)
    {
      picture->frame = picture->next;
      picture->static_draws++;
      draw_on (picture, picture->still, figure, theme, sl_draw_static);
    }

  cairo_surface_flush (picture->still);
  cairo_surface_flush (picture->whole);
  pixels = (SlPixels) { .data = (uint32_t *) (void *) cairo_image_surface_get_data (picture->whole),
                        .width = cairo_image_surface_get_width (picture->whole),
                        .height = cairo_image_surface_get_height (picture->whole),
                        .stride = cairo_image_surface_get_stride (picture->whole) / 4,
                        .scale = scale };
  memcpy (pixels.data, cairo_image_surface_get_data (picture->still),
          (size_t) pixels.height * (size_t) pixels.stride * sizeof *pixels.data);
  if (!picture->frame.empty && sl_figure_kind (figure)->raster != NULL)
    sl_figure_kind (figure)->raster (
      &(SlScreen) { picture->raster, &pixels, figure, &picture->frame, theme });
  cairo_surface_mark_dirty (picture->whole);
  draw_on (picture, picture->whole, figure, theme, sl_draw_overlay);
  return picture->whole;
}
