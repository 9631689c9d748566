/* SPDX-License-Identifier: MIT */
#include "core/data/read/idx.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/set/relabel.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

typedef struct
{
  size_t   n;
  unsigned width, height, channels;
  bool     channels_last; /* as stored; what is read is channel-major */
} Images;

bool
sl_idx_likely (const uint8_t *head, size_t size)
{
  return size >= 4 && head[0] == 0 && head[1] == 0 && head[2] >= 8 && head[2] <= 14 && head[3] >= 1
         && head[3] <= 4;
}

/* Reads the magic number and the dimensions, at most 4; returns how many. */
static SlStatus
read_header (SlBytes *bytes, bool images, unsigned *dims, uint32_t *dim)
{
  uint8_t  head[16];
  SlStatus status = sl_bytes_exactly (bytes, head, 4, sl_message ("a magic number of 4 bytes"));
  uint32_t magic;

  if (!sl_ok (&status))
    return status;
  magic = (uint32_t) sl_big_endian (head, 4);
  *dims = magic & 0xff;
  if (magic >> 8 != 8 || !(images ? *dims == 3 || *dims == 4 : *dims == 1))
    return sl_status_at (SL_EFORMAT, sl_bytes_path (bytes), SL_BYTE, 0,
                         sl_message ("magic number 0x%08x", magic),
                         images ? sl_message ("0x00000803 or 0x00000804, IDX images")
                                : sl_message ("0x00000801, IDX labels"));
  status = sl_bytes_exactly (bytes, head, 4 * *dims, sl_message ("the dimensions"));
  for (unsigned i = 0; i < *dims && sl_ok (&status); i++)
    dim[i] = (uint32_t) sl_big_endian (head + 4 * i, 4);
  return status;
}

static bool
is_channels (uint32_t dim)
{
  return dim == 1 || dim == 3 || dim == 4;
}

/* Puts the dimensions in their places; false when none of a 4-D file can be the channels. */
static bool
arrange_dims (unsigned dims, const uint32_t *dim, Images *images)
{
  images->n = dim[0];
  images->channels = 1;
  images->channels_last = false;
  images->height = dim[1];
  images->width = dim[2];
  if (dims == 3)
    return true;
  if (is_channels (dim[1]))
    {
      images->channels = dim[1];
      images->height = dim[2];
      images->width = dim[3];
      return true;
    }
  images->channels = dim[3];
  images->channels_last = true;
  return is_channels (dim[3]);
}

/* Reads the header of an images file and compares it with the size of the file. */
static SlStatus
read_images (SlBytes *bytes, Images *images)
{
  const char *path = sl_bytes_path (bytes);
  uint32_t    dim[4];
  unsigned    dims;
  uint64_t    each, left;
  SlMessage   found;
  SlStatus    status = read_header (bytes, true, &dims, dim);

  if (!sl_ok (&status))
    return status;
  found = dims == 3 ? sl_message ("%u images of %u x %u", dim[0], dim[1], dim[2])
                    : sl_message ("%u images of %u x %u x %u", dim[0], dim[1], dim[2], dim[3]);
  for (unsigned i = 0; i < dims; i++)
    if (dim[i] == 0)
      return sl_status_at (SL_EFORMAT, path, SL_BYTE, 4 + 4 * i, found,
                           sl_message ("no dimension of 0"));
  if (!arrange_dims (dims, dim, images))
    return sl_status_at (SL_EFORMAT, path, SL_BYTE, 8, found,
                         sl_message ("1, 3 or 4 channels, first or last"));

  /* Three factors below 2^32 can overflow 64 bits, so the features are bounded first. */
  each = (uint64_t) images->width * images->height;
  if (each > SL_FEATURES_MAX || each * images->channels > SL_FEATURES_MAX
      || images->n > SL_DATA_BUDGET / (each * images->channels))
    return sl_status_at (SL_ENOMEM, path, SL_BYTE, 4, found,
                         sl_message ("at most %zu MiB of them and %d features each",
                                     SL_DATA_BUDGET >> 20, SL_FEATURES_MAX));
  each *= images->channels;
  left = sl_bytes_left (bytes);
  if (left < images->n * each)
    return sl_status_at (
      SL_EFORMAT, path, SL_BYTE, 4, found,
      sl_bytes_plain (bytes)
        ? sl_message ("%llu bytes after the header", (unsigned long long) left)
        : sl_message ("no more than %llu bytes after the header", (unsigned long long) left));
  return SL_SUCCESS;
}

/* (H, W, C) to (C, H, W), one image. */
static void
channel_major (uint8_t *pixels, size_t area, unsigned channels, uint8_t *spare)
{
  memcpy (spare, pixels, area * channels);
  for (unsigned c = 0; c < channels; c++)
    for (size_t i = 0; i < area; i++)
      pixels[c * area + i] = spare[i * channels + c];
}

/* Reads the pixels that follow, (n, D), up to the end of the file. */
static SlStatus
read_pixels (SlBytes *bytes, const Images *images, uint8_t *pixels)
{
  size_t   area = (size_t) images->width * images->height, each = area * images->channels;
  SlStatus status;
  uint8_t *spare;

  status = sl_bytes_exactly (bytes, pixels, images->n * each,
                             sl_message ("%zu images of %zu bytes", images->n, each));
  if (sl_ok (&status))
    status = sl_bytes_end (bytes);
  if (!sl_ok (&status) || !images->channels_last || images->channels == 1)
    return status;

  spare = malloc (each);
  if (spare == NULL)
    return sl_status_no_memory (sl_bytes_path (bytes));
  for (size_t i = 0; i < images->n; i++)
    channel_major (pixels + i * each, area, images->channels, spare);
  free (spare);
  return SL_SUCCESS;
}

/* Reads `n` labels, which belong to the images in the file `beside`. */
static SlStatus
read_labels (SlBytes *bytes, const char *beside, size_t n, uint8_t *label)
{
  uint32_t dim[4];
  unsigned dims;
  char     shown[80];
  SlStatus status = read_header (bytes, false, &dims, dim);

  if (!sl_ok (&status))
    return status;
  if (dim[0] != n)
    {
      sl_text_printable (basename (beside), strlen (basename (beside)), shown, sizeof shown);
      return sl_status_at (SL_EFORMAT, sl_bytes_path (bytes), SL_BYTE, 4,
                           sl_message ("%u labels", dim[0]),
                           sl_message ("%zu, one for each image of %s", n, shown));
    }
  status = sl_bytes_exactly (bytes, label, n, sl_message ("%zu labels", n));
  return sl_ok (&status) ? sl_bytes_end (bytes) : status;
}

static SlStatus
open_labels (const char *path, const char *beside, size_t n, uint8_t *label)
{
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  if (!sl_ok (&status))
    return status;
  status = read_labels (bytes, beside, n, label);
  sl_bytes_close (bytes);
  return status;
}

static void
take_sizes (SlDraft *draft, const Images *images)
{
  draft->dataset->width = images->width;
  draft->dataset->height = images->height;
  draft->dataset->channels = images->channels;
}

SlStatus
sl_idx_open_pair (const char *images_path, const char *labels_path, SlDraft *draft)
{
  Images   images;
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, images_path);

  *draft = (SlDraft) { 0 };
  if (!sl_ok (&status))
    return status;
  status = read_images (bytes, &images);
  if (sl_ok (&status))
    status = sl_draft_init (draft, images_path, SL_DRAFT_BYTES, images.n,
                            (size_t) images.width * images.height * images.channels, false);
  if (sl_ok (&status))
    {
      take_sizes (draft, &images);
      status = open_labels (labels_path, images_path, images.n, draft->label);
    }
  if (sl_ok (&status))
    status = read_pixels (bytes, &images, draft->bytes);
  if (sl_ok (&status))
    status = sl_relabel (draft, &(SlLabelling) { .train_path = labels_path, .n_train = images.n });
  sl_bytes_close (bytes);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

/* The headers of both images files and a draft with room for all of them. */
static SlStatus
begin_four (char *const path[4], SlBytes *bytes[2], Images images[2], SlDraft *draft)
{
  SlStatus status = SL_SUCCESS;

  for (int i = 0; i < 2 && sl_ok (&status); i++)
    {
      status = sl_bytes_open (&bytes[i], path[2 * i]);
      if (sl_ok (&status))
        status = read_images (bytes[i], &images[i]);
    }
  if (!sl_ok (&status))
    return status;
  if (images[0].width != images[1].width || images[0].height != images[1].height
      || images[0].channels != images[1].channels)
    return sl_status_at (SL_EFORMAT, path[2], SL_BYTE, 8,
                         sl_message ("images of %u x %u in %u channels", images[1].height,
                                     images[1].width, images[1].channels),
                         sl_message ("%u x %u in %u as in the train images", images[0].height,
                                     images[0].width, images[0].channels));
  if (images[0].n < 2)
    return sl_status_at (SL_EFORMAT, path[0], SL_BYTE, 4, sl_message ("1 image"),
                         sl_message ("at least 2 images"));
  status = sl_draft_init (draft, path[0], SL_DRAFT_BYTES, images[0].n + images[1].n,
                          (size_t) images[0].width * images[0].height * images[0].channels, false);
  if (sl_ok (&status))
    take_sizes (draft, &images[0]);
  return status;
}

/* The two big files are independent, so each gets a thread. */
static SlStatus
fill_four (char *const path[4], SlBytes *bytes[2], const Images images[2], SlDraft *draft)
{
  SlStatus status[2];

#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int i = 0; i < 2; i++)
    {
      size_t first = i == 0 ? 0 : images[0].n;

      status[i] = open_labels (path[2 * i + 1], path[2 * i], images[i].n, draft->label + first);
      if (sl_ok (&status[i]))
        status[i]
          = read_pixels (bytes[i], &images[i], draft->bytes + first * draft->dataset->features);
    }
  return sl_ok (&status[0]) ? status[1] : status[0];
}

SlStatus
sl_idx_open_four (char *const path[4], unsigned classes, SlDraft *draft)
{
  SlBytes *bytes[2] = { NULL, NULL };
  Images   images[2];
  SlStatus status;

  *draft = (SlDraft) { 0 };
  status = begin_four (path, bytes, images, draft);
  if (sl_ok (&status))
    status = fill_four (path, bytes, images, draft);
  if (sl_ok (&status))
    status = sl_relabel (draft, &(SlLabelling) { .known = classes,
                                                 .train_path = path[1],
                                                 .n_train = images[0].n,
                                                 .test_path = path[3] });
  if (sl_ok (&status))
    {
      size_t *n = draft->dataset->n;

      n[SL_VALID] = images[0].n / 6 > 0 ? images[0].n / 6 : 1;
      n[SL_TRAIN] = images[0].n - n[SL_VALID];
      n[SL_TEST] = images[1].n;
    }
  sl_bytes_close (bytes[0]);
  sl_bytes_close (bytes[1]);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}
