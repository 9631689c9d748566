/* SPDX-License-Identifier: MIT
 *
 * The last pictures of several runs on one page, in the order of their sweep.  */
#pragma once

#include "app/cli/cli.h"
#include "app/cli/trade.h"
#include "plot/charts/gallery.h"

/* What the names of the pictures say: "Below each picture: Comparison, Strength γ"; "" when nothing
 * varies.  */
void sl_plot_pictures_note (const SlTrade *trade, char *note, size_t size);

/* Adds the pictures of a settled trade's runs, named after their settings; those without one are
 * left out.  A sweep over two parameters is a table of them.  Complains, also when none has a
 * picture.  */
SlExit sl_plot_pictures (SlStore *store, const SlTrade *trade, SlGallery *gallery);
