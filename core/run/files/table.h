/* SPDX-License-Identifier: MIT
 *
 * A record as a table or document.  Never thinned; numbers in the C locale with as many
 * digits as bring back the same double; not-a-number is an empty CSV cell and a JSON
 * null, an infinity "inf" and 1e999.  Arrays of NumPy are in table-npy.h.  */
#pragma once

#include <glib.h>

#include "core/run/record/record.h"

/* One row per step that has a sample, one column per series channel, "step" first.
 * Steps in [first, last].  The same run gives the same bytes.  Free with g_free(). */
char *sl_table_csv (const SlRecord *record, double first, double last);

/* One panel.  A SERIES: its columns of the table above.  PROFILE and BARS: a row per point,
 * "curve,x,y,spread" (BARS: "curve,category,x,y,spread").  HEATMAP, IMAGE and MAP: a row
 * per matrix row, "tile,row" and then the columns, by name if a HEATMAP has names.  A panel without a snapshot is its head
 * only.  */
char *sl_table_panel_csv (const SlRecord *record, unsigned panel, double first, double last);

enum { SL_RUN_BYTES = 512 << 20 /* of a document that is read, at most */ };

/* The whole record with its recipe (JSON text, may be NULL), series, snapshots and flags. */
char *sl_table_json (const SlRecord *record, const char *recipe);

/* Reads a document of sl_table_json() back into a record, which needs sl_record_clear()
 * afterwards.  *recipe (optional) gets its recipe, or NULL if it has none; free with
 * g_free().  FALSE with a sentence; then nothing needs clearing.  */
gboolean sl_table_read_json (const char *text, SlRecord *record, char **recipe, GError **error);
