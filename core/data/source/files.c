/* SPDX-License-Identifier: MIT */
#include "core/data/source/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/data/text/text.h"

enum { SPEC_MAX = sizeof ((SlDataset *) NULL)->id };

/* The first option whose value is the path of a file among what may be options, or NULL. */
static const char *
find_path (const char *options)
{
  const char *network = strstr (options, sl_network_option.id), *model = strstr (options, "model=");

  return network == NULL || (model != NULL && model < network) ? model : network;
}

char *
sl_source_cut_options (char *spec)
{
  if (access (spec, F_OK) == 0)
    return NULL;
  for (char *colon = spec + strlen (spec); colon-- > spec;)
    {
      /* A folder is part of a name, unless the option of a file comes before it. */
      const char *slash = *colon == ':' ? strchr (colon, '/') : NULL,
                 *file = slash != NULL ? find_path (colon) : NULL;

      if (*colon != ':' || strchr (colon, '=') == NULL
          || (slash != NULL && (file == NULL || file > slash)))
        continue;
      *colon = '\0';
      return colon + 1;
    }
  return NULL;
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
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    if (files->path[i][0] != '\0')
      {
        size_t used = strlen (text);

        snprintf (text + used, size - used, "%c%s=", first ? ':' : ',',
                  sl_source_file_option (source, i)->id);
        append_path (files->path[i], text, size);
        first = false;
      }
}

static bool
is_word (const SlSource *source, unsigned i)
{
  const SlFileOption *option = sl_source_file_option (source, i);

  return option != NULL && option->patterns == NULL;
}

void
sl_source_files_resolve (const SlSource *source, SlSourceFiles *files)
{
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    {
      bool  path = files->path[i][0] != '\0' && !is_word (source, i);
      char *absolute = path ? realpath (files->path[i], NULL) : NULL;

      if (absolute != NULL && strlen (absolute) < sizeof files->path[i])
        strcpy (files->path[i], absolute);
      free (absolute);
    }
}

const SlFileOption *
sl_source_file_option (const SlSource *source, unsigned i)
{
  if (i == SL_SOURCE_NETWORK)
    return source == NULL || sl_data_serves (source->yields, SL_NEEDS_LABELS) ? &sl_network_option
                                                                              : NULL;
  if (source == NULL)
    return i == SL_SOURCE_CLASS ? &sl_class_option : NULL;
  return i < source->n_files ? &source->files[i] : NULL;
}

int
sl_source_file (const SlSource *source, const char *id)
{
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    {
      const SlFileOption *option = sl_source_file_option (source, i);

      if (option != NULL && strcmp (option->id, id) == 0)
        return (int) i;
    }
  return -1;
}

bool
sl_source_has_files (const SlSourceFiles *files)
{
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    if (files->path[i][0] != '\0')
      return true;
  return false;
}

SlStatus
sl_source_locate (const SlSource *source, SlSourceFiles *files, const char *folder)
{
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    {
      const char *path = files->path[i];
      char        whole[SL_SOURCE_PATH_MAX];

      if (path[0] == '\0' || path[0] == '/' || is_word (source, i))
        continue;
      if ((size_t) snprintf (whole, sizeof whole, "%s/%s", folder, path) >= sizeof whole)
        return too_long (path);
      strcpy (files->path[i], whole);
    }
  return SL_SUCCESS;
}

/* A specification taken apart: the path of a file, whose source is NULL, and what is chosen. */
typedef struct
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  char            path[SPEC_MAX];
} Parts;

static SlStatus
take_apart (const char *spec, Parts *parts)
{
  SlStatus status = sl_source_parse (spec, &parts->source, &parts->settings, &parts->files);

  snprintf (parts->path, sizeof parts->path, "%s", spec);
  sl_source_cut_options (parts->path);
  return status;
}

/* The other way round; the options of a file are written only where one is not as by default. */
static SlStatus
put_together (const Parts *parts, char *text, size_t size)
{
  SlSettings usual;

  sl_settings_default (&usual, sl_file_params, sl_n_file_params);
  snprintf (text, size, "%s", parts->path);
  if (parts->source != NULL)
    sl_source_format (parts->source, &parts->settings, &parts->files, text, size);
  else if (sl_settings_same (&parts->settings, &usual, sl_n_file_params))
    sl_source_files_append (NULL, &parts->files, true, text, size);
  else
    sl_source_format_file (parts->path, &parts->settings, &parts->files, text, size);
  return strlen (text) < size - 1 ? SL_SUCCESS : too_long (parts->path);
}

SlStatus
sl_source_locate_spec (const char *spec, const char *folder, char *text, size_t size)
{
  Parts       parts, located;
  SlStatus    status = take_apart (spec, &parts);
  const char *name = parts.path;

  while (strncmp (name, "./", 2) == 0)
    name += 2;
  located = parts;
  if (sl_ok (&status))
    status = sl_source_locate (located.source, &located.files, folder);
  if (sl_ok (&status) && parts.source == NULL && parts.path[0] != '/'
      && (size_t) snprintf (located.path, SPEC_MAX, "%s/%s", folder, name) >= SPEC_MAX)
    status = too_long (parts.path);
  if (sl_ok (&status)
      && (strcmp (located.path, parts.path) != 0
          || memcmp (&located.files, &parts.files, sizeof parts.files) != 0))
    return put_together (&located, text, size);
  snprintf (text, size, "%s", spec);
  return status;
}

SlStatus
sl_source_give_network (const char *spec, const char *path, char *text, size_t size)
{
  Parts    parts;
  SlStatus status = take_apart (spec, &parts);

  if (!sl_ok (&status))
    return status;
  if (strlen (path) >= SL_SOURCE_PATH_MAX)
    return too_long (path);
  strcpy (parts.files.path[SL_SOURCE_NETWORK], path);
  return put_together (&parts, text, size);
}
