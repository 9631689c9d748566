/* SPDX-License-Identifier: MIT
 *
 * Runs of other programs: curves by name, read from TensorBoard event files, from CSV tables and,
 * to be compared with them, from exported runs of this program.  They have no lab and no settings
 * and do not go on.  Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/run/record/series.h"

enum {
  SL_FOREIGN_CURVES_MAX = 4096,
  SL_FOREIGN_NAME_MAX = 1024,     /* bytes of a curve's name */
  SL_FOREIGN_POINTS_MAX = 1 << 26 /* of all curves */
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
  gboolean    rewound; /* steps went back: what was recorded again replaces what was there */
  gboolean    crowded; /* there were more curves than SL_FOREIGN_CURVES_MAX: those beyond are left
                        * out */
  guint64     cut;     /* byte at which an unfinished last record begins; G_MAXUINT64: none */
} SlForeign;

void sl_foreign_init (SlForeign *foreign, const char *title);
void sl_foreign_clear (SlForeign *foreign);

/* The curve of this name, which begins empty; NULL when there is no room for another one. */
SlForeignCurve *sl_foreign_curve (SlForeign *foreign, const char *name);

/* Appends a point.  A step below the last one drops the points from it on, as a program does that
 * goes on from a checkpoint.  FALSE: no memory, or SL_FOREIGN_POINTS_MAX.  */
gboolean sl_foreign_add (SlForeign *foreign, SlForeignCurve *curve, double step, double value);

/* The curve that has the name, in which the first '/' and the first '.' are the same ("error/test"
 * of an event file is "error.test" of a table); NULL if there is none.  */
const SlForeignCurve *sl_foreign_find (const SlForeign *foreign, const char *name);

/* What all of `n` runs call their steps; "step" where they differ or have no word for it.  Borrowed. */
const char *sl_foreign_steps (SlForeign *const *foreign, guint n);

/* What a file looks like before it is read. */
typedef enum {
  SL_FOREIGN_NOT,    /* no curves */
  SL_FOREIGN_EVENTS, /* of TensorBoard, certainly */
  SL_FOREIGN_TABLE, /* a table with a column that is called as steps are and holds rising numbers, and another
                      * column of numbers: curves most likely, though it could be data to train on */
} SlForeignLook;

/* Judges a file by its first bytes.  What cannot be read is no curves. */
SlForeignLook sl_foreign_look (const char *path);

/* Warnings about how the file was read, as sentences; NULL: none.  Free with g_free(). */
char *sl_foreign_note (const SlForeign *foreign);

/* Reads a regular file, whose content tells what it is; gzip is unpacked.  FALSE with a sentence;
 * then nothing needs clearing.  */
gboolean sl_foreign_open (SlForeign *foreign, const char *path, GError **error);

/* Reads a table into an empty run: the first row has the names, a column called step, global_step,
 * update, iteration, iter or epoch (else the first one) has the steps, all others have numbers or nothing.
 * The text is written to and followed by a zero byte.  */
gboolean sl_foreign_read_table (SlForeign *foreign, const char *subject, char *text, gsize length,
                                GError **error);

/* Whether the beginning of a file is a table as above with at least two rows, whose steps have one of those names and
 * rise.  The text is written to and followed by a zero byte.  */
gboolean sl_foreign_is_table (char *text, gsize length);
