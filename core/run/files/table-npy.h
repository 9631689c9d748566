/* SPDX-License-Identifier: MIT
 *
 * A record as an array of NumPy: numpy.load (file) has it.  Numbers are those of table.h, all
 * '<f8', bit by bit, never thinned; what was not measured is nan.  */
#pragma once

#include <glib.h>

#include "core/run/record/record.h"

/* All series as a structured array: a row per step in [first, last] that has a sample, a field per
 * column, called as in sl_table_csv(), "step" first.  The same run gives the same bytes.  */
GBytes *sl_table_npy (const SlRecord *record, double first, double last);

/* Whether a panel of this kind is an array: those over steps, and matrices. */
gboolean sl_table_has_npy (SlPanelKind kind);

/* One panel.  Over steps: its fields of the array above.  HEATMAP, IMAGE and MAP: tiles × rows ×
 * columns, in colour tiles × 3 × rows × columns; of length 0 without a snapshot.  NULL for a kind
 * that is none.  */
GBytes *sl_table_panel_npy (const SlRecord *record, unsigned panel, double first, double last);
