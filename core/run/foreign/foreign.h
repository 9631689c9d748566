/* SPDX-License-Identifier: MIT
 *
 * Runs of other programs: curves by name, read from TensorBoard event files, from CSV tables, from JSON
 * of trainers and, to be compared with them, from exported runs of this program.  They have no lab and no settings
 * and do not go on.  Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/data/read/meaning/meaning.h" /* sl_steps_rank() */
#include "core/run/record/series.h"

enum {
  SL_FOREIGN_CURVES_MAX = 4096,
  SL_FOREIGN_NAME_MAX = 1024,      /* bytes of a curve's name */
  SL_FOREIGN_POINTS_MAX = 1 << 26, /* of all curves */
  SL_FOREIGN_LEFT_MAX = 64         /* names of what is left out */
};

typedef struct
{
  char    *name;
  SlSeries series;
} SlForeignCurve;

typedef struct
{
  char       *title;  /* name of the file, or of its folder for an event file */
  char       *steps;  /* what a table calls its steps ("epoch"); NULL: nothing */
  GPtrArray  *curves; /* of SlForeignCurve, in the order of the file; owned */
  GHashTable *places; /* of names in `curves`, plus 1 */
  gsize       points;
  GPtrArray  *left_out; /* names of columns and tags that are no curves, each once; owned */
  gsize       no_step;  /* lines without a step, which are left out */
  guint       files;    /* that were read one after the other; 0: it is no folder */
  gboolean    rewound;  /* steps went back: what was recorded again replaces what was there */
  gboolean    crowded;  /* there were more curves than SL_FOREIGN_CURVES_MAX: those beyond are left
                        * out */
  guint64     cut;      /* byte at which an unfinished last record begins; G_MAXUINT64: none */
} SlForeign;

void sl_foreign_init (SlForeign *foreign, const char *title);
void sl_foreign_clear (SlForeign *foreign);

/* What a file calls a curve, as valid UTF-8 without control characters; free with g_free(). */
char *sl_foreign_name (const char *text, gsize n);

/* The curve of this name, which begins empty; NULL when there is no room for another one. */
SlForeignCurve *sl_foreign_curve (SlForeign *foreign, const char *name);

/* Appends a point.  A step below the last one drops the points from it on, as a program does that
 * goes on from a checkpoint.  FALSE: no memory, or SL_FOREIGN_POINTS_MAX.  */
gboolean sl_foreign_add (SlForeign *foreign, SlForeignCurve *curve, double step, double value);

/* Says that what is called so is no curve; an empty one of this name goes. */
void sl_foreign_leave_out (SlForeign *foreign, const char *name);

/* The curve that has the name, in which the first '/' and the first '.' are the same ("error/test"
 * of an event file is "error.test" of a table); NULL if there is none.  */
const SlForeignCurve *sl_foreign_find (const SlForeign *foreign, const char *name);

/* What all of `n` runs call their steps; "step" where they differ or have no word for it.  Borrowed. */
const char *sl_foreign_steps (SlForeign *const *foreign, guint n);

/* What a file looks like before it is read. */
typedef enum {
  SL_FOREIGN_NOT,    /* no curves */
  SL_FOREIGN_EVENTS, /* of TensorBoard, certainly */
  SL_FOREIGN_LOG,    /* JSON that a trainer wrote, certainly */
  SL_FOREIGN_TRIALS, /* the table of a sweep (trials.h), certainly */
  SL_FOREIGN_TABLE, /* a table with a column that is called as steps are and holds rising numbers, and another
                      * column of numbers: curves most likely, though it could be data to train on */
} SlForeignLook;

/* Judges a file by its first bytes.  What cannot be read is no curves. */
SlForeignLook sl_foreign_look (const char *path);

/* Warnings about how the file was read, as sentences; NULL: none.  Free with g_free(). */
char *sl_foreign_note (const SlForeign *foreign);

/* How it was read, "3 curves over “epoch”", with the warnings; free with g_free(). */
char *sl_foreign_said (const SlForeign *foreign);

/* Reads a regular file, whose content tells what it is; gzip is unpacked.  Of a folder its event files are
 * one run, in the order of their time.  FALSE with a sentence; then nothing needs clearing.  */
gboolean sl_foreign_open (SlForeign *foreign, const char *path, GError **error);

/* The same under another title. */
gboolean sl_foreign_open_as (SlForeign *foreign, const char *path, const char *title,
                             GError **error);

/* Reads a table into an empty run: the first row has the names, the column that is called best by
 * sl_steps_rank() (else the first one) has the steps, all others have numbers or nothing; a column that
 * begins with something else is left out.  The text is written to and followed by a zero byte.  */
gboolean sl_foreign_read_table (SlForeign *foreign, const char *subject, char *text, gsize length,
                                GError **error);

/* Reads JSON into an empty run: what the trainer of Hugging Face keeps (trainer_state.json), an array of
 * objects, or an object a line.  Each object has a step, called as in a table, and numbers; what is within an
 * object in it has its name behind a '/'.  */
gboolean sl_foreign_read_log (SlForeign *foreign, const char *subject, const char *text,
                              gsize length, GError **error);

/* Whether the beginning of a file is JSON as above: a history, or lines with a step and another number and without
 * arrays.  */
gboolean sl_foreign_is_log (const char *text, gsize length);

/* Whether the beginning of a file is a table as above with at least two rows, whose steps have one of those names and
 * rise.  The text is written to and followed by a zero byte.  */
gboolean sl_foreign_is_table (char *text, gsize length);
