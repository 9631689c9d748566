/* SPDX-License-Identifier: MIT
 *
 * Values over the updates of a run, as lines.  */
#include "plot/draw/curves.h"
#include "plot/kinds/kinds.h"
#include "plot/screen/raster.h"

/* clang-format off */
const SlFigureKind sl_kind_series = {
  .words = "curves",
  .steps = true, .axes = true, .values = true, .lines = true, .legend_from = 2,
  .draw = sl_draw_curves, .draw_over = sl_draw_curves_over, .raster = sl_raster_curves,
};
/* clang-format on */
