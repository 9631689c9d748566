/* SPDX-License-Identifier: MIT
 *
 * What pictures of one example (alive.h) are to show.  Plain memory, so that it can cross threads.  */
#pragma once

#include <stdbool.h>

enum { SL_SUBJECT_NUMBERS = 4096, SL_SUBJECT_CLOSED = 16 };

/* A unit of a picture: the number of its field among those whose units can be switched off
 * (sl_alive_field()), and its own, both from 0.  */
typedef struct
{
  unsigned field, unit;
} SlChosenUnit;

typedef struct
{
  unsigned example;                 /* which validation example, from 0; they go round */
  unsigned n_own;                   /* numbers of an input of the person's own; 0: the example */
  float    own[SL_SUBJECT_NUMBERS]; /* an image: ink, 0 … 1, row by row; a plane: x and y as the
                                        * data have them; a text: its symbols */
  unsigned n_closed;
  SlChosenUnit closed[SL_SUBJECT_CLOSED]; /* units that are switched off, for the picture alone */
} SlSubject;

/* Switches a unit off, or on again; where there are too many, the one that was off longest is on again. */
void sl_subject_switch (SlSubject *subject, unsigned field, unsigned unit);

/* True when a unit is switched off. */
static inline bool
sl_subject_closes (const SlSubject *subject, unsigned field, unsigned unit)
{
  for (unsigned i = 0; i < subject->n_closed; i++)
    if (subject->closed[i].field == field && subject->closed[i].unit == unit)
      return true;
  return false;
}
