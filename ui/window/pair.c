/* SPDX-License-Identifier: MIT
 *
 * Two runs side by side in the window: the one that is edited has form and plots, and the other one's
 * curves are pale behind them.  Both are runs of their own; what was shown before waits meanwhile.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/window/private.h"

/* What is shown is one of them: 0 or 1; else -1. */
static int
side_of (SlWindow *self, SlSession *session)
{
  for (int i = 0; self->pair != NULL && i < SL_PAIR_RUNS; i++)
    if (sl_pair_session (self->pair, (unsigned) i) == session)
      return i;
  return -1;
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
  for (unsigned p = 0; lab == sl_session_lab (sl_pair_session (pair, 1)) && p < lab->n_params; p++)
    {
      const SlValue *a = &settings[0]->value[p], *b = &settings[1]->value[p];
      char           text[SL_CHANGE_MARKER_TEXT], words[2 * SL_CHANGE_MARKER_TEXT];

      if (sl_value_same (a, b))
        continue;
      g_string_append_printf (
        out, "%s%s", out->len > 0 ? ", " : "",
        sl_phrase_into (sl_change_marker_text (&lab->params[p], a, b, text), words, sizeof words));
    }
  return g_string_free (out, FALSE);
}

void
sl_window_pair_changed (SlWindow *self)
{
  gboolean shown = side_of (self, self->session) >= 0 && !self->in_overview;

  if (gtk_widget_get_visible (self->pair_bar) != shown)
    gtk_widget_set_visible (self->pair_bar, shown);
  if (shown && sl_session_lab (sl_pair_session (self->pair, 0)) != NULL
      && sl_session_lab (sl_pair_session (self->pair, 1)) != NULL)
    {
      g_autofree char *what = differences (self->pair), *text = NULL;

      if (what[0] != '\0')
        /* Translators: %s is "Rank 50 → 10". */
        text = g_strdup_printf (_ ("From A to B: %s"), what);
      else
        text = g_strdup (_ ("Both are the same until something is changed"));
      if (g_strcmp0 (text, gtk_label_get_label (self->pair_place)) != 0)
        gtk_label_set_label (self->pair_place, text);
    }
}

static void
set_state (SlWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (
    G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

static void
show_side (SlWindow *self, unsigned which)
{
  self->twin_ghost.record = NULL;
  sl_window_set_session (self, sl_pair_session (self->pair, which));
  self->twin_ghost.record = sl_session_record (sl_pair_session (self->pair, 1 - which));
  g_strlcpy (self->twin_ghost.title, which > 0 ? "A" : "B", sizeof self->twin_ghost.title);
  sl_plot_grid_set_ghosts (self->grid, &self->twin_ghost, 1);
  set_state (self, "twin-side", g_variant_new_string (which > 0 ? "b" : "a"));
}

/* Nobody follows a run that is not shown, and its curves are in the plots. */
static void
on_twin (SlWindow *self)
{
  sl_plot_grid_wake (self->grid);
  if (side_of (self, self->session) >= 0)
    sl_window_pair_changed (self);
}

static void
begin (SlWindow *self)
{
  gboolean running = sl_session_state (self->session) == SL_RUNNING;

  gtk_widget_activate_action (GTK_WIDGET (self), "win.lesson-leave", NULL);
  sl_window_leave_runs (self);
  self->twin_like = g_object_ref (self->session);
  self->twin_held = running;
  if (running)
    sl_session_pause (self->session);
  self->pair = sl_pair_new (self->session, TRUE);
  g_signal_connect_swapped (self->pair, "changed", G_CALLBACK (on_twin), self);
  set_state (self, "twin", g_variant_new_boolean (TRUE));
  show_side (self, 1);
}

void
sl_window_pair_left (SlWindow *self, SlSession *shown)
{
  g_autoptr (SlPair) pair = NULL;
  g_autoptr (SlSession) like = NULL;

  if (self->pair == NULL || (shown != NULL && side_of (self, shown) >= 0))
    return;
  pair = g_steal_pointer (&self->pair);
  like = g_steal_pointer (&self->twin_like);
  g_signal_handlers_disconnect_by_data (pair, self);
  sl_window_show_pins (self);
  gtk_widget_set_visible (self->pair_bar, FALSE);
  set_state (self, "twin", g_variant_new_boolean (FALSE));
  sl_pair_stop (pair);
  /* It goes on when it is shown again. */
  if (self->twin_held && like == shown)
    sl_session_run (like);
  else if (self->twin_held && like == self->own)
    self->own_held = TRUE;
  self->twin_held = FALSE;
}

static void
on_twin_state (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  if (g_variant_get_boolean (state) && self->pair == NULL)
    begin (self);
  else if (!g_variant_get_boolean (state) && self->pair != NULL)
    sl_window_set_session (self, self->twin_like);
}

static void
on_side (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  if (self->pair != NULL)
    show_side (self, g_str_equal (g_variant_get_string (state, NULL), "b"));
}

void
sl_window_add_pair (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "twin", .state = "false", .change_state = on_twin_state },
    { .name = "twin-side", .parameter_type = "s", .state = "'b'", .change_state = on_side },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

gboolean
sl_window_pair_does (SlWindow *self, const char *name)
{
  if (self->pair == NULL)
    return FALSE;
  if (g_str_equal (name, "run"))
    sl_pair_run (self->pair);
  else if (g_str_equal (name, "pause"))
    sl_pair_pause (self->pair);
  else if (g_str_equal (name, "toggle"))
    (sl_session_state (self->session) == SL_RUNNING ? sl_pair_pause : sl_pair_run) (self->pair);
  else if (g_str_equal (name, "step"))
    sl_pair_step (self->pair);
  else if (g_str_equal (name, "rewind"))
    sl_pair_rewind (self->pair);
  return TRUE;
}
