/* SPDX-License-Identifier: MIT
 *
 * See gallery.h.  */
#include "plot/charts/gallery.h"

/* The size of all, by the first. */
static void
begin (SlGallery *gallery, const SlBitmap *bitmap)
{
  unsigned longest = MAX (bitmap->width, bitmap->height);
  double   by = longest > SL_GALLERY_SIDE ? (double) SL_GALLERY_SIDE / longest : 1.0;

  gallery->rows = MAX (1, (unsigned) (by * bitmap->height));
  gallery->columns = MAX (1, (unsigned) (by * bitmap->width));
  gallery->cells = g_array_new (FALSE, FALSE, sizeof (double));
  gallery->names = g_string_new (NULL);
}

static void
add_cells (SlGallery *gallery, const SlBitmap *bitmap)
{
  size_t  pixels = (size_t) bitmap->width * bitmap->height;
  guint   first = gallery->cells->len;
  double *to;

  g_array_set_size (gallery->cells, first + (guint) (3 * pixels));
  to = &g_array_index (gallery->cells, double, first);
  for (size_t i = 0; i < pixels; i++)
    for (size_t plane = 0; plane < 3; plane++)
      to[plane * pixels + i] = bitmap->rgb[3 * i + plane] / 255.0;
}

SlStatus
sl_gallery_add (SlGallery *gallery, const char *name, const SlBitmap *bitmap)
{
  SlBitmap sized;
  SlStatus status = SL_SUCCESS;

  if (gallery->n == SL_GALLERY_MOST)
    return sl_status_new (SL_EINVAL, "pictures", sl_message ("more than 64"),
                          sl_message ("fewer at a time"));
  if (gallery->n == 0)
    begin (gallery, bitmap);
  if (bitmap->width == gallery->columns && bitmap->height == gallery->rows)
    add_cells (gallery, bitmap);
  else
    {
      status = sl_bitmap_cover (bitmap, gallery->columns, gallery->rows, &sized);
      if (!sl_ok (&status))
        {
          if (gallery->n == 0)
            sl_gallery_clear (gallery);
          return status;
        }
      add_cells (gallery, &sized);
      sl_bitmap_clear (&sized);
    }
  g_string_append (gallery->names, name);
  g_string_append_c (gallery->names, '\n');
  gallery->n++;
  return status;
}

void
sl_gallery_update (const SlGallery *gallery, SlFigure *figure)
{
  figure->kind = SL_IMAGE;
  figure->matrix.tiles = gallery->n;
  figure->matrix.across = gallery->across;
  figure->matrix.alike = true;
  figure->matrix.depth = 3;
  figure->matrix.rows = gallery->rows;
  figure->matrix.columns = gallery->columns;
  figure->matrix.cell = gallery->n > 0 ? (const double *) (void *) gallery->cells->data : NULL;
  figure->matrix.names = gallery->n > 0 ? gallery->names->str : "";
  figure->version++;
}

void
sl_gallery_clear (SlGallery *gallery)
{
  if (gallery->cells != NULL)
    g_array_unref (gallery->cells);
  if (gallery->names != NULL)
    g_string_free (gallery->names, TRUE);
  *gallery = (SlGallery) { .across = gallery->across };
}
