/* SPDX-License-Identifier: MIT
 *
 * All panels of the running lab as plots.  Paces the drawing: at most one plot per frame, in turn,
 * only those in sight, only when they have news, and nothing at all when nothing comes.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "ui/grid/arrangement.h"
#include "ui/grid/card.h"

#define SL_TYPE_PLOT_GRID (sl_plot_grid_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotGrid, sl_plot_grid, SL, PLOT_GRID, GtkWidget)

/* Signals:
 *   "copy" (guint panel), "export" (guint panel)  chosen on a plot
 *   "pick" (guint panel, guint number)            a row was chosen, from 1
 *   "offer" (guint panel), a GdkContentProvider   a plot is dragged out; NULL: not
 *   "drag" (guint panel, double value)            the mark was dragged
 *   "dab" and "stroke"                            as of the plot that is painted on
 *   "drawn" (guint panel)                         a plot that has data was painted
 *   "refused" (char *sentence)                    a value of a setting was not taken
 *   "noted"                                       the notes on a plot changed
 *   "arranged" (int hidden)                       the user folded, moved, pinned, showed or hid
 *                                                 something: this panel, else -1 */

/* The session whose panels to show and to watch; a reference is taken. */
void sl_plot_grid_set_session (SlPlotGrid *self, SlSession *session);

/* A record without a session, for benches.  Borrowed. */
void sl_plot_grid_set_record (SlPlotGrid *self, const SlRecord *record);

/* Gating maps with many more cells, and probes of all panels whether in sight or not, for pictures
 * that are to be kept; FALSE: as usual again.  */
void sl_plot_grid_sharpen (SlPlotGrid *self, gboolean sharp);

/* How often a second each plot is redrawn at most; 0: every frame draws every plot. */
void sl_plot_grid_set_rate (SlPlotGrid *self, double rate);

/* Looks for news with the next frames. */
void sl_plot_grid_wake (SlPlotGrid *self);

/* Pale curves of other runs behind those of the session, as sl_plot_view_set_ghosts(); borrowed until
 * the next call.  */
void sl_plot_grid_set_ghosts (SlPlotGrid *self, const SlGhost *ghosts, unsigned n_ghosts);

/* Only panels of these ids, ended by NULL and copied; NULL: all.  Ids that the lab does not have are
 * as if they were not there.  */
void sl_plot_grid_set_shown (SlPlotGrid *self, const char *const *ids);

/* The arrangement of the panels; a new lab has the default until this is set.  Setting emits no
 * signal.  */
const SlArrangement *sl_plot_grid_get_arrangement (SlPlotGrid *self);
void sl_plot_grid_set_arrangement (SlPlotGrid *self, const SlArrangement *arrangement);
void sl_plot_grid_arrange_as_first (SlPlotGrid *self);
void sl_plot_grid_hide (SlPlotGrid *self, unsigned panel, gboolean hidden);

/* Scrolls to a panel and gives it the focus, shown and unfolded if it is not. */
void sl_plot_grid_reveal (SlPlotGrid *self, unsigned panel);

/* All plots instead of the front page, which is a picture, a few plots and settings; kept with the arrangement. */
void     sl_plot_grid_set_all (SlPlotGrid *self, gboolean all);
gboolean sl_plot_grid_shows_all (SlPlotGrid *self);

/* Whether the front page has its settings; not where they are shown beside it. */
void sl_plot_grid_set_knobs (SlPlotGrid *self, gboolean shown);

/* Without headings and with nothing folded, for an audience; the order and what is hidden stay. */
void sl_plot_grid_set_bare (SlPlotGrid *self, gboolean bare);

/* Shows one panel alone, or with -1 all again. */
void sl_plot_grid_maximise (SlPlotGrid *self, int panel);
int  sl_plot_grid_get_maximised (SlPlotGrid *self);

/* The lab whose panels are shown, or NULL. */
const SlLab *sl_plot_grid_get_lab (SlPlotGrid *self);

/* Panels of the lab.  A card is made when it is first shown or got. */
unsigned    sl_plot_grid_get_n_cards (SlPlotGrid *self);
SlPlotCard *sl_plot_grid_get_card (SlPlotGrid *self, unsigned panel);
SlPlotView *sl_plot_grid_get_view (SlPlotGrid *self, unsigned panel);
gboolean    sl_plot_grid_has_card (SlPlotGrid *self, unsigned panel);

/* The panels that are shown now, in their order; how many. */
unsigned sl_plot_grid_get_shown (SlPlotGrid *self, unsigned panels[SL_PANELS_MAX]);

/* The panel of the plot with the focus, or -1. */
int sl_plot_grid_get_focused (SlPlotGrid *self);

/* Plots redrawn so far, for benches. */
guint64 sl_plot_grid_get_redraws (SlPlotGrid *self);
