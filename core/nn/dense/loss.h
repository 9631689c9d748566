/* SPDX-License-Identifier: MIT
 *
 * Output layers with their loss.  Losses are means over the batch, in nats.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* Softmax and cross entropy.  Returns the mean loss; dlogits (B, C) unless NULL gets its
 * gradient (softmax - onehot) / B and may be `logits`.  *errors unless NULL gets the number of
 * examples whose largest logit (ties: lowest class) is not the label.  */
double sl_softmax_loss (size_t batch, size_t classes, const sl_real *logits, const uint8_t *label,
                        sl_real *dlogits, size_t *errors);

/* What one example's logits decide: the class and its probability minus that of the next best.  One
 * output means two classes, as in sl_logistic_loss().  */
uint32_t sl_decide (size_t outputs, const sl_real *logits, sl_real *margin);

/* One logit for two classes: logistic loss; the gradient is (σ(logit) - label) / B. */
double sl_logistic_loss (size_t batch, const sl_real *logits, const uint8_t *label,
                         sl_real *dlogits, size_t *errors);
