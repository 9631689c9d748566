/* SPDX-License-Identifier: MIT
 *
 * Figures with the looks of a choice.  */
#pragma once

#include "ui/export/choice.h"

/* What goes on a page; all borrowed. */
typedef struct
{
  SlFigure *const *figures; /* (n) */
  unsigned         n;
  const char      *caption, *recipe; /* NULL: there is none */
} SlExportDrawn;

/* One page, or a table, in the format of the choice: one of SlExportFormat.  NULL with a sentence when there is
 * nothing to draw or it cannot be drawn.  */
GBytes *sl_export_drawn_make (const SlExportDrawn *drawn, const SlExportChoice *choice,
                              GError **error);

/* The same into a file, whole or not at all, with what belongs beside it. */
gboolean sl_export_drawn_save (const SlExportDrawn *drawn, const SlExportChoice *choice,
                               const char *path, GError **error);
