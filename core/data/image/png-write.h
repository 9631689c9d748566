/* SPDX-License-Identifier: MIT
 *
 * Writing PNG into memory, with the physical size and texts that belong to a picture.  The one
 * writer for figures and for pictures that a run made.  */
#pragma once

#include "core/data/image/bitmap.h"

typedef struct
{
  const char *key;  /* in Latin letters: "Title" */
  const char *text; /* UTF-8; NULL: left out */
} SlPngText;

typedef struct
{
  unsigned         width, height;
  bool             alpha; /* a row has four bytes for each pixel, the last is alpha; else three */
  double           dpi;   /* 0: not said */
  const SlPngText *texts; /* (n_texts); they come before the pixels */
  unsigned         n_texts;
  void (*row) (const void *from, unsigned y, uint8_t *to); /* fills row y, from 0 on */
  const void *from;
} SlPngImage;

/* Writes an image; *bytes (free() it) are the *size bytes of the file.  The same image gives the
 * same bytes.  SL_ENOMEM, SL_EINVAL for what PNG cannot hold; then *bytes is NULL.  */
SlStatus sl_png_encode (const SlPngImage *image, uint8_t **bytes, size_t *size);

/* The same for a bitmap with a title and a recipe (either may be NULL), which goes where figures
 * have theirs: dropped on the window, the picture brings its run back.  */
SlStatus sl_bitmap_encode (const SlBitmap *bitmap, const char *title, const char *recipe,
                           uint8_t **bytes, size_t *size);
