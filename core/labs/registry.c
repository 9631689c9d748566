/* SPDX-License-Identifier: MIT */
#include "core/labs/registry.h"

#include <string.h>

const SlLab *
sl_lab_find (const char *id)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    if (strcmp ((*lab)->id, id) == 0)
      return *lab;
  return NULL;
}
