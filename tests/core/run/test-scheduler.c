/* SPDX-License-Identifier: MIT
 *
 * Taking turns: with bare threads, where every switch can be counted, and with sessions.  */
#include "core/run/base/scheduler.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/run/session/session.h"
#include "tests/core/run/walk-lab.h"

enum { WORKERS = 4 };

/* ---- bare threads ---- */

typedef struct
{
  SlScheduler     *scheduler;
  _Atomic unsigned inside, most; /* who work at once, and the most there ever were */
  _Atomic bool     stop;
  unsigned         workers;
  _Atomic unsigned begun; /* who have made an update */
  char            *log;   /* who made each update since all have */
  _Atomic unsigned logged;
  unsigned         length;
} Room;

typedef struct
{
  Room            *room;
  SlTimeSlice     *slice;
  char             name;
  pthread_t        thread;
  _Atomic unsigned updates, calls;
} Worker;

static void *
work (void *data)
{
  Worker *worker = data;
  Room   *room = worker->room;

  while (!atomic_load (&room->stop))
    {
      unsigned inside, most, at;

      if (!sl_time_slice_take (worker->slice))
        {
          atomic_fetch_add (&worker->calls, 1);
          continue;
        }
      inside = atomic_fetch_add (&room->inside, 1) + 1;
      most = atomic_load (&room->most);
      while (inside > most && !atomic_compare_exchange_weak (&room->most, &most, inside))
        ;
      for (volatile int i = 0; i < 2000; i++)
        ;
      atomic_fetch_sub (&room->inside, 1);
      if (atomic_load (&room->begun) == room->workers)
        {
          at = atomic_fetch_add (&room->logged, 1);
          if (at < room->length)
            room->log[at] = worker->name;
          else if (room->length > 0)
            atomic_store (&room->stop, true);
        }
      if (atomic_fetch_add (&worker->updates, 1) == 0)
        atomic_fetch_add (&room->begun, 1);
      sl_time_slice_done (worker->slice);
    }
  sl_time_slice_rest (worker->slice, true);
  return NULL;
}

static void
open_room (Room *room, SlScheduler *scheduler, Worker *workers, unsigned n)
{
  room->scheduler = scheduler;
  room->workers = n;
  for (unsigned i = 0; i < n; i++)
    workers[i]
      = (Worker) { .room = room, .slice = sl_time_slice_new (scheduler), .name = (char) ('A' + i) };
  for (unsigned i = 0; i < n; i++)
    pthread_create (&workers[i].thread, NULL, work, &workers[i]);
}

static void
close_room (Room *room, Worker *workers, unsigned n)
{
  atomic_store (&room->stop, true);
  for (unsigned i = 0; i < n; i++)
    sl_time_slice_call (workers[i].slice);
  for (unsigned i = 0; i < n; i++)
    {
      pthread_join (workers[i].thread, NULL);
      sl_time_slice_free (workers[i].slice);
    }
}

static unsigned
held (SlScheduler *scheduler)
{
  unsigned hold, wait;

  sl_scheduler_count (scheduler, &hold, &wait);
  return hold;
}

static unsigned
waiting (SlScheduler *scheduler)
{
  unsigned hold, wait;

  sl_scheduler_count (scheduler, &hold, &wait);
  return wait;
}

/* Never more than the slots at once, and everybody gets on. */
static void
test_slots (gconstpointer data)
{
  unsigned     slots = GPOINTER_TO_UINT (data);
  SlScheduler *scheduler = sl_scheduler_new (slots, 1e-4);
  Room         room = { 0 };
  Worker       workers[WORKERS];
  gboolean     all = FALSE;

  open_room (&room, scheduler, workers, WORKERS);
  while (!all)
    {
      all = TRUE;
      for (unsigned i = 0; i < WORKERS; i++)
        all = all && atomic_load (&workers[i].updates) >= 200;
      g_usleep (200);
    }
  close_room (&room, workers, WORKERS);
  g_assert_cmpuint (atomic_load (&room.most), >=, 1);
  g_assert_cmpuint (atomic_load (&room.most), <=, slots);
  g_assert_cmpuint (held (scheduler), ==, 0);
  sl_scheduler_leave (scheduler);
}

static void
wait_for_updates (Worker *workers, unsigned least)
{
  unsigned before[WORKERS];

  for (unsigned i = 0; i < WORKERS; i++)
    before[i] = atomic_load (&workers[i].updates);
  for (unsigned i = 0; i < WORKERS; i++)
    while (atomic_load (&workers[i].updates) - before[i] < least)
      g_usleep (200);
}

/* Fewer slots than are held: they are given up, and everybody still gets on; more, and they are taken. */
static void
test_fewer_slots (void)
{
  SlScheduler *scheduler = sl_scheduler_new (WORKERS, 1e-4);
  Room         room = { 0 };
  Worker       workers[WORKERS];

  open_room (&room, scheduler, workers, WORKERS);
  wait_for_updates (workers, 20);
  sl_scheduler_set_slots (scheduler, 1);
  while (held (scheduler) > 1)
    g_usleep (200);
  atomic_store (&room.most, 0);
  wait_for_updates (workers, 50);
  g_assert_cmpuint (atomic_load (&room.most), ==, 1);
  sl_scheduler_set_slots (scheduler, WORKERS);
  while (held (scheduler) < WORKERS)
    g_usleep (200);
  close_room (&room, workers, WORKERS);
  sl_scheduler_leave (scheduler);
}

typedef struct
{
  SlTimeSlice *slice;
  GString     *order; /* written by who holds the only slot */
  char         name;
  pthread_t    thread;
} Guest;

static void *
sign_in (void *data)
{
  Guest *guest = data;

  g_assert_true (sl_time_slice_take (guest->slice));
  g_string_append_c (guest->order, guest->name);
  sl_time_slice_done (guest->slice);
  g_assert_true (sl_time_slice_take (guest->slice));
  g_string_append_c (guest->order, guest->name);
  sl_time_slice_rest (guest->slice, false);
  return NULL;
}

/* First come, first served, and newcomers before who has had a slice. */
static void
test_order (void)
{
  enum { GUESTS = 3 };
  g_autoptr (GString) order = g_string_new (NULL);
  SlScheduler *scheduler = sl_scheduler_new (1, 0.0);
  SlTimeSlice *host = sl_time_slice_new (scheduler);
  Guest        guest[GUESTS];

  g_assert_true (sl_time_slice_take (host));
  for (unsigned i = 0; i < GUESTS; i++)
    {
      guest[i] = (Guest) { .slice = sl_time_slice_new (scheduler),
                           .order = order,
                           .name = (char) ('a' + i) };
      pthread_create (&guest[i].thread, NULL, sign_in, &guest[i]);
      while (waiting (scheduler) <= i)
        g_usleep (100);
    }
  sl_time_slice_done (host);
  g_assert_true (sl_time_slice_take (host));
  g_assert_true (g_str_has_prefix (order->str, "abc"));
  sl_time_slice_rest (host, false);
  for (unsigned i = 0; i < GUESTS; i++)
    {
      pthread_join (guest[i].thread, NULL);
      sl_time_slice_free (guest[i].slice);
    }
  g_assert_cmpuint (order->len, ==, 2 * GUESTS);
  sl_time_slice_free (host);
  sl_scheduler_leave (scheduler);
}

/* No one is ever more than an update ahead of another. */
static void
test_level (gconstpointer data)
{
  enum { LENGTH = 3000, TWO = 2 };
  char         log[LENGTH];
  unsigned     slots = GPOINTER_TO_UINT (data);
  int          made[TWO] = { 0 };
  SlScheduler *scheduler = sl_scheduler_new_level (slots);
  Room         room = { .log = log, .length = LENGTH };
  Worker       workers[TWO];

  open_room (&room, scheduler, workers, TWO);
  while (!atomic_load (&room.stop))
    g_usleep (200);
  close_room (&room, workers, TWO);
  for (unsigned i = 0; i < LENGTH; i++)
    {
      made[log[i] - 'A']++;
      g_assert_cmpint (ABS (made[0] - made[1]), <=, 2);
    }
  if (slots == 1)
    for (unsigned i = 0; i + 1 < LENGTH; i++)
      g_assert_cmpint (log[i], !=, log[i + 1]);
  sl_scheduler_leave (scheduler);
}

static void *
take_one (void *data)
{
  SlTimeSlice *slice = data;

  while (!sl_time_slice_take (slice))
    ;
  sl_time_slice_done (slice);
  return NULL;
}

/* Who rests is waited for, wherever it is by then; who is over or has gone holds nobody up. */
static void
test_resting (void)
{
  SlScheduler *scheduler = sl_scheduler_new_level (2);
  SlTimeSlice *one = sl_time_slice_new (scheduler), *other = sl_time_slice_new (scheduler);
  pthread_t    thread;

  for (unsigned i = 0; i < 100; i++)
    {
      g_assert_true (sl_time_slice_take (i % 2 > 0 ? one : other));
      sl_time_slice_done (i % 2 > 0 ? one : other);
    }
  sl_time_slice_rest (other, false);
  g_assert_true (sl_time_slice_take (one));
  sl_time_slice_done (one);
  sl_time_slice_rest (one, false);
  /* One has made 51 and the other 50. */
  pthread_create (&thread, NULL, take_one, one);
  while (waiting (scheduler) == 0)
    g_usleep (100);
  g_assert_cmpuint (held (scheduler), ==, 0);
  /* Put back, it catches up before one goes on. */
  sl_time_slice_at (other, 40);
  for (unsigned i = 0; i < 11; i++)
    {
      g_assert_cmpuint (waiting (scheduler), ==, 1);
      g_assert_true (sl_time_slice_take (other));
      sl_time_slice_done (other);
    }
  pthread_join (thread, NULL);
  g_assert_true (sl_time_slice_take (other));
  sl_time_slice_done (other);
  sl_time_slice_rest (other, true);
  for (unsigned i = 0; i < 10; i++)
    {
      g_assert_true (sl_time_slice_take (one));
      sl_time_slice_done (one);
    }
  sl_time_slice_free (other);
  g_assert_true (sl_time_slice_take (one));
  sl_time_slice_free (one);
  g_assert_cmpuint (held (scheduler), ==, 0);
  sl_scheduler_leave (scheduler);
}

typedef struct
{
  SlTimeSlice *slice;
  int          called; /* the first wait is over; atomic */
  bool         first, second;
} Waiting;

static void *
take_twice (void *data)
{
  Waiting *waiting = data;

  waiting->first = sl_time_slice_take (waiting->slice);
  g_atomic_int_set (&waiting->called, 1);
  waiting->second = sl_time_slice_take (waiting->slice);
  sl_time_slice_rest (waiting->slice, false);
  return NULL;
}

/* A call ends a wait, and one that came before the wait ends it too. */
static void
test_call (void)
{
  SlScheduler *scheduler = sl_scheduler_new (1, 0.0);
  SlTimeSlice *holder = sl_time_slice_new (scheduler), *caller = sl_time_slice_new (scheduler);
  Waiting      waiting = { .slice = caller };
  pthread_t    thread;

  g_assert_true (sl_time_slice_take (holder));
  pthread_create (&thread, NULL, take_twice, &waiting);
  sl_time_slice_call (caller);
  while (!g_atomic_int_get (&waiting.called))
    g_thread_yield ();
  sl_time_slice_rest (holder, false);
  pthread_join (thread, NULL);
  g_assert_false (waiting.first);
  g_assert_true (waiting.second);

  sl_time_slice_call (caller);
  g_assert_false (sl_time_slice_take (caller));
  g_assert_true (sl_time_slice_take (caller));
  /* One that holds looks by itself between two updates. */
  sl_time_slice_call (caller);
  g_assert_true (sl_time_slice_take (caller));
  sl_time_slice_free (caller);
  sl_time_slice_free (holder);
  sl_scheduler_leave (scheduler);
}

/* ---- sessions ---- */

static SlSession *
new_walk (SlScheduler *scheduler, uint64_t seed)
{
  SlSession *session = sl_session_new ();
  SlSettings settings;

  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  sl_session_set_scheduler (session, scheduler);
  sl_session_set_threads (session, 1);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, seed, TRUE);
  return session;
}

static void
wait_for_steps (SlSession *session, uint64_t steps)
{
  while (sl_session_info (session)->step < steps)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_sessions (void)
{
  SlScheduler *scheduler = sl_scheduler_new (2, 1e-3);
  SlSession   *session[WORKERS];
  SlValue      one = { .n = 1, .v = { 1.0 } };

  for (unsigned i = 0; i < WORKERS; i++)
    session[i] = new_walk (scheduler, i);
  for (unsigned i = 0; i < WORKERS; i++)
    wait_for_steps (session[i], 200);
  /* Paused ones stand still, and the others go on. */
  sl_session_pause (session[0]);
  sl_session_pause (session[1]);
  wait_for_steps (session[2], sl_session_info (session[2])->step + 200);
  wait_for_steps (session[3], sl_session_info (session[3])->step + 200);
  /* A single step while others run is one step. */
  while (sl_session_state (session[0]) != SL_PAUSED)
    g_main_context_iteration (NULL, TRUE);
  {
    uint64_t before;

    sl_session_stop (session[0]);
    before = sl_session_info (session[0])->step;
    sl_session_step (session[0]);
    wait_for_steps (session[0], before + 1);
    sl_session_stop (session[0]);
    g_assert_cmpuint (sl_session_info (session[0])->step, ==, before + 1);
  }
  /* A change reaches one that trains beside the others. */
  g_assert_true (sl_session_set (session[2], sl_walk_lab.params[0].id, &one, NULL));
  while (sl_session_record (session[2])->n_flags == 0)
    g_main_context_iteration (NULL, TRUE);
  /* In any order, in the middle of it all. */
  g_object_unref (session[2]);
  sl_session_run (session[1]);
  wait_for_steps (session[1], sl_session_info (session[1])->step + 100);
  g_object_unref (session[3]);
  g_object_unref (session[0]);
  g_object_unref (session[1]);
  g_assert_cmpuint (held (scheduler), ==, 0);
  sl_scheduler_leave (scheduler);
}

/* The reader of one is away, so its queue fills up: the other one goes on all the same. */
static void
test_full_queue (void)
{
  SlScheduler *scheduler = sl_scheduler_new (1, 1e-3);
  SlSession   *one = new_walk (scheduler, 1), *other = new_walk (scheduler, 2);

  wait_for_steps (one, 100);
  wait_for_steps (other, 100);
  for (unsigned i = 0; i < 20; i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  wait_for_steps (other, sl_session_info (other)->step + 1000);
  g_object_unref (one);
  wait_for_steps (other, sl_session_info (other)->step + 1000);
  g_object_unref (other);
  sl_scheduler_leave (scheduler);
}

/* The same bytes whoever else trains. */
static void
test_same_numbers (void)
{
  SlScheduler *scheduler = sl_scheduler_new (1, 1e-4);
  SlSession   *alone = new_walk (NULL, 7), *beside = new_walk (scheduler, 7),
            *other = new_walk (scheduler, 8);
  const SlSeries *a, *b;

  wait_for_steps (alone, 500);
  wait_for_steps (beside, 500);
  wait_for_steps (other, 1);
  a = &sl_session_record (alone)->series[0];
  b = &sl_session_record (beside)->series[0];
  g_assert_cmpuint (MIN (a->n, b->n), >, 0);
  for (size_t i = 0; i < MIN (a->n, b->n); i++)
    {
      g_assert_cmpfloat (a->step[i], ==, b->step[i]);
      g_assert_cmpfloat (a->value[i], ==, b->value[i]);
    }
  g_object_unref (alone);
  g_object_unref (beside);
  g_object_unref (other);
  sl_scheduler_leave (scheduler);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/scheduler/slots/1", GUINT_TO_POINTER (1), test_slots);
  g_test_add_data_func ("/scheduler/slots/3", GUINT_TO_POINTER (3), test_slots);
  g_test_add_func ("/scheduler/fewer-slots", test_fewer_slots);
  g_test_add_func ("/scheduler/order", test_order);
  g_test_add_data_func ("/scheduler/level/1", GUINT_TO_POINTER (1), test_level);
  g_test_add_data_func ("/scheduler/level/2", GUINT_TO_POINTER (2), test_level);
  g_test_add_func ("/scheduler/resting", test_resting);
  g_test_add_func ("/scheduler/call", test_call);
  g_test_add_func ("/scheduler/sessions", test_sessions);
  g_test_add_func ("/scheduler/full-queue", test_full_queue);
  g_test_add_func ("/scheduler/same-numbers", test_same_numbers);
  return g_test_run ();
}
