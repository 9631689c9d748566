/* SPDX-License-Identifier: MIT */
#include "core/run/foreign/folder.h"

#include <string.h>

#include "core/data/read/containers/event-files.h"

enum { RUNS_MOST = 64, ENTRIES_MOST = 20000, DEEP = 8 };

typedef struct
{
  GPtrArray *runs;
  guint      entries;
  gboolean   more;
} Search;

static void
free_run (gpointer data)
{
  SlForeignRun *run = data;

  g_free (run->path);
  g_free (run->title);
  g_free (run);
}

static void
add_run (Search *search, const char *path, const char *title)
{
  SlForeignRun *run = g_new (SlForeignRun, 1);

  *run = (SlForeignRun) { g_strdup (path), g_filename_display_name (title) };
  g_ptr_array_add (search->runs, run);
}

/* `title` is the path below the folder that was asked for; "" for itself. */
static void
look_through (Search *search, const char *folder, const char *title, int deep)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gboolean    events = FALSE;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *within = *title != '\0' ? g_build_filename (title, name, NULL) : NULL;

      if (search->runs->len == RUNS_MOST || ++search->entries > ENTRIES_MOST)
        {
          search->more = TRUE;
          break;
        }
      if (sl_event_file_named (name))
        events |= g_file_test (path, G_FILE_TEST_IS_REGULAR);
      else if (deep > 0 && !g_file_test (path, G_FILE_TEST_IS_SYMLINK)
               && g_file_test (path, G_FILE_TEST_IS_DIR))
        look_through (search, path, within != NULL ? within : name, deep - 1);
    }
  if (events && search->runs->len < RUNS_MOST)
    {
      g_autofree char *whole = g_canonicalize_filename (folder, NULL);
      g_autofree char *own = g_path_get_basename (whole);

      add_run (search, folder, *title != '\0' ? title : own);
    }
}

static int
by_title (gconstpointer a, gconstpointer b)
{
  const SlForeignRun *one = *(const SlForeignRun *const *) a;
  const SlForeignRun *other = *(const SlForeignRun *const *) b;

  return strcmp (one->title, other->title);
}

GPtrArray *
sl_foreign_runs_in (const char *folder, gboolean *more)
{
  Search search = { g_ptr_array_new_with_free_func (free_run), 0, FALSE };

  look_through (&search, folder, "", DEEP);
  g_ptr_array_sort (search.runs, by_title);
  if (more != NULL)
    *more = search.more;
  return search.runs;
}
