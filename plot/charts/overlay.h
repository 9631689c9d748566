/* SPDX-License-Identifier: MIT
 *
 * The same panel of several runs in one figure: each run with a colour and a place in the legend,
 * its layers told apart by their dash; or groups of runs as mean and band.  All data are borrowed
 * until the next update of the figure.  Plain C without GTK.
 *
 *   sl_overlay_begin (&figure, lab, panel);
 *   sl_overlay_record (&figure, &run, record);       or sl_overlay_series(), sl_overlay_band()
 *   sl_overlay_end (&figure);                        then as render.h and export.h say  */
#pragma once

#include "plot/charts/band.h"
#include "plot/figure/figure.h"

/* A run, or a group of runs, as it appears. */
typedef struct
{
  const char *title;  /* "quiet heron 7", "rank 8" */
  unsigned    number; /* from 1; the same from update to update, so that what is hidden stays so */
  unsigned    slot;   /* colour */
  bool        ghost;  /* pale, behind the others */
} SlOverlayRun;

/* One curve of it. */
typedef struct
{
  const char *id, *title; /* "signs.recall.2", "recall, layer 2"; no title: the run has only this */
  const char *unit;
  unsigned    place; /* among the curves of the run, from 0: gives the dash */
} SlOverlayTrace;

/* Takes title, axes and kind from the panel.  The view stays as long as it is the same panel. */
void sl_overlay_begin (SlFigure *figure, const SlLab *lab, unsigned panel);

/* Begins a figure of curves of no lab over steps, which are called so ("step", "epoch"; borrowed); the title names the
 * values, too.  In place of
 * sl_overlay_begin().  */
void sl_overlay_begin_curves (SlFigure *figure, const char *title, const char *steps);

/* Adds a curve, or a mean with its band.  False when there is no room for it. */
bool sl_overlay_series (SlFigure *figure, const SlOverlayRun *run, const SlOverlayTrace *trace,
                        const SlSeries *series);
bool sl_overlay_band (SlFigure *figure, const SlOverlayRun *run, const SlOverlayTrace *trace,
                      const SlBand *band);

/* Adds what a record has measured of the panel: curves over steps or a probed profile.  False
 * when there was no room for all of it; a record of another lab adds nothing.  */
bool sl_overlay_record (SlFigure *figure, const SlOverlayRun *run, const SlRecord *record);

/* Many runs get no markers, very many thin lines; the note says what the dashes mean. */
void sl_overlay_end (SlFigure *figure);
