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

/* The value of the option `id`, which the parameters, or the source, must have. */
double sl_source_value (const SlParam *params, unsigned n_params, const SlSettings *settings,
                        const char *id);
double sl_source_option (const SlSource *source, const SlSettings *settings, const char *id);

/* What the options of a table say. */
SlTableForm sl_source_table_form (const SlParam *params, unsigned n_params,
                                  const SlSettings *settings);

/* An option that came after others is named only where it is not as by default, so that specifications from before it
 * stay as they are.  */
bool sl_source_is_late (const SlParam *param);

/* Appends ":option=value,..." to a text; of `late` options alone, or of all.  Whether there was one. */
bool sl_source_append_options (const SlParam *params, unsigned n_params, const SlSettings *settings,
                               bool late, char *text, size_t size);

/* Scales the pixels of images where their option is on.  SL_ENOMEM. */
SlStatus sl_source_scale_pixels (const SlParam *params, unsigned n_params,
                                 const SlSettings *settings, SlDataset *dataset);

/* A file by its options, with its specification.  After a failure *dataset may be there, to be freed. */
SlStatus sl_source_open_file (const char *path, const SlSettings *settings,
                              const SlSourceFiles *files, SlDataset **dataset);

/* The same of named arrays of examples and classes, which stay the caller's; without a specification. */
SlStatus sl_source_of_arrays (SlArrays *arrays, const SlSettings *settings, SlDataset **dataset);

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
