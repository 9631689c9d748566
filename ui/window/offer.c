/* SPDX-License-Identifier: MIT
 *
 * The banner that says what a lab has to say of the data, with a button that sets parameters.  */
#include "core/run/base/language.h"
#include "ui/kit/banner.h"
#include "ui/window/controllers.h"

typedef struct SlWindowOffer
{
  const SlLab *lab;        /* of the run that it is about; NULL: none is */
  unsigned     generation; /* of that run */
  uint64_t     hash;       /* of its data */
  SlSettings   settings;
  SlOffer      made;
  SlMessage    closed; /* words that the user closed for these data */
} Offer;

static Offer *
offer_of (SlWindow *self)
{
  return sl_window_parts (self)->offer;
}

/* The lab whose run is shown with its data there; a lesson has its own words. */
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
show (SlWindow *self, const Offer *offer)
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

void
sl_window_show_offer (SlWindow *self)
{
  Offer       *offer = offer_of (self);
  SlSession   *session = sl_window_get_session (self);
  const SlLab *lab = shown_lab (self);

  if (!is_other_run (offer, lab, session))
    return;
  offer->made.words = SL_NO_MESSAGE;
  if (lab != NULL)
    offer->made = sl_lab_offer (lab, sl_session_dataset (session), &offer->settings);
  show (self, offer);
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

void
sl_window_add_offer (SlWindow *self)
{
  static const GActionEntry entries[] = { { .name = "take-offer", .activate = on_take_offer } };

  sl_window_parts (self)->offer = g_new0 (Offer, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_offer (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->offer, g_free);
}
