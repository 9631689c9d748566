/* SPDX-License-Identifier: MIT
 *
 * The banners on the run that is shown: it is in trouble, with the ways back; what its lab has to say of the
 * data, with a button; it is a stored one that is not trained yet.  A lesson has words of its own.  */
#include "core/run/record/health.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "ui/kit/banner.h"
#include "ui/window/frame/frame.h"

enum { LOOK_US = 300000 };

typedef struct
{
  const SlHealth *shown, *closed; /* in the banner; that the user closed; or NULL */
  unsigned        generation;     /* of the run that they are about */
  unsigned        param;          /* the likeliest knob */
  SlValue         value;          /* its value before, with n = 0 where there is none */
  uint64_t        before;         /* update to go back to */
  gint64          looked;         /* µs */
} Health;

typedef struct
{
  const SlLab *lab;        /* of the run that it is about; NULL: none is */
  unsigned     generation; /* of that run */
  uint64_t     hash;       /* of its data */
  SlSettings   settings;
  SlOffer      made;
  SlMessage    closed; /* words that the user closed for these data */
} Offer;

typedef struct SlWindowBanners
{
  Health   health;
  Offer    offer;
  gboolean untrained; /* its banner was shown, perhaps closed */
} Banners;

/* ---- trouble ---- */

static Health *
health_of (SlWindow *self)
{
  return &sl_window_parts (self)->banners->health;
}

/* The trouble of the run that is shown; the state of one that diverged says enough. */
static const SlHealth *
trouble_of (SlWindow *self)
{
  SlSession     *session = sl_window_get_session (self);
  SlSessionState state = sl_session_state (session);

  if (sl_window_shows_overview (self) || sl_stage_shows_list (sl_window_stage (self))
      || sl_window_in_lesson (self) || sl_session_lab (session) == NULL
      || sl_session_shows_stored (session)
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
show_health (SlWindow *self, const SlHealth *trouble)
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

static void
look_at_health (SlWindow *self)
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
    show_health (self, trouble);
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

static void
on_go_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (health_of (data)->shown != NULL)
    g_action_group_activate_action (data, "rescue-to",
                                    g_variant_new_uint64 (health_of (data)->before));
}

void
sl_window_health_closed (SlWindow *self)
{
  health_of (self)->closed = health_of (self)->shown;
}

/* ---- offers ---- */

static Offer *
offer_of (SlWindow *self)
{
  return &sl_window_parts (self)->banners->offer;
}

/* The lab whose run is shown with its data there. */
static const SlLab *
shown_lab (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);

  return sl_window_shows_overview (self) || sl_window_in_lesson (self)
             || sl_session_dataset (session) == NULL
           ? NULL
           : sl_session_lab (session);
}

/* Notes what the offer is to be about.  FALSE: it is already. */
static gboolean
is_other_run (Offer *offer, const SlLab *lab, SlSession *session)
{
  const SlSettings *settings = sl_session_settings (session);
  unsigned          generation = sl_session_generation (session);

  if (offer->lab == lab
      && (lab == NULL
          || (offer->generation == generation
              && sl_settings_same (&offer->settings, settings, lab->n_params))))
    return FALSE;
  offer->lab = lab;
  if (lab == NULL)
    return TRUE;
  if (offer->hash != sl_session_dataset (session)->hash)
    offer->closed = SL_NO_MESSAGE;
  offer->hash = sl_session_dataset (session)->hash;
  offer->generation = generation;
  offer->settings = *settings;
  return TRUE;
}

static void
show_offer (SlWindow *self, const Offer *offer)
{
  SlBanner *banner = sl_window_child (self, "offer");
  char      sentence[SL_MESSAGE_SIZE];

  if (offer->made.words.packed[0] == '\0'
      || strcmp (offer->made.words.packed, offer->closed.packed) == 0)
    {
      sl_banner_show (banner, NULL);
      return;
    }
  g_object_set (banner, "first-label", sl_words (offer->made.title), NULL);
  sl_banner_show (banner,
                  sl_message_show (offer->made.words.packed, sl_words, sentence, sizeof sentence));
}

static void
look_at_offer (SlWindow *self)
{
  Offer       *offer = offer_of (self);
  SlSession   *session = sl_window_get_session (self);
  const SlLab *lab = shown_lab (self);

  if (!is_other_run (offer, lab, session))
    return;
  offer->made.words = SL_NO_MESSAGE;
  if (lab != NULL)
    offer->made = sl_lab_offer (lab, sl_session_dataset (session), &offer->settings);
  show_offer (self, offer);
}

void
sl_window_offer_closed (SlWindow *self)
{
  offer_of (self)->closed = offer_of (self)->made.words;
}

/* Sets what the button says, as if the user had: it is a change that can be taken back. */
static void
on_take_offer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Offer *offer = offer_of (data);
  SlSettings   other = offer->settings;
  const SlLab *lab = offer->lab;

  if (lab == NULL || offer->made.words.packed[0] == '\0'
      || sl_settings_set_words (&other, lab->params, lab->n_params, offer->made.settings).code
           != SL_OK)
    return;
  for (unsigned p = 0; p < lab->n_params; p++)
    if (!sl_value_same (&other.value[p], &offer->settings.value[p]))
      sl_window_set_value (data, lab->params[p].id, &other.value[p]);
}

/* ---- stored runs ---- */

static char *
dup_untrained (const SlStoredEnd *end)
{
  unsigned long long limit = end->limit;

  if (limit == 0)
    return g_strdup (_ ("Not trained yet: settings of a run with no update."));
  if (end->has_curves)
    return g_strdup_printf (
      _ ("Stored curves of a run of %llu updates. Training makes the same run again."), limit);
  return g_strdup_printf (_ ("Not trained yet: settings of a run of %llu updates."), limit);
}

static void
look_at_stored (SlWindow *self)
{
  SlStage         *stage = sl_window_stage (self);
  gboolean         untrained = sl_stage_shown (stage) == SL_SHOWN_STORED;
  Banners         *banners = sl_window_parts (self)->banners;
  g_autofree char *sentence = NULL;
  SlStoredEnd      end;

  if (untrained == banners->untrained)
    return;
  banners->untrained = untrained;
  if (untrained && sl_stage_stored (stage, &end))
    sentence = dup_untrained (&end);
  sl_banner_show (sl_window_child (self, "untrained"), sentence);
}

/* Another stored run has a banner of its own. */
static void
on_restarted (SlWindow *self)
{
  sl_window_parts (self)->banners->untrained = FALSE;
}

void
sl_window_add_banners (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "put-back", .activate = on_put_back },
    { .name = "before-trouble", .activate = on_go_back },
    { .name = "take-offer", .activate = on_take_offer },
  };

  sl_window_parts (self)->banners = g_new0 (Banners, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "restarted", on_restarted);
  sl_window_watch (self, "progress", look_at_health);
  sl_window_watch (self, "progress", look_at_offer);
  sl_window_watch (self, "progress", look_at_stored);
}

void
sl_window_drop_banners (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->banners, g_free);
}
