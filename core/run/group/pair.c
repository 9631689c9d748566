/* SPDX-License-Identifier: MIT
 *
 * See pair.h.  */
#include "core/run/group/pair.h"

#include "core/nn/kernels/mat.h"

struct _SlPair
{
  GObject parent;

  SlScheduler *scheduler;
  SlSession   *session[SL_PAIR_RUNS];
  char        *spec; /* of the data of both */
  uint64_t     seed;
  gboolean     settled; /* data and seed are known */
};

G_DEFINE_FINAL_TYPE (SlPair, sl_pair, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
start (SlPair *self, unsigned which, const SlLab *lab, const SlSettings *settings, gboolean run)
{
  sl_session_start (self->session[which], lab, settings, self->spec, self->seed, run);
}

static void
on_changed (SlPair *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
settle (SlPair *self, SlSession *like)
{
  self->settled = TRUE;
  self->seed = sl_session_seed (like);
  g_free (self->spec);
  self->spec = g_strdup (sl_session_spec (like));
}

/* Other data and another seed are for both. */
static void
on_restarted (SlPair *self, SlSession *session)
{
  SlSession   *other = self->session[session == self->session[0]];
  const SlLab *lab = sl_session_lab (other);
  SlSettings   settings;

  if (!self->settled)
    {
      settle (self, session);
      return;
    }
  if (lab == NULL
      || (sl_session_seed (session) == self->seed
          && g_strcmp0 (sl_session_spec (session), self->spec) == 0))
    return;
  settle (self, session);
  settings = *sl_session_settings (other);
  start (self, session == self->session[0], lab, &settings,
         sl_session_state (session) == SL_RUNNING);
}

SlPair *
sl_pair_new (SlSession *like, gboolean run)
{
  SlPair      *self = g_object_new (SL_TYPE_PAIR, NULL);
  const SlLab *lab = sl_session_lab (like);
  SlSettings   settings = *sl_session_settings (like);

  settle (self, like);
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    {
      sl_session_set_store (self->session[i], sl_session_store (like));
      sl_session_share_data (self->session[i], like);
      start (self, i, lab, &settings, run);
    }
  return self;
}

SlPair *
sl_pair_new_empty (SlStore *store)
{
  SlPair *self = g_object_new (SL_TYPE_PAIR, NULL);

  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    sl_session_set_store (self->session[i], store);
  return self;
}

SlSession *
sl_pair_session (SlPair *pair, unsigned which)
{
  return pair->session[which];
}

static void
for_both (SlPair *pair, void (*command) (SlSession *session))
{
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    command (pair->session[i]);
}

void
sl_pair_run (SlPair *pair)
{
  for_both (pair, sl_session_run);
}

void
sl_pair_pause (SlPair *pair)
{
  for_both (pair, sl_session_pause);
}

void
sl_pair_step (SlPair *pair)
{
  for_both (pair, sl_session_step);
}

void
sl_pair_rewind (SlPair *pair)
{
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    sl_session_restart (pair->session[i], pair->spec, pair->seed,
                        sl_session_state (pair->session[i]) != SL_PAUSED);
}

void
sl_pair_ask_to_stop (SlPair *pair)
{
  for_both (pair, sl_session_ask_to_stop);
}

void
sl_pair_stop (SlPair *pair)
{
  sl_pair_ask_to_stop (pair);
  for_both (pair, sl_session_stop);
}

static void
sl_pair_dispose (GObject *object)
{
  SlPair *self = SL_PAIR (object);

  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    if (self->session[i] != NULL)
      {
        g_signal_handlers_disconnect_by_data (self->session[i], self);
        g_clear_object (&self->session[i]);
      }
  G_OBJECT_CLASS (sl_pair_parent_class)->dispose (object);
}

static void
sl_pair_finalize (GObject *object)
{
  SlPair *self = SL_PAIR (object);

  sl_scheduler_leave (self->scheduler);
  g_free (self->spec);
  G_OBJECT_CLASS (sl_pair_parent_class)->finalize (object);
}

static void
sl_pair_class_init (SlPairClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_pair_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_pair_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
sl_pair_init (SlPair *self)
{
  self->scheduler = sl_scheduler_new_level (sl_blas_cores ());
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    {
      self->session[i] = sl_session_new ();
      sl_session_set_threads (self->session[i], 1);
      sl_session_set_place (self->session[i], i + 1);
      if (self->scheduler != NULL)
        sl_session_set_scheduler (self->session[i], self->scheduler);
      g_signal_connect_swapped (self->session[i], "changed", G_CALLBACK (on_changed), self);
      g_signal_connect_swapped (self->session[i], "restarted", G_CALLBACK (on_restarted), self);
    }
}
