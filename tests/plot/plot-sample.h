/* SPDX-License-Identifier: MIT
 *
 * A run without a trainer for the tests of the plots: a descriptor with a panel of every kind
 * and a record filled with curves of known shape.  The numbers come from a small
 * generator of its own, the same each time.  */
#pragma once

#include "core/run/record/record.h"
#include "plot/figure/figure.h"

enum {
  SAMPLE_AGREEMENT, /* SERIES, per cent: three layers and their references */
  SAMPLE_LOSS,      /* SERIES, logarithmic y, two curves */
  SAMPLE_GAPS,      /* SERIES: one curve with values that are not finite */
  SAMPLE_SPREAD,    /* PROFILE: error bars, a theory, published points, a mark */
  SAMPLE_SPECTRUM,  /* PROFILE, both axes logarithmic */
  SAMPLE_SPEED,     /* BARS with categories */
  SAMPLE_GROUPS,    /* BARS: two groups, error bars */
  SAMPLE_LOAD,      /* HEATMAP */
  SAMPLE_CONFUSION, /* HEATMAP small enough for numbers */
  SAMPLE_FILTERS,   /* IMAGE, diverging */
  SAMPLE_USAGE,    /* HISTORY of 16 rows, diverging around 1, exact zeros, a gap; rows are picked */
  SAMPLE_PARTS,    /* SHARES of the same */
  SAMPLE_LAYERS,   /* SHARES of the three curves of SAMPLE_AGREEMENT */
  SAMPLE_RATES,    /* HISTORY of the same, its rows the bins of an axis, colours logarithmic */
  SAMPLE_CLASSES,  /* HEATMAP with named columns and exact zeros; rows are picked */
  SAMPLE_PICTURES, /* IMAGE in colour with captions, one of its tiles lower than the others */
  SAMPLE_ALIVE,    /* ALIVE: an image, two fields of units in all four states, necks */
  SAMPLE_CHOICE,   /* ALIVE: a point, scores, boxes of which two are chosen and one is dead */
  SAMPLE_PATH,     /* ALIVE: bits and a tree of five levels */
  SAMPLE_NET,      /* ALIVE: options, a graph with links past its boxes, what it costs */
  SAMPLE_LIGHT,    /* ALIVE: a lamp, light through four layers, what arrives; no classes */
  SAMPLE_GLOW,     /* ALIVE: two small pictures and a large one that glows; no classes */
  SAMPLE_NOTHING,  /* SERIES that never got a sample */
  SAMPLE_PANELS,
};

extern const SlLab sample_lab;

/* Fills a record with `n` reports, one every 10 updates. */
void sample_record (SlRecord *record, size_t n, unsigned generation);

/* 0..1, from a counter: the same number for the same k. */
double sample_noise (uint64_t k);

/* A record of `n` reports with a figure of every panel. */
typedef struct
{
  SlRecord  record;
  SlFigure  figure[SAMPLE_PANELS];
  SlFigure *list[SAMPLE_PANELS];
} SampleFigures;

void sample_figures_init (SampleFigures *figures, size_t n);
void sample_figures_clear (SampleFigures *figures);
