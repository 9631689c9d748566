/* SPDX-License-Identifier: MIT
 *
 * Between keeper.c, which gathers, and keeper-write.c, which writes on the store's thread.  */
#pragma once

#include "core/run/store/private.h"
#include "core/run/store/writer.h"

enum { SL_KEEPER_FLAGS = 16 }; /* of which the keeper remembers the text */

typedef struct SlKept SlKept; /* a run as the writing thread knows it */

typedef enum {
  SL_KEPT_BEGIN,      /* recipe, text (its JSON), layout, sweep, number (cell) */
  SL_KEPT_AGAIN,      /* layout: of a run that the file has */
  SL_KEPT_PROGRESS,   /* samples, step, seconds, text (recipe or NULL) */
  SL_KEPT_FLAG,       /* flag */
  SL_KEPT_CHECKPOINT, /* checkpoint, step, changes, number (flags), seconds */
  SL_KEPT_TRUNCATE,   /* step, number (flags) */
  SL_KEPT_STATUS,     /* number (status), text (problem) */
  SL_KEPT_FIGURE,     /* text (name), seconds (value) */
  SL_KEPT_DISCARD,
  SL_KEPT_END, /* the last one */
} SlKeptWork;

typedef struct
{
  SlStoreJob   job; /* first */
  SlKept      *kept;
  SlKeptWork   kind;
  unsigned     epoch; /* of the keeper: nothing is written after a trouble */
  SlRecipe    *recipe;
  SlLayout    *layout;
  GArray      *samples;
  SlCheckpoint checkpoint;
  SlFlag       flag;
  char        *text, *sweep;
  uint64_t     step;
  unsigned     number, changes;
  double       seconds;
} SlKeptJob;

SlKept  *sl_kept_new (const char *uuid);
gboolean sl_kept_work (SlStoreJob *job, SlStore *store, GError **error);
void     sl_kept_job_free (SlStoreJob *job); /* and what it is about, when it is the last one */
