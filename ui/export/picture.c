/* SPDX-License-Identifier: MIT */
#include "ui/export/picture.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/data/image/png-write.h"
#include "core/run/base/background.h"
#include "core/run/base/error.h"
#include "core/run/base/save.h"

typedef struct
{
  SlBitmap    bitmap;
  char       *path, *recipe;
  const char *title;

  SlPictureWritten written;
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  sl_bitmap_clear (&task->bitmap);
  g_free (task->path);
  g_free (task->recipe);
  g_free (task);
}

static gboolean
write_picture (gpointer data, GError **error)
{
  Task    *task = data;
  uint8_t *bytes = NULL;
  size_t   size = 0;
  SlStatus status = sl_bitmap_encode (&task->bitmap, task->title, task->recipe, &bytes, &size);
  gboolean fine = sl_ok (&status) && sl_save (task->path, bytes, size, error);

  if (!sl_ok (&status))
    g_propagate_error (error, sl_status_to_error (&status));
  free (bytes);
  return fine;
}

static void
on_written (gpointer owner, gpointer data, const GError *error)
{
  g_autofree char *name = g_filename_display_basename (((Task *) data)->path);
  /* Translators: %s is the name of a file. */
  g_autofree char *sentence = g_strdup_printf (_ ("The picture is saved: %s"), name);

  ((Task *) data)->written (owner, error == NULL ? sentence : error->message);
}

void
sl_picture_write (SlBitmap *bitmap, const char *title, char *recipe, char *path,
                  SlPictureWritten written, gpointer owner, GCancellable *closing)
{
  Task *task = g_new0 (Task, 1);

  *task = (Task) { *bitmap, path, recipe, title, written };
  sl_background_run (write_picture, on_written, owner, closing, task, free_task);
}
