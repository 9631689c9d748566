/* SPDX-License-Identifier: MIT
 *
 * What a file is taken for that is opened, dropped on the window or named on the command line: one decision for all
 * three.  By its ending where that says enough, else by how it begins.  */
#pragma once

#include <glib.h>

typedef enum {
  SL_FILE_DATA, /* to train on: whatever is nothing else */
  SL_FILE_LESSON,
  SL_FILE_EVENTS,        /* curves of TensorBoard */
  SL_FILE_EVENTS_FOLDER, /* a folder with such files in it, or in its folders */
  SL_FILE_RUNS,          /* a store */
  SL_FILE_PLAN,          /* of a network */
  SL_FILE_STYLE,         /* of figures */
  SL_FILE_FIGURE,        /* or another export, whose run may be brought back */
  SL_FILE_TABLE,         /* with a column of steps: curves most likely, though it could be data */
} SlFileKind;

SlFileKind sl_file_kind (const char *path);

/* Whether it is curves that are opened beside others. */
gboolean sl_file_is_curves (SlFileKind kind);

/* Event files in a folder and in its folders, by name, at most 64; free with g_ptr_array_unref(). */
GPtrArray *sl_file_events_in (const char *folder);
