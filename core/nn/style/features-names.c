/* SPDX-License-Identifier: MIT
 *
 * What readers of weights need to know of feature networks, without the networks.  */
#include <string.h>

#include "core/nn/style/features.h"

bool
sl_features_wants (const char *name)
{
  return strncmp (name, "conv", 4) == 0 || strncmp (name, "fire", 4) == 0
         || strncmp (name, "features.", 9) == 0;
}
