/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/lab/lab.h"

SlScore
sl_score (const SlScore *names, const char *id, double value)
{
  SlScore score;

  while (names->id != NULL && strcmp (names->id, id) != 0)
    names++;
  score = names->id != NULL ? *names : (SlScore) { id, id, "", 0 };
  score.value = value;
  return score;
}
