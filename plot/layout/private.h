/* SPDX-License-Identifier: MIT
 *
 * What the files of the layout share: frame.c (what goes where), ticks.c (the labels along the
 * axes), legend.c (the names of the curves), key.c (the colour bar), inset.c (an enlarged part),
 * note.c (the user's notes).  */
#pragma once

#include "plot/layout/laying.h"

/* "cost (% of dense)"; nothing when a lone per cent sign goes to the ticks. */
void sl_lay_axis_title (const SlAxis *axis, char *out, size_t size);

/* Shortens the words of an axis title, not its unit.  Returns the px that the whole title lacks, or 0. */
double sl_lay_cut_title (const SlLaying *job, const SlAxis *axis, char title[SL_FRAME_TEXT],
                         double room);

/* Where this figure's legend goes when one is wanted: NONE for a kind without. */
SlLegendPlace sl_lay_legend_place (const SlLaying *job);

/* The legend in rows that begin at `top`; returns its height, 0 when there is none. */
double sl_lay_legend (const SlLaying *job, SlFrame *frame, double top);
/* The same at the lower edge. */
double sl_lay_legend_below (const SlLaying *job, SlFrame *frame);
/* The legend at the right edge beside a plot from `top` to `bottom`; returns its width. */
double sl_lay_legend_right (const SlLaying *job, SlFrame *frame, double top, double bottom);
/* The legend on the plot, which has its place and scales. */
void sl_lay_legend_inside (const SlLaying *job, SlFrame *frame);

/* Ticks and labels along y for a plot of height `h`; the places follow when the plot has one. */
void sl_lay_y_ticks (const SlLaying *job, SlFrame *frame, double h);

/* Room for the colour bar with labels and title at the right edge of a plot of height `h`. */
double sl_lay_key (const SlLaying *job, SlFrame *frame, double h);

/* The place of an enlarged part, when the plot and a legend in it have theirs (inset.c). */
void sl_lay_inset (const SlLaying *job, SlFrame *frame);

/* The user's notes, when everything else has its place (note.c). */
void sl_lay_notes (SlFrame *frame, const SlFigure *figure, SlText *text);

/* The bar itself, when the plot has its place. */
void sl_lay_place_key (const SlLaying *job, SlFrame *frame);
