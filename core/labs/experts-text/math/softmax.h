/* SPDX-License-Identifier: MIT
 *
 * Softmax and cross entropy over a vocabulary, whose labels do not fit into a byte and whose rows
 * are long: rows are shared out among threads, and the sums are the same for any number of them.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/real.h"

/* The loss in nats of each row of logits (R, C) into loss (R), and 1 into wrong (R) where the largest
 * logit (ties: the lowest one) is not the label's, else 0.  Unless `scale` is 0 the logits become
 * scale (softmax - onehot).  */
void sl_vocabulary_loss (size_t rows, size_t kinds, sl_real *logits, const uint16_t *label,
                         sl_real scale, sl_real *loss, uint8_t *wrong);
