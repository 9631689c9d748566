/* SPDX-License-Identifier: MIT */
#include "ui/window/opening/kind.h"

#include <stdio.h>
#include <string.h>

#include "core/run/foreign/foreign.h"
#include "core/run/store/store.h"
#include "plot/export/style.h"
#include "ui/kit/open.h"

enum { FILES_MOST = 64, ENTRIES_MOST = 10000, DEEP = 3, LOOK = 512 };

/* By the word that such files begin with; whether they are right is for their reader to say. */
static gboolean
is_plan (const char *path)
{
  char  head[LOOK + 1];
  FILE *file = fopen (path, "rb");
  gsize length = file != NULL ? fread (head, 1, LOOK, file) : 0;

  if (file != NULL)
    fclose (file);
  head[length] = '\0';
  return strstr (head, "\"sluice-plan\"") != NULL;
}

/* What a link leads to is left out: it may lead back. */
static void
find_events (const char *folder, int deep, guint *entries, GPtrArray *files)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && files->len < FILES_MOST && *entries < ENTRIES_MOST
         && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      *entries += 1;
      if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        continue;
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (deep > 1)
            find_events (path, deep - 1, entries, files);
        }
      else if (strstr (name, ".tfevents.") != NULL)
        g_ptr_array_add (files, g_steal_pointer (&path));
    }
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
sl_file_events_in (const char *folder)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  guint      entries = 0;

  find_events (folder, DEEP, &entries, files);
  g_ptr_array_sort (files, by_name);
  return files;
}

static SlFileKind
folder_kind (const char *path)
{
  g_autoptr (GPtrArray) files = sl_file_events_in (path);

  return files->len > 0 ? SL_FILE_EVENTS_FOLDER : SL_FILE_DATA;
}

SlFileKind
sl_file_kind (const char *path)
{
  SlForeignLook look;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return folder_kind (path);
  /* Nothing is read from a pipe or a device; whoever opens it refuses it. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return SL_FILE_DATA;
  if (g_str_has_suffix (path, ".lesson"))
    return SL_FILE_LESSON;
  look = sl_foreign_look (path);
  /* An event file of ours ends as runs do. */
  if (look == SL_FOREIGN_EVENTS)
    return SL_FILE_EVENTS;
  if (g_str_has_suffix (path, ".sluice") || sl_store_is_store (path))
    return SL_FILE_RUNS;
  if (is_plan (path))
    return SL_FILE_PLAN;
  if (sl_export_style_is (path))
    return SL_FILE_STYLE;
  if (sl_open_is_figure (path))
    return SL_FILE_FIGURE;
  return look == SL_FOREIGN_TABLE ? SL_FILE_TABLE : SL_FILE_DATA;
}

gboolean
sl_file_is_curves (SlFileKind kind)
{
  return kind == SL_FILE_EVENTS || kind == SL_FILE_EVENTS_FOLDER || kind == SL_FILE_TABLE;
}
