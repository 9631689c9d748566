/* SPDX-License-Identifier: MIT
 *
 * What a recording has to hold to, for checks by machines: "cv<0.3, dead=0, dropped<1%".  */
#pragma once

#include "core/labs/routing/report/trace.h"

typedef enum {
  SL_EXPECT_LESS,
  SL_EXPECT_AT_MOST,
  SL_EXPECT_MORE,
  SL_EXPECT_AT_LEAST,
  SL_EXPECT_EQUAL
} SlExpectHow;

typedef struct
{
  unsigned    figure; /* of a line, as below */
  SlExpectHow how;
  double      bound;
  gboolean    percent; /* of a share, or of the experts */
} SlExpectation;

/* Appends the expectations of a text to an array of SlExpectation.  SL_EINVAL: a word that is none. */
SlStatus sl_trace_expect_read (const char *text, GArray *expectations);

/* Whether every layer that has the figure keeps to the expectation, and at least one has it. */
typedef struct
{
  unsigned layers, failing; /* that have the figure; of them those beyond the bound */
  unsigned worst;           /* layer */
} SlExpectResult;

SlExpectResult sl_trace_expect (const SlExpectation *expectation, unsigned layers, unsigned experts,
                                const SlTraceLine *line);

static inline gboolean
sl_trace_expect_holds (const SlExpectResult *result)
{
  return result->layers > 0 && result->failing == 0;
}

/* Why it does not: "layer 8: dropped 8.9 %, expected < 1 % (in 3 of 24 layers)"; free with g_free(). */
char *sl_trace_expect_sentence (const SlExpectation *expectation, const SlExpectResult *result,
                                const SlRouting *recording, const SlTraceLine *line);
