/* SPDX-License-Identifier: MIT
 *
 * The form of a set of parameters: one row each, under headings where there are several groups.  Knows
 * no lab and no data source, only descriptors.  */
#pragma once

#include <gtk/gtk.h>

#include "core/base/param.h"
#include "core/data/set/dataset.h"
#include "ui/form/row.h"

#define SL_TYPE_PARAM_FORM (sl_param_form_get_type ())
G_DECLARE_FINAL_TYPE (SlParamForm, sl_param_form, SL, PARAM_FORM, GtkWidget)

/* Signals:
 *   "edited" (char *id, SlValue *value, gboolean final)  as of SlParamRow
 *   "refused" (char *sentence)  */

/* Has these parameters from now on; `params` (n_params) are borrowed until the next call.  Their rows are made in idle
 * moments while the form is in sight, or when they are got.  */
void sl_param_form_build (SlParamForm *self, const SlParam *params, unsigned n_params,
                          const SlSettings *settings);

/* Shows values without a signal; rows that do not matter under them are hidden. */
void sl_param_form_show (SlParamForm *self, const SlSettings *settings);

/* Leaves out what has no effect with these data (NULL: not known). */
void sl_param_form_set_data (SlParamForm *self, const SlDataset *dataset);

/* Shows only what an audience should see: the rows that lead and those that are named.  FALSE: all rows. */
void sl_param_form_set_brief (SlParamForm *self, gboolean brief);

/* Lays the rows side by side instead of below each other, without those that a lesson has locked,
 * which cannot be moved.  */
void sl_param_form_set_strip (SlParamForm *self, gboolean strip);

/* Shows only rows that have all these words in title, heading, help or choices; "": no search.  How many
 * rows are shown.  */
unsigned sl_param_form_set_search (SlParamForm *self, const char *text);

/* The parameters that a brief form shows; copied.  Ended by NULL; NULL: none. */
void sl_param_form_set_leading (SlParamForm *self, const char *const *ids);

/* The parameters that a lesson names; copied.  Ended by NULL; NULL: none. */
void sl_param_form_set_named (SlParamForm *self, const char *const *ids);

/* What a lesson leaves to the user: of the rows only those of `offered` (NULL: all), none of
 * `hidden`, and those of `locked` cannot be moved.  Ended by NULL; NULL: none; copied, and kept for
 * other parameters.  */
void sl_param_form_set_rules (SlParamForm *self, const char *const *offered,
                              const char *const *hidden, const char *const *locked);

/* The row of a parameter, or NULL without such a parameter. */
SlParamRow *sl_param_form_row (SlParamForm *self, const char *id);
gboolean    sl_param_form_has_row (SlParamForm *self, const char *id); /* it is made */
