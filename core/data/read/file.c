/* SPDX-License-Identifier: MIT */
#include "core/data/read/file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/data/image/bitmap.h"
#include "core/data/read/bible.h"
#include "core/data/read/collection.h"
#include "core/data/read/stream.h"
#include "core/data/text/bytes.h"
#include "core/data/text/impostor.h"
#include "core/data/text/text.h"

typedef enum {
  TEXT,
  TABLE,
  IMAGES,
  ARRAYS,
} Kind;

enum { HEAD = 4096 };

static bool
ends_with (const char *name, const char *suffix)
{
  size_t length = strlen (name), n = strlen (suffix);

  if (length > 3 && strcasecmp (name + length - 3, ".gz") == 0)
    length -= 3;
  return length >= n && strncasecmp (name + length - n, suffix, n) == 0;
}

static bool
is_named_text (const char *path)
{
  static const char *const suffixes[] = { ".text", ".md", ".tex" };

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (ends_with (path, suffixes[i]))
      return true;
  return false;
}

static SlStatus
refuse_picture (const char *path)
{
  return sl_status_new (
    SL_EFORMAT, path, sl_message ("a picture, which is no data set by itself"),
    sl_message ("pictures:content-file= and this path, or a folder for each class"));
}

static SlStatus
refuse_json (const char *path)
{
  return sl_status_new (
    SL_EFORMAT, path, sl_message ("JSON, whose examples are not read"),
    sl_message ("a table with a line for each example, as CSV, or arrays as npz"));
}

static SlStatus
unknown_format (const char *path, const uint8_t *head, size_t size)
{
  return sl_status_new (SL_EFORMAT, path,
                        size == 0 ? sl_message ("an empty file")
                                  : sl_message ("a file that begins with 0x%02x%02x%02x%02x",
                                                head[0], size > 1 ? head[1] : 0,
                                                size > 2 ? head[2] : 0, size > 3 ? head[3] : 0),
                        sl_message ("images, arrays, a table or text"));
}

/* Whether lines have nothing but numbers, as numpy.savetxt writes them; the first may be a heading, others notes. */
static bool
is_numbers (const uint8_t *head, size_t size)
{
  unsigned lines = 0;

  for (size_t at = 0; at < size;)
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

static bool
is_text (const char *path, const uint8_t *head, size_t size)
{
  static const char *const tables[]
    = { ".csv", ".tsv", ".data", ".json", ".jsonl", ".arff", ".svm", ".libsvm" };

  if (is_named_text (path) || sl_bible_likely (head, size))
    return true;
  if (sl_text_wide (head, size))
    return false; /* spreadsheets write it */
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (ends_with (path, tables[i]))
      return false;
  return !is_numbers (head, size) && (ends_with (path, ".txt") || sl_stream_likely (head, size));
}

static SlStatus
find_kind (const char *path, Kind *kind)
{
  uint8_t     head[HEAD];
  size_t      size;
  SlContainer container;
  SlStatus    status = sl_bytes_head (path, head, sizeof head, &size);

  *kind = TEXT;
  if (sl_ok (&status))
    status = sl_impostor_refuse (path, head, size);
  if (!sl_ok (&status))
    return status;
  if (sl_bitmap_likely (head, size))
    return refuse_picture (path);
  container = sl_container_of (path, head, size);
  if (container == SL_CONTAINER_JSON && (ends_with (path, ".json") || ends_with (path, ".jsonl")))
    return refuse_json (path);
  switch (container)
    {
    case SL_CONTAINER_IDX:
    case SL_CONTAINER_CIFAR: *kind = IMAGES; return status;
    case SL_CONTAINER_NPY:
    case SL_CONTAINER_NPZ:
    case SL_CONTAINER_SAFETENSORS:
    case SL_CONTAINER_GGUF:
    case SL_CONTAINER_TORCH: *kind = ARRAYS; return status;
    case SL_CONTAINER_JSON:
    case SL_CONTAINER_TABLE: *kind = is_text (path, head, size) ? TEXT : TABLE; return status;
    case SL_CONTAINER_EVENTS:
      return sl_status_try (sl_status_new (SL_EFORMAT, path, sl_message ("curves of TensorBoard"),
                                           sl_message ("data, or loads of experts over training")),
                            "as", "loads");
    case SL_CONTAINER_NONE: break;
    }
  *kind = ends_with (path, ".csv") || ends_with (path, ".tsv") ? TABLE : TEXT;
  if (size > 0 && *kind == TABLE)
    return status; /* its reader says what is wrong with it */
  return size > 0 && is_text (path, head, size) ? status : unknown_format (path, head, size);
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
open_text (const char *path, SlAlphabet alphabet, SlFileOptions *options, SlDraft *draft)
{
  sl_file_settle_shares (true, &options->splitting);
  return sl_stream_open (path, alphabet, &options->splitting, draft);
}

static SlCollectionOptions
collection_options (const SlFileOptions *options)
{
  return (SlCollectionOptions) { .turned = options->turned,
                                 .standardise = options->standardise,
                                 .missing = options->missing,
                                 .splitting = options->splitting };
}

static SlStatus
open_table (const char *path, const SlFileOptions *options, SlDraft *draft)
{
  SlExampleOptions how = { .class_column = options->class_column,
                           .missing = options->missing,
                           .standardise = options->standardise,
                           .splitting = options->splitting };

  return sl_examples_open (path, &options->form, &how, draft);
}

static SlStatus
open_single (const char *path, SlFileOptions *options, bool *split, SlDraft *draft)
{
  SlCollectionOptions how;
  Kind                kind;
  SlStatus            status;

  *split = true;
  if (options->text != SL_TEXT_AUTO)
    return open_text (path, (SlAlphabet) (options->text - SL_TEXT_LETTERS), options, draft);
  status = find_kind (path, &kind);
  if (!sl_ok (&status))
    return status;
  if (kind == TEXT)
    return open_text (path, SL_ALPHABET_LETTERS, options, draft);
  sl_file_settle_shares (false, &options->splitting);
  how = collection_options (options);
  switch (kind)
    {
    case TABLE: return open_table (path, options, draft);
    case IMAGES: return sl_collection_file (path, &how, draft);
    default: return sl_collection_arrays (path, &how, split, draft);
    }
}

static SlStatus
open_folder (const char *path, SlFileOptions *options, bool *split, SlDraft *draft)
{
  SlCollectionOptions how;
  SlSplitting         said = options->splitting;
  SlStatus            status;

  sl_file_settle_shares (false, &options->splitting);
  how = collection_options (options);
  status = sl_collection_folder (path, &how, split, draft);
  if (!*split)
    options->splitting = said;
  return status;
}

/* Hands over what was drafted from a file, or from arrays, of this path. */
static SlStatus
deliver (SlDraft *draft, SlStatus status, const char *path, SlDataset **dataset)
{
  if (!sl_ok (&status))
    return status;
  sl_text_printable (basename (path), strlen (basename (path)), draft->dataset->title,
                     sizeof draft->dataset->title);
  *dataset = sl_draft_finish (draft);
  return status;
}

SlStatus
sl_file_open (const char *path, SlFileOptions *options, bool *split, SlDataset **dataset)
{
  struct stat about;
  SlDraft     draft = { 0 };
  bool        folder = stat (path, &about) == 0 && S_ISDIR (about.st_mode);

  return deliver (&draft,
                  folder ? open_folder (path, options, split, &draft)
                         : open_single (path, options, split, &draft),
                  path, dataset);
}

SlStatus
sl_file_of_arrays (SlArrays *arrays, SlFileOptions *options, bool *split, SlDataset **dataset)
{
  SlCollectionOptions how;
  SlDraft             draft;

  sl_file_settle_shares (false, &options->splitting);
  how = collection_options (options);
  return deliver (&draft, sl_collection_of_arrays (arrays, &how, split, &draft), arrays->path,
                  dataset);
}
