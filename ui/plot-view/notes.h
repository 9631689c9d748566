/* SPDX-License-Identifier: MIT
 *
 * Notes on a plot: written in a small popover, moved by pointer or key, removed, and all of that
 * undone.  */
#pragma once

#include "ui/plot-view/overlay.h"
#include "ui/plot-view/view.h"

typedef struct
{
  SlPlotView *view;                     /* the plot */
  SlNotes    *notes;                    /* of its figure */
  GtkWidget  *popover, *entry, *remove; /* made when first opened */
  double      x, y;                     /* place of the note that is being written */
  unsigned    chosen;                   /* number of a note, from 1; 0: none */
  unsigned    gripped;                  /* of the note that is being dragged */
  gboolean    moved;                    /* it was dragged some way */
  double      from_x, from_y;           /* px of its place before */
  GArray     *before, *after;           /* of SlNotes: to undo, to redo */
} SlPlotNotes;

void sl_plot_notes_init (SlPlotNotes *notes, SlPlotView *view);
void sl_plot_notes_clear (SlPlotNotes *notes);

/* Other notes than before. */
void sl_plot_notes_set (SlPlotNotes *notes, const SlNotes *other);

/* No note is chosen any more and no change can be undone, for another figure. */
void sl_plot_notes_forget (SlPlotNotes *notes);
void sl_plot_notes_forget_changes (SlPlotNotes *notes);

/* Undoes (or redoes) the last change; FALSE when there is none. */
gboolean sl_plot_notes_undo (SlPlotNotes *notes, gboolean again);

/* Opens the popover at a place, px, for the chosen note or, without one, for a new note about that
 * place.  edit() opens it at the chosen note, FALSE when there is none in view.  */
void     sl_plot_notes_write (SlPlotNotes *notes, double px, double py);
gboolean sl_plot_notes_edit (SlPlotNotes *notes);

/* Chooses the next note. */
void sl_plot_notes_next (SlPlotNotes *notes);
/* Removes the chosen note. */
void sl_plot_notes_remove (SlPlotNotes *notes);
/* Chooses no note; TRUE when one was chosen. */
gboolean sl_plot_notes_let_go (SlPlotNotes *notes);

/* By pointer, px: a click, TRUE on a note; a drag, FALSE elsewhere.  By key: the chosen note. */
gboolean sl_plot_notes_click (SlPlotNotes *notes, double x, double y, int presses);
gboolean sl_plot_notes_grip (SlPlotNotes *notes, double x, double y);
gboolean sl_plot_notes_drag (SlPlotNotes *notes, double dx, double dy);
void     sl_plot_notes_drop (SlPlotNotes *notes);
gboolean sl_plot_notes_nudge (SlPlotNotes *notes, int columns, int rows);

/* Marks the chosen note; its text, or NULL. */
const char *sl_plot_notes_mark (const SlPlotNotes *notes, SlMarks *marks);

/* Adds the text of all notes, for assistive tools. */
void sl_plot_notes_describe (const SlPlotNotes *notes, GString *out);
