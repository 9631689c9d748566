/* SPDX-License-Identifier: MIT */
#include "core/train/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SIGNATURE_MAX = 256 + 96 * SL_BLOBS_MAX,
  SHOWN = 80, /* of a signature's line in a sentence */
};

static const char BEGIN[] = "Sluice checkpoint\n";

/* The first two lines; returns their length. */
static size_t
write_head (const SlLab *lab, char *text, size_t size)
{
  return (size_t) snprintf (text, size, "%s%s, state %u\n", BEGIN, lab->id, lab->state_version);
}

static size_t
write_signature (const SlLab *lab, const SlBlob *piece, unsigned n, char text[SIGNATURE_MAX])
{
  size_t used = write_head (lab, text, SIGNATURE_MAX);

  for (unsigned i = 0; i < n; i++)
    used += (size_t) snprintf (text + used, SIGNATURE_MAX - used, "%s: %zu bytes\n", piece[i].name,
                               piece[i].bytes);
  return used + (size_t) snprintf (text + used, SIGNATURE_MAX - used, "data\n");
}

static size_t
total_bytes (const SlBlob *piece, unsigned n)
{
  size_t bytes = 0;

  for (unsigned i = 0; i < n; i++)
    bytes += piece[i].bytes;
  return bytes;
}

static bool
is_signed (const void *data, size_t n)
{
  return n >= sizeof BEGIN - 1 && memcmp (data, BEGIN, sizeof BEGIN - 1) == 0;
}

/* The line that begins at `at`, as it can be shown. */
static void
read_line (const char *data, size_t n, size_t at, char line[SHOWN])
{
  size_t used = 0;

  for (; at < n && data[at] != '\n' && used < SHOWN - 1; at++)
    line[used++] = data[at] >= ' ' && data[at] <= '~' ? data[at] : '?';
  line[used] = '\0';
}

/* The first line in which a block differs from a signature. */
static SlStatus
find_difference (const char *data, size_t n, const char *signature, size_t length)
{
  size_t line = 0;
  char   found[SHOWN], expected[SHOWN];

  for (size_t i = 0; i < length && i < n && data[i] == signature[i]; i++)
    if (data[i] == '\n')
      line = i + 1;
  read_line (data, n, line, found);
  read_line (signature, length, line, expected);
  return sl_status_new (SL_EUNSUPPORTED, SL_MARK ("checkpoint of another version"),
                        sl_message_verbatim (found), sl_message_verbatim (expected));
}

SlStatus
sl_checkpoint_pack (SlCheckpoint *checkpoint, const SlLab *lab, const SlBlob *piece, unsigned n)
{
  char   signature[SIGNATURE_MAX];
  size_t at = write_signature (lab, piece, n, signature), bytes = at + total_bytes (piece, n);

  if (bytes != checkpoint->bytes || checkpoint->data == NULL)
    {
      unsigned char *data = realloc (checkpoint->data, bytes);

      if (data == NULL)
        return sl_status_no_memory ("checkpoint");
      checkpoint->data = data;
      checkpoint->bytes = bytes;
    }
  memcpy (checkpoint->data, signature, at);
  for (unsigned i = 0; i < n; i++)
    {
      if (piece[i].bytes > 0) /* an empty one may be nowhere */
        memcpy (checkpoint->data + at, piece[i].data, piece[i].bytes);
      at += piece[i].bytes;
    }
  return SL_SUCCESS;
}

static SlStatus
wrong_version (const SlLab *lab)
{
  return sl_status_new (SL_EUNSUPPORTED, SL_MARK ("checkpoint of another version"),
                        sl_message ("no signature"),
                        sl_message ("%s, state %u", lab->id, lab->state_version));
}

SlStatus
sl_checkpoint_unpack (const SlCheckpoint *checkpoint, const SlLab *lab, const SlBlob *piece,
                      unsigned n)
{
  char   signature[SIGNATURE_MAX];
  size_t length = write_signature (lab, piece, n, signature), at = length;

  if (!is_signed (checkpoint->data, checkpoint->bytes))
    return wrong_version (lab);
  if (checkpoint->bytes < length || memcmp (checkpoint->data, signature, length) != 0)
    return find_difference ((const char *) checkpoint->data, checkpoint->bytes, signature, length);
  if (checkpoint->bytes != at + total_bytes (piece, n))
    return sl_status_new (SL_EFORMAT, "checkpoint", sl_message ("%zu bytes", checkpoint->bytes),
                          sl_message ("%zu bytes", at + total_bytes (piece, n)));
  for (unsigned i = 0; i < n; i++)
    {
      if (piece[i].bytes > 0)
        memcpy (piece[i].data, checkpoint->data + at, piece[i].bytes);
      at += piece[i].bytes;
    }
  return SL_SUCCESS;
}

SlStatus
sl_checkpoint_check (const void *head, size_t n, const SlLab *lab)
{
  char   expected[SIGNATURE_MAX];
  size_t length = write_head (lab, expected, sizeof expected);

  if (!is_signed (head, n))
    return wrong_version (lab);
  return n >= length && memcmp (head, expected, length) == 0
           ? SL_SUCCESS
           : find_difference (head, n, expected, length);
}

void
sl_checkpoint_clear (SlCheckpoint *checkpoint)
{
  free (checkpoint->data);
  *checkpoint = (SlCheckpoint) { 0 };
}
