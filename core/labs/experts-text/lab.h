/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `experts-text` share; nobody else includes this.  */
#pragma once

#include "core/data/text/words.h"
#include "core/lab/kit/state.h"
#include "core/lab/mixture/reports.h"
#include "core/labs/experts-text/math/language.h"
#include "core/labs/experts-text/tables.h"

/* What changes from step to step. */
typedef struct
{
  uint64_t      position; /* symbols of every stream read so far in this pass over the text */
  uint64_t      moments;  /* updates since the moments were cleared */
  SlRng         noise, dropout, dropout_baseline;
  SlMixtureSums sums;
} SlExpertsTextMoving;

/* A model with the passes that train it and that read with it. */
typedef struct
{
  SlLanguage    model;
  SlLanguageRun train, read;
} SlExpertsTextNet;

typedef struct
{
  SlLabState           base;
  SlWords              words;
  SlExpertsTextNet     net, baseline;
  bool                 has_baseline;
  size_t               batch, length, readers;
  double               single[SL_N_SPLITS]; /* nats per symbol by frequencies alone */
  uint16_t            *symbol;              /* (length + 1, batch) */
  uint16_t            *read_symbol;         /* (STRETCH + 1, readers) */
  sl_real             *margin;              /* (2, readers STRETCH) */
  uint64_t            *set;                 /* (2, batch length) sets of experts */
  SlExpertsTextMoving *now;
} SlExpertsTextLab;

static inline SlExpertsTextLab *
sl_experts_text_lab (SlLabState *state)
{
  return (SlExpertsTextLab *) state;
}

static inline bool
sl_experts_text_mixes (const SlExpertsTextLab *s)
{
  return s->net.model.shape.middle == SL_MIDDLE_EXPERTS;
}

/* Rows of a training pass. */
static inline size_t
sl_experts_text_rows (const SlExpertsTextLab *s)
{
  return s->batch * s->length;
}

/* How a pass goes by the live settings; `training` with noise and dropout. */
SlLanguagePass sl_experts_text_pass (const SlExpertsTextLab *s, bool training);

/* Fills `symbol` (steps + 1, batch) from `first` on of the text, streams `apart` symbols apart: row
 * t + 1 is what follows row t.  */
void sl_experts_text_fetch (const SlExpertsTextLab *s, size_t first, size_t apart, size_t batch,
                            size_t steps, uint16_t *symbol);

/* What reading a text finds out. */
typedef struct
{
  double loss, error;                                              /* nats per symbol; % */
  double importance[SL_MIXTURE_EXPERTS], hard[SL_MIXTURE_EXPERTS]; /* sums over the symbols */
} SlExpertsTextFindings;

/* Where a reader is: its rows are `steps` symbols of each stream, the first of stream e is number
 * first + e apart of the text.  */
typedef struct
{
  size_t first, apart, steps;
} SlExpertsTextPlace;

/* Reads about `symbols` symbols from `first` on, as many streams as there are readers, as a deployed
 * model would; what comes before them is read too, but not judged.  `each`, unless NULL, is called
 * after every stretch; false ends it.  */
typedef bool (*SlExpertsTextEach) (SlExpertsTextLab *s, const SlExpertsTextPlace *place,
                                   void *data);
void sl_experts_text_read (SlExpertsTextLab *s, SlExpertsTextNet *net, size_t first, size_t symbols,
                           SlExpertsTextFindings *findings, SlExpertsTextEach each, void *data);

/* Nats per symbol of a split by the frequencies of the training text, each counted once more than it
 * is there.  SL_ENOMEM.  */
SlStatus sl_experts_text_single (SlExpertsTextLab *s);

/* Multiply-adds of a symbol through all layers but the softmax with so many experts. */
double sl_experts_text_macs (const SlExpertsTextLab *s, const SlExpertsTextNet *net, double chosen);

/* Publishes what happened since the last report and begins anew; `same` as in SlMixtureReport. */
void sl_experts_text_report (SlExpertsTextLab *s, double same, SlSink *sink);
void sl_experts_text_report_validation (SlExpertsTextLab *s, SlSink *sink);

extern const SlScore sl_experts_text_score_names[];
void sl_experts_text_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);

void sl_experts_text_probe_alive (SlProbe *p);

/* The costly panels. */
extern const SlProbePanel sl_experts_text_probes[N_PANELS];
