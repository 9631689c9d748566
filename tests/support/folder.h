/* SPDX-License-Identifier: MIT
 *
 * Taking away what a test wrote.  */
#pragma once

#include <glib/gstdio.h>
#include <unistd.h>

/* Folders for what is to be gone soon are in memory from now on, where there is such a place: a sync
 * then takes no time.  */
static inline void
sl_remember_only (void)
{
  if (g_access ("/dev/shm", W_OK) == 0)
    g_setenv ("TMPDIR", "/dev/shm", TRUE);
}

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
