/* SPDX-License-Identifier: MIT
 *
 * Which colour belongs to which name, so that a quantity or a run looks the same in all figures of a
 * document.  Without it every figure counts its own curves.  Plain data.  */
#pragma once

#include "plot/figure/figure.h"

enum { SL_COLOURS_MAX = 64, SL_COLOUR_NAME = SL_CURVE_TITLE };

typedef struct
{
  char     name[SL_COLOUR_NAME]; /* as the legend has it, in English */
  unsigned slot;                 /* colour and marker, as of a curve */
} SlNamedColour;

typedef struct
{
  unsigned      n;
  SlNamedColour colour[SL_COLOURS_MAX];
} SlColours;

/* Gives a name a colour, in place of one that it had; false when there is no room for another name. */
bool sl_colours_set (SlColours *colours, const char *name, unsigned slot);

/* Slots (n_curves) for the curves of a figure.  A known name has its colour; others get one that no name has
 * as long as there are some, then one that this figure does not show, and are known from then on.  Curves
 * that share a slot go on sharing one, under the name of the first that is not pale.  */
void sl_colours_assign (SlColours *colours, const SlFigure *figure, unsigned *slots);
