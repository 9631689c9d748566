/* SPDX-License-Identifier: MIT
 *
 * The inside of SlCurveFiles, shared by files.c (which files are open, what is chosen and drawn)
 * and files-list.c (the list in which the user chooses).  */
#pragma once

#include "ui/runs/files.h"

typedef struct
{
  SlForeign foreign; /* first, so that a file is one */
  char     *path;
  unsigned  number; /* of its first curve */
} SlCurveFile;

struct _SlCurveFiles
{
  GtkWidget parent_instance;

  GtkWidget            *button;
  GtkBox               *list;    /* in its popover */
  GPtrArray            *files;   /* of SlCurveFile */
  GPtrArray            *gone;    /* of SlCurveFile: figures may still have their curves */
  GPtrArray            *chosen;  /* names of curves */
  unsigned              numbers; /* given so far */
  GtkFileChooserNative *chooser; /* while it is open */
  GCancellable         *closing;
};

static inline SlCurveFile *
sl_curve_files_at (SlCurveFiles *self, unsigned i)
{
  return g_ptr_array_index (self->files, i);
}

/* files-list.c: makes the list anew. */
void sl_curve_files_fill_list (SlCurveFiles *self);

/* files.c: takes a file out, by its path, and its curves from those that are chosen. */
void sl_curve_files_remove (SlCurveFiles *self, const char *path);
