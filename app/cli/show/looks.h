/* SPDX-License-Identifier: MIT
 *
 * How figures look that a command draws, as typed.  */
#pragma once

#include "plot/export/looks.h"

/* Adds --page, --style, --size, … to a command, and initialises the looks. */
void sl_looks_add_options (SlLooks *looks, GOptionContext *context);

/* Whether a page of so many panels can be drawn, told before there is anything to draw.  Complains. */
bool sl_looks_check (const SlLooks *looks, unsigned n, SlExportFormat format);

/* Draws figures on one page.  `recipe` (JSON) may be NULL.  False after a complaint.  */
bool sl_looks_page (const SlLooks *looks, SlFigure *const *figures, unsigned n, const char *recipe,
                    const char *path);
