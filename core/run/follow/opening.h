/* SPDX-License-Identifier: MIT
 *
 * A stored run that is to be opened: from the store, from a file of runs, which others may be writing, or by the
 * recipe of a figure.  Plain data; loading waits for disks, in any thread.  */
#pragma once

#include "core/run/store/store.h"

typedef struct
{
  SlStore *store; /* or NULL */
  char    *path;  /* of a file, or NULL */
  char    *uuid;  /* or NULL: the run of the file */
  gboolean
    looked_up; /* the run is looked at and does not go on; found: it has no state to go on from */
  gboolean figure;  /* path is that of a figure, whose run is looked up */
  gboolean written; /* found: others write the file, no run is taken up, */
  int      at_work; /* and they train so many of its runs */
  unsigned
              listed; /* found: the file has so many runs, which the store has now, and none is taken up; 0: one is */
  char      **uuids; /* of those, ended by NULL; or NULL */
  SlStoredRun run;   /* found */
} SlOpening;

/* A file's runs come into the store; if it has several, they are to be listed.  FALSE with an error. */
gboolean sl_opening_load (SlOpening *opening, GError **error);

void sl_opening_clear (SlOpening *opening);
