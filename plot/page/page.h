/* SPDX-License-Identifier: MIT
 *
 * A run as one self-contained web page, which opens from the disk in any browser and asks for nothing: panels that can be
 * read, zoomed and switched, the picture of the network and other panels at moments of the run, the recipe.  What the
 * page does with that is in resources/page; its form is in docs/file-formats.md.  Any thread.  */
#pragma once

#include "core/run/frames/frames.h"
#include "core/run/record/recipe.h"

G_BEGIN_DECLS

typedef struct
{
  const SlRecord *record;
  const SlRecipe *recipe;
  const SlFrames *frames; /* or NULL: panels that are no series are as the record has them */
  const unsigned *panel;  /* (n_panels) in this order */
  unsigned        n_panels;
  const char     *title, *sentence; /* NULL: those of the lab */
} SlPageRun;

/* The panels of a page where none were chosen: the picture of the network and the plots of the front page.  Returns how
 * many.  */
unsigned sl_page_front (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset,
                        unsigned panel[1 + SL_FRONT_PLOTS]);

/* The page.  NULL with a sentence: no memory, or no panel with anything to show. */
GBytes *sl_page_run (const SlPageRun *run, GError **error);

G_END_DECLS
