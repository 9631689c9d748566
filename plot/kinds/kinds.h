/* SPDX-License-Identifier: MIT
 *
 * The kinds of figures; registry.c puts them in their order.  */
#pragma once

#include "plot/figure/kind.h"

extern const SlFigureKind sl_kind_series, sl_kind_history, sl_kind_shares, sl_kind_profile,
  sl_kind_bars, sl_kind_heatmap, sl_kind_image, sl_kind_graph, sl_kind_map, sl_kind_parallel;
