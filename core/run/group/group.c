/* SPDX-License-Identifier: MIT
 *
 * See group.h.  */
#include "core/run/group/group.h"

#include <math.h>

#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/group/summary.h"

/* A slice is long enough that the switch of threads costs nothing, and short enough that the user
 * does not notice the wait for the next step of any run.  */
static const double SLICE_SECONDS = 0.008;

typedef struct
{
  const SlLab *lab;
  SlSession   *session;
  gboolean     held;   /* was running when another one was looked at */
  gboolean     begun;  /* has had a run: what was wished before has come to it */
  SlStoredRun  stored; /* to begin with; its lab is NULL: none */
  gboolean     go;     /* (stored) */
} Member;

struct _SlGroup
{
  GObject parent;

  SlScheduler *scheduler;
  GArray      *members; /* of Member */
  char        *spec;
  uint64_t     seed;
  gboolean     run;    /* those that wait for the data will train */
  SlSession   *focus;  /* the one that is looked at, only compared; NULL: all */
  SlSession   *opener; /* reads the data that the others wait for; borrowed, NULL: none */
  gboolean     wished[SL_N_HEADLINES]; /* the role was set before all runs had begun, */
  double       wish[SL_N_HEADLINES];   /* to this */
};

G_DEFINE_FINAL_TYPE (SlGroup, sl_group, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static Member *
member (SlGroup *self, unsigned i)
{
  return &g_array_index (self->members, Member, i);
}

/* ---- beginning ---- */

static void
start_stored (Member *m, gboolean go)
{
  SlStoredRun run = m->stored;

  m->stored = (SlStoredRun) { 0 };
  if (run.uuid[0] != '\0')
    sl_session_resume (m->session, &run, go);
  else
    sl_session_replay (m->session, &run.recipe, go);
  sl_stored_run_clear (&run);
}

static void
start (SlGroup *self, Member *m)
{
  gboolean   stored = m->stored.recipe.lab != NULL, go = stored ? m->go : self->run;
  SlSettings settings;
  SlStatus   status;

  m->held = go && self->focus != NULL && self->focus != m->session;
  if (stored)
    {
      start_stored (m, go && !m->held);
      return;
    }
  status = sl_summary_settings (m->lab, &settings);
  if (!sl_ok (&status)) /* a mistake in the descriptor, which a test looks for */
    sl_settings_default (&settings, m->lab->params, m->lab->n_params);
  sl_session_start (m->session, m->lab, &settings,
                    m->lab->data != SL_NEEDS_NOTHING ? self->spec : NULL, self->seed,
                    go && !m->held);
}

/* The data are read, and the others use them; or they cannot be read. */
static void
start_others (SlGroup *self)
{
  SlSession *opener = g_steal_pointer (&self->opener);

  if (sl_session_lab (opener) == NULL)
    return;
  for (unsigned i = 0; i < self->members->len; i++)
    {
      Member *m = member (self, i);

      if (m->lab->data == SL_NEEDS_NOTHING || m->session == opener)
        continue;
      sl_session_share_data (m->session, opener);
      start (self, m);
    }
}

static void set_role (SlGroup *self, unsigned i, SlHeadline headline, double value);

/* Sets the roles that were changed while the run was loaded. */
static void
fulfil (SlGroup *self, unsigned i)
{
  Member *m = member (self, i);

  if (m->begun || sl_session_lab (m->session) == NULL)
    return;
  m->begun = TRUE;
  for (SlHeadline h = SL_HEADLINE_NONE + 1; h < SL_N_HEADLINES; h++)
    if (self->wished[h])
      set_role (self, i, h, self->wish[h]);
}

static void
on_changed (SlSession *session, SlGroup *self)
{
  for (unsigned i = 0; i < self->members->len; i++)
    if (member (self, i)->session == session)
      fulfil (self, i);
  if (session == self->opener && !sl_session_is_loading (session))
    start_others (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
sl_group_start (SlGroup *group, const char *spec, uint64_t seed, gboolean run)
{
  g_free (group->spec);
  group->spec = g_strdup (spec);
  group->seed = seed;
  group->run = run;
  for (unsigned i = 0; i < group->members->len; i++)
    {
      Member *m = member (group, i);

      if (m->lab->data == SL_NEEDS_NOTHING)
        start (group, m);
      else if (group->opener == NULL)
        {
          group->opener = m->session;
          start (group, m);
        }
    }
}

void
sl_group_set_stored (SlGroup *group, unsigned i, SlStoredRun *run, gboolean go)
{
  Member *m = member (group, i);

  sl_stored_run_clear (&m->stored);
  m->stored = *run;
  *run = (SlStoredRun) { 0 };
  m->go = go;
}

void
sl_group_set_store (SlGroup *group, SlStore *store)
{
  for (unsigned i = 0; i < group->members->len; i++)
    sl_session_set_store (member (group, i)->session, store);
}

/* ---- all together ---- */

unsigned
sl_group_size (SlGroup *group)
{
  return group->members->len;
}

SlSession *
sl_group_session (SlGroup *group, unsigned i)
{
  return member (group, i)->session;
}

const SlLab *
sl_group_lab (SlGroup *group, unsigned i)
{
  return member (group, i)->lab;
}

static void
for_all (SlGroup *group, void (*command) (SlSession *session))
{
  for (unsigned i = 0; i < group->members->len; i++)
    command (member (group, i)->session);
}

/* Sets whether runs train, also of those that wait for the data. */
static void
let_go (SlGroup *self, gboolean run)
{
  self->run = run;
  for (unsigned i = 0; i < self->members->len; i++)
    member (self, i)->go = run;
}

void
sl_group_run (SlGroup *group)
{
  let_go (group, TRUE);
  for_all (group, sl_session_run);
}

void
sl_group_pause (SlGroup *group)
{
  let_go (group, FALSE);
  for_all (group, sl_session_pause);
}

void
sl_group_step (SlGroup *group)
{
  sl_group_pause (group);
  for_all (group, sl_session_step);
}

void
sl_group_ask_to_stop (SlGroup *group)
{
  for_all (group, sl_session_ask_to_stop);
}

void
sl_group_leave (SlGroup *group, gint64 deadline)
{
  /* Sessions no longer wait for the data. */
  group->opener = NULL;
  sl_group_ask_to_stop (group);
  for (unsigned i = 0; i < group->members->len; i++)
    sl_session_leave (member (group, i)->session, deadline);
}

void
sl_group_restart (SlGroup *group, uint64_t seed)
{
  group->seed = seed;
  for (unsigned i = 0; i < group->members->len; i++)
    sl_session_restart (member (group, i)->session, NULL, seed, group->run);
}

gboolean
sl_group_is_running (SlGroup *group)
{
  for (unsigned i = 0; i < group->members->len; i++)
    if (sl_session_state (member (group, i)->session) == SL_RUNNING)
      return TRUE;
  return FALSE;
}

uint64_t
sl_group_seed (SlGroup *group)
{
  return group->seed;
}

const GError *
sl_group_error (SlGroup *group)
{
  for (unsigned i = 0; i < group->members->len; i++)
    if (sl_session_error (member (group, i)->session) != NULL)
      return sl_session_error (member (group, i)->session);
  return NULL;
}

void
sl_group_clear_errors (SlGroup *group)
{
  for_all (group, sl_session_clear_error);
}

gboolean
sl_group_goes (SlGroup *group, unsigned i)
{
  return member (group, i)->held || sl_session_state (member (group, i)->session) == SL_RUNNING;
}

void
sl_group_focus (SlGroup *group, SlSession *session)
{
  group->focus = session;
  for (unsigned i = 0; i < group->members->len; i++)
    {
      Member *m = member (group, i);

      if (session != NULL && m->session != session && sl_session_goes (m->session))
        {
          m->held = TRUE;
          sl_session_pause (m->session);
        }
      else if (m->held && (session == NULL || m->session == session))
        {
          m->held = FALSE;
          sl_session_run (m->session);
        }
    }
}

/* ---- roles ---- */

int
sl_group_param (SlGroup *group, unsigned i, SlHeadline headline)
{
  const SlLab *lab = member (group, i)->lab;

  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].headline == headline)
      return (int) p;
  return -1;
}

/* The largest value of element e of a parameter under these settings. */
static double
upper_end (const SlLab *lab, const SlSettings *settings, const SlParam *param, unsigned e)
{
  int other = param->each != NULL ? sl_param_find (lab->params, lab->n_params, param->each) : -1;
  const SlValue *value = other >= 0 ? &settings->value[other] : NULL;

  if (value == NULL || value->n == 0)
    return sl_param_reach (settings, lab->params, lab->n_params, (unsigned) (param - lab->params));
  return fmin (param->hi, value->v[e < value->n ? e : value->n - 1]);
}

/* A rank of 0 estimates nothing; the lab itself offers that value. */
static double
lower_end (const SlParam *param)
{
  return sl_param_is_whole (param) ? fmax (param->lo, 1.0) : param->lo;
}

/* Every element of the parameter, as near as its own range allows. */
static void
put (const SlLab *lab, unsigned p, SlSettings *settings, double value)
{
  const SlParam *param = &lab->params[p];

  for (unsigned e = 0; e < settings->value[p].n; e++)
    settings->value[p].v[e]
      = fmax (lower_end (param), fmin (value, upper_end (lab, settings, param, e)));
}

/* The settings that a session has, or will have when its first run is there. */
static void
settings_of (SlGroup *self, unsigned i, SlSettings *settings)
{
  Member *m = member (self, i);

  if (sl_session_lab (m->session) != NULL)
    {
      *settings = *sl_session_settings (m->session);
      return;
    }
  sl_summary_settings (m->lab, settings);
  for (SlHeadline h = SL_HEADLINE_NONE + 1; h < SL_N_HEADLINES; h++)
    if (self->wished[h] && sl_group_param (self, i, h) >= 0)
      put (m->lab, (unsigned) sl_group_param (self, i, h), settings, self->wish[h]);
}

static void
set_role (SlGroup *self, unsigned i, SlHeadline headline, double value)
{
  Member    *m = member (self, i);
  int        p = sl_group_param (self, i, headline);
  SlSettings settings;

  if (p < 0 || sl_session_lab (m->session) == NULL)
    return;
  settings_of (self, i, &settings);
  put (m->lab, (unsigned) p, &settings, value);
  sl_session_set (m->session, m->lab->params[p].id, &settings.value[p], NULL);
}

static void
widen (SlHeadlineRange *range, gboolean first, const SlParam *param, double hi)
{
  if (first)
    *range = (SlHeadlineRange) { .lo = lower_end (param),
                                 .hi = hi,
                                 .step = param->step,
                                 .logarithmic = param->logarithmic,
                                 .whole = sl_param_is_whole (param) };
  range->lo = fmin (range->lo, lower_end (param));
  range->hi = fmax (range->hi, hi);
}

gboolean
sl_group_headline (SlGroup *group, SlHeadline headline, SlHeadlineRange *range)
{
  gboolean found = FALSE;
  double   most = -HUGE_VAL;

  for (unsigned i = 0; i < group->members->len; i++)
    {
      Member    *m = member (group, i);
      int        p = sl_group_param (group, i, headline);
      SlSettings settings;

      if (p < 0)
        continue;
      settings_of (group, i, &settings);
      for (unsigned e = 0; e < settings.value[p].n; e++)
        {
          widen (range, !found, &m->lab->params[p],
                 upper_end (m->lab, &settings, &m->lab->params[p], e));
          most = fmax (most, settings.value[p].v[e]);
          found = TRUE;
        }
    }
  if (found)
    range->value = most;
  return found;
}

void
sl_group_set_headline (SlGroup *group, SlHeadline headline, double value)
{
  group->wished[headline] = TRUE;
  group->wish[headline] = value;
  for (unsigned i = 0; i < group->members->len; i++)
    set_role (group, i, headline, value);
  g_signal_emit (group, signals[CHANGED], 0);
}

/* ---- object ---- */

/* The first role of a lab; the last one when it has none. */
static SlHeadline
headline_of (const SlLab *lab)
{
  SlHeadline first = SL_N_HEADLINES;

  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].headline != SL_HEADLINE_NONE && lab->params[p].headline < first)
      first = lab->params[p].headline;
  return first;
}

static void
add_member (SlGroup *self, const SlLab *lab)
{
  Member m = { .lab = lab, .session = sl_session_new () };

  if (self->scheduler != NULL)
    sl_session_set_scheduler (m.session, self->scheduler);
  sl_session_set_threads (m.session, 1);
  sl_session_set_place (m.session, self->members->len + 1);
  g_signal_connect (m.session, "changed", G_CALLBACK (on_changed), self);
  g_array_append_val (self->members, m);
}

/* In the order of the roles, as the sliders are. */
static void
sl_group_init (SlGroup *self)
{
  self->scheduler = sl_scheduler_new (sl_blas_cores (), SLICE_SECONDS);
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  for (SlHeadline headline = SL_HEADLINE_NONE + 1; headline <= SL_N_HEADLINES; headline++)
    for (unsigned i = 0; sl_labs[i] != NULL; i++)
      if (sl_labs[i]->overview != NULL && headline_of (sl_labs[i]) == headline)
        add_member (self, sl_labs[i]);
}

static void
sl_group_dispose (GObject *object)
{
  SlGroup *self = SL_GROUP (object);

  for (unsigned i = 0; i < self->members->len; i++)
    {
      g_signal_handlers_disconnect_by_data (member (self, i)->session, self);
      g_clear_object (&member (self, i)->session);
      sl_stored_run_clear (&member (self, i)->stored);
    }
  g_array_set_size (self->members, 0);
  G_OBJECT_CLASS (sl_group_parent_class)->dispose (object);
}

static void
sl_group_finalize (GObject *object)
{
  SlGroup *self = SL_GROUP (object);

  g_array_unref (self->members);
  sl_scheduler_leave (self->scheduler);
  g_free (self->spec);
  G_OBJECT_CLASS (sl_group_parent_class)->finalize (object);
}

static void
sl_group_class_init (SlGroupClass *klass)
{
  GObjectClass *object = G_OBJECT_CLASS (klass);

  object->dispose = sl_group_dispose;
  object->finalize = sl_group_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

SlGroup *
sl_group_new (void)
{
  return g_object_new (SL_TYPE_GROUP, NULL);
}
