/* SPDX-License-Identifier: MIT
 *
 * Two runs side by side in the window: the one that is edited has form and plots, and the other one's
 * curves are pale behind them.  Both are runs of their own; what was shown before waits meanwhile.  */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"

typedef struct SlWindowPair
{
  SlPair    *pair;   /* or NULL */
  SlSession *before; /* what was shown before */
  gboolean   was_running;
  SlGhost    ghost; /* the one of them that is not edited */
} Pair;

SlPair *
sl_window_get_pair (SlWindow *self)
{
  return sl_window_parts (self)->pair->pair;
}

/* The session is one of them. */
static gboolean
is_in_pair (SlPair *pair, SlSession *session)
{
  return pair != NULL
         && (sl_pair_session (pair, 0) == session || sl_pair_session (pair, 1) == session);
}

/* "Rank 50 → 10, Noise off → on": all that B has and A has not. */
static char *
differences (SlPair *pair)
{
  const SlLab      *lab = sl_session_lab (sl_pair_session (pair, 0));
  const SlSettings *settings[SL_PAIR_RUNS];
  GString          *out = g_string_new (NULL);

  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    settings[i] = sl_session_settings (sl_pair_session (pair, i));
  if (lab != sl_session_lab (sl_pair_session (pair, 1)))
    return g_string_free (out, FALSE);
  for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
    {
      const SlValue *a = &settings[0]->value[p], *b = &settings[1]->value[p];
      char           text[SL_CHANGE_MARKER_TEXT], words[2 * SL_CHANGE_MARKER_TEXT];

      if (sl_value_same (a, b))
        continue;
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "",
                              sl_message_show (sl_change_marker_text (&lab->params[p], a, b, text),
                                               sl_words, words, sizeof words));
    }
  return g_string_free (out, FALSE);
}

void
sl_window_pair_changed (SlWindow *self)
{
  SlPair    *pair = sl_window_get_pair (self);
  GtkWidget *bar = sl_window_child (self, "pair_bar");
  GtkLabel  *place = sl_window_child (self, "pair_place");
  gboolean   shown
    = is_in_pair (pair, sl_window_get_session (self)) && !sl_window_shows_overview (self);

  if (gtk_widget_get_visible (bar) != shown)
    gtk_widget_set_visible (bar, shown);
  if (shown && sl_session_lab (sl_pair_session (pair, 0)) != NULL
      && sl_session_lab (sl_pair_session (pair, 1)) != NULL)
    {
      g_autofree char *what = differences (pair), *text = NULL;

      if (what[0] != '\0')
        /* Translators: %s is "Rank 50 → 10". */
        text = g_strdup_printf (_ ("From A to B: %s"), what);
      else
        text = g_strdup (_ ("Both are the same until something is changed"));
      if (g_strcmp0 (text, gtk_label_get_label (place)) != 0)
        gtk_label_set_label (place, text);
    }
}

static void
show_side (SlWindow *self, unsigned which)
{
  Pair *pair = sl_window_parts (self)->pair;

  pair->ghost.record = NULL;
  sl_window_set_session (self, sl_pair_session (pair->pair, which));
  pair->ghost.record = sl_session_record (sl_pair_session (pair->pair, 1 - which));
  g_strlcpy (pair->ghost.title, which > 0 ? "A" : "B", sizeof pair->ghost.title);
  sl_plot_grid_set_ghosts (sl_window_get_grid (self), &pair->ghost, 1);
  sl_window_set_state (self, "twin-side", g_variant_new_string (which > 0 ? "b" : "a"));
}

gboolean
sl_window_pair_show (SlWindow *self, SlSession *session)
{
  SlPair *pair = sl_window_get_pair (self);

  if (!is_in_pair (pair, session))
    return FALSE;
  show_side (self, sl_pair_session (pair, 1) == session);
  return TRUE;
}

/* Plots do not follow a run that is not shown, and its curves are drawn with those of the other. */
static void
on_changed (SlWindow *self)
{
  sl_plot_grid_wake (sl_window_get_grid (self));
  if (is_in_pair (sl_window_get_pair (self), sl_window_get_session (self)))
    sl_window_pair_changed (self);
}

/* Takes a reference over. */
static void
take_pair (SlWindow *self, SlPair *pair, gboolean was_running, unsigned side)
{
  Pair      *state = sl_window_parts (self)->pair;
  SlSession *session = sl_window_get_session (self);

  state->before = g_object_ref (session);
  state->was_running = was_running;
  if (sl_session_goes (session))
    sl_session_pause (session);
  state->pair = pair;
  g_signal_connect_swapped (pair, "changed", G_CALLBACK (on_changed), self);
  sl_window_set_state (self, "twin", g_variant_new_boolean (TRUE));
  show_side (self, side);
}

static void
begin_pair (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.lesson-leave", NULL);
  sl_window_leave_runs (self);
  take_pair (self, sl_pair_new (session, TRUE), sl_session_goes (session), 1);
}

SlPair *
sl_window_pair_restore (SlWindow *self, gboolean was_running, unsigned side)
{
  SlPair *pair = sl_pair_new_empty (sl_window_get_store (self));

  take_pair (self, pair, was_running, side);
  return pair;
}

SlSession *
sl_window_pair_before (SlWindow *self, gboolean *going)
{
  Pair *state = sl_window_parts (self)->pair;

  *going = state->pair != NULL && state->was_running;
  return state->pair != NULL ? state->before : NULL;
}

/* Shows what was shown before the pair, or the overview where nothing was. */
static void
leave_pair (SlWindow *self)
{
  SlSession *before = sl_window_parts (self)->pair->before;

  if (sl_session_lab (before) == NULL && !sl_session_is_loading (before))
    sl_window_show_overview (self);
  else
    sl_window_set_session (self, before);
}

void
sl_window_pair_left (SlWindow *self, SlSession *shown)
{
  Pair *state = sl_window_parts (self)->pair;
  g_autoptr (SlPair) pair = NULL;
  g_autoptr (SlSession) before = NULL;

  if (state->pair == NULL || is_in_pair (state->pair, shown))
    return;
  pair = g_steal_pointer (&state->pair);
  before = g_steal_pointer (&state->before);
  g_signal_handlers_disconnect_by_data (pair, self);
  sl_window_show_pins (self);
  gtk_widget_set_visible (sl_window_child (self, "pair_bar"), FALSE);
  sl_window_set_state (self, "twin", g_variant_new_boolean (FALSE));
  sl_pair_stop (pair);
  /* The session goes on when it is shown again. */
  if (state->was_running && before == shown)
    sl_session_run (before);
  else if (state->was_running && before == sl_window_get_own (self))
    sl_window_hold_own (self, TRUE);
}

static void
on_pair (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlPair *pair = sl_window_get_pair (data);

  if (g_variant_get_boolean (state) && pair == NULL)
    begin_pair (data);
  else if (!g_variant_get_boolean (state) && pair != NULL)
    leave_pair (data);
}

static void
on_side (GSimpleAction *action, GVariant *state, gpointer data)
{
  if (sl_window_get_pair (data) != NULL)
    show_side (data, g_str_equal (g_variant_get_string (state, NULL), "b"));
}

void
sl_window_add_pair (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "twin", .state = "false", .change_state = on_pair },
    { .name = "twin-side", .parameter_type = "s", .state = "'b'", .change_state = on_side },
  };

  sl_window_parts (self)->pair = g_new0 (Pair, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_pair (SlWindow *self)
{
  sl_window_pair_left (self, NULL);
  g_clear_pointer (&sl_window_parts (self)->pair, g_free);
}
