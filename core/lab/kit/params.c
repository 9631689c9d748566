/* SPDX-License-Identifier: MIT */
#include "core/lab/kit/params.h"

const SlChoice sl_schedules[] = {
  { "constant", "Constant" },
  { "cosine", "Cosine to zero" },
  { "steps", "× 0.9 in steps" },
  { 0 },
};

const SlChoice sl_optimisers[]
  = { { "sgd", "Gradient descent" }, { "momentum", "Momentum 0.9" }, { "adam", "Adam" }, { 0 } };
