/* SPDX-License-Identifier: MIT
 *
 * How a page is put together.  */
#pragma once

#include "plot/export/export.h"
#include "plot/page/json.h"
#include "plot/page/page.h"

/* "changes": what was changed on the way, with its update. */
void sl_page_changes (SlPage *page, const SlRecord *record);

/* A panel of a record as an object: its drawing, at each moment of the frames (or NULL) where it is no series, and the
 * values of its curves.  Nothing where there is nothing to show; whether it was written.  */
bool sl_page_panel (SlPage *page, const SlPageRun *run, unsigned panel);

/* The same of any figure. */
void sl_page_figure (SlPage *page, const char *id, SlFigure *figure);

/* The same of a figure that moves: what it is at the end, and at each of n moments; NULL: nothing then. */
typedef SlFigure *(*SlPageAt) (unsigned moment, void *data);
void sl_page_figures (SlPage *page, const char *id, SlFigure *last, unsigned n, SlPageAt at,
                      void *data);

/* "shots": the drawings of one figure, of which lines that come again are written once, and "notes" of each. */
typedef struct SlPageShots SlPageShots;

SlPageShots *sl_page_shots_new (void);
void sl_page_shots_add (SlPageShots *shots, SlPage *page, SlFigure *figure); /* NULL: none */
void sl_page_shots_end (SlPageShots *shots, SlPage *page); /* writes and frees them */

/* Size, axes and curves of a figure as it is drawn. */
void sl_page_curves (SlPage *page, SlFigure *figure);

/* How a figure is drawn on a page. */
SlExportOptions sl_page_options (SlFigure *figure);
