/* SPDX-License-Identifier: MIT */
#include "core/data/set/reading.h"

#include <stdio.h>

void
sl_reading_note (SlFileReading *reading, SlMessage note)
{
  if (reading->n_notes < SL_READING_NOTES)
    reading->note[reading->n_notes++] = note;
}

void
sl_reading_other (SlFileReading *reading, const char *option, const char *value, SlMessage what)
{
  SlOtherReading *other = &reading->other[reading->n_others];

  if (reading->n_others == SL_READING_OTHERS)
    return;
  snprintf (other->option, sizeof other->option, "%s", option);
  snprintf (other->value, sizeof other->value, "%s", value);
  other->what = what;
  reading->n_others++;
}
