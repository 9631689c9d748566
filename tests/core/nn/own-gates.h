/* SPDX-License-Identifier: MIT
 *
 * Gates as a program brings them, written without regard to speed.  */
#pragma once

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/own-gate.h"
#include "core/nn/moe/select.h"

typedef enum {
  OWN_PLAIN,     /* the k largest */
  OWN_NONE,      /* the same, but every third row has no expert */
  OWN_SOFTMAX,   /* the k largest, with the values that a plain gate has */
  OWN_SIGMOID,   /* the k largest, each with its own sigmoid */
  OWN_SIGNED,    /* the k largest with their hyperbolic tangents */
  OWN_SPARSEMAX, /* Martins and Astudillo 2016 */
} OwnKind;

/* What goes wrong in the call that fails. */
typedef enum { OWN_REFUSES, OWN_NAN, OWN_NO_SLOPES, OWN_NAN_SLOPES } OwnFault;

typedef struct
{
  OwnKind   kind;
  size_t    k;
  guint     calls, training, asked; /* of choose(), of those in training, of slopes() */
  guint     fails; /* which call in training fails, or of other passes with `outside`; 0: none */
  gboolean  outside;
  OwnFault  fault;
  SlOwnGate gate;
  GArray   *value; /* of sl_real: values of the last batch in training */
} Own;

static inline double
own_slope (const Own *own, double value)
{
  return own->kind == OWN_SIGMOID ? value * (1.0 - value) : 1.0 - value * value;
}

/* The k largest of a row, among equal ones the first. */
static inline void
own_largest (size_t n, size_t k, const sl_real *u, uint8_t *mask)
{
  for (size_t i = 0; i < n; i++)
    {
      size_t above = 0;

      for (size_t j = 0; j < n; j++)
        above += u[j] > u[i] || (u[j] == u[i] && j < i);
      mask[i] = above < k ? 7 : 0; /* any truth is one */
    }
}

/* The largest support with 1 + m u_m > Σ of the m largest. */
static inline void
own_sparsemax (size_t n, const sl_real *u, uint8_t *mask, sl_real *weights)
{
  double threshold = 0.0;

  for (size_t m = n; m > 0; m--)
    {
      double sum = 0.0, least = HUGE_VAL;

      own_largest (n, m, u, mask);
      for (size_t i = 0; i < n; i++)
        if (mask[i])
          {
            sum += (double) u[i];
            least = fmin (least, (double) u[i]);
          }
      threshold = (sum - 1.0) / (double) m;
      if (1.0 + (double) m * least > sum)
        break;
    }
  for (size_t i = 0; i < n; i++)
    weights[i] = (sl_real) ((double) u[i] - threshold); /* not read outside the mask */
}

static inline void
own_weigh (const Own *own, size_t n, const sl_real *u, const uint8_t *mask, sl_real *weights)
{
  if (own->kind == OWN_SOFTMAX)
    sl_select_softmax (n, u, mask, weights);
  for (size_t i = 0; own->kind != OWN_SOFTMAX && i < n; i++)
    weights[i] = (sl_real) (own->kind == OWN_SIGMOID ? 1.0 / (1.0 + exp (-(double) u[i]))
                                                     : tanh ((double) u[i]));
}

static inline bool
own_choose (void *data, SlOwnBatch *batch)
{
  Own     *own = data;
  size_t   n = batch->experts;
  guint    call = batch->training ? ++own->training : ++own->calls - own->training;
  gboolean bad = own->fails == call && !own->outside == batch->training;

  own->calls += batch->training;
  for (size_t c = 0; c < batch->rows * n; c++)
    {
      g_assert_true (isfinite (batch->logits[c]));
      g_assert_cmpuint (batch->mask[c], ==, 0);
      g_assert_true (batch->weights[c] == 0);
    }
  if (bad && own->fault == OWN_REFUSES)
    return false;
  batch->weighted = own->kind > OWN_NONE;
  for (size_t r = 0; r < batch->rows; r++)
    {
      const sl_real *u = batch->logits + r * n;

      if (own->kind == OWN_SPARSEMAX)
        own_sparsemax (n, u, batch->mask + r * n, batch->weights + r * n);
      else if (own->kind != OWN_NONE || r % 3 != 0)
        own_largest (n, own->k, u, batch->mask + r * n);
      if (batch->weighted && own->kind != OWN_SPARSEMAX)
        own_weigh (own, n, u, batch->mask + r * n, batch->weights + r * n);
    }
  if (bad && own->fault == OWN_NAN)
    for (size_t c = 0; c < batch->rows * n; c++)
      batch->weights[c] = batch->mask[c] ? (sl_real) NAN : 0;
  if (batch->training)
    {
      g_array_set_size (own->value, 0);
      g_array_append_vals (own->value, batch->weights, (guint) (batch->rows * n));
    }
  return true;
}

/* Of a row; outside the mask dweights are zeros, and the values of a sparsemax are not above 0. */
static inline void
own_slopes_of_row (const Own *own, size_t n, const sl_real *value, const sl_real *dweights,
                   sl_real *dlogits)
{
  sl_real mean = 0, inside = 0;

  for (size_t i = 0; i < n; i++)
    {
      inside += value[i] > 0;
      mean
        += own->kind == OWN_SPARSEMAX ? (value[i] > 0 ? dweights[i] : 0) : value[i] * dweights[i];
    }
  for (size_t i = 0; i < n; i++)
    dlogits[i] = own->kind == OWN_SPARSEMAX ? (value[i] > 0 ? dweights[i] - mean / inside : 0)
                 : own->kind == OWN_SOFTMAX
                   ? value[i] * (dweights[i] - mean)
                   : dweights[i] * (sl_real) own_slope (own, (double) value[i]);
}

static inline bool
own_slopes (void *data, size_t rows, size_t n, const sl_real *dweights, sl_real *dlogits)
{
  Own           *own = data;
  const sl_real *value = (const sl_real *) (gpointer) own->value->data;
  gboolean       bad = ++own->asked == own->fails && !own->outside;

  g_assert_cmpuint (own->value->len, ==, rows * n);
  if (bad && own->fault == OWN_NO_SLOPES)
    return false;
  for (size_t r = 0; r < rows; r++)
    own_slopes_of_row (own, n, value + r * n, dweights + r * n, dlogits + r * n);
  if (bad && own->fault == OWN_NAN_SLOPES)
    dlogits[0] = (sl_real) NAN;
  return true;
}

static inline void
own_init (Own *own, OwnKind kind, size_t k)
{
  *own = (Own) { .kind = kind, .k = k, .value = g_array_new (FALSE, FALSE, sizeof (sl_real)) };
  own->gate = (SlOwnGate) { own_choose, kind > OWN_NONE ? own_slopes : NULL, own };
}

static inline void
own_clear (Own *own)
{
  g_array_unref (own->value);
}
