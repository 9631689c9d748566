/* SPDX-License-Identifier: MIT
 *
 * What a run learns from: labelled examples in memory, split into train, validation and test,
 * or two pictures.  Immutable once made, so any number of threads may read one.
 *
 * Letters: N examples, D features, C classes.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/message.h"
#include "core/base/real.h"
#include "core/base/status.h"
#include "core/base/tensors.h"
#include "core/data/set/reading.h"

typedef enum {
  SL_TRAIN,
  SL_VALID,
  SL_TEST,
  SL_N_SPLITS,
} SlSplit;

/* Kinds of data, as a lab needs them and a source yields them. */
typedef enum {
  SL_NEEDS_NOTHING,
  SL_NEEDS_LABELS,   /* any labelled examples */
  SL_NEEDS_PLANE,    /* labelled points with D = 2 */
  SL_NEEDS_IMAGES,   /* labelled images */
  SL_NEEDS_TEXT,     /* a stream of symbols */
  SL_NEEDS_PICTURES, /* two pictures; no examples */
  SL_NEEDS_ROUTING,  /* a recording of routing, or two; no examples */
  SL_N_NEEDS,
} SlDataNeeds;

/* Two pictures of the same size, H rows by W columns: one to keep the content of, one to take the
 * style from.  sRGB in steps of 1/255 from 0 to 1.  */
typedef struct
{
  unsigned       width, height;
  const sl_real *content, *style; /* planes (3, H, W), red first; in the data set's storage */
  char           content_title[47], style_title[47]; /* for captions: "Hills", "starry_night.jpg" */
  SlTensors     *net;           /* the network weights that were opened with them, or NULL; owned */
  char           net_title[48]; /* "vgg19.safetensors", or "" */
} SlPicturePair;

struct SlRouting; /* core/data/routing/routing.h */

typedef struct SlDataset SlDataset;

struct SlDataset
{
  char     id[2048];  /* the specification that opens it again (source.h) */
  char     title[96]; /* to be read: "Fashion-MNIST", "two moons" */
  char     facts[96]; /* what else it has that panels may need, words with spaces between them and
                        * some with a number: "gates layers=3".  See sl_dataset_has().  How pictures lie on
                        * their sheets: "boxed", "filled" (core/data/ink)  */
  uint64_t hash;      /* XXH64 of sizes, examples and labels, or pictures, in order, and of the
                        * network, for recipes; the same on every machine and in both precisions */

  SlPicturePair *pictures; /* the pictures, and then all of the counts below are 0 and there are no
                            * examples; or NULL */

  /* A recording of routing, and then all of the counts below are 0 as well; or NULL.  The second one is
   * to be compared with it, or NULL.  Both are the data set's; their room is above this one and so
   * brings what frees them.  */
  struct SlRouting *routing, *routing_other;
  void (*routing_free) (struct SlRouting *);

  size_t   n[SL_N_SPLITS]; /* examples per split, none empty; train, then validation, test */
  unsigned features;       /* D */
  unsigned classes;        /* C >= 2 */

  bool     stream; /* the examples are the symbols of a text, in order: D = 1, bytes are the
                            * symbols below C, a label is the symbol that follows, class titles are
                            * the letters */
  unsigned width, height, channels; /* of an image, channel-major, with D = their product; or 0 */

  /* Exactly one of the two holds the features, (N, D) row major. */
  const sl_real *values;
  const uint8_t *bytes; /* a feature is byte * scale + offset */
  sl_real        scale, offset;

  const uint8_t     *label;         /* (N), below C */
  const sl_real     *difficulty;    /* (N) in 0..1, or NULL where it is not known */
  const char *const *class_title;   /* (C), or NULL: classes are numbered */
  const char *const *feature_title; /* (D), or NULL: features have no names */
  bool               standardised;  /* the features are in standard deviations from their mean */
  double             *
    units; /* (D, 2) mean and deviation of a standardised table's features, as it has them; owned.  NULL: none */
  SlFileReading reading; /* of a file: how it was read */

  char *network; /* a network of choices as JSON, not checked yet, for the lab that makes one of it;
                  * owned.  NULL: none */

  void *storage;        /* what free() must take: examples, labels and difficulty lie in it */
  void *titles;         /* the same for the class titles, or NULL */
  void *feature_titles; /* and for those of the features */
};

/* Frees a data set; NULL is fine. */
void sl_dataset_free (SlDataset *dataset);

/* The kind of a data set, and whether data of one kind serve a lab that needs another. */
static inline SlDataNeeds
sl_dataset_kind (const SlDataset *dataset)
{
  return dataset->pictures != NULL  ? SL_NEEDS_PICTURES
         : dataset->routing != NULL ? SL_NEEDS_ROUTING
         : dataset->stream          ? SL_NEEDS_TEXT
         : dataset->width > 0       ? SL_NEEDS_IMAGES
         : dataset->features == 2   ? SL_NEEDS_PLANE
                                    : SL_NEEDS_LABELS;
}

/* Whether a run on this data set (NULL: on none) is scored on a split.  Where there are no
 * examples the run itself is scored, as if it were the test.  */
static inline bool
sl_dataset_scores (const SlDataset *dataset, SlSplit split)
{
  return dataset == NULL || dataset->pictures != NULL || dataset->routing != NULL
           ? split == SL_TEST
           : dataset->n[split] > 0;
}

/* Whether an input of the person's own can be one of its examples: a grey picture or a point of a plane. */
static inline bool
sl_dataset_takes_own (const SlDataset *dataset)
{
  return dataset->width > 0 ? dataset->bytes != NULL && dataset->channels == 1
                            : sl_dataset_kind (dataset) == SL_NEEDS_PLANE;
}

/* A few words for a kind: "labelled images".  Static. */
const char *sl_data_title (SlDataNeeds kind);

/* The title of a data set to be shown: "two moons", "Hills, starry_night.jpg". */
SlMessage sl_dataset_message (const SlDataset *dataset);

static inline bool
sl_data_serves (SlDataNeeds kind, SlDataNeeds needs)
{
  return needs == SL_NEEDS_NOTHING || needs == kind
         || (needs == SL_NEEDS_LABELS && (kind == SL_NEEDS_PLANE || kind == SL_NEEDS_IMAGES));
}

/* Whether the data have all that the words of a `needs` (param.h) require: "data.gates", or
 * "data.layers>1" and "data.network=0" for a fact with a number, which is 0 where the data have none; other words are not about the data.  Where nothing is
 * known of them (NULL) or nothing is required (NULL), yes.  */
bool sl_dataset_has (const SlDataset *dataset, const char *needs);

/* The number of a fact, "data.layers"; 0 where the data have none, nothing is known of them (NULL) or it is no such word,
 * or NULL.  */
double sl_dataset_fact (const SlDataset *dataset, const char *fact);

/* Index of the first example of a split. */
static inline size_t
sl_dataset_first (const SlDataset *dataset, SlSplit split)
{
  size_t first = 0;

  for (int s = 0; s < (int) split; s++)
    first += dataset->n[s];
  return first;
}

/* Copies the features of the examples `index` (n) into `x` (n, D) and, unless
 * NULL, their labels into `label` (n).  Indices count over all splits and must be
 * below N.  Allocates nothing; any thread.  */
void sl_dataset_gather (const SlDataset *dataset, const uint32_t *index, size_t n,
                        sl_real *x /* (n, D) */, uint8_t *label /* (n) */);

/* A number in deviations from the mean, cut where it is beyond a million of them, so that it stays finite whatever the
 * training examples were; 0 of a feature that is constant.  */
static inline double
sl_dataset_standard (double value, double mean, double deviation)
{
  static const double farthest = 1e6;
  double              z = deviation > 0.0 ? (value - mean) / deviation : 0.0;

  return z < -farthest ? -farthest : z > farthest ? farthest : z;
}

/* Inputs that are no examples, x (n, D) in the numbers of the file or arrays (of images bytes, from 0 to 255), as the
 * examples are, into `to` (n, D).  Any thread.  */
void sl_dataset_convert (const SlDataset *dataset, const float *x, size_t n, sl_real *to);

/* The same for the `n` neighbours from `first` on. */
void sl_dataset_range (const SlDataset *dataset, size_t first, size_t n, sl_real *x /* (n, D) */,
                       uint8_t *label /* (n) */);
