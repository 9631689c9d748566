/* SPDX-License-Identifier: MIT
 *
 * Zeros on logarithmic axes, which have no place there but at the foot (scale.h).  The parts of
 * sl_figure_fit() that look for them.  */
#pragma once

#include "plot/figure/figure.h"

/* Whether a logarithmic x shows zeros: never on a part of the axis that the user chose. */
bool sl_figure_zero_x (const SlFigure *figure);

/* Whether a logarithmic y does, among what x shows. */
bool sl_figure_zero_y (const SlFigure *figure);
