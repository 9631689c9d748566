/* SPDX-License-Identifier: MIT
 *
 * A ring of those who take part, under one lock that is held for a few comparisons; each one
 * waits on a condition of its own, so that a free slot wakes only who gets it.  */
#include "core/run/session/scheduler.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct SlTurns
{
  pthread_mutex_t mutex;
  unsigned        users; /* references */
  unsigned        slots, held;
  double          seconds; /* of a slice */
  bool            level;   /* slices are of one update instead, and all of them level */
  uint64_t        tickets; /* handed out at the end of a slice: the lowest goes next */
  SlTurn         *first;
};

struct SlTurn
{
  SlTurns       *turns;
  SlTurn        *next;
  pthread_cond_t wake;
  bool           active; /* at work: waits or holds, or will ask again at once */
  bool           over;   /* nobody waits for it any more */
  bool           waits, holds;
  bool           called; /* somebody wants its attention */
  bool           urgent; /* goes before those who merely wait */
  uint64_t       ticket;
  uint64_t       slices; /* where they are level: the updates it has made */
  double         begin;  /* of this slice */
};

static double
seconds_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static SlTurns *
turns_new (unsigned slots, double seconds, bool level)
{
  SlTurns *turns = calloc (1, sizeof *turns);

  if (turns == NULL)
    return NULL;
  turns->users = 1;
  turns->slots = slots > 0 ? slots : 1;
  turns->seconds = seconds;
  turns->level = level;
  pthread_mutex_init (&turns->mutex, NULL);
  return turns;
}

SlTurns *
sl_turns_new (unsigned slots, double seconds)
{
  return turns_new (slots, seconds, false);
}

SlTurns *
sl_turns_new_level (unsigned slots)
{
  return turns_new (slots, 0.0, true);
}

SlTurns *
sl_turns_use (SlTurns *turns)
{
  pthread_mutex_lock (&turns->mutex);
  turns->users++;
  pthread_mutex_unlock (&turns->mutex);
  return turns;
}

void
sl_turns_leave (SlTurns *turns)
{
  bool last;

  if (turns == NULL)
    return;
  pthread_mutex_lock (&turns->mutex);
  last = --turns->users == 0;
  pthread_mutex_unlock (&turns->mutex);
  if (!last)
    return;
  pthread_mutex_destroy (&turns->mutex);
  free (turns);
}

/* ---- with the lock held ---- */

/* Where slices are level: the updates that the slowest one has made. */
static uint64_t
level_of (const SlTurns *turns)
{
  uint64_t least = UINT64_MAX;

  for (const SlTurn *turn = turns->first; turn != NULL; turn = turn->next)
    if (!turn->over && turn->slices < least)
      least = turn->slices;
  return least;
}

static bool
goes_before (const SlTurn *a, const SlTurn *b)
{
  return a->urgent != b->urgent ? a->urgent : a->ticket < b->ticket;
}

/* Who goes next: of those that wait, the first.  Where slices are level, the first of those that
 * are not ahead, and the others wait for it even while it is still on its way.  NULL: nobody.  */
static SlTurn *
next_one (const SlTurns *turns)
{
  uint64_t least = turns->level ? level_of (turns) : 0;
  SlTurn  *best = NULL;

  for (SlTurn *turn = turns->first; turn != NULL; turn = turn->next)
    {
      bool may = turns->level ? turn->active && !turn->holds && turn->slices <= least : turn->waits;

      if (may && (best == NULL || goes_before (turn, best)))
        best = turn;
    }
  return best != NULL && best->waits ? best : NULL;
}

static void
hand_out (SlTurns *turns)
{
  SlTurn *turn;

  while (turns->held < turns->slots && (turn = next_one (turns)) != NULL)
    {
      turn->waits = turn->urgent = false;
      turn->holds = true;
      turns->held++;
      pthread_cond_signal (&turn->wake);
    }
}

static void
begin_slice (SlTurn *turn)
{
  if (!turn->turns->level)
    turn->begin = seconds_now ();
}

static void
let_go (SlTurn *turn)
{
  if (!turn->holds)
    return;
  turn->holds = false;
  turn->turns->held--;
}

/* ---- one who takes part ---- */

SlTurn *
sl_turn_new (SlTurns *turns)
{
  SlTurn *turn = calloc (1, sizeof *turn);

  if (turn == NULL)
    return NULL;
  turn->turns = sl_turns_use (turns);
  pthread_cond_init (&turn->wake, NULL);
  pthread_mutex_lock (&turns->mutex);
  turn->next = turns->first;
  turns->first = turn;
  pthread_mutex_unlock (&turns->mutex);
  return turn;
}

void
sl_turn_free (SlTurn *turn)
{
  SlTurns *turns;
  SlTurn **link;

  if (turn == NULL)
    return;
  turns = turn->turns;
  pthread_mutex_lock (&turns->mutex);
  for (link = &turns->first; *link != turn; link = &(*link)->next)
    ;
  *link = turn->next;
  let_go (turn);
  hand_out (turns);
  pthread_mutex_unlock (&turns->mutex);
  pthread_cond_destroy (&turn->wake);
  free (turn);
  sl_turns_leave (turns);
}

bool
sl_turn_take (SlTurn *turn)
{
  SlTurns *turns = turn->turns;
  bool     taken;

  /* Only its own thread takes the slot away again, so it may look without the lock. */
  if (turn->holds)
    return true;
  pthread_mutex_lock (&turns->mutex);
  if (!turn->called)
    {
      /* A newcomer is served next. */
      if (!turn->active)
        {
          turn->active = true;
          turn->over = false;
          turn->urgent = !turns->level;
          turn->ticket = turns->tickets++;
        }
      turn->waits = true;
      hand_out (turns);
      while (!turn->holds && !turn->called)
        pthread_cond_wait (&turn->wake, &turns->mutex);
      if (turn->holds)
        begin_slice (turn);
      turn->waits = false;
    }
  taken = turn->holds;
  if (!taken)
    turn->urgent = !turns->level;
  turn->called = false;
  pthread_mutex_unlock (&turns->mutex);
  return taken;
}

/* At the end of the queue again.  A slot that nobody wants is kept, unless the others are to catch
 * up first.  */
static void
finish_slice (SlTurn *turn)
{
  SlTurns *turns = turn->turns;

  turn->slices++;
  turn->ticket = turns->tickets++;
  if (turns->level || next_one (turns) != NULL)
    {
      let_go (turn);
      hand_out (turns);
    }
  else if (turn->holds)
    begin_slice (turn);
}

void
sl_turn_done (SlTurn *turn)
{
  SlTurns *turns = turn->turns;

  if (!turns->level && seconds_now () - turn->begin < turns->seconds)
    return;
  pthread_mutex_lock (&turns->mutex);
  finish_slice (turn);
  pthread_mutex_unlock (&turns->mutex);
}

void
sl_turn_at (SlTurn *turn, uint64_t updates)
{
  /* Only its own thread counts, so it may look without the lock. */
  if (!turn->turns->level || turn->slices == updates)
    return;
  pthread_mutex_lock (&turn->turns->mutex);
  turn->slices = updates;
  hand_out (turn->turns);
  pthread_mutex_unlock (&turn->turns->mutex);
}

static void
stop_work (SlTurn *turn, bool active, bool over)
{
  SlTurns *turns = turn->turns;

  pthread_mutex_lock (&turns->mutex);
  turn->active = active;
  turn->over = over;
  let_go (turn);
  hand_out (turns);
  pthread_mutex_unlock (&turns->mutex);
}

void
sl_turn_pass (SlTurn *turn)
{
  stop_work (turn, true, false);
}

void
sl_turn_rest (SlTurn *turn, bool over)
{
  stop_work (turn, false, over);
}

void
sl_turn_call (SlTurn *turn)
{
  SlTurns *turns = turn->turns;

  pthread_mutex_lock (&turns->mutex);
  if (!turn->holds)
    {
      turn->called = true;
      pthread_cond_signal (&turn->wake);
    }
  pthread_mutex_unlock (&turns->mutex);
}

void
sl_turns_count (SlTurns *turns, unsigned *held, unsigned *waiting)
{
  *waiting = 0;
  pthread_mutex_lock (&turns->mutex);
  *held = turns->held;
  for (const SlTurn *turn = turns->first; turn != NULL; turn = turn->next)
    *waiting += turn->waits;
  pthread_mutex_unlock (&turns->mutex);
}
