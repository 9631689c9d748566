/* SPDX-License-Identifier: MIT
 *
 * The picture that a run makes, as a file with the recipe of the run in it.  */
#pragma once

#include <gio/gio.h>

#include "core/data/image/bitmap.h"

/* Called with a sentence: the picture is saved, or why not. */
typedef void (*SlPictureWritten) (gpointer owner, const char *sentence);

/* Encodes and writes a picture in a thread of its own; takes over what is in the bitmap, `recipe` and `path`.
 * `written` is left out when `closing` is cancelled.  */
void sl_picture_write (SlBitmap *bitmap, const char *title, char *recipe, char *path,
                       SlPictureWritten written, gpointer owner, GCancellable *closing);
