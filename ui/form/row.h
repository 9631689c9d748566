/* SPDX-License-Identifier: MIT
 *
 * One parameter in a form, made from its descriptor alone: title, unit, revert arrow when it
 * was changed, exact entry, full-width sliders below, and help.  */
#pragma once

#include <gtk/gtk.h>

#include "core/base/param.h"

#define SL_TYPE_PARAM_ROW (sl_param_row_get_type ())
G_DECLARE_FINAL_TYPE (SlParamRow, sl_param_row, SL, PARAM_ROW, GtkWidget)

/* `param` is borrowed for the row's life.  `fallback` is what the revert arrow goes back to.
 *
 * Signals:
 *   "edited" (SlValue *value, gboolean final)  the user chose a value, checked against
 *       the descriptor; final as SlParamScale's "moved"
 *   "refused" (char *sentence)  what was typed is not a value of this parameter  */
SlParamRow *sl_param_row_new (const SlParam *param, const SlValue *fallback);

/* Shows a value without a signal.  A list gets as many sliders as the value has elements. */
void sl_param_row_set_value (SlParamRow *self, const SlValue *value);

/* Shows the value that `settings` have, its reach, and what the revert arrow goes back to.  The row's parameter is one of
 * `params` (n_params), whose defaults are `defaults`.  */
void sl_param_row_show (SlParamRow *self, const SlParam *params, unsigned n_params,
                        const SlSettings *settings, const SlSettings *defaults);

/* A slider ends at the last of n things that the parameter counts; 0: it is not known how many there are. */
void sl_param_row_set_many (SlParamRow *self, double n);

/* With a value that is read beside the title, and little height: for few settings beside a picture. */
void sl_param_row_set_compact (SlParamRow *self);

/* Where the sliders end, if that is below what the descriptor allows; the entry takes it all. */
void sl_param_row_set_reach (SlParamRow *self, double hi);

/* What lists that follow another one fall back to changes with their length. */
void sl_param_row_set_fallback (SlParamRow *self, const SlValue *fallback);

/* Locked: a padlock is shown and nothing can be moved, but the help can still be read. */
void     sl_param_row_set_locked (SlParamRow *self, gboolean locked);
gboolean sl_param_row_is_locked (SlParamRow *self);

const SlParam *sl_param_row_get_param (SlParamRow *self);

/* True when the value is not what the revert arrow goes back to. */
gboolean sl_param_row_is_changed (SlParamRow *self);

/* The slider of an element (0 for a single number), or NULL where there is none. */
GtkWidget *sl_param_row_get_scale (SlParamRow *self, unsigned element);
