/* SPDX-License-Identifier: MIT */
#include "core/data/read/file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/data/image/bitmap.h"
#include "core/data/read/bible.h"
#include "core/data/read/cifar.h"
#include "core/data/read/examples.h"
#include "core/data/read/idx.h"
#include "core/data/read/mat.h"
#include "core/data/read/stream.h"
#include "core/data/text/bytes.h"
#include "core/data/text/folder.h"
#include "core/data/text/text.h"

typedef enum {
  UNKNOWN,
  IDX,
  CIFAR,
  CSV,
  TEXT,
} Format;

enum { HEAD = 4096 };

static bool
ends_with (const char *name, size_t length, const char *suffix)
{
  size_t n = strlen (suffix);

  return length >= n && strncasecmp (name + length - n, suffix, n) == 0;
}

/* What the name promises, so that a broken file is called a broken one of its kind. */
static Format
format_of_name (const char *path)
{
  const char *name = basename (path);
  size_t      length = strlen (name);

  if (ends_with (name, length, ".gz"))
    length -= 3;
  if (strstr (name, "-ubyte") != NULL || strstr (name, "idx3") != NULL
      || ends_with (name, length, ".idx"))
    return IDX;
  if (ends_with (name, length, ".bin"))
    return CIFAR;
  if (ends_with (name, length, ".csv") || ends_with (name, length, ".tsv"))
    return CSV;
  if (ends_with (name, length, ".txt") || ends_with (name, length, ".text")
      || ends_with (name, length, ".md") || ends_with (name, length, ".tex"))
    return TEXT;
  return UNKNOWN;
}

/* Text of printable letters can be a table. */
static bool
is_text (const uint8_t *head, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (head[i] == 0x7f || (head[i] < 0x20 && strchr ("\t\n\r", head[i]) == NULL) || head[i] == 0)
      return false;
  return size > 0;
}

/* Lines of numbers, but for the first and notes: a table, whatever the name says. */
static bool
is_numbers (const uint8_t *head, size_t size)
{
  size_t lines = 0, at = 0;

  while (at < size)
    {
      const uint8_t *end = memchr (head + at, '\n', size - at);
      size_t         n = end != NULL ? (size_t) (end - (head + at)) : size - at;

      if (head[at] != '#' && lines++ > 0)
        for (size_t i = 0; i < n; i++)
          if (head[at + i] == '\0' || strchr ("0123456789+-.,;eE \t\r", head[at + i]) == NULL)
            return false;
      at += n + 1;
    }
  return lines > 2;
}

static Format
format_of_content (const uint8_t *head, size_t size)
{
  if (sl_idx_likely (head, size))
    return IDX;
  if (is_text (head, size))
    return sl_stream_likely (head, size) ? TEXT : CSV;
  if (sl_bible_likely (head, size))
    return TEXT;
  if (sl_cifar_likely (head, size))
    return CIFAR;
  return UNKNOWN;
}

static SlStatus
unknown_format (const char *path, const uint8_t *head, size_t size)
{
  if (sl_bitmap_likely (head, size))
    return sl_status_new (SL_EFORMAT, path,
                          sl_message ("a picture, which is no data set by itself"),
                          sl_message ("pictures:content-file= or style-file= and this path"));
  return sl_status_new (
    SL_EFORMAT, path,
    size == 0 ? sl_message ("an empty file")
              : sl_message ("a file that begins with 0x%02x%02x%02x%02x", head[0],
                            size > 1 ? head[1] : 0, size > 2 ? head[2] : 0, size > 3 ? head[3] : 0),
    sl_message ("IDX images (0x00000803), CIFAR-10 records, a table (CSV) or text"));
}

static SlStatus
find_format (const char *path, Format *format)
{
  uint8_t  head[HEAD];
  size_t   size;
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  if (!sl_ok (&status))
    return status;
  status = sl_bytes_some (bytes, head, sizeof head, &size);
  sl_bytes_close (bytes);
  if (!sl_ok (&status))
    return status;
  if (sl_mat_likely (head, size))
    return sl_mat_refuse (path);
  *format = size > 0 ? format_of_name (path) : UNKNOWN;
  if (*format == UNKNOWN)
    *format = format_of_content (head, size);
  if (*format == TEXT && is_numbers (head, size))
    *format = CSV;
  /* Some give their IDX files the name of plain binary ones. */
  if (*format == CIFAR && sl_idx_likely (head, size))
    *format = IDX;
  return *format != UNKNOWN ? SL_SUCCESS : unknown_format (path, head, size);
}

static SlStatus
open_images (const char *path, SlDraft *draft)
{
  char    *labels;
  SlStatus status = sl_folder_labels (path, &labels);

  if (sl_ok (&status))
    status = sl_idx_open_pair (path, labels, draft);
  free (labels);
  return status;
}

/* Examples in one heap, to be split here. */
static SlStatus
open_heap (const char *path, Format format, const SlSplitting *splitting, SlDraft *draft)
{
  SlStatus status = format == IDX ? open_images (path, draft) : sl_cifar_open_file (path, draft);

  if (!sl_ok (&status))
    return status;
  status = sl_draft_split (draft, splitting, path);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

void
sl_file_settle_shares (bool text, SlSplitting *splitting)
{
  if (splitting->valid == 0.0)
    splitting->valid = text ? 0.04 : 0.1;
  if (splitting->test == 0.0)
    splitting->test = text ? 0.01 : 0.1;
}

static SlStatus
open_text (const char *path, SlAlphabet alphabet, SlSplitting *splitting, SlDraft *draft)
{
  sl_file_settle_shares (true, splitting);
  return sl_stream_open (path, alphabet, splitting, draft);
}

static SlStatus
open_single (const char *path, SlSplitting *splitting, bool standardise, SlTextMode text,
             SlDraft *draft)
{
  Format   format = UNKNOWN;
  SlStatus status = SL_SUCCESS;

  if (text != SL_TEXT_AUTO)
    return open_text (path, (SlAlphabet) (text - SL_TEXT_LETTERS), splitting, draft);
  status = find_format (path, &format);
  if (!sl_ok (&status))
    return status;
  if (format == TEXT)
    return open_text (path, SL_ALPHABET_LETTERS, splitting, draft);
  sl_file_settle_shares (false, splitting);
  if (format == CSV)
    return sl_examples_open (
      path, NULL, &(SlExampleOptions) { .standardise = standardise, .splitting = *splitting },
      draft);
  return open_heap (path, format, splitting, draft);
}

/* Sets *split where the folder is one heap of examples. */
static SlStatus
open_folder (const char *folder, SlSplitting *splitting, bool *split, SlDraft *draft)
{
  char    *path[4], *images;
  unsigned n = sl_folder_four (folder, path);
  bool     found = true;
  SlStatus status = SL_SUCCESS;

  if (n == 4)
    status = sl_idx_open_four (path, 0, draft);
  else if (n > 0)
    {
      status = sl_status_new (
        SL_EIO, folder,
        path[0] == NULL   ? sl_message ("no train images")
        : path[1] == NULL ? sl_message ("no train labels")
        : path[2] == NULL ? sl_message ("no test images")
                          : sl_message ("no test labels"),
        sl_message ("train-images-idx3-ubyte, train-labels-idx1-ubyte and t10k-..."));
    }
  else
    status = sl_cifar_open_folder (folder, &found, draft);
  sl_folder_forget (path);
  if (found)
    return status;
  images = sl_folder_images (folder);
  if (images != NULL)
    {
      *split = true;
      sl_file_settle_shares (false, splitting);
      status = open_heap (images, IDX, splitting, draft);
      free (images);
      return status;
    }
  return sl_status_new (
    SL_EIO, folder, sl_message ("no files of a known collection"),
    sl_message ("train-images-idx3-ubyte and so on, or data_batch_1.bin and so on"));
}

SlStatus
sl_file_open (const char *path, SlSplitting *splitting, bool standardise, SlTextMode text,
              bool *split, SlDataset **dataset)
{
  struct stat about;
  SlDraft     draft;
  SlStatus    status;

  *split = stat (path, &about) != 0 || !S_ISDIR (about.st_mode);
  status = *split ? open_single (path, splitting, standardise, text, &draft)
                  : open_folder (path, splitting, split, &draft);
  if (!sl_ok (&status))
    return status;
  sl_text_printable (basename (path), strlen (basename (path)), draft.dataset->title,
                     sizeof draft.dataset->title);
  *dataset = sl_draft_finish (&draft);
  return SL_SUCCESS;
}
