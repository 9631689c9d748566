/* SPDX-License-Identifier: MIT
 *
 * One idea at a glance: its name, the sliders that move it, the figure in words, and the plot.
 * A click on it or Enter asks for a closer look.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "ui/plot-view/view.h"

G_BEGIN_DECLS

#define SL_TYPE_GLANCE_CARD (sl_glance_card_get_type ())
G_DECLARE_FINAL_TYPE (SlGlanceCard, sl_glance_card, SL, GLANCE_CARD, GtkWidget)

/* A card of a lab that has a headline; a reference to the session is taken.  Its actions:
 * win.closer (s: id of the lab).  */
SlGlanceCard *sl_glance_card_new (SlSession *session, const SlLab *lab);

/* Another run began, or the first one: other memory. */
void sl_glance_card_restart (SlGlanceCard *self);

/* Draws what is new.  TRUE when there was news. */
gboolean sl_glance_card_update (SlGlanceCard *self);

SlPlotView *sl_glance_card_get_view (SlGlanceCard *self);
SlSession  *sl_glance_card_get_session (SlGlanceCard *self);
const char *sl_glance_card_get_words (SlGlanceCard *self);

/* It has been painted with data. */
gboolean sl_glance_card_is_drawn (SlGlanceCard *self);

G_END_DECLS
