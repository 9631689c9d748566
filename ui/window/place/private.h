/* SPDX-License-Identifier: MIT
 *
 * What writing the workspace (workspace.c) and reading it (restore.c) share.  */
#pragma once

#include "ui/window/controllers.h"
#include "ui/window/place/run.h"

typedef struct SlWindowWorkspace
{
  gboolean      written;  /* to the store; */
  char         *text;     /* what it has, or NULL */
  GArray       *overview; /* of SlPlacedRun: the runs of the overview until they are there */
  GHashTable   *going;    /* sessions that were at work when the window closed; NULL: it is open */
  GCancellable *closing;
} Workspace;

Workspace *sl_window_workspace (SlWindow *self);
