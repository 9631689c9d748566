/* SPDX-License-Identifier: MIT
 *
 * What the files of the grid share: grid.c (session, watching and drawing), cards.c (the cards and what
 * is done on their plots), arranging.c (which cards are in sight, and where).  */
#pragma once

#include "core/run/own/own.h"
#include "ui/grid/grid.h"
#include "ui/grid/pace.h"
#include "ui/grid/sections.h"

struct _SlPlotGrid
{
  GtkWidget parent_instance;

  GtkScrolledWindow *scroller;
  GtkWidget         *box;

  SlSession      *session;
  SlOwn          *own; /* what is drawn on its picture */
  const SlRecord *record;
  SlCrosshair    *crosshair;
  const SlLab    *lab;   /* of the record */
  GPtrArray      *cards; /* of SlPlotCard, borrowed; by panel */
  SlPlotPace     *pace;
  GArray         *watched; /* of gboolean */
  guint           tick;
  int             maximised;
  gboolean        sharp;  /* pictures are to be kept */
  GStrv           shown;  /* ids, or NULL: all */
  const SlGhost  *ghosts; /* (n_ghosts) borrowed */
  unsigned        n_ghosts;
  SlArrangement   arrangement; /* of the lab */
  SlPlotSections *sections;
  gboolean        bare;   /* no headings, nothing folded */
  int             sought; /* the panel to scroll to, or -1 */
  unsigned        frames; /* until it has its place */
};

static inline SlPlotView *
sl_plot_grid_view_at (SlPlotGrid *self, unsigned i)
{
  return sl_plot_card_get_view (g_ptr_array_index (self->cards, i));
}

/* arranging.c: headings and cards in their order, and those that are wanted shown. */
void sl_plot_grid_place (SlPlotGrid *self);

/* The cards that are wanted are shown, the others hidden. */
void sl_plot_grid_show_cards (SlPlotGrid *self);

/* A heading was clicked. */
void sl_plot_grid_on_fold (gpointer grid, unsigned section);
/* An item of a card's menu was chosen. */
void sl_plot_grid_on_arrange (SlPlotCard *card, int how, SlPlotGrid *self);

/* cards.c: one card more, or one less. */
void sl_plot_grid_add_card (SlPlotGrid *self);
void sl_plot_grid_drop_card (SlPlotGrid *self);

/* The session is to look at the plane that the bar of a map says. */
void sl_plot_grid_on_look (SlMapBar *bar, SlPlotGrid *self);
