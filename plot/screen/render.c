/* SPDX-License-Identifier: MIT
 *
 * A static layer, a composed image and the frame that both were made for; see render.h.  The layer is drawn
 * anew when other strokes and words make it up than before, whatever they come from.  */
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
  SlFrame          frame;
  uint64_t         digest; /* of what `still` shows */
  bool             blank;  /* it shows nothing yet */
  unsigned         static_draws;
};

SlRender *
sl_render_new (void)
{
  SlRender *render = g_new0 (SlRender, 1);

  render->raster = sl_raster_new ();
  return render;
}

static void
drop_surfaces (SlRender *render)
{
  g_clear_pointer (&render->still, cairo_surface_destroy);
  g_clear_pointer (&render->whole, cairo_surface_destroy);
  render->blank = true;
}

void
sl_render_free (SlRender *render)
{
  if (render == NULL)
    return;
  drop_surfaces (render);
  sl_raster_free (render->raster);
  sl_text_free (render->text);
  g_free (render);
}

const SlFrame *
sl_render_frame (const SlRender *render)
{
  return &render->frame;
}

unsigned
sl_render_static_draws (const SlRender *render)
{
  return render->static_draws;
}

/* Makes both surfaces of the right size; false when memory ran out. */
static bool
prepare (SlRender *render, int width, int height, double scale)
{
  int w = (int) ceil (width * scale), h = (int) ceil (height * scale);

  if (render->whole != NULL && cairo_image_surface_get_width (render->whole) == w
      && cairo_image_surface_get_height (render->whole) == h && render->scale == scale)
    return true;
  drop_surfaces (render);
  render->still = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
  render->whole = cairo_image_surface_create (CAIRO_FORMAT_RGB24, w, h);
  if (cairo_surface_status (render->still) != CAIRO_STATUS_SUCCESS
      || cairo_surface_status (render->whole) != CAIRO_STATUS_SUCCESS)
    {
      drop_surfaces (render);
      return false;
    }
  cairo_surface_set_device_scale (render->still, scale, scale);
  cairo_surface_set_device_scale (render->whole, scale, scale);
  render->scale = scale;
  return true;
}

/* Draws with one of the sl_draw functions. */
static void
draw_with (SlRender *render, SlCanvas *canvas, const SlFigure *figure, const SlTheme *theme,
           void (*draw) (const SlDrawing *))
{
  draw (&(SlDrawing) { canvas, figure, &render->frame, theme, render->scale, "figure", 1 });
}

static void
draw_on (SlRender *render, cairo_surface_t *surface, const SlFigure *figure, const SlTheme *theme,
         void (*draw) (const SlDrawing *))
{
  cairo_t  *cr = cairo_create (surface);
  SlCanvas *canvas = sl_canvas_cairo_new (cr, render->text);

  draw_with (render, canvas, figure, theme, draw);
  sl_canvas_cairo_free (canvas);
  cairo_destroy (cr);
}

static void
draw_still (SlRender *render, const SlFigure *figure, const SlTheme *theme)
{
  SlCanvas *canvas = sl_canvas_digest_new ();
  uint64_t  digest;

  draw_with (render, canvas, figure, theme, sl_draw_static);
  digest = sl_canvas_digest_finish (canvas);
  if (!render->blank && digest == render->digest)
    return;
  render->blank = false;
  render->digest = digest;
  render->static_draws++;
  draw_on (render, render->still, figure, theme, sl_draw_static);
}

cairo_surface_t *
sl_render_draw (SlRender *render, SlFigure *figure, const SlTheme *theme, const SlParts *parts,
                int width, int height, double scale, double now)
{
  SlPixels pixels;

  if (width < 1 || height < 1 || !(scale > 0.0) || !prepare (render, width, height, scale))
    return NULL;
  if (render->text == NULL || render->family != theme->family)
    {
      sl_text_free (render->text);
      render->text = sl_text_new (theme->family);
      render->family = theme->family;
      render->blank = true;
    }
  sl_figure_fit (figure, now);
  sl_frame_layout (&render->frame, figure, theme, parts, render->text, width, height);
  draw_still (render, figure, theme);

  cairo_surface_flush (render->still);
  cairo_surface_flush (render->whole);
  pixels = (SlPixels) { .data = (uint32_t *) (void *) cairo_image_surface_get_data (render->whole),
                        .width = cairo_image_surface_get_width (render->whole),
                        .height = cairo_image_surface_get_height (render->whole),
                        .stride = cairo_image_surface_get_stride (render->whole) / 4,
                        .scale = scale };
  memcpy (pixels.data, cairo_image_surface_get_data (render->still),
          (size_t) pixels.height * (size_t) pixels.stride * sizeof *pixels.data);
  if (!render->frame.empty && sl_figure_kind (figure)->raster != NULL)
    sl_figure_kind (figure)->raster (
      &(SlScreen) { render->raster, &pixels, figure, &render->frame, theme });
  cairo_surface_mark_dirty (render->whole);
  draw_on (render, render->whole, figure, theme, sl_draw_overlay);
  return render->whole;
}
