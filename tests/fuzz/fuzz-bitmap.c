/* SPDX-License-Identifier: MIT
 *
 * PNG and JPEG pictures.  The chunks of a PNG get the checksums that they should have, or hardly
 * an input would come past the first one.  */
#include "tests/fuzz/input.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/data/image/bitmap.h"
#include "core/data/text/text.h"

static uint32_t
read32 (const uint8_t *at)
{
  return (uint32_t) at[0] << 24 | (uint32_t) at[1] << 16 | (uint32_t) at[2] << 8 | at[3];
}

static void
mend (uint8_t *file, size_t size)
{
  size_t at = 8;

  while (size >= 12 && at <= size - 12 && read32 (file + at) <= size - at - 12)
    {
      size_t   length = read32 (file + at);
      uint32_t crc = (uint32_t) crc32 (0, file + at + 4, (unsigned) length + 4);

      for (int i = 0; i < 4; i++)
        file[at + 8 + length + i] = (uint8_t) (crc >> (24 - 8 * i));
      at += 12 + length;
    }
}

static void
check (const uint8_t *file, size_t size)
{
  SlBitmap bitmap, small;
  SlStatus status = sl_bitmap_decode (file, size, "file", &bitmap);
  sl_real  planes[3 * 8 * 6];
  char     text[1024];

  if (!sl_ok (&status))
    {
      fuzz_require (bitmap.rgb == NULL);
      fuzz_require (status.code == SL_EFORMAT || status.code == SL_ENOMEM);
      sl_status_text (&status, text, sizeof text);
      fuzz_require (sl_utf8_valid (text, strlen (text)));
      fuzz_require (status.place != SL_BYTE || status.position <= size);
      return;
    }
  fuzz_require (sl_bitmap_likely (file, size));
  fuzz_require (bitmap.width > 0 && bitmap.height > 0);
  status = sl_bitmap_cover (&bitmap, 8, 6, &small);
  fuzz_require (sl_ok (&status));
  sl_bitmap_planes (&small, planes);
  for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
    fuzz_require (planes[i] >= 0 && planes[i] <= 1);
  sl_bitmap_clear (&small);
  sl_bitmap_clear (&bitmap);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  uint8_t *file = malloc (size > 0 ? size : 1);

  fuzz_require (file != NULL);
  memcpy (file, data, size);
  check (file, size);
  if (size >= 4 && memcmp (file, "\x89PNG", 4) == 0)
    {
      mend (file, size);
      check (file, size);
    }
  free (file);
  return 0;
}
