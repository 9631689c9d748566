/* SPDX-License-Identifier: MIT
 *
 * Limited-memory BFGS (Nocedal and Wright 2006, algorithms 7.4 and 7.5) with a line search for the
 * strong Wolfe conditions (their 3.5 and 3.6, with cubic steps).
 * The whole memory is the caller's; a step allocates nothing and depends on nothing but its
 * arguments.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"

enum { SL_LBFGS_MOST = 32 }; /* pairs of differences that can be kept */

/* What is remembered between steps, beside the differences themselves.  Zeros: nothing. */
typedef struct
{
  unsigned pairs, next;        /* in use; where the next one goes */
  double   rho[SL_LBFGS_MOST]; /* 1 / y's */
  bool     begun;              /* `gradient` and `loss` are those of the present x */
  double   loss;
} SlLbfgsMemory;

typedef struct
{
  size_t         n;
  unsigned       most;     /* pairs kept, from 1 to SL_LBFGS_MOST */
  SlLbfgsMemory *memory;   /* kept, as are the next three: a copy of them goes on the same */
  sl_real       *s, *y;    /* (most, n) differences of x and of gradients */
  sl_real       *gradient; /* (n) at x */
  sl_real *direction, *x0, *g0, *best; /* (n) scratch: where the step goes, where it began, the
                                        * gradients there and at the lowest point so far */
} SlLbfgs;

/* Evaluates the loss and its gradient (n) at x (n), the same `x` that the step was called with.  A
 * loss that is not finite means: not as far as that.  */
typedef void (*SlLbfgsEvaluate) (void *data, const sl_real *x, double *loss, sl_real *gradient);

typedef struct
{
  unsigned evaluations;
  double   length;    /* of the step, ‖x − x before‖; 0: x stayed */
  bool     restarted; /* the history was of no use and was thrown away */
} SlLbfgsReport;

/* Cuts everything for n numbers and a history of `most` pairs. */
void sl_lbfgs_carve (SlLbfgs *o, size_t n, unsigned most, SlArena *kept, SlArena *scratch);

/* Forgets the history: the next step goes down the gradient.  After the objective changed. */
void sl_lbfgs_clear (SlLbfgs *o);

/* Keeps the history, but evaluates anew at the beginning of the next step: for objectives that are
 * drawn anew for every step.  */
void sl_lbfgs_redraw (SlLbfgs *o);

/* One step: x (n) is moved to where the loss is lower.  The first step after clearing begins by
 * trying the length `first` (a norm).  Afterwards loss and gradient at x are those in `o`.  False:
 * the loss is not finite where the step began; x is what it was.  When no lower point is found, by the
 * history nor down the gradient, x stays, which is no failure.  */
bool sl_lbfgs_step (SlLbfgs *o, double first, sl_real *x, SlLbfgsEvaluate evaluate, void *data,
                    SlLbfgsReport *report);
