/* SPDX-License-Identifier: MIT */
#include "core/data/text/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/data/set/draft.h"

/* Deflate makes at most 1032 bytes of one. */
enum { INPUT = 1 << 18, DEFLATE_RATIO = 1032 };

struct SlBytes
{
  char    *path;
  int      fd;
  uint64_t file_left; /* compressed bytes not yet read, as fstat() told */
  uint64_t position;
  bool     gzip, stream_open;
  bool     ended; /* all of the data was decompressed */
  z_stream z;
  uint8_t  input[INPUT];
};

static SlStatus
io_error (const char *path)
{
  char found[128];

  /* The GNU strerror_r() is thread-safe and may not use the buffer. */
  return sl_status_new (SL_EIO, path, sl_message_verbatim (strerror_r (errno, found, sizeof found)),
                        sl_message ("a readable file"));
}

/* More of the file into the input buffer; at its end avail_in stays 0. */
static SlStatus
refill_input (SlBytes *bytes)
{
  ssize_t got;

  do
    got = read (bytes->fd, bytes->input, INPUT);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return io_error (bytes->path);
  bytes->z.next_in = bytes->input;
  bytes->z.avail_in = (uInt) got;
  bytes->file_left -= (uint64_t) got < bytes->file_left ? (uint64_t) got : bytes->file_left;
  return SL_SUCCESS;
}

static SlStatus
open_regular (SlBytes *bytes)
{
  struct stat about;

  /* Opening a pipe must not block until another process writes into it. */
  bytes->fd = open (bytes->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (bytes->fd < 0 || fstat (bytes->fd, &about) != 0)
    return io_error (bytes->path);
  if (!S_ISREG (about.st_mode))
    return sl_status_new (SL_EFORMAT, bytes->path,
                          S_ISDIR (about.st_mode) ? sl_message ("a folder")
                                                  : sl_message ("a pipe or device"),
                          sl_message ("a file"));
  bytes->file_left = (uint64_t) about.st_size;
  return SL_SUCCESS;
}

SlStatus
sl_bytes_open (SlBytes **result, const char *path)
{
  SlBytes *bytes = malloc (sizeof *bytes);
  SlStatus status;

  *result = NULL;
  if (bytes == NULL)
    return sl_status_no_memory (path);
  memset (bytes, 0, offsetof (SlBytes, input));
  bytes->fd = -1;
  bytes->path = strdup (path);
  status = bytes->path != NULL ? open_regular (bytes) : sl_status_no_memory (path);
  if (sl_ok (&status))
    status = refill_input (bytes);
  if (sl_ok (&status) && bytes->z.avail_in >= 2 && bytes->input[0] == 0x1f
      && bytes->input[1] == 0x8b)
    {
      bytes->gzip = true;
      bytes->stream_open = inflateInit2 (&bytes->z, 15 + 16) == Z_OK;
      if (!bytes->stream_open)
        status = sl_status_no_memory (path);
    }
  if (!sl_ok (&status))
    {
      sl_bytes_close (bytes);
      return status;
    }
  *result = bytes;
  return SL_SUCCESS;
}

void
sl_bytes_close (SlBytes *bytes)
{
  if (bytes == NULL)
    return;
  if (bytes->stream_open)
    inflateEnd (&bytes->z);
  if (bytes->fd >= 0)
    close (bytes->fd);
  free (bytes->path);
  free (bytes);
}

const char *
sl_bytes_path (const SlBytes *bytes)
{
  return bytes->path;
}

uint64_t
sl_bytes_position (const SlBytes *bytes)
{
  return bytes->position;
}

bool
sl_bytes_plain (const SlBytes *bytes)
{
  return !bytes->gzip;
}

uint64_t
sl_bytes_left (const SlBytes *bytes)
{
  uint64_t left = bytes->file_left + bytes->z.avail_in;

  if (!bytes->gzip)
    return left;
  /* What inflate() has taken in but not put out yet is in its 32 KiB window. */
  return bytes->ended ? 0 : left * DEFLATE_RATIO + (1u << 15);
}

static SlStatus
plain_some (SlBytes *bytes, uint8_t *to, size_t size, size_t *got)
{
  while (*got < size)
    {
      size_t part = size - *got < bytes->z.avail_in ? size - *got : bytes->z.avail_in;

      if (part > 0)
        {
          memcpy (to + *got, bytes->z.next_in, part);
          bytes->z.next_in += part;
          bytes->z.avail_in -= (uInt) part;
        }
      else
        {
          /* What the buffer does not hold is read directly into `to`. */
          ssize_t direct = read (bytes->fd, to + *got, size - *got);

          if (direct < 0 && errno == EINTR)
            continue;
          if (direct < 0)
            return io_error (bytes->path);
          if (direct == 0)
            break;
          part = (size_t) direct;
          bytes->file_left -= part < bytes->file_left ? part : bytes->file_left;
        }
      *got += part;
    }
  return SL_SUCCESS;
}

static SlStatus
bad_gzip (SlBytes *bytes, size_t got, SlMessage found)
{
  return sl_status_at (SL_EFORMAT, bytes->path, SL_BYTE, bytes->position + got, found,
                       sl_message ("a complete gzip file"));
}

/* A gzip file is one or more streams in a row. */
static SlStatus
next_member (SlBytes *bytes, size_t got)
{
  SlStatus status = SL_SUCCESS;

  if (bytes->z.avail_in == 0)
    status = refill_input (bytes);
  if (!sl_ok (&status))
    return status;
  if (bytes->z.avail_in == 0)
    bytes->ended = true;
  else if (*bytes->z.next_in != 0x1f)
    return bad_gzip (bytes, got, sl_message ("other bytes after the compressed data"));
  else
    inflateReset (&bytes->z);
  return SL_SUCCESS;
}

static SlStatus
gzip_some (SlBytes *bytes, uint8_t *to, size_t size, size_t *got)
{
  while (*got < size && !bytes->ended)
    {
      SlStatus status = SL_SUCCESS;
      uInt     room = size - *got < 1u << 30 ? (uInt) (size - *got) : 1u << 30;
      int      code;

      if (bytes->z.avail_in == 0)
        status = refill_input (bytes);
      if (!sl_ok (&status))
        return status;
      bytes->z.next_out = to + *got;
      bytes->z.avail_out = room;
      code = inflate (&bytes->z, Z_NO_FLUSH);
      *got += room - bytes->z.avail_out;
      if (code == Z_STREAM_END)
        status = next_member (bytes, *got);
      else if (code == Z_MEM_ERROR)
        return sl_status_no_memory (bytes->path);
      else if (code == Z_BUF_ERROR && bytes->z.avail_in == 0)
        return bad_gzip (bytes, *got, sl_message ("the end of the file within compressed data"));
      else if (code != Z_OK)
        return bad_gzip (bytes, *got,
                         bytes->z.msg != NULL ? sl_message_verbatim (bytes->z.msg)
                                              : sl_message ("broken data"));
      if (!sl_ok (&status))
        return status;
    }
  return SL_SUCCESS;
}

SlStatus
sl_bytes_some (SlBytes *bytes, void *to, size_t size, size_t *got)
{
  SlStatus status;

  *got = 0;
  status = bytes->gzip ? gzip_some (bytes, to, size, got) : plain_some (bytes, to, size, got);
  bytes->position += *got;
  return status;
}

static SlStatus
too_large (const SlBytes *bytes, size_t most)
{
  return sl_status_new (SL_ENOMEM, bytes->path, sl_message ("more data than fit"),
                        sl_message ("at most %zu MiB", most >> 20));
}

static SlStatus
read_rest (SlBytes *bytes, size_t most, uint8_t **to, size_t *size)
{
  size_t   room = bytes->gzip ? (size_t) 1 << 20 : (size_t) sl_bytes_left (bytes) + 1;
  size_t   got;
  uint8_t *block = NULL, *larger;
  SlStatus status = SL_SUCCESS;

  if (!bytes->gzip && sl_bytes_left (bytes) > most)
    return too_large (bytes, most);
  for (;; room *= 2)
    {
      if (room > most + 1)
        room = most + 1;
      larger = *size < room ? realloc (block, room + 1) : NULL;
      if (larger == NULL)
        {
          free (block);
          return too_large (bytes, most);
        }
      block = larger;
      status = sl_bytes_some (bytes, block + *size, room - *size, &got);
      *size += got;
      if (!sl_ok (&status) || *size < room)
        break;
    }
  if (!sl_ok (&status))
    {
      free (block);
      return status;
    }
  block[*size] = 0;
  *to = block;
  return SL_SUCCESS;
}

SlStatus
sl_bytes_file (const char *path, size_t most, uint8_t **to, size_t *size)
{
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  *to = NULL;
  *size = 0;
  if (bytes != NULL)
    status = read_rest (bytes, most, to, size);
  sl_bytes_close (bytes);
  return status;
}

SlStatus
sl_bytes_head (const char *path, void *to, size_t size, size_t *got)
{
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  *got = 0;
  if (sl_ok (&status))
    status = sl_bytes_some (bytes, to, size, got);
  if (!sl_ok (&status))
    *got = 0;
  sl_bytes_close (bytes);
  return status;
}
