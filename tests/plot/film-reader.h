/* SPDX-License-Identifier: MIT
 *
 * Films read back by other means than they are written with: GIF by giflib, APNG by its chunks and libpng.  */
#pragma once

#include <glib.h>

typedef struct
{
  unsigned   n, width, height;
  gboolean   for_ever;
  guint32  **pixel;   /* (n) each (height, width) of 0xrrggbb, as it is seen */
  double    *seconds; /* (n) */
  unsigned   colours; /* of the one palette; 0: none */
  GPtrArray *comments;
} FilmRead;

void film_read_gif (FilmRead *film, GBytes *bytes);
void film_read_apng (FilmRead *film, GBytes *bytes);
void film_read_frames (FilmRead *film, const GPtrArray *files);
void film_read_clear (FilmRead *film);

/* A PNG as one picture. */
guint32 *film_read_png (const void *bytes, gsize n, unsigned *width, unsigned *height);
