/* SPDX-License-Identifier: MIT
 *
 * Runs that are compared as one self-contained web page (page.h): their trade-off, a table that sorts, filters and selects,
 * and the curves of what is selected.  One thread.  */
#pragma once

#include "plot/charts/runs.h"

G_BEGIN_DECLS

typedef struct
{
  const SlTrade   *trade;   /* settled, of one run or more */
  const SlDataset *dataset; /* of the curves' panels; or NULL */
  SlRunsSeries     series;
  char *(*command) (void *data,
                    guint run); /* which makes a run of the trade again, to be freed; or NULL */
  void       *data;             /* of both */
  const char *sweep;            /* the command that makes them all again, or NULL */
} SlPageSweep;

/* The page.  Where there are many samples, those of its curves are thinned, which it says.  NULL with a sentence: no
 * memory.  */
GBytes *sl_page_sweep (const SlPageSweep *sweep, GError **error);

G_END_DECLS
