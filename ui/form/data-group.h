/* SPDX-License-Identifier: MIT
 *
 * Where the examples come from (a source with its options, or a file), the seed of the run and
 * where it stops.  */
#pragma once

#include <gtk/gtk.h>

#include "core/data/set/dataset.h"
#include "core/data/source/source.h"
#include "ui/form/file-row.h"
#include "ui/form/form.h"

#define SL_TYPE_DATA_GROUP (sl_data_group_get_type ())
G_DECLARE_FINAL_TYPE (SlDataGroup, sl_data_group, SL, DATA_GROUP, GtkWidget)

/* Signals:
 *   "chosen" (char *spec)      a source, or an option of it, was chosen (core/data/source/source.h)
 *   "refused" (char *sentence) what was typed is no option  */

/* Shows what a run uses, without a signal.  `dataset` may be NULL while it loads, and `spec`
 * where the lab needs no data: then there is nothing.  `note`: what else there is to say about them,
 * or NULL.  */
void sl_data_group_show (SlDataGroup *self, const char *spec, const SlDataset *dataset,
                         const char *note);

/* Offers only sources that yield what a lab needs; at first all. */
void sl_data_group_set_needs (SlDataGroup *self, SlDataNeeds needs);

/* Whether the source in use has a file option for a file of this name. */
gboolean sl_data_group_takes (SlDataGroup *self, const char *path);
/* Sets that option to the file, as if the user had chosen it; FALSE where there is none. */
gboolean sl_data_group_take (SlDataGroup *self, const char *path);
