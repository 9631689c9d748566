/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/loss.h"

#include <tgmath.h>

double
sl_softmax_loss (size_t batch, size_t classes, const sl_real *logits, const uint8_t *label,
                 sl_real *dlogits, size_t *errors)
{
  double total = 0;
  size_t wrong = 0;

  for (size_t e = 0; e < batch; e++)
    {
      const sl_real *z = logits + e * classes;
      sl_real        at_label = z[label[e]], sum = 0;
      size_t         best = 0;

      for (size_t c = 1; c < classes; c++)
        if (z[c] > z[best])
          best = c;
      wrong += best != label[e];

      sl_real top = z[best];

      if (dlogits == NULL)
        for (size_t c = 0; c < classes; c++)
          sum += exp (z[c] - top);
      else
        {
          sl_real *d = dlogits + e * classes;

          for (size_t c = 0; c < classes; c++)
            sum += d[c] = exp (z[c] - top);

          sl_real scale = 1 / (sum * (sl_real) batch);

          for (size_t c = 0; c < classes; c++)
            d[c] *= scale;
          d[label[e]] -= 1 / (sl_real) batch;
        }
      total += (double) (log (sum) + top - at_label);
    }
  if (errors != NULL)
    *errors = wrong;
  return batch > 0 ? total / (double) batch : 0.0;
}

uint32_t
sl_decide (size_t outputs, const sl_real *logits, sl_real *margin)
{
  size_t  best = 0, next = 1;
  sl_real sum = 0;

  if (outputs == 1)
    {
      /* σ (z) - σ (-z) */
      *margin = tanh (fabs (logits[0]) / 2);
      return logits[0] > 0;
    }
  for (size_t c = 1; c < outputs; c++)
    if (logits[c] > logits[best])
      {
        next = best;
        best = c;
      }
    else if (c == 1 || logits[c] > logits[next])
      next = c;
  for (size_t c = 0; c < outputs; c++)
    sum += exp (logits[c] - logits[best]);
  *margin = (1 - exp (logits[next] - logits[best])) / sum;
  return (uint32_t) best;
}

double
sl_logistic_loss (size_t batch, const sl_real *logits, const uint8_t *label, sl_real *dlogits,
                  size_t *errors)
{
  double total = 0;
  size_t wrong = 0;

  for (size_t e = 0; e < batch; e++)
    {
      sl_real z = logits[e], small = exp (-fabs (z));
      sl_real towards = label[e] != 0 ? z : -z;

      /* log (1 + exp (-towards)), on the side that cannot overflow. */
      total += (double) (log1p (small) + (towards > 0 ? 0 : -towards));
      wrong += (z > 0) != (label[e] != 0);
      if (dlogits != NULL)
        {
          sl_real sigma = (z > 0 ? 1 : small) / (1 + small);

          dlogits[e] = (sigma - (label[e] != 0)) / (sl_real) batch;
        }
    }
  if (errors != NULL)
    *errors = wrong;
  return batch > 0 ? total / (double) batch : 0.0;
}
