/* SPDX-License-Identifier: MIT
 *
 * The program with a person in it who does one thing after another by chance: ../hour.py starts it again
 * after each end, orderly or not.  What has to hold is checked after every action.  */
#pragma once

#include "tests/ui/ui.h"
#include "ui/window/window.h"

typedef struct
{
  GApplication *application;
  SlWindow     *window;
  SlStore      *store;
  GRand        *rand;
  char         *ledger;  /* names of the runs that the store was seen to have */
  GHashTable   *runs;    /* the same, and those that have to be there */
  unsigned      left;    /* actions before the end */
  gboolean      over;    /* the program is ending */
  char opening[SL_UUID]; /* the run that the last action asked for; "" if it was another action */
} Hour;

/* A run as bytes: what it would go on from, and what its curves show. */
typedef struct
{
  char     uuid[SL_UUID];
  uint64_t step;
  GBytes  *bytes;
  char    *curves, *settings; /* a sum, and a text */
  char    *recipe;            /* said where something differs */
} HourState;

SlSession *hour_session (const Hour *hour);

/* From 0 to below n. */
unsigned hour_choose (Hour *hour, unsigned n);

/* Says what is done, which is there when something goes wrong. */
void hour_say (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* ---- state.c ---- */

/* Pauses and takes the state.  FALSE where there is none to compare: no update yet, a look at the past,
 * no finite loss.  */
gboolean hour_state_take (Hour *hour, HourState *state);
void     hour_state_clear (HourState *state);

/* Stops the test unless both are the same run at the same update with the same settings, and the same bytes
 * unless a live change was made in between: labs report after one.  */
void hour_state_compare (const HourState *before, const HourState *now, gboolean live);

/* The store has every run that ever made an update, and the page of runs lists it. */
void hour_check_runs (Hour *hour);

/* As sl_wait(), and says what there is instead when it never comes. */
void hour_wait (Hour *hour, const char *what, SlCondition condition, gpointer data);

/* Waits until no other run is on its way, and nothing more comes of what was done; until the run that is
 * shown makes no update.  */
void hour_wait_loaded (Hour *hour);
void hour_wait_quiet (Hour *hour);

/* ---- place.c ---- */

/* Writes down what the window shows, beside the ledger; and stops the test unless that is what it shows
 * after the start, if anything was written down.  */
void hour_note_place (Hour *hour);
void hour_check_place (Hour *hour);

/* ---- act.c ---- */

/* Does something by chance. */
void hour_act (Hour *hour);

/* Changes something, takes it back and makes it again: bytes are to be the same each time. */
void hour_there_and_back (Hour *hour);
