/* SPDX-License-Identifier: MIT */
#include "core/labs/sign-estimator/math/predictor.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/gather.h"

void
sl_predictor_scores (SlPredictor *p, const SlPredictorSetting *setting, const SlPredictorInput *in,
                     sl_real *q)
{
  switch (setting->kind)
    {
    case SL_PREDICTOR_SVD:
      sl_lowrank_estimate (&p->svd, in->batch, in->x, in->bias, 0, in->low, q);
      break;
    case SL_PREDICTOR_LEARNED:
    case SL_PREDICTOR_TASK: sl_learned_scores (&p->learned, in->batch, in->x, in->low, q); break;
    case SL_PREDICTOR_BITS:
      sl_sign_bits_scores (&p->bits, in->batch, in->x, setting->abstain, setting->caution, q);
      break;
    case SL_PREDICTOR_ORACLE:
    default: memcpy (q, in->pre, in->batch * p->svd.units * sizeof *q); break;
    }
}

void
sl_predictor_decide (const SlPredictorSetting *setting, SlTheta theta, size_t batch, size_t units,
                     sl_real *q)
{
  bool at_least = setting->kind == SL_PREDICTOR_BITS || setting->kind == SL_PREDICTOR_MAGNITUDE;

  if (setting->kind == SL_PREDICTOR_ORACLE)
    return;
  if (theta.each != NULL)
    sl_threshold_apply_each (batch, units, theta.each, at_least, q);
  else
    sl_threshold_apply (batch * units, theta.one, at_least, q);
}

size_t
sl_predictor_rows (SlPredictor *p, const SlPredictorSetting *setting, const SlPredictorInput *in,
                   SlTheta theta, sl_real *est, uint32_t *rows)
{
  size_t units = p->svd.units;

  if (setting->kind == SL_PREDICTOR_BITS && theta.each == NULL)
    return sl_sign_bits_rows (&p->bits, in->x, setting->abstain, setting->caution, theta.one, rows);
  sl_predictor_scores (p, setting, in, est);
  sl_predictor_decide (setting, theta, 1, units, est);
  return sl_gather_rows (units, est, rows);
}

double
sl_predictor_macs (SlPredictorKind kind, double inputs, double units, double rank)
{
  switch (kind)
    {
    case SL_PREDICTOR_SVD:
    case SL_PREDICTOR_LEARNED:
    case SL_PREDICTOR_TASK: return rank * (inputs + units);
    case SL_PREDICTOR_BITS: return ceil (inputs / 64.0) * units;
    case SL_PREDICTOR_ORACLE:
    default: return 0.0;
    }
}
