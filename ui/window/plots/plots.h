/* SPDX-License-Identifier: MIT
 *
 * Controllers of the plots of the run that is shown.  */
#pragma once

#include "ui/window/services/services.h"

/* ---- export.c ----
 *
 * Plots as files, on the clipboard and on paper.  Actions: export, export-to, export-again, copy,
 * open-folder, print, print-to.  */
void sl_window_add_export (SlWindow *self);
void sl_window_drop_export (SlWindow *self);

/* Copies a plot to the clipboard, or opens the export dialog with it. */
void sl_window_copy_plot (SlWindow *self, guint panel);
void sl_window_export_plot (SlWindow *self, guint panel);

/* Says that a file was saved, with a button for its folder. */
void sl_window_tell_saved (SlWindow *self, const char *path);

/* A plot that is dragged out of the window; NULL, with a toast, when it cannot be. */
GdkContentProvider *sl_window_offer_plot (SlWindow *self, guint panel);

/* ---- carry.c ----
 *
 * The run that is shown as a web page or a film, while all of the window rests.  Actions: export-page,
 * export-film.  */
void sl_window_add_carry (SlWindow *self);
void sl_window_drop_carry (SlWindow *self);

/* ---- look.c ----
 *
 * How plots are looked at and arranged.  Actions: panels, pin-panels (s: ids with spaces between them, which
 * are pinned in this order where they are not yet).  */
void sl_window_add_look (SlWindow *self);
void sl_window_drop_look (SlWindow *self);

/* Writes what the plots have now, if it is not there yet. */
void sl_window_keep_view (SlWindow *self);
/* The run that loads brings this view. */
void sl_window_view_expect (SlWindow *self, const char *view);
/* The user arranged panels, and hid panel `hidden` (-1: none). */
void sl_window_panels_arranged (SlWindow *self, int hidden);

/* ---- paint.c ----
 *
 * Painted examples become the data: each stroke ends in a new run on what is then there, with the
 * same lab, settings and seed.  */
void sl_window_add_paint (SlWindow *self);
void sl_window_drop_paint (SlWindow *self);

/* An example is painted (label -1: examples around are erased). */
void sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                          double radius_y);
/* The stroke ends. */
void sl_window_paint_stroke (SlWindow *self);

/* Whether there is a stroke to take back or, with `again`, to make again. */
gboolean sl_window_can_repaint (SlWindow *self, gboolean again);
/* Takes a stroke back or, with `again`, makes it again; FALSE when there is none. */
gboolean sl_window_repaint (SlWindow *self, gboolean again);

/* ---- picture.c ----
 *
 * The picture that a run makes, as a file: requested, made between two updates, and encoded and
 * written in a thread of its own, with the recipe of the run in it.  Actions: save-picture,
 * save-picture-to.  */
void sl_window_add_picture (SlWindow *self);
void sl_window_drop_picture (SlWindow *self);

/* ---- pins.c: curves of earlier runs that stay behind those of the present one.  Actions: pin, unpin ---- */

void sl_window_add_pins (SlWindow *self);
void sl_window_drop_pins (SlWindow *self);

/* ---- undo.c ----
 *
 * Changes, notes and strokes taken back and made again, and the timeline.  Actions: undo, undo-rewind,
 * undo-to (u: how many), redo, run-before (s: its name), timeline, visit, present-state.  */
void sl_window_add_undo (SlWindow *self);
void sl_window_drop_undo (SlWindow *self);

/* The notes on a plot changed. */
void sl_window_noted (SlWindow *self);
