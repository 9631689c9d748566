/* SPDX-License-Identifier: MIT
 *
 * Changes that the user made to a run and can undo or redo, in words and as JSON: settings by the
 * name of their parameter, runs by their name in a store.  Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/lab/lab.h"
#include "core/run/record/record.h"

enum {
  SL_UUID = 37,        /* bytes of a run's name for machines, with its terminator */
  SL_EDITS_MOST = 200, /* changes in a list; the oldest are dropped */
};

typedef enum {
  SL_EDIT_VALUE,  /* a parameter */
  SL_EDIT_ANEW,   /* another run took the place of this one: begun anew, */
  SL_EDIT_SEED,   /* with another seed, */
  SL_EDIT_DATA,   /* on other data, */
  SL_EDIT_OPENED, /* one from the store, */
  SL_EDIT_BRANCH, /* or this one from update `step` of its past */
  SL_N_EDIT_KINDS,
} SlEditKind;

typedef struct
{
  SlEditKind kind;
  unsigned   param;        /* (value) its number */
  SlValue    from, to;     /* (value) */
  uint64_t   step;         /* updates that had been made */
  bool       ended;        /* the change ended a run, */
  char       run[SL_UUID]; /* of this name; "": it had made no update, or there is no store */
} SlEdit;

/* The newest last; the newest of `redo` is the one that was undone last. */
typedef struct
{
  GArray *undo, *redo; /* of SlEdit; NULL: none */
} SlEdits;

/* Frees the lists. */
void sl_edits_clear (SlEdits *edits);

/* What was done, as a message (message.h): "experts per example 4 → 2", "New run". */
void sl_edit_text (const SlEdit *edit, const SlLab *lab, char text[SL_CHANGE_MARKER_TEXT]);

/* JSON; free with g_free(). */
char *sl_edits_write (const SlEdits *edits, const SlLab *lab);

/* Reads it back.  Changes that this version's lab does not know or that do not make sense are left out; a
 * text that is no JSON gives empty lists.  Clear them afterwards.  */
void sl_edits_read (const char *json, const SlLab *lab, SlEdits *edits);
