/* SPDX-License-Identifier: MIT */
#include "core/lab/subject.h"

#include <string.h>

static void
drop (SlSubject *subject, unsigned i)
{
  subject->n_closed--;
  memmove (subject->closed + i, subject->closed + i + 1,
           (subject->n_closed - i) * sizeof *subject->closed);
}

void
sl_subject_switch (SlSubject *subject, unsigned field, unsigned unit)
{
  for (unsigned i = 0; i < subject->n_closed; i++)
    if (subject->closed[i].field == field && subject->closed[i].unit == unit)
      {
        drop (subject, i);
        return;
      }
  if (subject->n_closed == SL_SUBJECT_CLOSED)
    drop (subject, 0);
  subject->closed[subject->n_closed++] = (SlChosenUnit) { field, unit };
}
