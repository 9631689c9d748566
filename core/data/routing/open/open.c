/* SPDX-License-Identifier: MIT */
#include "core/data/routing/open/open.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/data/read/safetensors.h"
#include "core/data/routing/arrays/arrays.h"
#include "core/data/routing/arrays/npy-header.h"
#include "core/data/routing/arrays/zip.h"
#include "core/data/routing/logs/text.h"
#include "core/data/routing/open/answers.h"
#include "core/data/routing/open/ranks.h"
#include "core/data/text/bytes.h"

enum { HEAD = 1 << 16 };

typedef enum {
  NOTHING,
  NPY,
  NPZ,
  TENSORS,
  JSONL,
  ANSWERS,
  TABLE,
  PICKLE,
} Format;

static bool
ends_with (const char *path, const char *suffix)
{
  size_t length = strlen (path), n = strlen (suffix);

  if (length > 3 && strcasecmp (path + length - 3, ".gz") == 0)
    length -= 3;
  return length > n && strncasecmp (path + length - n, suffix, n) == 0;
}

static Format
format_of_name (const char *path)
{
  if (ends_with (path, ".npy"))
    return NPY;
  if (ends_with (path, ".npz"))
    return NPZ;
  if (ends_with (path, ".jsonl"))
    return JSONL;
  return ends_with (path, ".pt") || ends_with (path, ".pth") || ends_with (path, ".pkl") ? PICKLE
                                                                                         : NOTHING;
}

/* `head` ends with a zero byte. */
static Format
format_of_content (const uint8_t *head, size_t size)
{
  if (sl_npy_likely (head, size))
    return NPY;
  if (sl_zip_likely (head, size))
    return NPZ;
  if (sl_safetensors_likely (head, size))
    return TENSORS;
  if (size > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5)
    return PICKLE;
  if (sl_routing_jsonl_likely ((const char *) head))
    return JSONL;
  if (sl_answers_likely ((const char *) head))
    return ANSWERS;
  return sl_routing_table_likely ((const char *) head) ? TABLE : NOTHING;
}

/* What a file is by its content, else by its name. */
static SlStatus
find_format (const char *path, Format *format)
{
  uint8_t *head = malloc (HEAD + 1);
  size_t   size = 0;
  SlBytes *bytes = NULL;
  SlStatus status = head != NULL ? sl_bytes_open (&bytes, path) : sl_status_no_memory (path);

  *format = format_of_name (path);
  if (sl_ok (&status))
    status = sl_bytes_some (bytes, head, HEAD, &size);
  if (sl_ok (&status))
    {
      Format content;

      head[size] = 0;
      content = format_of_content (head, size);
      *format = content != NOTHING ? content : *format;
    }
  sl_bytes_close (bytes);
  free (head);
  return status;
}

static SlStatus
refuse_pickle (const char *path)
{
  return sl_status_new (
    SL_EFORMAT, path,
    sl_message ("Python objects (a pickle), which can run code and are never loaded"),
    sl_message ("numbers: in Python, np.savez (\"trace.npz\", topk_ids=ids)"));
}

static SlStatus
read_arrays (SlRoutingDraft *draft, const char *path, Format format)
{
  SlArrays arrays = { .path = path };
  SlStatus status = format == NPY   ? sl_arrays_open_npy (&arrays, path)
                    : format == NPZ ? sl_arrays_open_npz (&arrays, path)
                                    : sl_arrays_open_safetensors (&arrays, path);

  if (sl_ok (&status))
    status = sl_arrays_read (&arrays, draft);
  sl_arrays_clear (&arrays);
  return status;
}

static SlStatus
read_draft (SlRoutingDraft *draft, const char *path, Format format)
{
  switch (format)
    {
    case NPY:
    case NPZ:
    case TENSORS: return read_arrays (draft, path, format);
    case JSONL: return sl_routing_read_jsonl (draft, path);
    case ANSWERS: return sl_answers_read (draft, path);
    case PICKLE: return refuse_pickle (path);
    default: return sl_routing_read_table (draft, path);
    }
}

static SlStatus
read_file (SlRoutingDraft *draft, const char *path)
{
  Format   format;
  SlStatus status = find_format (path, &format);

  return sl_ok (&status) ? read_draft (draft, path, format) : status;
}

static bool
is_folder (const char *path)
{
  struct stat about;

  return stat (path, &about) == 0 && S_ISDIR (about.st_mode);
}

SlStatus
sl_routing_open (const char *path, const SlRoutingOptions *options, SlRouting **routing)
{
  SlRoutingDraft draft;
  SlStatus       status;

  *routing = NULL;
  sl_routing_draft_init (&draft, path, options);
  status = is_folder (path) ? sl_ranks_read (&draft, path, read_file) : read_file (&draft, path);
  if (sl_ok (&status))
    return sl_routing_finish (&draft, routing);
  sl_routing_draft_clear (&draft);
  return status;
}

bool
sl_routing_likely (const char *path)
{
  Format   format;
  SlStatus status;

  if (is_folder (path))
    return sl_ranks_likely (path);
  status = find_format (path, &format);
  if (sl_ok (&status) && format == TENSORS)
    return sl_arrays_likely_safetensors (path);
  return format != NOTHING && (sl_ok (&status) || format_of_name (path) != NOTHING);
}
