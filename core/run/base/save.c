/* SPDX-License-Identifier: MIT */
#include "core/run/base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/run/base/error.h"
#include "core/run/base/temporary.h"

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

/* To the disk; 0, or errno. */
static int
write_all (int file, const char *bytes, gsize length)
{
  while (length > 0)
    {
      gssize n = write (file, bytes, MIN (length, 1 << 30));

      if (n < 0 && errno != EINTR)
        return errno;
      bytes += MAX (n, 0);
      length -= (gsize) MAX (n, 0);
    }
  return fsync (file) == 0 ? 0 : errno;
}

/* The name itself to the disk: a crash of the computer loses neither the old file nor the new one. */
static void
keep_name (const char *folder)
{
  int file = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (file < 0)
    return;
  fsync (file);
  close (file);
}

static int
rename_or_remove (const char *temporary, const char *path)
{
  int reason = rename (temporary, path) == 0 ? 0 : errno;

  if (reason != 0)
    unlink (temporary);
  return reason;
}

/* Gives a file without a name the one it is to have. */
static int
name_file (int file, const char *path)
{
  g_autofree char *source = g_strdup_printf ("/proc/self/fd/%d", file), *temporary = NULL;

  if (linkat (AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
    return 0;
  if (errno != EEXIST)
    return errno;
  temporary = sl_temporary_name (path);
  return linkat (AT_FDCWD, source, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0
           ? rename_or_remove (temporary, path)
           : errno;
}

/* Where files need a name from the beginning (network and portal file systems). */
static int
write_named (const char *path, mode_t mode, const void *bytes, gsize length)
{
  g_autofree char *temporary = sl_temporary_name (path);
  int              file = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode), reason;

  if (file < 0)
    return errno;
  reason = write_all (file, bytes, length);
  if (close (file) != 0 && reason == 0)
    reason = errno;
  if (reason == 0)
    return rename_or_remove (temporary, path);
  unlink (temporary);
  return reason;
}

/* Whole or not at all; 0, or errno.  A file without a name is gone with the program that is killed. */
static int
write_whole (const char *path, mode_t mode, const void *bytes, gsize length)
{
  g_autofree char *folder = g_path_get_dirname (path);
  int              file = access ("/proc/self/fd", X_OK) == 0
                            ? open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode)
                            : -1;
  int              reason
    = file >= 0 ? write_all (file, bytes, length) : write_named (path, mode, bytes, length);

  if (file >= 0 && reason == 0)
    reason = name_file (file, path);
  if (file >= 0 && close (file) != 0 && reason == 0)
    reason = errno;
  if (reason == 0)
    keep_name (folder);
  return reason;
}

gboolean
sl_save (const char *path, const void *bytes, gsize length, GError **error)
{
  struct stat there;
  gboolean    exists = stat (path, &there) == 0;
  char       *behind; /* the links, which a renaming would replace */
  int         reason;

  /* Renaming over /dev/stdout would replace the device. */
  if (exists && !S_ISREG (there.st_mode) && !S_ISDIR (there.st_mode))
    return write_through (path, bytes, length, error);
  behind = exists ? realpath (path, NULL) : NULL;
  /* A user who could not read the old file must not be able to read the new one. */
  reason = write_whole (behind != NULL ? behind : path, exists ? there.st_mode & 0666 : 0666, bytes,
                        length);
  free (behind);
  return reason == 0 || sl_fail (error, SL_EIO, path, g_strerror (reason), NULL);
}
