/* SPDX-License-Identifier: MIT
 *
 * The runs of a stage for another start of the program: as JSON, and out of the store.  */
#pragma once

#include "core/run/base/json.h"
#include "core/run/session/session.h"

typedef struct
{
  const SlLab *lab;
  char         uuid[SL_UUID]; /* "": begins again by the recipe */
  gboolean     going;         /* it trains, or will when its page is shown */
  SlStoredRun  run; /* its recipe, or all of it when it was loaded; its lab is NULL: neither */
} SlPlacedRun;

/* As an element of an array. */
void sl_placed_run_write (SlJsonWriter *w, const SlPlacedRun *run);
void sl_placed_run_write_session (SlJsonWriter *w, SlSession *session, gboolean going);

/* Free with g_array_unref().  What this version does not know is left out; `paused`: none is going. */
GArray *sl_placed_runs_new (void);
GArray *sl_placed_runs_read (const SlJson *list, gboolean paused);
GArray *sl_placed_runs_copy (GArray *runs); /* that are not loaded */

/* The first one of a lab, or NULL. */
SlPlacedRun *sl_placed_runs_find (GArray *runs, const SlLab *lab);

/* Loads those that are stored, waiting for the disk.  One that cannot be had is left as it is. */
void sl_placed_runs_load (GArray *runs, SlStore *store);

/* Begins a loaded run where it was left, or by its recipe; once.  FALSE: there is neither. */
gboolean sl_placed_run_begin (SlPlacedRun *run, SlSession *session);
