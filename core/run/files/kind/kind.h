/* SPDX-License-Identifier: MIT
 *
 * What a file is taken for that is opened, dropped on the window, or named on a command line: one
 * decision for all.  By its ending where that says enough, else by how it begins; of JSON by a
 * member of it.  The reader decides whether it is valid.  */
#pragma once

#include <glib.h>

typedef enum {
  SL_FILE_DATA, /* to train on: whatever is nothing else; up to weights read as data are */
  SL_FILE_RECORDING,
  SL_FILE_PICTURE,
  SL_FILE_WEIGHTS, /* safetensors */
  SL_FILE_LESSON,
  SL_FILE_EVENTS,        /* curves of TensorBoard */
  SL_FILE_EVENTS_FOLDER, /* a folder with such files in it, or in its folders */
  SL_FILE_LOG,           /* curves that a trainer wrote as JSON */
  SL_FILE_TABLE,         /* with a column of steps: curves most likely, though it could be data */
  SL_FILE_TRIALS,        /* the table of a sweep of another program */
  SL_FILE_STORE,         /* of runs */
  SL_FILE_RUN,           /* one run as JSON */
  SL_FILE_FIGURE,        /* or another export, whose recipe may bring its run back */
  SL_FILE_STYLE,         /* of figures */
  SL_FILE_FIGURES,       /* a list of them */
  SL_FILE_SWEEP,
  SL_FILE_ANSWERS, /* to a lesson */
  SL_FILE_NETWORK, /* a network of choices */
  SL_N_FILE_KINDS,
} SlFileKind;

/* Reads the file's beginning; of JSON all of it. */
SlFileKind sl_file_kind (const char *path);

/* Whether it is curves that are opened beside others, and whether it is read by what reads data. */
gboolean sl_file_is_curves (SlFileKind kind);
gboolean sl_file_is_data (SlFileKind kind);

/* Whether curves, of a file or of a folder, have loads of experts among them, which can be replayed as well. */
gboolean sl_file_has_loads (const char *path);

/* Whether a file is an export with a recipe in it.  Reads all of it. */
gboolean sl_file_has_recipe (const char *path);
