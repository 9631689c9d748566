/* SPDX-License-Identifier: MIT
 *
 * A few examples to choose from: where it is known what the network says, those that it is sure or unsure of, gets wrong
 * and gets right; else of all classes.  */
#pragma once

#include "core/train/predict.h"

enum { SL_STRIP = 8 };

typedef enum {
  SL_CASE_PLAIN, /* of a class */
  SL_CASE_SURE,
  SL_CASE_UNSURE,
  SL_CASE_WRONG,
  SL_CASE_RIGHT,
} SlStripCase;

typedef struct
{
  unsigned    example; /* as SlSubject.example */
  SlStripCase why;
} SlStripExample;

/* Chooses by chance, each example once; two a case, and of a class where a case has none.  `predictions` of these data, or
 * NULL.  Returns how many: all of SL_STRIP where there are as many examples.  */
unsigned sl_strip_choose (const SlDataset *dataset, const SlPredictions *predictions, uint64_t seed,
                          SlStripExample strip[SL_STRIP]);
