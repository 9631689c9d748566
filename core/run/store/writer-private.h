/* SPDX-License-Identifier: MIT
 *
 * Between writer.c, which gathers, and writer-write.c, which writes on the store's thread.  */
#pragma once

#include "core/run/store/private.h"
#include "core/run/store/writer.h"

enum { SL_WRITER_MARKERS = 16 }; /* of which the writer remembers the text */

typedef struct SlWrittenRun SlWrittenRun; /* a run as the writing thread knows it */

typedef enum {
  SL_WRITE_BEGIN,      /* recipe, text (its JSON), layout, sweep, number (cell) */
  SL_WRITE_AGAIN,      /* layout, number (cell): of a run that the file has */
  SL_WRITE_PROGRESS,   /* samples, step, seconds, text (recipe or NULL) */
  SL_WRITE_MARKER,     /* flag */
  SL_WRITE_CHECKPOINT, /* checkpoint, step, changes, number (flags), seconds */
  SL_WRITE_TRUNCATE,   /* step, number (flags) */
  SL_WRITE_STATUS,     /* number (status), text (problem) */
  SL_WRITE_DISCARD,
  SL_WRITE_END, /* the last one */
} SlWriterWork;

typedef struct
{
  SlStoreJob     job; /* first */
  SlWrittenRun  *written;
  char           uuid[SL_UUID];
  SlWriterWork   kind;
  SlRecipe      *recipe;
  SlLayout      *layout;
  GArray        *samples;
  SlCheckpoint   checkpoint;
  SlChangeMarker flag;
  char          *text, *sweep;
  uint64_t       step;
  unsigned       number, changes;
  double         seconds;
} SlWriterJob;

/* writer-channels.c: gives the channels of a run that another version wrote the numbers of this layout,
 * adds those that are new, and puts those that this version does not have out of the way.  */
gboolean sl_writer_renumber (gint64 run, const SlLayout *layout, SlStore *store, GError **error);

SlWrittenRun *sl_written_run_new (const char *uuid);

/* True when the file refused something of it.  Any thread, until the last job. */
bool     sl_written_run_refused (const SlWrittenRun *written);
gboolean sl_writer_work (SlStoreJob *job, SlStore *store, GError **error);
void     sl_writer_job_free (SlStoreJob *job); /* and what it is about, when it is the last one */
