/* SPDX-License-Identifier: MIT */
#include "core/data/source/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/text/text.h"

char *
sl_source_cut_options (char *spec)
{
  char *colon = strrchr (spec, ':'), *equals;

  if (colon == NULL || access (spec, F_OK) == 0)
    return NULL;
  equals = strchr (colon, '=');
  if (equals == NULL || strchr (colon, '/') != NULL)
    return NULL;
  *colon = '\0';
  return colon + 1;
}

static SlStatus
too_long (const char *subject)
{
  return sl_status_new (SL_EINVAL, subject, sl_message ("a very long path"),
                        sl_message ("at most %d letters", SL_SOURCE_PATH_MAX - 1));
}

static int
hex_digit (char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

SlStatus
sl_source_path_read (const char *id, const char *text, char path[SL_SOURCE_PATH_MAX])
{
  size_t n = 0;

  path[0] = '\0';
  for (; *text != '\0'; text++)
    {
      int high = text[0] == '%' ? hex_digit (text[1]) : -1;
      int low = high >= 0 ? hex_digit (text[2]) : -1;

      if (n >= SL_SOURCE_PATH_MAX - 1)
        {
          path[0] = '\0';
          return too_long (id);
        }
      path[n] = low >= 0 ? (char) (high << 4 | low) : *text;
      if (path[n++] == '\0')
        return sl_status_new (SL_EINVAL, id, sl_message ("a byte 0 in a path"),
                              sl_message ("the path of a file"));
      if (low >= 0)
        text += 2;
    }
  path[n] = '\0';
  return SL_SUCCESS;
}

/* Bytes at `path` that are written as they are. */
static size_t
plain_length (const char *path)
{
  unsigned char c = (unsigned char) path[0];

  if (c == ',' || c == '%' || c < 0x20 || c == 0x7f)
    return 0;
  return sl_utf8_length (path, strlen (path));
}

static void
append_path (const char *path, char *text, size_t size)
{
  size_t used = strlen (text);

  while (*path != '\0' && used < size)
    {
      size_t n = plain_length (path);

      used += n > 0 ? (size_t) snprintf (text + used, size - used, "%.*s", (int) n, path)
                    : (size_t) snprintf (text + used, size - used, "%%%02X",
                                         (unsigned) (unsigned char) *path);
      path += n > 0 ? n : 1;
    }
}

void
sl_source_files_append (const SlSource *source, const SlSourceFiles *files, bool first, char *text,
                        size_t size)
{
  for (unsigned i = 0; i < source->n_files; i++)
    if (files->path[i][0] != '\0')
      {
        size_t used = strlen (text);

        snprintf (text + used, size - used, "%c%s=", first ? ':' : ',', source->files[i].id);
        append_path (files->path[i], text, size);
        first = false;
      }
}

void
sl_source_files_resolve (const SlSource *source, SlSourceFiles *files)
{
  for (unsigned i = 0; i < source->n_files; i++)
    {
      char *absolute = files->path[i][0] != '\0' ? realpath (files->path[i], NULL) : NULL;

      if (absolute != NULL && strlen (absolute) < sizeof files->path[i])
        strcpy (files->path[i], absolute);
      free (absolute);
    }
}

int
sl_source_file (const SlSource *source, const char *id)
{
  for (unsigned i = 0; i < source->n_files; i++)
    if (strcmp (source->files[i].id, id) == 0)
      return (int) i;
  return -1;
}

SlStatus
sl_source_locate (SlSourceFiles *files, const char *folder)
{
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    {
      const char *path = files->path[i];
      char        whole[SL_SOURCE_PATH_MAX];

      if (path[0] == '\0' || path[0] == '/')
        continue;
      if ((size_t) snprintf (whole, sizeof whole, "%s/%s", folder, path) >= sizeof whole)
        return too_long (path);
      strcpy (files->path[i], whole);
    }
  return SL_SUCCESS;
}
