/* SPDX-License-Identifier: MIT */
#include "core/run/base/frame.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 1 }; /* the next ones take twice as long for half a per cent */

void *
sl_frame_pack (const void *bytes, size_t n, size_t *size)
{
  size_t room = ZSTD_compressBound (n);
  void  *frame = malloc (room);

  *size = frame != NULL ? ZSTD_compress (frame, room, bytes, n, LEVEL) : 0;
  if (frame == NULL || !ZSTD_isError (*size))
    return frame;
  free (frame);
  return NULL;
}

bool
sl_frame_is (const void *frame, size_t n)
{
  guint32 mark;

  if (n < sizeof mark)
    return false;
  memcpy (&mark, frame, sizeof mark);
  return GUINT32_FROM_LE (mark) == ZSTD_MAGICNUMBER;
}

void *
sl_frame_open (const void *frame, size_t n, size_t most, size_t *bytes)
{
  unsigned long long size = ZSTD_getFrameContentSize (frame, n);
  void              *opened;

  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size == 0
      || size > most)
    return NULL;
  *bytes = (size_t) size;
  opened = malloc (*bytes);
  if (opened != NULL && ZSTD_decompress (opened, *bytes, frame, n) == *bytes)
    return opened;
  free (opened);
  return NULL;
}
