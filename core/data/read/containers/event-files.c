/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/event-files.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/data/read/containers/event.h"
#include "core/data/text/bytes.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

enum { ENTRIES_MOST = 20000, DEEP = 8, FIRST_RECORD = 256 };

bool
sl_event_file_named (const char *name)
{
  return strstr (name, ".tfevents.") != NULL;
}

void
sl_event_files_clear (SlEventFiles *files)
{
  for (size_t i = 0; i < files->n; i++)
    free (files->file[i].path);
  free (files->file);
  *files = (SlEventFiles) { NULL, 0, 0 };
}

static int
by_time (const void *a, const void *b)
{
  const SlEventFile *one = a, *other = b;
  double             x = isnan (one->began) ? HUGE_VAL : one->began;
  double             y = isnan (other->began) ? HUGE_VAL : other->began;

  return x != y ? (x > y) - (x < y) : strcmp (one->path, other->path);
}

static double
time_of (const char *path)
{
  uint8_t  head[FIRST_RECORD];
  size_t   n;
  SlStatus status = sl_bytes_head (path, head, sizeof head, &n);

  return sl_ok (&status) ? sl_events_began (head, n) : (double) NAN;
}

static SlStatus
add (SlEventFiles *files, const char *folder, const char *name)
{
  char       *path;
  struct stat about;

  if (!sl_grow (&files->file, &files->room, files->n + 1, sizeof *files->file)
      || asprintf (&path, "%s/%s", folder, name) < 0)
    return sl_status_no_memory (folder);
  if (stat (path, &about) != 0 || !S_ISREG (about.st_mode))
    {
      free (path);
      return SL_SUCCESS;
    }
  files->file[files->n++] = (SlEventFile) { path, time_of (path) };
  return SL_SUCCESS;
}

SlStatus
sl_event_files_in (const char *folder, SlEventFiles *files)
{
  DIR     *dir = opendir (folder);
  SlStatus status = SL_SUCCESS;

  *files = (SlEventFiles) { NULL, 0, 0 };
  for (const struct dirent *entry = dir != NULL ? readdir (dir) : NULL;
       entry != NULL && sl_ok (&status) && files->n < ENTRIES_MOST; entry = readdir (dir))
    if (sl_event_file_named (entry->d_name))
      status = add (files, folder, entry->d_name);
  if (dir != NULL)
    closedir (dir);
  if (files->n > 1)
    qsort (files->file, files->n, sizeof *files->file, by_time);
  return status;
}

typedef struct
{
  char    *found, *second; /* folders with event files */
  unsigned entries;
} Search;

/* Looks through a folder until a second one is found. */
static void
look_through (Search *search, const char *folder, int deep)
{
  DIR *dir = opendir (folder);
  bool events = false;

  for (const struct dirent *entry = dir != NULL ? readdir (dir) : NULL;
       entry != NULL && search->second == NULL && ++search->entries < ENTRIES_MOST;
       entry = readdir (dir))
    {
      char       *path;
      struct stat about;

      if (entry->d_name[0] == '.' || asprintf (&path, "%s/%s", folder, entry->d_name) < 0)
        continue;
      if (lstat (path, &about) != 0)
        about.st_mode = 0;
      events = events || (sl_event_file_named (entry->d_name) && S_ISREG (about.st_mode));
      if (deep > 0 && S_ISDIR (about.st_mode))
        look_through (search, path, deep - 1);
      free (path);
    }
  if (dir != NULL)
    closedir (dir);
  if (events && search->second == NULL)
    *(search->found == NULL ? &search->found : &search->second) = strdup (folder);
}

static SlMessage
name_of (const char *path)
{
  char shown[80];

  return sl_message (
    "%s", sl_text_printable (basename (path), strlen (basename (path)), shown, sizeof shown));
}

SlStatus
sl_event_folder (const char *folder, char **path)
{
  Search   search = { NULL, NULL, 0 };
  SlStatus status = SL_SUCCESS;

  look_through (&search, folder, DEEP);
  *path = search.found;
  if (search.second != NULL)
    {
      status
        = sl_status_new (SL_EFORMAT, folder,
                         sl_message ("several runs, such as %s and %s",
                                     name_of (search.found).packed, name_of (search.second).packed),
                         sl_message ("the folder of one of them"));
      free (search.found);
      free (search.second);
      *path = NULL;
    }
  else if (search.found == NULL)
    status = sl_status_new (SL_EIO, folder, sl_message ("no event files"),
                            sl_message ("a folder that TensorBoard takes for a run"));
  return status;
}
