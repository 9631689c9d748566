/* SPDX-License-Identifier: MIT */
#include "core/run/base/save.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/run/base/error.h"

/* Into something that is there and is no regular file. */
static gboolean
write_through (const char *path, const void *bytes, gsize length, GError **error)
{
  FILE    *file = fopen (path, "w");
  gboolean good = file != NULL && fwrite (bytes, 1, length, file) == length;
  int      reason = errno;

  if (file != NULL && fclose (file) != 0 && good)
    {
      reason = errno;
      good = FALSE;
    }
  if (!good)
    sl_fail (error, SL_EIO, path, g_strerror (reason), NULL);
  return good;
}

gboolean
sl_save (const char *path, const void *bytes, gsize length, GError **error)
{
  struct stat there;
  gboolean    exists = stat (path, &there) == 0, good;
  char       *behind; /* the links, which a renaming would replace */
  GError     *reason = NULL;

  /* Renaming over /dev/stdout would replace the device. */
  if (exists && !S_ISREG (there.st_mode) && !S_ISDIR (there.st_mode))
    return write_through (path, bytes, length, error);
  behind = exists ? realpath (path, NULL) : NULL;
  /* Nobody may read the new file who could not read the old one. */
  good = g_file_set_contents_full (behind != NULL ? behind : path, bytes, (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                   exists ? there.st_mode & 0666 : 0666, &reason);
  free (behind);
  if (good)
    return TRUE;
  sl_fail (error, SL_EIO, path, reason->message, NULL);
  g_error_free (reason);
  return FALSE;
}
