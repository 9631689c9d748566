/* SPDX-License-Identifier: MIT */
#include "plot/kinds/kinds.h"

const SlFigureKind *const sl_figure_kinds[SL_N_FIGURE_KINDS] = {
  [SL_SERIES] = &sl_kind_series, [SL_HISTORY] = &sl_kind_history,
  [SL_SHARES] = &sl_kind_shares, [SL_PROFILE] = &sl_kind_profile,
  [SL_BARS] = &sl_kind_bars,     [SL_HEATMAP] = &sl_kind_heatmap,
  [SL_IMAGE] = &sl_kind_image,   [SL_MAP] = &sl_kind_map,
  [SL_ALIVE] = &sl_kind_alive,   [SL_PARALLEL] = &sl_kind_parallel,
};
