/* SPDX-License-Identifier: MIT
 *
 * Where data sets come from: generators, installed collections and files, each a const
 * descriptor with options of the same kind as a lab's parameters.
 *
 * A data set is named by one line of text, its specification:
 *   moons                          a source by its id
 *   spirals:noise=0.1,points=400   with options
 *   /some/folder/train-images.gz   a file or folder: the reader is chosen by content
 *   table.csv:valid=0.2,seed=3     a file with options
 * The specification with every option written out is SlDataset.id; opening it again
 * gives the same examples, bit for bit.  */
#pragma once

#include "core/data/dataset.h"
#include "core/lab/param.h"

typedef struct
{
  const char *id, *title, *help;
  SlDataNeeds yields; /* never nothing */
  const SlParam *params;
  unsigned    n_params;
  bool (*available) (void); /* (optional) false: hide it, its files are not installed */
  SlStatus (*open) (const SlSettings *settings, SlDataset **dataset); /* leaves `id` to
                                                                       * sl_source_open() */
} SlSource;

/* All sources but files, ended by NULL. */
extern const SlSource *const sl_sources[];

/* The source with this id, or NULL. */
const SlSource *sl_source_find (const char *id);

/* The options of a file whose examples come in one heap: how they are split. */
extern const SlParam  sl_file_params[];
extern const unsigned sl_n_file_params;

/* The source and options named by a specification.  *source is NULL for a file, whose
 * options are sl_file_params[].  SL_EINVAL with the unknown option or name and what would be
 * allowed.  */
SlStatus sl_source_parse (const char *spec, const SlSource **source, SlSettings *settings);

/* The specification of a source under these settings, every option written out.
 * Returns `text`.  */
const char *sl_source_format (const SlSource *source, const SlSettings *settings, char *text,
                              size_t size);

/* Opens whatever `spec` names; the caller frees *dataset.  On failure *dataset is NULL
 * and the status says file, position, found and expected.  Blocks on files; any
 * thread.  SL_EINVAL, SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_source_open (const char *spec, SlDataset **dataset);

/* What to open when nobody chose: Fashion-MNIST where it is installed, else the
 * procedural digits.  Static.  */
const char *sl_source_default (void);

/* The same for a lab that needs data of a kind: points are spirals, text is the Bible where it is
 * installed, else made-up sentences.  */
const char *sl_source_default_for (SlDataNeeds needs);
