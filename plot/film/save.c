/* SPDX-License-Identifier: MIT
 *
 * Films as files, whole or not at all; see film.h.  */
#include <errno.h>
#include <glib/gstdio.h>

#include "core/run/base/error.h"
#include "core/run/base/save.h"
#include "plot/film/film.h"

static gboolean
save (GBytes *bytes, const char *path, GError **error)
{
  return sl_save (path, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), error);
}

static char *
path_of (const char *folder, const char *name, unsigned number)
{
  g_autofree char *file = g_strdup_printf ("%s-%04u.png", name, number);

  return g_build_filename (folder, file, NULL);
}

/* Frames that are written take those back that a failure leaves alone, and a folder that was made for them. */
static void
remove_frames (const char *folder, const char *name, unsigned n, gboolean made)
{
  for (unsigned i = 1; i <= n; i++)
    {
      g_autofree char *path = path_of (folder, name, i);

      g_unlink (path);
    }
  if (made)
    g_rmdir (folder);
}

static gboolean
save_frames (const GPtrArray *files, const char *folder, const char *name, GError **error)
{
  gboolean made = !g_file_test (folder, G_FILE_TEST_EXISTS);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return sl_fail (error, SL_EIO, folder, g_strerror (errno), NULL);
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *path = path_of (folder, name, i + 1);

      if (save (files->pdata[i], path, error))
        continue;
      remove_frames (folder, name, i, made);
      return FALSE;
    }
  return TRUE;
}

gboolean
sl_film_save (const GPtrArray *files, SlFilmFormat format, const char *path, const char *name,
              GError **error)
{
  return format == SL_FILM_FRAMES ? save_frames (files, path, name, error)
                                  : save (files->pdata[0], path, error);
}
