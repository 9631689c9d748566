/* SPDX-License-Identifier: MIT
 *
 * The start page as one figure: the input, the networks that take it, and below them the curves.  */
#pragma once

#include "plot/export/export.h"
#include "ui/overview/overview.h"

/* Into a file whose ending sets the format, as sl_export_save(). */
gboolean sl_overview_save (SlOverview *self, const char *path, GError **error);

/* For a printer's page, in px, as wide as SL_PRINT_WIDTH mm; the caller destroys it. */
cairo_surface_t *sl_overview_print (SlOverview *self);
