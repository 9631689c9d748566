/* SPDX-License-Identifier: MIT
 *
 * ".sluice-COMPUTER-PID-START.NUMBER": a process number means something on one computer and among
 * the processes that see each other only, which COMPUTER identifies.  */
#include "core/run/base/temporary.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned long long
sl_process_started (long pid)
{
  g_autofree char   *name = g_strdup_printf ("/proc/%ld/stat", pid);
  g_autofree char   *text = NULL;
  unsigned long long ticks = 0;
  const char        *field;

  if (!g_file_get_contents (name, &text, NULL, NULL))
    return 0;
  field = strrchr (text, ')'); /* field 2, which may hold anything; the time is field 22 */
  for (int i = 2; field != NULL && i < 22; i++)
    field = strchr (field + 1, ' ');
  if (field != NULL)
    sscanf (field, "%llu", &ticks);
  return ticks;
}

/* What names of files that this computer's processes write begin with. */
static char *
own_prefix (void)
{
  struct stat        space;
  unsigned long long number
    = stat ("/proc/self/ns/pid", &space) == 0 ? (unsigned long long) space.st_ino : 0;

  return g_strdup_printf (".sluice-%x.%llx-", g_str_hash (g_get_host_name ()), number);
}

/* Whether the process is gone whose number and start the text begins with. */
static gboolean
maker_gone (const char *text)
{
  long               pid;
  unsigned long long ticks;
  char               after;

  return sscanf (text, "%ld-%llu%c", &pid, &ticks, &after) == 3 && after == '.'
         && sl_process_started (pid) != ticks;
}

/* What another user left in a folder for all is theirs. */
void
sl_temporary_remove (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  struct stat about;
  const char *entry;

  if (lstat (path, &about) != 0 || about.st_uid != geteuid ())
    return;
  if (!S_ISDIR (about.st_mode))
    {
      g_unlink (path);
      return;
    }
  dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, entry, NULL);

      sl_temporary_remove (child);
    }
  g_rmdir (path);
}

static void
clear_away (const char *folder, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *entry;

  while (dir != NULL && (entry = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (entry, prefix) && maker_gone (entry + strlen (prefix)))
      {
        g_autofree char *path = g_build_filename (folder, entry, NULL);

        sl_temporary_remove (path);
      }
}

char *
sl_temporary_name (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *prefix = own_prefix ();

  clear_away (folder, prefix);
  return g_strdup_printf ("%s/%s%ld-%llu.%08x", folder, prefix, (long) getpid (),
                          sl_process_started (getpid ()), g_random_int ());
}

char *
sl_temporary_folder (void)
{
  g_autofree char *beside = g_build_filename (g_get_tmp_dir (), "sluice", NULL);
  char            *folder = sl_temporary_name (beside);

  if (g_mkdir (folder, 0700) != 0)
    g_warning ("%s: %s", folder, g_strerror (errno));
  return folder;
}
