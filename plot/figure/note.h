/* SPDX-License-Identifier: MIT
 *
 * Notes that the user wrote on a plot: each hangs on a place in units of the axes, where there are
 * some, and so stays with the data while they are zoomed or grow.  Plain data.  */
#pragma once

enum { SL_NOTES_MAX = 12, SL_NOTE_TEXT = 256 };

typedef struct
{
  double x, y; /* units of the axis; without one, the part of the plot from the left or the top */
  char   text[SL_NOTE_TEXT]; /* UTF-8 */
} SlNote;

typedef struct
{
  unsigned n;
  SlNote   at[SL_NOTES_MAX]; /* (n) the last one lies on top */
} SlNotes;

/* Copies a text, cut between letters to what a note holds. */
void sl_note_set_text (SlNote *note, const char *text);
