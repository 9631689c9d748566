/* SPDX-License-Identifier: MIT
 *
 * What recorded routing says, as JSON: every number of core/labs/routing/math by name, for files and for
 * tests.  A number that there is none of is left out.  */
#pragma once

#include "core/base/param.h"
#include "core/data/routing/routing.h"
#include "core/labs/routing/math/bias.h"
#include "core/labs/routing/math/compare.h"
#include "core/labs/routing/math/load.h"
#include "core/labs/routing/math/placement.h"
#include "core/labs/routing/math/routes.h"
#include "core/run/base/json.h"

typedef struct
{
  size_t             window;      /* tokens */
  double             hot;         /* % of the experts */
  SlPlacementSetting placement;   /* how many devices, and so on */
  size_t             replan;      /* windows between two plans */
  double             rate;        /* of the bias; golden numbers have 2⁻⁶ */
  SlScoresKind       score;       /* what the bias is added to */
  unsigned           cache;       /* experts; 0: a quarter of them, rounded up */
  double             capacity;    /* factor */
  double             memory;      /* GiB for the experts of all layers; 2³⁰ bytes each */
  double             expert_size; /* MiB, 2²⁰ bytes each; 0: as the recording says, else 12 */
  double             bandwidth;   /* GB/s, 10⁹ bytes each */
  gboolean           by_pass; /* the tokens of a pass are computed together, else each by itself */
} SlTraceSettings;

/* The share of the routings that a keep-list serves where nothing else is asked for. */
#define SL_TRACE_KEEP 0.95

/* The same as parameters, under the names that the lab has for them. */
extern const SlParam  sl_trace_params[];
extern const unsigned sl_n_trace_params;

SlTraceSettings sl_trace_settings (const SlSettings *settings);

/* All about a recording, and how another one (NULL: none) differs, as one document, which the caller g_free()s; the
 * arguments and failures are those of its parts below.  */
SlStatus sl_trace_report (const SlRouting *recording, const SlRouting *other, gboolean warm_up,
                          gboolean paired, const SlTraceSettings *settings, char **json);

/* Ends an object that is open as a text, which the caller g_free()s; after a failure there is none.  Returns `status`. */
SlStatus sl_trace_end_object (SlJsonWriter *w, SlStatus status, char **json);

/* A recording with its warm-up counted in or left out, as members of the object that is open.  SL_EIO,
 * SL_EFORMAT, SL_ENOMEM: what was written until then is of no use.  */
SlStatus sl_trace_write_document (SlJsonWriter *w, const SlRouting *recording, gboolean warm_up,
                                  const SlTraceSettings *settings);

/* The experts to keep for a share of the routings (0 … 1), as members of the object that is open.  SL_EIO, SL_ENOMEM. */
SlStatus sl_trace_write_keep (SlJsonWriter *w, const SlRouting *recording, gboolean warm_up,
                              double target);

/* What was found to be warm-up, whether it is counted or not, as an object "warm_up": of each layer the
 * runs, [first, tokens, experts of the first by number …], and how many tokens they are of how many.
 * SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_trace_write_warm_up (SlJsonWriter *w, const SlRouting *recording);

/* Two recordings, layer by layer, as an object "comparison"; layers that only one of them has are left
 * out.  With `paired` token t of one is token t of the other.  SL_EFORMAT: other experts, no common
 * layer, or other numbers of tokens where they are paired; SL_EIO, SL_ENOMEM.  */
SlStatus sl_trace_write_recordings (SlJsonWriter *w, const SlRouting *a, const SlRouting *b,
                                    gboolean warm_up, gboolean paired);

/* What sl_trace_compare() tells of a layer: how its loads differ, and where tokens are paired how many go
 * elsewhere, else NULL.  */
typedef void SlTraceCompared (const char *layer, unsigned experts, const SlLoadComparison *loads,
                              const SlPairedRoutes *pairs, gpointer data);

/* The same, layer by layer in a few numbers. */
SlStatus sl_trace_compare (const SlRouting *a, const SlRouting *b, gboolean warm_up,
                           gboolean paired, SlTraceCompared *each, gpointer data);

/* A layer in a line.  What is not known is NaN. */
typedef struct
{
  size_t          tokens;
  SlRoutesBalance balance;
  unsigned        hot_set, cache; /* experts */
  double hot;     /* share of the routings that the hot set serves, its own size in hindsight */
  double lru;     /* share of hits */
  double recall;  /* of this layer's experts from those of the layer before */
  double dropped; /* share of the routings */
} SlTraceLine;

/* SL_EIO, SL_EFORMAT, SL_ENOMEM. */
SlStatus sl_trace_line (const SlRouting *recording, unsigned layer, gboolean warm_up,
                        const SlTraceSettings *settings, SlTraceLine *line);

/* One layer with its tokens, of which so many routings go to experts that compute nothing.  gates (T, k) or NULL; the
 * sizes of passes, or NULL.  Members of an object `key`.  FALSE: memory ran out.  */
gboolean sl_trace_write_layer (SlJsonWriter *w, const char *key, const SlRoutes *r, uint64_t zero,
                               const float *gates, const uint32_t *passes, size_t n_passes,
                               const SlTraceSettings *settings);

/* One layer of which rows of loads (rows, n) are known, of tokens with k experts. */
void sl_trace_write_counts (SlJsonWriter *w, const char *key, const SlRouting *recording,
                            unsigned layer, const SlTraceSettings *settings);

/* Two layers with the same tokens. */
gboolean sl_trace_write_next (SlJsonWriter *w, const char *key, const SlRoutes *here,
                              const SlRoutes *next, gboolean ranked);

/* Two parts with the same experts. */
void sl_trace_write_comparison (SlJsonWriter *w, const char *key, const SlRoutes *a,
                                const SlRoutes *b, gboolean paired, gboolean ranked);

/* The bias replayed on scores (tokens, n). */
void sl_trace_write_bias (SlJsonWriter *w, const char *key, unsigned n, unsigned k, size_t tokens,
                          const float *scores, const SlTraceSettings *settings);

/* Caches for all layers with the tokens of the first one; words that are typical of experts, of a recording that has
 * words.  Objects `key`.  SL_EIO, SL_ENOMEM.  */
SlStatus sl_trace_write_caches (SlJsonWriter *w, const char *key, const SlRouting *recording,
                                gboolean warm_up, const SlTraceSettings *settings);
SlStatus sl_trace_write_words (SlJsonWriter *w, const char *key, const SlRouting *recording,
                               gboolean warm_up);

/* Load, coverage and so on of each layer (layers, n), as quartiles; slots (layers) as for
 * sl_load_balance().  */
void sl_trace_write_over_layers (SlJsonWriter *w, const char *key, unsigned n, size_t layers,
                                 const uint64_t *loads, const double *slots,
                                 const SlTraceSettings *settings);

/* Of this room: what layers of both kinds have. */
void sl_trace_add_name (SlJsonWriter *w, const SlRoutingLayer *layer); /* an element of an array */
void sl_trace_add_names (SlJsonWriter *w, const SlRouting *recording); /* member "layers" */
void sl_trace_add_balance (SlJsonWriter *w, unsigned n, const uint64_t *load, double slots);
void sl_trace_add_hot (SlJsonWriter *w, unsigned n, size_t windows, const uint64_t *loads,
                       double percent);
void sl_trace_add_placement (SlJsonWriter *w, unsigned n, double k, size_t windows,
                             const uint64_t *loads, size_t median_tokens,
                             const SlTraceSettings *settings);
void sl_trace_add_load_comparison (SlJsonWriter *w, const char *key, unsigned n, double k,
                                   const uint64_t *a, const uint64_t *b);
void sl_trace_add_real (SlJsonWriter *w, const char *key, double value); /* not if it is NaN */
void sl_trace_add_counts (SlJsonWriter *w, const char *key, size_t n, const uint64_t *value);
