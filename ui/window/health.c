/* SPDX-License-Identifier: MIT */
#include "core/run/record/health.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/banner.h"
#include "ui/window/controllers.h"

enum { LOOK_US = 300000 };

typedef struct SlWindowHealth
{
  const SlHealth *shown, *closed; /* in the banner; that the user closed; or NULL */
  unsigned        generation;     /* of the run that they are about */
  unsigned        param;          /* the likeliest knob */
  SlValue         value;          /* its value before, with n = 0 where there is none */
  uint64_t        before;         /* update to go back to */
  gint64          looked;         /* µs */
} Health;

static Health *
health_of (SlWindow *self)
{
  return sl_window_parts (self)->health;
}

/* The trouble of the run that is shown; the state of one that diverged says enough, and a lesson that
 * shows trouble has words of its own.  */
static const SlHealth *
trouble_of (SlWindow *self)
{
  SlSession     *session = sl_window_get_session (self);
  SlSessionState state = sl_session_state (session);

  if (sl_window_shows_overview (self) || sl_window_shows_runs (self) || sl_window_in_lesson (self)
      || sl_session_lab (session) == NULL
      || (state != SL_RUNNING && state != SL_PAUSED && state != SL_FINISHED))
    return NULL;
  return sl_health_of (sl_session_record (session));
}

static void
find_way_back (SlWindow *self, const SlHealth *trouble)
{
  Health          *health = health_of (self);
  g_autofree char *json = sl_session_recipe (sl_window_get_session (self));
  SlRecipe         recipe;

  health->param = 0;
  health->value.n = 0;
  health->before = 0;
  if (json == NULL || !sl_recipe_read (json, &recipe, NULL))
    return;
  if (!sl_health_way_back (trouble, &recipe, &health->param, &health->value))
    health->value.n = 0;
  health->before
    = sl_health_before (sl_session_record (sl_window_get_session (self)), trouble, &recipe);
  sl_recipe_clear (&recipe);
}

static void
show (SlWindow *self, const SlHealth *trouble)
{
  Health          *health = health_of (self);
  SlBanner        *banner = sl_window_child (self, "health");
  g_autofree char *sentence = NULL, *label = NULL;
  const SlParam   *param;
  char             text[128];

  health->shown = trouble;
  if (trouble == NULL)
    {
      sl_banner_show (banner, NULL);
      return;
    }
  find_way_back (self, trouble);
  param = &sl_session_lab (sl_window_get_session (self))->params[health->param];
  /* Translators: a sentence on what went wrong with a run; the title of a parameter. */
  sentence = g_strdup_printf (_ ("%s Most likely: %s."), sl_words (trouble->words),
                              sl_words (param->title));
  if (health->value.n > 0)
    /* Translators: a button that gives a parameter its old value. */
    label = g_strdup_printf (_ ("Back to %s"),
                             sl_param_format (param, &health->value, text, sizeof text));
  g_object_set (banner, "first-label", label, NULL);
  sl_banner_show (banner, sentence);
}

void
sl_window_health_changed (SlWindow *self)
{
  Health         *health = health_of (self);
  unsigned        generation = sl_session_generation (sl_window_get_session (self));
  gint64          now = g_get_monotonic_time ();
  const SlHealth *trouble;

  if (generation == health->generation && now - health->looked < LOOK_US
      && sl_session_state (sl_window_get_session (self)) == SL_RUNNING)
    return;
  health->looked = now;
  if (generation != health->generation)
    health->closed = NULL;
  trouble = trouble_of (self);
  if (trouble == NULL || trouble != health->closed)
    health->closed = NULL;
  if (trouble == health->closed)
    trouble = NULL;
  if (trouble != health->shown || generation != health->generation)
    show (self, trouble);
  health->generation = generation;
}

/* As it was before, from here on; what was learned wrongly is taken back with "Go back". */
static void
on_put_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Health      *health = health_of (data);
  SlSession   *session = sl_window_get_session (data);
  const SlLab *lab = sl_session_lab (session);

  if (health->shown != NULL && health->value.n > 0)
    sl_session_set (session, lab->params[health->param].id, &health->value, NULL);
}

/* To before the trouble: what was learned since is taken back. */
static void
on_go_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (health_of (data)->shown != NULL)
    sl_window_rescue (data, health_of (data)->before);
}

void
sl_window_health_closed (SlWindow *self)
{
  health_of (self)->closed = health_of (self)->shown;
}

void
sl_window_add_health (SlWindow *self)
{
  static const GActionEntry entries[] = { { .name = "put-back", .activate = on_put_back },
                                          { .name = "before-trouble", .activate = on_go_back } };

  sl_window_parts (self)->health = g_new0 (Health, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_health (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->health, g_free);
}
