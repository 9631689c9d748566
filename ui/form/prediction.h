/* SPDX-License-Identifier: MIT
 *
 * How long a pass and an update will take under the settings of the form, and whether skipping pays: a line
 * beside the knobs.  Hidden where nothing is known of the lab.  */
#pragma once

#include <gtk/gtk.h>

#include "core/lab/lab.h"

#define SL_TYPE_PREDICTION_LINE (sl_prediction_line_get_type ())
G_DECLARE_FINAL_TYPE (SlPredictionLine, sl_prediction_line, SL, PREDICTION_LINE, GtkWidget)

/* The data may be NULL where the lab needs none; nothing is kept but the settings. */
void sl_prediction_line_show (SlPredictionLine *self, const SlLab *lab, const SlSettings *settings,
                              const SlDataset *dataset);

/* What the line says; "" when it is hidden. */
const char *sl_prediction_line_get_text (SlPredictionLine *self);
