/* SPDX-License-Identifier: MIT
 *
 * One panel of a run as a plot that can be read, zoomed, panned and followed, by pointer and by
 * key.  What it shows comes from a record; it requests nothing.
 *
 * Actions (also reachable by assistive tools): plot.follow, plot.back, plot.zoom-in, plot.zoom-out,
 * plot.zoom-y-in, plot.zoom-y-out, plot.log-x, plot.log-y, plot.smoother, plot.rougher,
 * plot.cursor-next, plot.cursor-previous, plot.curve-next, plot.curve-previous, plot.cursor-clear,
 * plot.show-all, plot.sort, plot.enter, plot.mark-right, plot.mark-left, plot.copy, plot.export,
 * plot.maximise, plot.play, plot.menu, plot.note, plot.note-here, plot.note-next, plot.note-remove.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/record.h"
#include "plot/figure/panel.h"
#include "ui/kit/crosshair.h"
#include "ui/plot-view/canvas.h"

#define SL_TYPE_PLOT_VIEW (sl_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotView, sl_plot_view, SL, PLOT_VIEW, GtkWidget)

/* Properties: "log-x", "log-y", "sorted" (rows by their mean), "following" (readable: nothing is
 * zoomed).
 * Signals:
 *   "copy", "export", "maximise"  chosen by key or menu
 *   "example" (int by)            another example is to be shown, so many further; 0: the example instead of what
 *                                 was drawn
 *   "draw" (SlHand hand, double x, double y, gboolean erases)  a hand draws on the input of a picture: parts of its
 *                                 square, as core/run/own has them
 *   "switch-off" (guint field, guint unit)  a unit as SlSubject.closed has it is switched off, or on again
 *   "pick" (guint number)         a row was clicked, from 1, on a panel that picks
 *   "drag" (double value)         the mark was dragged, on a panel that drags: what its parameter
 *                                 is to be, tidy and within its range
 *   "dab" (double x, double y, int label, double radius_x, double radius_y)
 *                                 an example was painted; label -1: those around are erased
 *   "stroke"                      the button went up again
 *   "noted"                       a note was written, moved or removed */
/* The step shared with other plots; a reference is taken.  NULL: none. */
void sl_plot_view_set_crosshair (SlPlotView *self, SlCrosshair *crosshair);

/* What to show.  `record` is borrowed until the next call; NULL: nothing. */
void sl_plot_view_set_panel (SlPlotView *self, const SlRecord *record, unsigned panel);

/* Pale curves behind those of the record, as sl_panel_update().  Borrowed until the next call. */
void sl_plot_view_set_ghosts (SlPlotView *self, const SlGhost *ghosts, unsigned n_ghosts);

/* Marks a row by its number, from 1, as the one that is looked at; 0: none. */
void sl_plot_view_set_picked (SlPlotView *self, unsigned number);

/* Other notes than before, those of a run; what was done to the old ones cannot be taken back. */
void sl_plot_view_set_notes (SlPlotView *self, const SlNotes *notes);

/* Takes the last change of the notes back, or makes it again; FALSE when there is none.  The third
 * forgets the changes of notes: call it when a later change is of another kind.  */
gboolean sl_plot_view_undo_note (SlPlotView *self, gboolean again);
gboolean sl_plot_view_can_undo_note (SlPlotView *self, gboolean again);
void     sl_plot_view_forget_note_changes (SlPlotView *self);

/* Follows the record.  TRUE when there was news: the plot is then drawn with the next frame. */
gboolean sl_plot_view_update (SlPlotView *self);

SlFigure      *sl_plot_view_get_figure (SlPlotView *self);
SlPlotCanvas  *sl_plot_view_get_canvas (SlPlotView *self);
const SlFrame *sl_plot_view_get_frame (SlPlotView *self); /* all zero before the first drawing */

/* After a change of the figure's view or hidden curves from outside. */
void sl_plot_view_touch (SlPlotView *self);

/* MAP: what the colours say; property "plane" of the same meaning. */
void sl_plot_view_set_plane (SlPlotView *self, SlPlaneMode plane);

/* ALIVE: whether the input can be drawn on, or its point dragged. */
void sl_plot_view_set_drawable (SlPlotView *self, gboolean drawable);

/* MAP with two features: the pointer paints examples of class `label` with the first button, of
 * the next class with the last one, and erases with Shift.  -1: no painting.  */
void sl_plot_view_set_brush (SlPlotView *self, int label);
