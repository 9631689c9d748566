/* SPDX-License-Identifier: MIT
 *
 * See twin.h.  */
#include "core/run/group/pair.h"

#include "core/nn/kernels/mat.h"

struct _SlTwin
{
  GObject parent;

  SlTurns   *turns;
  SlSession *session[SL_TWINS];
  char      *spec; /* of the data of both */
  uint64_t   seed;
};

G_DEFINE_FINAL_TYPE (SlTwin, sl_twin, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
start (SlTwin *self, unsigned which, const SlLab *lab, const SlSettings *settings, gboolean run)
{
  sl_session_start (self->session[which], lab, settings, self->spec, self->seed, run);
}

static void
on_changed (SlTwin *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Other data and another seed are for both. */
static void
on_restarted (SlTwin *self, SlSession *session)
{
  SlSession   *other = self->session[session == self->session[0]];
  const SlLab *lab = sl_session_lab (other);
  SlSettings   settings;

  if (lab == NULL
      || (sl_session_seed (session) == self->seed
          && g_strcmp0 (sl_session_spec (session), self->spec) == 0))
    return;
  self->seed = sl_session_seed (session);
  g_free (self->spec);
  self->spec = g_strdup (sl_session_spec (session));
  settings = *sl_session_settings (other);
  start (self, session == self->session[0], lab, &settings,
         sl_session_state (session) == SL_RUNNING);
}

SlTwin *
sl_twin_new (SlSession *like, gboolean run)
{
  SlTwin      *self = g_object_new (SL_TYPE_TWIN, NULL);
  const SlLab *lab = sl_session_lab (like);
  SlSettings   settings = *sl_session_settings (like);

  self->seed = sl_session_seed (like);
  self->spec = g_strdup (sl_session_spec (like));
  for (unsigned i = 0; i < SL_TWINS; i++)
    {
      sl_session_set_store (self->session[i], sl_session_store (like));
      sl_session_share_data (self->session[i], like);
      start (self, i, lab, &settings, run);
    }
  return self;
}

SlSession *
sl_twin_session (SlTwin *twin, unsigned which)
{
  return twin->session[which];
}

static void
for_both (SlTwin *twin, void (*command) (SlSession *session))
{
  for (unsigned i = 0; i < SL_TWINS; i++)
    command (twin->session[i]);
}

void
sl_twin_run (SlTwin *twin)
{
  for_both (twin, sl_session_run);
}

void
sl_twin_pause (SlTwin *twin)
{
  for_both (twin, sl_session_pause);
}

void
sl_twin_step (SlTwin *twin)
{
  for_both (twin, sl_session_step);
}

void
sl_twin_rewind (SlTwin *twin)
{
  for (unsigned i = 0; i < SL_TWINS; i++)
    {
      const SlLab *lab = sl_session_lab (twin->session[i]);

      if (lab != NULL)
        {
          SlSettings settings = *sl_session_settings (twin->session[i]);

          start (twin, i, lab, &settings, sl_session_state (twin->session[i]) != SL_PAUSED);
        }
    }
}

void
sl_twin_stop (SlTwin *twin)
{
  for_both (twin, sl_session_stop);
}

static void
sl_twin_dispose (GObject *object)
{
  SlTwin *self = SL_TWIN (object);

  for (unsigned i = 0; i < SL_TWINS; i++)
    if (self->session[i] != NULL)
      {
        g_signal_handlers_disconnect_by_data (self->session[i], self);
        g_clear_object (&self->session[i]);
      }
  G_OBJECT_CLASS (sl_twin_parent_class)->dispose (object);
}

static void
sl_twin_finalize (GObject *object)
{
  SlTwin *self = SL_TWIN (object);

  sl_turns_leave (self->turns);
  g_free (self->spec);
  G_OBJECT_CLASS (sl_twin_parent_class)->finalize (object);
}

static void
sl_twin_class_init (SlTwinClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_twin_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_twin_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
sl_twin_init (SlTwin *self)
{
  self->turns = sl_turns_new_level (sl_blas_cores ());
  for (unsigned i = 0; i < SL_TWINS; i++)
    {
      self->session[i] = sl_session_new ();
      sl_session_set_threads (self->session[i], 1);
      sl_session_set_place (self->session[i], i + 1);
      if (self->turns != NULL)
        sl_session_set_turns (self->session[i], self->turns);
      g_signal_connect_swapped (self->session[i], "changed", G_CALLBACK (on_changed), self);
      g_signal_connect_swapped (self->session[i], "restarted", G_CALLBACK (on_restarted), self);
    }
}
