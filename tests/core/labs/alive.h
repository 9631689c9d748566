/* SPDX-License-Identifier: MIT
 *
 * What tests of the picture of a deciding network share.  */
#pragma once

#include "core/lab/alive.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"

/* The legend has every state that a unit is in. */
static inline void
alive_check_states (const SlAlive *alive)
{
  for (unsigned g = 0; g < alive->n_groups; g++)
    for (unsigned i = 0; sl_alive_field (alive, g) >= 0 && i < alive->group[g].n; i++)
      g_assert_true (alive->states
                     & 1U << sl_alive_state (alive->group[g].cell + (size_t) SL_ALIVE_COLUMNS * i));
}

/* Makes the picture of a run, with what else its subject has, and takes it apart; it is good until the next one. */
static inline SlAlive
alive_of (Run *run, unsigned example)
{
  SlAlive alive;

  run->subject.example = example;
  run->sink.subject = &run->subject;
  run_probe (run, "alive");
  g_assert_true (
    sl_alive_read (&alive, run->snapshot.data, run->snapshot.rows, run->snapshot.columns));
  g_assert_cmpuint (run->snapshot.n_data, ==, run->snapshot.rows * run->snapshot.columns);
  alive_check_states (&alive);
  return alive;
}

static inline const double *
alive_cell (const SlAlive *alive, unsigned group, size_t i)
{
  g_assert_cmpuint (i, <, alive->group[group].n);
  return alive->group[group].cell + i * SL_ALIVE_COLUMNS;
}

/* The numbers in the sentence of the picture, in their order; returns how many. */
static inline unsigned
alive_numbers (const Run *run, double *number, unsigned most)
{
  char     text[SL_MESSAGE_SIZE];
  unsigned n = 0;

  for (const char *at = sl_message_show (run->snapshot.note.packed, NULL, text, sizeof text);
       *at != '\0' && n < most;)
    if (g_ascii_isdigit (*at))
      number[n++] = g_ascii_strtod (at, (char **) &at);
    else
      at++;
  return n;
}

/* An input of the person's own that is an example is answered as that example, and has no true class; another one is
 * answered otherwise.  The data are points of a plane.  */
static inline void
alive_check_own (Run *run, unsigned example)
{
  double  share;
  sl_real x[2];
  uint8_t label;
  SlAlive alive = alive_of (run, example);

  share = alive.class[1];
  sl_dataset_range (run->dataset, sl_dataset_first (run->dataset, SL_VALID) + example, 1, x,
                    &label);
  run->subject.n_own = 2;
  run->subject.own[0] = (float) x[0];
  run->subject.own[1] = (float) x[1];
  alive = alive_of (run, example + 1);
  sl_assert_near (alive.class[1], share, 0, 1e-4); /* own numbers are floats */
  for (unsigned c = 0; c < alive.n_classes; c++)
    g_assert_cmpfloat (alive.class[(size_t) SL_ALIVE_COLUMNS * c + 2], ==, 0.0);
  run->subject.own[0] += 1.0F;
  alive = alive_of (run, example);
  g_assert_cmpfloat (fabs (alive.class[1] - share), >, 1e-6);
  run->subject.n_own = 0;
}
