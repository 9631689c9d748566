/* SPDX-License-Identifier: MIT
 *
 * One of the three big sliders on a line: s, rank or k of all labs of a group that have it, with what it
 * means and its exact value.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/group/group.h"
#include "ui/form/scale.h"

#define SL_TYPE_HEADLINE_SCALE (sl_headline_scale_get_type ())
G_DECLARE_FINAL_TYPE (SlHeadlineScale, sl_headline_scale, SL, HEADLINE_SCALE, GtkWidget)

/* The letter of a role: "s". */
const char *sl_headline_symbol (SlHeadline headline);

/* The group is borrowed for the widget's life. */
SlHeadlineScale *sl_headline_scale_new (SlGroup *group, SlHeadline headline);

/* Shows what the labs have now; their ranges may have changed too. */
void sl_headline_scale_update (SlHeadlineScale *self);

/* Sliders under each other begin at the same place. */
void sl_headline_scale_align (SlHeadlineScale *self, GtkSizeGroup *heads);

SlParamScale *sl_headline_scale_get_scale (SlHeadlineScale *self);
