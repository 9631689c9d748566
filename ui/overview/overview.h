/* SPDX-License-Identifier: MIT
 *
 * The start page: a few ideas side by side as small live plots, what they cost on one scale, and
 * the three sliders s, rank and k that move all of them at once.  Made from the headlines and
 * roles of the labs' descriptors.  Paces the drawing as the grid of plots does: one plot per frame
 * in turn, only with news, and surveys only while it is seen.  */
#pragma once

#include <adwaita.h>

#include "core/run/group/group.h"
#include "ui/form/headline-scale.h"
#include "ui/overview/card.h"
#include "ui/overview/cost-strip.h"

G_BEGIN_DECLS

#define SL_TYPE_GLANCE (sl_glance_get_type ())
G_DECLARE_FINAL_TYPE (SlGlance, sl_glance, SL, GLANCE, GtkWidget)

SlGlance *sl_glance_new (void);

/* What to show; a reference is taken.  NULL: nothing. */
void     sl_glance_set_group (SlGlance *self, SlGroup *group);
SlGroup *sl_glance_get_group (SlGlance *self);

/* How often a second each plot is redrawn at most. */
void sl_glance_set_rate (SlGlance *self, double rate);

unsigned      sl_glance_get_n_cards (SlGlance *self);
SlGlanceCard *sl_glance_get_card (SlGlance *self, unsigned i);

/* The slider of a role, or NULL when no lab has it. */
SlRoleScale *sl_glance_get_role (SlGlance *self, SlRole role);

SlCostStrip *sl_glance_get_costs (SlGlance *self);

/* Over the plots, so that a hint at the sliders leaves them free. */
AdwToastOverlay *sl_glance_get_hints (SlGlance *self);

/* How many columns the plots have now. */
unsigned sl_glance_get_columns (SlGlance *self);

G_END_DECLS
