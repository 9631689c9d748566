/* SPDX-License-Identifier: MIT
 *
 * What files of outputs are, by their endings.  */
#pragma once

#include "app/cli/show/outputs.h"
#include "plot/export/export.h"

/* Beside those of SlExportFormat. */
enum { SL_FORMAT_HTML = -4, SL_FORMAT_NPY = -3, SL_FORMAT_CSV = -2, SL_FORMAT_UNKNOWN = -1 };

int  sl_outputs_format (const char *path);
bool sl_outputs_is_page (const SlPlotFile *file); /* a web page */

/* Forgets the files that were read. */
void sl_outputs_clear_files (SlOutputs *outputs);

/* Whether a file has the numbers of a panel and not a drawing. */
bool sl_outputs_is_table (const char *path);
