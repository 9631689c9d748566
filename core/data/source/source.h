/* SPDX-License-Identifier: MIT
 *
 * Where data sets come from: generators, installed collections and files, each a const descriptor
 * with options of the same kind as a lab's parameters.
 *
 * A data set is named by one line of text, its specification:
 *   moons                          a source by its id
 *   spirals:noise=0.1,points=400   with options
 *   /some/folder/train-images.gz   a file or folder: the reader is chosen by content
 *   table.csv:valid=0.2,seed=3     a file with options
 *   pictures:size=256,content-file=/home/me/my cat.png
 *                                  an option that is a file
 *   table.csv:network-file=net.json
 *                                  labelled examples with a network of choices
 *   trace.npy:experts=64           a recording of routing: short for
 *                                  recordings:experts=64,a-file=trace.npy
 * The specification with every option written out is SlDataset.id; opening it again
 * gives the same examples, bit for bit.
 *
 * The path of a file option goes up to the next comma.  Spaces, colons and equals signs are
 * literal; a comma in a name is written %2C, a percent sign %25, and so is, by its two digits, any
 * byte that is no printable UTF-8.  A percent sign without two hexadecimal digits after it is
 * literal, so that nearly every path can be typed as it is.  */
#pragma once

#include "core/base/param.h"
#include "core/data/set/dataset.h"

enum {
  SL_SOURCE_CLASS = 0,   /* the place of the column of classes, of a file */
  SL_SOURCE_NETWORK = 4, /* of the network among the files; those of a source come before it */
  SL_SOURCE_FILES_MAX,
  SL_SOURCE_PATH_MAX = 1024,
};

/* An option whose value is a file, or a word that is no choice among a few. */
typedef struct
{
  const char *id, *title, *help; /* as of SlParam */
  const char *patterns; /* of the names in a file dialogue, in any case, with spaces between:
                         * "*.png *.jpg"; NULL: a word */
  const char *instead;  /* the parameter that does not matter where a file is chosen, or NULL */
} SlFileOption;

/* The files that were chosen, in the order of the descriptor's options, and the network; "" where
 * none was.  */
typedef struct
{
  char path[SL_SOURCE_FILES_MAX][SL_SOURCE_PATH_MAX];
} SlSourceFiles;

/* The specification of data that a program made of arrays (core/data/make/arrays.h).  It cannot be opened: the sentence
 * says that the program has to hand them over.  */
#define SL_SOURCE_ARRAYS "arrays"

typedef struct SlSource SlSource;

struct SlSource
{
  const char         *id, *title, *help;
  SlDataNeeds         yields; /* never nothing */
  const SlParam      *params;
  unsigned            n_params;
  const SlFileOption *files; /* at most SL_SOURCE_NETWORK */
  unsigned            n_files;
  bool (*available) (void); /* (optional) false: hide it, its files are not installed */
  SlStatus (*open) (const SlSource *source, const SlSettings *settings, const SlSourceFiles *files,
                    SlDataset **dataset); /* leaves `id` to sl_source_open() */
};

/* All sources but files, ended by NULL. */
extern const SlSource *const sl_sources[];

/* The source with this id, or NULL. */
const SlSource *sl_source_find (const char *id);

/* The options of a file: how it is read, and how examples that come in one heap are split. */
extern const SlParam  sl_file_params[];
extern const unsigned sl_n_file_params;

/* Of a table: the column of classes, by its name or its number from 1, "first", "last" or "none". */
extern const SlFileOption sl_class_option;

/* The network of choices that all labelled examples take, of a source or a file. */
extern const SlFileOption sl_network_option;

/* The source and options named by a specification.  *source is NULL for a file, whose
 * options are sl_file_params[].  `files` may be NULL.  SL_EINVAL with the unknown option or name
 * and what would be allowed.  */
SlStatus sl_source_parse (const char *spec, const SlSource **source, SlSettings *settings,
                          SlSourceFiles *files);

/* The specification of a source under these settings, every option written out, and those files
 * that were chosen (`files` may be NULL: none).  It fits into sizeof (SlDataset.id) but for very
 * long paths, which sl_source_open() refuses.  Returns `text`.  */
const char *sl_source_format (const SlSource *source, const SlSettings *settings,
                              const SlSourceFiles *files, char *text, size_t size);

/* The same of a file: its path, without options, and sl_file_params under these settings. */
const char *sl_source_format_file (const char *path, const SlSettings *settings,
                                   const SlSourceFiles *files, char *text, size_t size);

/* Gives the shares among the options of a file that are 0 what suits it: a text, or examples. */
void sl_source_settle_shares (bool text, SlSettings *settings);

/* The file option of a source (NULL: of a file) at place `i` of SlSourceFiles, or NULL; and the place
 * of the option `id`, or -1.  */
const SlFileOption *sl_source_file_option (const SlSource *source, unsigned i);
int                 sl_source_file (const SlSource *source, const char *id);

/* Whether any file was chosen. */
bool sl_source_has_files (const SlSourceFiles *files);

/* Makes every relative path among the files absolute, seen from `folder`, which is absolute; "."
 * and ".." stay.  SL_EINVAL: too long.  */
SlStatus sl_source_locate (const SlSource *source, SlSourceFiles *files, const char *folder);

/* The same in a specification, which stays as it is where nothing is relative; `text` gets the other one.
 * SL_EINVAL as sl_source_parse() and sl_source_locate().  */
SlStatus sl_source_locate_spec (const char *spec, const char *folder, char *text, size_t size);

/* Gives a specification of labelled examples this file as their network, in `text`.  SL_EINVAL. */
SlStatus sl_source_give_network (const char *spec, const char *path, char *text, size_t size);

/* Opens whatever `spec` names; the caller frees *dataset.  On failure *dataset is NULL
 * and the status says file, position, found and expected.  Blocks on files; any
 * thread.  SL_EINVAL, SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_source_open (const char *spec, SlDataset **dataset);

/* The same where every file is recorded routing, whatever it looks like. */
SlStatus sl_source_open_recording (const char *spec, SlDataset **dataset);

/* The specification to open when the user chose none: Fashion-MNIST where it is installed, else the
 * procedural digits.  Static.  */
const char *sl_source_default (void);

/* The same for a lab that needs data of a kind: points are spirals, text is the Bible where it is
 * installed, else made-up sentences; pictures are drawn ones; routing
 * is that of a made-up router.  */
const char *sl_source_default_for (SlDataNeeds needs);
