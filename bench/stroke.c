/* SPDX-License-Identifier: MIT
 *
 * From stroke to light: how long after a movement of the pen the pictures of the start page's networks have it, while
 * all of them train.  The pen moves 60 times a second at any time between two frames; what it drew is sent with the
 * next frame, as the pad does.  A movement has come when the data of every picture have its pixels.  */
#include <math.h>

#include "bench/bench.h"
#include "core/lab/alive.h"
#include "core/run/group/group.h"
#include "core/run/own/own.h"

enum { TRAINED = 100, MOVES = 300, PICTURES_MOST = 8 };

static const double frame_ms = 1000.0 / 60.0, light_ms = 50.0;

typedef struct
{
  SlGroup   *group;
  SlOwn     *own;
  SlSession *session[PICTURES_MOST];
  unsigned   panel[PICTURES_MOST], n;
  GRand     *rand;
} Desk;

static void
pause_until (gint64 then)
{
  while (g_get_monotonic_time () < then)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (200);
    }
}

static void
watch_pictures (Desk *desk)
{
  for (unsigned i = 0; i < sl_group_size (desk->group) && desk->n < PICTURES_MOST; i++)
    {
      const SlLab *lab = sl_group_lab (desk->group, i);
      int          panel = lab->data != SL_NEEDS_NOTHING ? sl_lab_panel (lab, "alive") : -1;

      if (panel < 0)
        continue;
      desk->session[desk->n] = sl_group_session (desk->group, i);
      desk->panel[desk->n++] = (unsigned) panel;
      while (sl_session_info (sl_group_session (desk->group, i))->step < TRAINED)
        g_main_context_iteration (NULL, TRUE);
      sl_session_watch (sl_group_session (desk->group, i), (unsigned) panel, TRUE);
    }
}

/* The picture of a session has the pixels that were sent to it. */
static gboolean
is_lit (SlSession *session, unsigned panel)
{
  const SlSubject *sent = sl_session_subject (session);
  const SlRecord  *record = sl_session_record (session);
  SlAlive          alive;

  if (!record->has_snapshot[panel]
      || !sl_alive_read (&alive, record->snapshot[panel].data, record->snapshot[panel].rows,
                         record->snapshot[panel].columns)
      || alive.width * alive.height != sent->n_own)
    return FALSE;
  for (unsigned i = 0; i < sent->n_own; i++)
    if (!(fabs (alive.pixel[(size_t) i * SL_ALIVE_COLUMNS + 1] - (double) sent->own[i]) < 1e-3))
      return FALSE;
  return TRUE;
}

/* Milliseconds from a movement, which ends up somewhere between two frames. */
static double
time_move (Desk *desk, unsigned i)
{
  double angle = i * 0.21, radius = 0.1 + 0.3 * (i % 60) / 60.0;
  gint64 begin = g_get_monotonic_time (), light = begin + 1000000;

  sl_own_hand (desk->own, i % 60 == 0 ? SL_HAND_BEGINS : SL_HAND_MOVES, 0.5 + radius * cos (angle),
               0.5 + radius * sin (angle), SL_PEN_NEW);
  pause_until (begin + (gint64) (1000.0 * g_rand_double_range (desk->rand, 0.0, frame_ms)));
  sl_own_send (desk->own);
  for (unsigned s = 0; s < desk->n; s++)
    while (!is_lit (desk->session[s], desk->panel[s]) && g_get_monotonic_time () < light)
      {
        g_main_context_iteration (NULL, FALSE);
        g_usleep (100);
      }
  light = g_get_monotonic_time ();
  pause_until (begin + (gint64) (1000.0 * frame_ms));
  return (double) (light - begin) / 1000.0;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static SlExit
bench_stroke (SlBench *bench)
{
  Desk desk = { .group = sl_group_new (), .own = sl_own_new (), .rand = g_rand_new_with_seed (1) };
  double ms[MOVES];

  sl_group_start (desk.group, "digits", 1, TRUE);
  watch_pictures (&desk);
  sl_own_set_sessions (desk.own, desk.session, desk.n);
  for (unsigned i = 0; i < MOVES; i++)
    {
      if (i % 60 == 0)
        sl_own_clear (desk.own);
      ms[i] = time_move (&desk, i);
    }
  qsort (ms, MOVES, sizeof *ms, compare);
  sl_bench_result (bench, "stroke.median", ms[MOVES / 2], "ms", SL_BAR_NONE, 0.0,
                   "from a stroke to the data of the pictures");
  sl_bench_result (bench, "stroke.95", ms[MOVES * 95 / 100], "ms", SL_BAR_MOST, light_ms,
                   "the same, 95 % of the strokes");
  g_object_unref (desk.own);
  g_object_unref (desk.group);
  g_rand_free (desk.rand);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_stroke
  = { "stroke", "from a stroke of the pen to the pictures of the networks", false, bench_stroke };
