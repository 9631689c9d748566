/* SPDX-License-Identifier: MIT
 *
 * Whether a figure reaches its bar.  */
#pragma once

typedef enum {
  SL_BAR_LEAST, /* good when at least the bar */
  SL_BAR_MOST,  /* good when at most the bar */
  SL_BAR_SHARE, /* the same as LEAST for a share of all there is: more than that was measured wrongly */
  SL_BAR_NONE, /* for information */
} SlBarKind;

/* "ok"; "short", also of not-a-number; "error" of a share of more than 1.05; "" without a bar.  Static. */
const char *sl_bench_verdict (SlBarKind kind, double value, double bar);
