/* SPDX-License-Identifier: MIT
 *
 * What tests of the picture of a deciding network share.  */
#pragma once

#include "core/lab/alive.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"

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
