/* SPDX-License-Identifier: MIT
 *
 * What writing the workspace (workspace.c) and reading it (restore.c) share.  */
#pragma once

#include "core/run/stage/placed.h"
#include "ui/window/place/place.h"

typedef struct SlWindowWorkspace
{
  gboolean    written;  /* to the store; */
  char       *text;     /* what it has, or NULL */
  GArray     *overview; /* of SlPlacedRun: the runs of the overview until they are there */
  GHashTable *going;    /* sessions that were at work when the window closed; NULL: it is open */
} Workspace;

static inline Workspace *
sl_window_workspace (SlWindow *self)
{
  return sl_window_parts (self)->workspace;
}

/* workspace.c: shows the input of one's own that was on the start page, unless it is none. */
void sl_window_restore_drawing (SlWindow *self, const SlJson *drawing);

/* restore.c: begins the runs of a new group with those that the overview had.  FALSE: there are none. */
gboolean sl_window_restore_group (SlWindow *self, SlGroup *group);
