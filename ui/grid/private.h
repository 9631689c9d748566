/* SPDX-License-Identifier: MIT
 *
 * What the files of the grid share: grid.c (session, watching and drawing), cards.c (the cards and what
 * is done on their plots), arranging.c (which cards are in sight, and where).  */
#pragma once

#include "core/run/own/own.h"
#include "ui/form/knobs.h"
#include "ui/grid/foot.h"
#include "ui/grid/grid.h"
#include "ui/grid/pace.h"
#include "ui/grid/sections.h"

struct _SlPlotGrid
{
  GtkWidget parent_instance;

  GtkScrolledWindow *scroller;
  GtkWidget         *box;
  SlKnobs           *knobs; /* settings of the front page */
  SlPlotFoot        *foot;

  SlSession      *session;
  SlOwn          *own; /* what is drawn on its picture */
  const SlRecord *record;
  SlCrosshair    *crosshair;
  const SlLab    *lab; /* of the record */
  GPtrArray
    *cards; /* of SlPlotCard, borrowed; by panel.  NULL: not made, as it has not been in sight */
  GPtrArray      *spare; /* of SlPlotCard, borrowed: without a panel, for the next that is needed */
  SlPlotPace     *pace;
  GArray         *watched; /* of gboolean */
  guint           tick;
  guint           making; /* idle source that makes cards, or 0 */
  int             maximised;
  gboolean        sharp;  /* pictures are to be kept */
  GStrv           shown;  /* ids, or NULL: all */
  const SlGhost  *ghosts; /* (n_ghosts) borrowed */
  unsigned        n_ghosts;
  SlArrangement   arrangement; /* of the lab */
  SlPlotSections *sections;
  GtkLayoutManager *all_layout, *front_layout;
  gboolean          beside; /* all settings are beside the plots */
  gboolean          bare;   /* no headings, nothing folded */
  int               sought; /* the panel to scroll to, or -1 */
  unsigned          frames; /* until it has its place */
};

/* NULL: not made. */
static inline SlPlotCard *
sl_plot_grid_card_at (SlPlotGrid *self, unsigned i)
{
  return g_ptr_array_index (self->cards, i);
}

static inline SlPlotView *
sl_plot_grid_view_at (SlPlotGrid *self, unsigned i)
{
  SlPlotCard *card = sl_plot_grid_card_at (self, i);

  return card != NULL ? sl_plot_card_get_view (card) : NULL;
}

/* arranging.c: headings and cards in their order, and those that are wanted shown. */
void sl_plot_grid_place (SlPlotGrid *self);

/* The cards that are wanted are shown, the others hidden. */
void sl_plot_grid_show_cards (SlPlotGrid *self);

/* A heading was clicked. */
void sl_plot_grid_on_fold (gpointer grid, unsigned section);
/* An item of a card's menu was chosen. */
void sl_plot_grid_on_arrange (SlPlotCard *card, int how, SlPlotGrid *self);

/* cards.c: makes the card of a panel, without its place. */
SlPlotCard *sl_plot_grid_make_card (SlPlotGrid *self, unsigned panel);
/* All cards are without a panel from now on, and there are places for `n`. */
void sl_plot_grid_park_cards (SlPlotGrid *self, unsigned n);

/* grid.c: tells a card of the run, which has just been made or began anew. */
void sl_plot_grid_tell_card (SlPlotGrid *self, unsigned panel);

/* The session is to look at the plane that the bar of a map says. */
void sl_plot_grid_on_look (SlPlotCard *card, SlPlotGrid *self);
