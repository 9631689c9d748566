/* SPDX-License-Identifier: MIT
 *
 * Taking away what a test wrote.  */
#pragma once

#include <glib/gstdio.h>

/* A folder with all that is in it, also where it must not be written to; or a file. */
static inline void
sl_remove_all (const char *path)
{
  GDir       *folder;
  const char *name;

  g_chmod (path, 0700);
  folder = g_dir_open (path, 0, NULL);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *inside = g_build_filename (path, name, NULL);

      sl_remove_all (inside);
    }
  if (folder != NULL)
    g_dir_close (folder);
  g_assert_cmpint (g_remove (path), ==, 0);
}
