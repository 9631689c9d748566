/* SPDX-License-Identifier: MIT
 *
 * The kinds of figures; registry.c puts them in their order.  */
#pragma once

#include "plot/figure/kind.h"

/* The range of an axis or, where it has none, of n rows or columns, which are counted from 1. */
static inline SlRange
sl_kind_axis (const SlAxis *axis, unsigned n)
{
  if (axis->lo < axis->hi)
    return (SlRange) { axis->lo, axis->hi };
  return (SlRange) { 0.5, (n > 0 ? n : 1) + 0.5 };
}

extern const SlFigureKind sl_kind_series, sl_kind_history, sl_kind_shares, sl_kind_profile,
  sl_kind_bars, sl_kind_heatmap, sl_kind_image, sl_kind_map, sl_kind_alive, sl_kind_parallel;
