/* SPDX-License-Identifier: MIT
 *
 * The descriptors behind sl_sources[]; a new source is one line here and one in source.c. */
#pragma once

#include "core/data/read/containers/container.h"
#include "core/data/set/draft.h"
#include "core/data/source/source.h"

/* What the options valid, test and seed say. */
SlSplitting sl_source_splitting (const SlParam *params, unsigned n_params,
                                 const SlSettings *settings);

/* The value of the option `id`, which the source must have. */
double sl_source_option (const SlSource *source, const SlSettings *settings, const char *id);

/* What the options of a table say. */
SlTableForm sl_source_table_form (const SlParam *params, unsigned n_params,
                                  const SlSettings *settings);

extern const SlSource sl_source_fashion_mnist;
extern const SlSource sl_source_digits;
extern const SlSource sl_source_clutter;
extern const SlSource sl_source_xor;
extern const SlSource sl_source_moons;
extern const SlSource sl_source_spirals;
extern const SlSource sl_source_rings;
extern const SlSource sl_source_checkerboard;
extern const SlSource sl_source_mixture;
extern const SlSource sl_source_bible;
extern const SlSource sl_source_grammar;
extern const SlSource sl_source_letters;
extern const SlSource sl_source_pictures;
extern const SlSource sl_source_router;
extern const SlSource sl_source_recordings;
