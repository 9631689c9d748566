/* SPDX-License-Identifier: MIT */
#include "reproduce/measures.h"

#include <string.h>

SlMeasure
sl_measure_find (const char *name)
{
  static const struct
  {
    const char *name;
    SlMeasure   measure;
  } measures[] = {
    { "capacity", sl_measure_capacity }, { "blocks", sl_measure_blocks },
    { "units", sl_measure_units },       { "turns", sl_measure_turns },
    { "runs", sl_reproduction_runs },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (measures); i++)
    if (strcmp (measures[i].name, name) == 0)
      return measures[i].measure;
  return NULL;
}
