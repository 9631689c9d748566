/* SPDX-License-Identifier: MIT
 *
 * One input, which can be drawn, and the networks of a group that take it, each as a picture of what it computes.  All of
 * them show the same input.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/group/group.h"
#include "ui/input/pad.h"
#include "ui/overview/picture.h"

#define SL_TYPE_OVERVIEW_BAND (sl_overview_band_get_type ())
G_DECLARE_FINAL_TYPE (SlOverviewBand, sl_overview_band, SL, OVERVIEW_BAND, GtkWidget)

/* What to show; a reference is taken.  NULL: nothing. */
void sl_overview_band_set_group (SlOverviewBand *self, SlGroup *group);

typedef enum {
  SL_BAND_ROW,    /* the input beside the pictures */
  SL_BAND_ROWS,   /* above them */
  SL_BAND_COLUMN, /* all under each other */
} SlBandForm;

void sl_overview_band_set_form (SlOverviewBand *self, SlBandForm form);

/* Pictures are made while the band is seen. */
void sl_overview_band_set_seen (SlOverviewBand *self, gboolean seen);

/* Another run of this session began. */
void sl_overview_band_restart (SlOverviewBand *self, SlSession *session);

/* Redraws what has news, at a time in µs.  FALSE when nothing had. */
gboolean sl_overview_band_tick (SlOverviewBand *self, gint64 now);

SlInputPad        *sl_overview_band_get_pad (SlOverviewBand *self);
unsigned           sl_overview_band_get_n_pictures (SlOverviewBand *self);
SlOverviewPicture *sl_overview_band_get_picture (SlOverviewBand *self, unsigned i);
