/* SPDX-License-Identifier: MIT
 *
 * From a record of a run to figures: builds and updates the figure of one panel without
 * copying data, and remembers what the user switched off.  Main thread.  */
#pragma once

#include "plot/figure/figure.h"

/* A pinned run, drawn pale behind the live one. */
typedef struct
{
  const SlRecord *record;    /* borrowed until the next update without it */
  char            title[48]; /* "seed 8" */
} SlGhost;

/* Makes `figure` (zeroed, or of an earlier update) show a panel of `record` as it is now.  The
 * view, hidden curves and smoothing stay as long as the panel is the same.  True when
 * something changed that is to be redrawn; figure->version went up then.  Call it before every
 * draw, since a record moves its data as it grows.  An empty record or a
 * panel out of range leaves an empty figure.  Ghosts of another lab, of other data or
 * without this panel are left out.  */
bool sl_panel_update (SlFigure *figure, const SlRecord *record, unsigned panel,
                      const SlGhost *ghosts, unsigned n_ghosts);

/* The view of a panel until the user changes it. */
SlView sl_panel_view (const SlLab *lab, unsigned panel);

/* Gives a figure what the descriptor of a panel says: title, kind, axes, names; no data. */
void sl_panel_describe (SlFigure *figure, const SlLab *lab, unsigned panel);

/* For SlFigureKind.take: takes the curves of a snapshot, with its mark. */
void sl_panel_take_curves (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot);
/* The same of a matrix. */
void sl_panel_take_matrix (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot);
