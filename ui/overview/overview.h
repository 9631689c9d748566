/* SPDX-License-Identifier: MIT
 *
 * The start page: one input in several networks, a few ideas side by side as small live plots, what
 * they cost on one scale, and the three sliders s, rank and k that move all of them at once.  Made from the headlines and
 * roles of the labs' descriptors.  Paces the drawing as the grid of plots does: one plot per frame
 * in turn, only with news, and probes only while it is seen.  */
#pragma once

#include <adwaita.h>

#include "core/run/group/group.h"
#include "ui/form/headline-scale.h"
#include "ui/kit/bars.h"
#include "ui/overview/band.h"
#include "ui/overview/card.h"

#define SL_TYPE_OVERVIEW (sl_overview_get_type ())
G_DECLARE_FINAL_TYPE (SlOverview, sl_overview, SL, OVERVIEW, GtkWidget)

/* What to show; a reference is taken.  NULL: nothing. */
void     sl_overview_set_group (SlOverview *self, SlGroup *group);
SlGroup *sl_overview_get_group (SlOverview *self);

/* Says that training rests because the person is elsewhere, or no more. */
void sl_overview_set_resting (SlOverview *self, gboolean resting);

/* How often a second each plot is redrawn at most. */
void sl_overview_set_rate (SlOverview *self, double rate);

unsigned        sl_overview_get_n_cards (SlOverview *self);
SlOverviewCard *sl_overview_get_card (SlOverview *self, unsigned i);

/* The pictures of one input. */
SlOverviewBand *sl_overview_get_band (SlOverview *self);

/* The slider of a role, or NULL when no lab has it. */
SlHeadlineScale *sl_overview_get_headline (SlOverview *self, SlHeadline headline);

/* Over the plots, so that a hint at the sliders leaves them free. */
AdwToastOverlay *sl_overview_get_hints (SlOverview *self);
