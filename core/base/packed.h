/* SPDX-License-Identifier: MIT
 *
 * Settings in as little room as their differences from the defaults need: a list of a hundred thousand runs has those
 * of each.  Plain data, any thread.  `params` are always those that they were packed with.  */
#pragma once

#include "core/base/param.h"

/* Free with free().  NULL is the defaults, with lists that follow others as they are written. */
typedef struct SlPacked SlPacked;

/* NULL: no memory. */
SlPacked *sl_settings_pack (const SlSettings *settings, const SlParam *params, unsigned n_params);
SlPacked *sl_packed_copy (const SlPacked *packed);

void sl_settings_unpack (const SlPacked *packed, const SlParam *params, unsigned n_params,
                         SlSettings *settings);

/* One of the values. */
SlValue sl_packed_value (const SlPacked *packed, const SlParam *params, unsigned param);

/* Marks the parameters that have another value than such a default; leaves the others as they are. */
void sl_packed_mark (const SlPacked *packed, bool differs[SL_PARAMS_MAX]);
