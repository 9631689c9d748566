/* SPDX-License-Identifier: MIT
 *
 * The source "pictures": one to keep the content of and one to take the style from, painted here
 * or from files, at one size; and perhaps a file of network weights.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/image/canvas.h"
#include "core/data/read/weights.h"
#include "core/data/set/hash.h"
#include "core/data/source/options.h"
#include "core/data/source/sources.h"
#include "core/data/text/text.h"

enum { CONTENT_FILE, STYLE_FILE, NET_FILE, N_FILES };

/* Picture files that are very long and thin are cut to sides of this ratio. */
#define THINNEST 4.0

static const SlChoice contents[SL_N_SCENES + 1] = {
  [SL_SCENE_HILLS] = { "hills", "Hills by a lake" },
  [SL_SCENE_BALLS] = { "balls", "Balls on a table" },
  [SL_SCENE_CANAL] = { "canal", "Houses by a canal" },
};

static const SlChoice styles[SL_N_SURFACES + 1] = {
  [SL_SURFACE_SWIRLS] = { "swirls", "Swirls of a brush" },
  [SL_SURFACE_MOSAIC] = { "mosaic", "Mosaic" },
  [SL_SURFACE_MARBLE] = { "marble", "Marble" },
  [SL_SURFACE_WEAVE] = { "weave", "Woven wool" },
  [SL_SURFACE_DOTS] = { "dots", "Dabs of colour" },
  [SL_SURFACE_WAVES] = { "waves", "Printed waves" },
};

static void
file_title (const char *path, char *title, size_t size)
{
  sl_text_printable (basename (path), strlen (basename (path)), title, size);
}

/* The size that a picture gets: its longer side as requested. */
static void
fit_size (double wide, double high, unsigned size, unsigned *width, unsigned *height)
{
  double ratio = fmax (1.0 / THINNEST, fmin (wide / high, THINNEST));

  *width = (unsigned) lround (ratio >= 1.0 ? size : size * ratio);
  *height = (unsigned) lround (ratio >= 1.0 ? size / ratio : size);
}

static SlStatus
paint_bitmap (SlPaint motif, const SlChoice *choice, uint64_t seed, unsigned size, char *title,
              size_t title_size, SlBitmap *bitmap)
{
  unsigned width, height;
  SlStatus status;

  fit_size (SL_CANVAS_WIDE, 1.0, size, &width, &height);
  status = sl_bitmap_init (bitmap, choice->id, width, height);
  if (sl_ok (&status))
    sl_canvas_paint (bitmap, motif, seed);
  snprintf (title, title_size, "%s", choice->title);
  return status;
}

static SlStatus
read_bitmap (const char *path, char *title, size_t title_size, SlBitmap *bitmap)
{
  file_title (path, title, title_size);
  return sl_bitmap_read (path, bitmap);
}

/* Brings a bitmap to a size; what it was is freed. */
static SlStatus
cover_bitmap (SlBitmap *bitmap, unsigned width, unsigned height)
{
  SlBitmap sized;
  SlStatus status;

  if (bitmap->width == width && bitmap->height == height)
    return SL_SUCCESS;
  status = sl_bitmap_cover (bitmap, width, height, &sized);
  if (!sl_ok (&status))
    return status;
  sl_bitmap_clear (bitmap);
  *bitmap = sized;
  return SL_SUCCESS;
}

static SlStatus
load_pair (const SlSettings *settings, const SlSourceFiles *files, SlPicturePair *pair,
           SlBitmap *content, SlBitmap *style)
{
  const SlSource *source = &sl_source_pictures;
  unsigned        size = (unsigned) sl_source_option (source, settings, "size"), width, height;
  uint64_t        seed = (uint64_t) sl_source_option (source, settings, "seed");
  int             scene = (int) sl_source_option (source, settings, "content");
  int             surface = (int) sl_source_option (source, settings, "style");
  char           *title = pair->content_title;
  size_t          room = sizeof pair->content_title;
  SlStatus        status
    = files->path[CONTENT_FILE][0] != '\0'
        ? read_bitmap (files->path[CONTENT_FILE], title, room, content)
        : paint_bitmap (sl_scenes[scene], &contents[scene], seed, size, title, room, content);

  if (!sl_ok (&status))
    return status;
  fit_size (content->width, content->height, size, &width, &height);
  status = cover_bitmap (content, width, height);
  if (!sl_ok (&status))
    return status;
  title = pair->style_title;
  room = sizeof pair->style_title;
  /* Painted so large that the part that is taken needs no change of its size. */
  size = (unsigned) lround (fmax (width, height * SL_CANVAS_WIDE));
  status
    = files->path[STYLE_FILE][0] != '\0'
        ? read_bitmap (files->path[STYLE_FILE], title, room, style)
        : paint_bitmap (sl_surfaces[surface], &styles[surface], seed, size, title, room, style);
  if (sl_ok (&status))
    status = cover_bitmap (style, width, height);
  pair->width = width;
  pair->height = height;
  return status;
}

/* XXH64 of names, shapes and numbers. */
static uint64_t
hash_net (const SlTensors *net, uint64_t hash)
{
  for (size_t t = 0; t < net->n; t++)
    {
      const SlTensor *tensor = &net->tensor[t];

      hash = sl_hash (tensor->name, strlen (tensor->name) + 1, hash);
      for (unsigned d = 0; d < tensor->dims; d++)
        {
          const uint64_t size = tensor->dim[d];

          hash = sl_hash (&size, sizeof size, hash);
        }
      hash = sl_hash_reals (tensor->data, tensor->n, hash);
    }
  return hash;
}

/* The network weights, those that feature networks are made of. */
static SlStatus
open_net (const char *path, SlPicturePair *pair)
{
  if (path[0] == '\0')
    return SL_SUCCESS;
  file_title (path, pair->net_title, sizeof pair->net_title);
  return sl_weights_open (&pair->net, path, sl_tensor_is_image_layer);
}

/* Room for both as numbers. */
static SlStatus
fill_dataset (SlDataset *dataset, const SlBitmap *content, const SlBitmap *style)
{
  SlPicturePair *pair = dataset->pictures;
  size_t         n = 3 * (size_t) pair->width * pair->height;
  const uint64_t size[2] = { pair->width, pair->height };
  sl_real       *planes = malloc (2 * n * sizeof *planes);

  if (planes == NULL)
    return sl_status_no_memory (sl_source_pictures.id);
  dataset->storage = planes;
  sl_bitmap_planes (content, planes);
  sl_bitmap_planes (style, planes + n);
  pair->content = planes;
  pair->style = planes + n;
  dataset->hash = sl_hash (size, sizeof size, 0);
  dataset->hash = sl_hash (content->rgb, n, dataset->hash);
  dataset->hash = sl_hash (style->rgb, n, dataset->hash);
  if (pair->net != NULL)
    dataset->hash = hash_net (pair->net, dataset->hash);
  /* Two captions and a comma fit. */
  stpcpy (stpcpy (stpcpy (dataset->title, pair->content_title), ", "), pair->style_title);
  return SL_SUCCESS;
}

static SlStatus
open_pictures (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
               SlDataset **dataset)
{
  SlDataset *made = calloc (1, sizeof *made);
  SlBitmap   content = { 0 }, style = { 0 };
  SlStatus   status = sl_status_no_memory (source->id);

  if (made != NULL)
    made->pictures = calloc (1, sizeof *made->pictures);
  if (made != NULL && made->pictures != NULL)
    status = load_pair (settings, files, made->pictures, &content, &style);
  if (sl_ok (&status))
    status = open_net (files->path[NET_FILE], made->pictures);
  if (sl_ok (&status))
    status = fill_dataset (made, &content, &style);
  sl_bitmap_clear (&content);
  sl_bitmap_clear (&style);
  if (sl_ok (&status))
    *dataset = made;
  else
    sl_dataset_free (made);
  return status;
}

static const SlParam params[] = {
  SL_OPTION ("size", "Size", "pixels", "Longer side of both pictures.", "", .kind = SL_INTEGER,
             .lo = 16, .hi = 1024, .step = 16, .fallback = 192),
  SL_OPTION ("content", "Content", "",
             "Painted picture that gives the arrangement; a file replaces it.", "",
             .kind = SL_CHOICE, .fallback = SL_SCENE_CANAL, .choices = contents),
  SL_OPTION ("style", "Style", "",
             "Painted picture that gives colours and strokes; a file replaces it.", "",
             .kind = SL_CHOICE, .fallback = 0, .choices = styles),
  SL_OPTION_SEED_OF ("Seed of the details of painted pictures."),
};

#define PICTURE_PATTERNS "*.png *.jpg *.jpeg"

/* clang-format off */
static const SlFileOption files[] = {
  [CONTENT_FILE] = {
    .id = "content-file", .title = "Content file", .patterns = PICTURE_PATTERNS,
    .instead = "content",
    .help = "PNG or JPEG that gives the arrangement.",
  },
  [STYLE_FILE] = {
    .id = "style-file", .title = "Style file", .patterns = PICTURE_PATTERNS, .instead = "style",
    .help = "PNG or JPEG that gives colours and strokes; its middle, if the shape differs.",
  },
  [NET_FILE] = {
    .id = "net", .title = "Network weights", .patterns = "*.safetensors *.safetensors.gz *.pt *.pth *.npz",
    .help = "Weights of VGG or SqueezeNet (.safetensors, .pth), whose features recognise things. "
            "Default: random filters, which see texture and colour.",
  },
};
/* clang-format on */

const SlSource sl_source_pictures = {
  .id = "pictures",
  .title = "Two pictures",
  .help = "A content and a style picture, painted or from files, with optional weights of the "
          "network that compares them.",
  .yields = SL_NEEDS_PICTURES,
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .files = files,
  .n_files = sizeof files / sizeof *files,
  .open = open_pictures,
};
