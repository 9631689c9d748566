/* SPDX-License-Identifier: MIT */
#include "tests/e2e/hour/hour.h"

#include <signal.h>

#include "core/labs/registry.h"

enum { FRAMES_MS = 250 };

unsigned
hour_choose (Hour *hour, unsigned n)
{
  return (unsigned) g_rand_int_range (hour->rand, 0, (gint32) n);
}

/* For some while, as a person looks at what there is. */
static void
look (Hour *hour, unsigned most_ms)
{
  gint64 end = g_get_monotonic_time () + 1000 * (gint64) hour_choose (hour, most_ms + 1);

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

/* What a person cannot press does nothing. */
static gboolean
press (Hour *hour, const char *name, GVariant *parameter)
{
  g_autoptr (GVariant) sunk = parameter != NULL ? g_variant_ref_sink (parameter) : NULL;
  g_autofree char *text = sunk != NULL ? g_variant_print (sunk, FALSE) : NULL;
  GAction         *action = g_action_map_lookup_action (G_ACTION_MAP (hour->window), name);

  g_assert_nonnull (action);
  if (!g_action_get_enabled (action))
    return FALSE;
  hour_say ("%s %s", name, text != NULL ? text : "");
  g_action_activate (action, sunk);
  return TRUE;
}

static const SlLab *
any_lab (Hour *hour)
{
  unsigned n = 0;

  while (sl_labs[n] != NULL)
    n++;
  return sl_labs[hour_choose (hour, n)];
}

/* ---- what can be done ---- */

static void
choose_lab (Hour *hour)
{
  press (hour, "lab", g_variant_new_string (any_lab (hour)->id));
}

static void
run (Hour *hour)
{
  press (hour, "run", NULL);
}

static void
pause_run (Hour *hour)
{
  press (hour, "pause", NULL);
}

static void
step (Hour *hour)
{
  press (hour, "step", NULL);
}

/* A parameter of the run with this effect, that matters; or NULL. */
static const SlParam *
any_param (Hour *hour, SlEffect effect)
{
  SlSession   *session = hour_session (hour);
  const SlLab *lab = sl_session_lab (session);

  for (unsigned tries = 0; lab != NULL && tries < 20; tries++)
    {
      unsigned p = hour_choose (hour, lab->n_params);

      if (lab->params[p].effect == effect
          && sl_param_matters (sl_session_settings (session), lab->params, lab->n_params, p))
        return &lab->params[p];
    }
  return NULL;
}

/* Another value, not far from the one that it has by itself: runs stay small. */
static char *
any_value (Hour *hour, const SlParam *param)
{
  char    text[256];
  SlValue value = { .n = 1 };
  double  low = MAX (param->lo, param->fallback * 0.5), high;

  high = CLAMP (param->fallback * 1.2, low, param->hi);
  if (param->kind == SL_CHOICE)
    return g_strdup (param->choices[hour_choose (hour, sl_param_offers (param))].id);
  if (param->kind == SL_LIST)
    return g_strdup_printf ("%u",
                            (unsigned) CLAMP (6 + hour_choose (hour, 20), param->lo, param->hi));
  if (param->kind == SL_BOOLEAN)
    value.v[0] = hour_choose (hour, 2);
  else
    value.v[0] = sl_param_tidy (param, low + g_rand_double (hour->rand) * (high - low));
  return g_strdup (sl_param_format (param, &value, text, sizeof text));
}

static gboolean
change (Hour *hour, SlEffect effect)
{
  const SlParam   *param = any_param (hour, effect);
  g_autofree char *text = param != NULL ? any_value (hour, param) : NULL;

  return param != NULL && press (hour, "set", g_variant_new ("(ss)", param->id, text));
}

static void
change_restart (Hour *hour)
{
  change (hour, SL_RESTART);
}

static SlParamRow *
row_of (Hour *hour, const SlParam *param)
{
  return sl_param_form_row (sl_sidebar_get_form (sl_window_get_sidebar (hour->window)), param->id);
}

/* The slider of a parameter that the person may move, or NULL. */
static GtkRange *
slider_of (Hour *hour, const SlParam *param)
{
  SlParamRow *row = row_of (hour, param);
  GtkWidget  *scale
    = row != NULL && !sl_param_row_is_locked (row) ? sl_param_row_get_scale (row, 0) : NULL;

  return scale != NULL ? GTK_RANGE (scale) : NULL;
}

/* A slider is dragged, in a few steps, for as long as its row is there. */
static void
drag_live (Hour *hour)
{
  const SlParam *param = sl_window_shows_overview (hour->window) ? NULL : any_param (hour, SL_LIVE);

  if (param == NULL || slider_of (hour, param) == NULL)
    {
      change (hour, SL_LIVE);
      return;
    }
  for (unsigned i = 0; i < 3 && slider_of (hour, param) != NULL; i++)
    {
      GtkAdjustment *range = gtk_range_get_adjustment (slider_of (hour, param));
      double low = gtk_adjustment_get_lower (range), high = gtk_adjustment_get_upper (range);

      hour_say ("drag %s", param->id);
      gtk_range_set_value (slider_of (hour, param),
                           low + g_rand_double (hour->rand) * (high - low));
      look (hour, 60);
    }
}

static void
undo (Hour *hour)
{
  press (hour, "undo", NULL);
}

static void
redo (Hour *hour)
{
  press (hour, "redo", NULL);
}

static void
undo_to (Hour *hour)
{
  guint n = sl_session_edits (hour_session (hour))->undo->len;

  if (n > 0)
    press (hour, "undo-to", g_variant_new_uint32 (1 + hour_choose (hour, n)));
}

static void
undo_rewind (Hour *hour)
{
  press (hour, "undo-rewind", NULL);
}

static void
visit (Hour *hour)
{
  uint64_t present = sl_session_present (hour_session (hour));

  if (press (hour, "visit",
             g_variant_new_uint64 ((guint64) (g_rand_double (hour->rand) * (double) present))))
    look (hour, FRAMES_MS);
  if (hour_choose (hour, 2) == 0)
    step (hour);
  else
    run (hour);
}

static void
present_state (Hour *hour)
{
  press (hour, "present-state", NULL);
}

static void
choose_data (Hour *hour)
{
  static const char *const specs[]
    = { "moons", "xor", "spirals", "digits:images=600", "moons:points=400" };

  press (hour, "data", g_variant_new_string (specs[hour_choose (hour, G_N_ELEMENTS (specs))]));
}

static void
run_before (Hour *hour)
{
  const char *uuid = sl_session_undo_run (hour_session (hour));

  if (uuid != NULL && !sl_session_keeps_earlier (hour_session (hour), uuid))
    press (hour, "run-before", g_variant_new_string (uuid));
}

static void
rewind_run (Hour *hour)
{
  press (hour, "rewind", NULL);
}

static void
reseed (Hour *hour)
{
  press (hour, "reseed", NULL);
}

static void
lesson (Hour *hour)
{
  static const char *const ids[]
    = { "1-gate", "2-sparsity", "3-sign", "4-collapse", "6-depth", "7-router", "9-leave" };

  press (hour, "lesson", g_variant_new_string (ids[hour_choose (hour, G_N_ELEMENTS (ids))]));
  look (hour, FRAMES_MS);
  for (unsigned i = hour_choose (hour, 4); i > 0; i--)
    {
      press (hour, "lesson-answer", g_variant_new_string (""));
      press (hour, "lesson-next", NULL);
      look (hour, FRAMES_MS);
    }
}

static void
leave_lesson (Hour *hour)
{
  press (hour, "lesson-leave", NULL);
}

static void
overview (Hour *hour)
{
  press (hour, "glance", NULL);
}

static void
headline (Hour *hour)
{
  static const char *const symbols[] = { "s", "r", "k" };

  if (sl_window_shows_overview (hour->window))
    press (hour, "role",
           g_variant_new ("(sd)", symbols[hour_choose (hour, G_N_ELEMENTS (symbols))],
                          0.1 + hour_choose (hour, 5)));
}

static void
closer (Hour *hour)
{
  SlGroup *group = sl_overview_get_group (sl_window_get_overview (hour->window));

  if (group != NULL && sl_window_shows_overview (hour->window))
    press (
      hour, "closer",
      g_variant_new_string (sl_group_lab (group, hour_choose (hour, sl_group_size (group)))->id));
}

static void
resume (Hour *hour)
{
  g_autoptr (GPtrArray) runs = sl_store_list (hour->store, NULL, FALSE, NULL);
  const SlStoreRun *run;

  if (runs == NULL || runs->len == 0)
    return;
  run = g_ptr_array_index (runs, hour_choose (hour, runs->len));
  if (run->lab == NULL || !run->resumable)
    return;
  if (press (hour, "resume", g_variant_new_string (run->uuid)))
    g_strlcpy (hour->opening, run->uuid, sizeof hour->opening);
}

static void
page_of_runs (Hour *hour)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (hour->window), "runs");

  if (!g_action_get_enabled (action))
    return;
  hour_say ("runs");
  g_action_activate (action, NULL);
}

static void
rescue (Hour *hour)
{
  if (sl_session_state (hour_session (hour)) == SL_DIVERGED)
    press (hour, "rescue", NULL);
}

typedef struct
{
  unsigned weight;
  void (*act) (Hour *hour);
} Act;

static const Act acts[] = {
  { 8, choose_lab },
  { 10, run },
  { 5, pause_run },
  { 8, step },
  { 10, drag_live },
  { 8, change_restart },
  { 10, undo },
  { 6, redo },
  { 3, undo_rewind },
  { 3, undo_to },
  { 8, visit },
  { 2, present_state },
  { 4, choose_data },
  { 4, run_before },
  { 3, rewind_run },
  { 3, reseed },
  { 3, lesson },
  { 4, leave_lesson },
  { 3, overview },
  { 2, headline },
  { 2, closer },
  { 3, resume },
  { 2, page_of_runs },
  { 3, rescue },
  { 12, hour_there_and_back },
};

void
hour_act (Hour *hour)
{
  unsigned sum = 0, at;

  hour->opening[0] = '\0';
  for (unsigned i = 0; i < G_N_ELEMENTS (acts); i++)
    sum += acts[i].weight;
  at = hour_choose (hour, sum);
  for (unsigned i = 0; i < G_N_ELEMENTS (acts); i++)
    {
      if (at < acts[i].weight)
        {
          acts[i].act (hour);
          break;
        }
      at -= acts[i].weight;
    }
  look (hour, FRAMES_MS);
}

/* ---- there and back ---- */

typedef struct
{
  Hour       *hour;
  const char *action;
} Wanted;

static gboolean
is_enabled (gpointer data)
{
  const Wanted *wanted = data;

  return g_action_get_enabled (
    g_action_map_lookup_action (G_ACTION_MAP (wanted->hour->window), wanted->action));
}

typedef struct
{
  Hour    *hour;
  unsigned generation;
} Later;

static gboolean
is_later (gpointer data)
{
  const Later *later = data;

  return sl_session_generation (hour_session (later->hour)) != later->generation;
}

/* By undo or redo: the run of the state is there again. */
static void
go_back (Hour *hour, const char *action, const HourState *wanted)
{
  Later     later = { hour, sl_session_generation (hour_session (hour)) };
  gboolean  same = g_strcmp0 (sl_session_uuid (hour_session (hour)), wanted->uuid) == 0;
  HourState now;

  hour_wait (hour, action, is_enabled, &(Wanted) { hour, action });
  press (hour, action, NULL);
  if (!same)
    hour_wait (hour, "the run before", is_later, &later);
  g_assert_true (hour_state_take (hour, &now));
  hour_state_compare (wanted, &now, same);
  hour_state_clear (&now);
}

static gboolean
is_visiting (gpointer hour)
{
  return sl_session_is_visiting (hour_session (hour));
}

typedef struct
{
  Hour       *hour;
  const char *uuid;
} Other;

static gboolean
is_other (gpointer data)
{
  const Other *other = data;

  return g_strcmp0 (sl_session_uuid (hour_session (other->hour)), other->uuid) != 0;
}

/* From the beginning, or as near as the past goes. */
static gboolean
branch (Hour *hour)
{
  SlSession       *session = hour_session (hour);
  g_autofree char *uuid = g_strdup (sl_session_uuid (session));
  unsigned         n;
  const uint64_t  *past = sl_session_checkpoints (session, &n);

  if (n == 0 || past[0] >= sl_session_present (session)
      || !press (hour, "visit", g_variant_new_uint64 (past[hour_choose (hour, n)])))
    return FALSE;
  look (hour, 2);
  hour_wait_quiet (hour);
  if (!is_visiting (hour))
    return FALSE; /* the newest one is of the present */
  step (hour);
  hour_wait (hour, "the branch", is_other, &(Other) { hour, uuid });
  return TRUE;
}

/* Changes something that begins another run, or goes on from the past; FALSE where that cannot be. */
static gboolean
begin_another (Hour *hour)
{
  SlSession *session = hour_session (hour);
  Later      later = { hour, sl_session_generation (session) };
  unsigned   kind = hour_choose (hour, 6);

  if (kind == 5)
    return branch (hour);
  if (kind == 0)
    choose_data (hour);
  else if (kind == 1)
    reseed (hour);
  else if (kind == 2)
    rewind_run (hour);
  else
    change (hour, SL_RESTART);
  look (hour, 2);
  if (!sl_session_is_loading (session) && !is_later (&later))
    return FALSE; /* the same value, or none */
  hour_wait_loaded (hour);
  return is_later (&later); /* or it was refused */
}

static void
run_for_a_while (Hour *hour)
{
  run (hour);
  look (hour, FRAMES_MS);
}

static void
change_live_and_back (Hour *hour, const HourState *before)
{
  HourState after;
  unsigned  flags = sl_session_record (hour_session (hour))->n_flags;

  if (!change (hour, SL_LIVE))
    return;
  look (hour, 2);
  hour_wait_quiet (hour);
  if (sl_session_record (hour_session (hour))->n_flags == flags)
    return; /* the same value, or what panels look at */
  g_assert_true (hour_state_take (hour, &after));
  go_back (hour, "undo", before);
  go_back (hour, "redo", &after);
  hour_state_clear (&after);
}

void
hour_there_and_back (Hour *hour)
{
  HourState before, after;

  leave_lesson (hour);
  g_action_group_change_action_state (G_ACTION_GROUP (hour->window), "runs",
                                      g_variant_new_boolean (FALSE));
  if (!hour_state_take (hour, &before))
    return;
  hour_say ("there and back from %s at %" G_GUINT64_FORMAT, before.uuid, before.step);
  if (hour_choose (hour, 3) == 0)
    change_live_and_back (hour, &before);
  else if (begin_another (hour))
    {
      run_for_a_while (hour);
      if (hour_state_take (hour, &after))
        {
          go_back (hour, "undo", &before);
          go_back (hour, "redo", &after);
        }
      else
        go_back (hour, "undo", &before);
      hour_state_clear (&after);
    }
  hour_state_clear (&before);
}
