/* SPDX-License-Identifier: MIT
 *
 * Two runs side by side in the window: the one that is edited has form and plots, and the other one's
 * curves are pale behind them.  */
#include "ui/window/frame/frame.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"

typedef struct SlWindowPair
{
  SlPair *followed; /* only compared; NULL: none is shown */
  SlGhost ghost;    /* the one of them that is not edited */
} Pair;

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

static void
show_differences (SlWindow *self)
{
  SlPair    *pair = sl_stage_pair (sl_window_stage (self));
  GtkWidget *bar = sl_window_child (self, "pair_bar");
  GtkLabel  *place = sl_window_child (self, "pair_place");
  gboolean   shown = pair != NULL;

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

/* Plots do not follow a run that is not shown, and its curves are drawn with those of the other. */
static void
on_changed (SlWindow *self)
{
  sl_plot_grid_wake (sl_window_get_grid (self));
  show_differences (self);
}

static void
follow (SlWindow *self, SlPair *pair)
{
  Pair *state = sl_window_parts (self)->pair;

  if (state->followed == pair)
    return;
  if (state->followed != NULL)
    g_signal_handlers_disconnect_by_func (state->followed, on_changed, self);
  state->followed = pair;
  sl_window_set_state (self, "twin", g_variant_new_boolean (pair != NULL));
  if (pair != NULL)
    g_signal_connect_swapped (pair, "changed", G_CALLBACK (on_changed), self);
}

static void
on_shown (SlWindow *self)
{
  SlStage *stage = sl_window_stage (self);
  SlPair  *pair = sl_stage_pair (stage);
  SlGhost *ghost = &sl_window_parts (self)->pair->ghost;
  unsigned side;

  follow (self, pair);
  if (pair == NULL)
    return;
  side = sl_pair_session (pair, 1) == sl_stage_session (stage);
  ghost->record = sl_session_record (sl_pair_session (pair, 1 - side));
  g_strlcpy (ghost->title, side > 0 ? "A" : "B", sizeof ghost->title);
  sl_plot_grid_set_ghosts (sl_window_get_grid (self), ghost, 1);
  sl_window_set_state (self, "twin-side", g_variant_new_string (side > 0 ? "b" : "a"));
}

static void
on_pair (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlStage *stage = sl_window_stage (data);

  if (g_variant_get_boolean (state))
    sl_stage_begin_pair (stage);
  else if (sl_stage_pair (stage) != NULL)
    sl_stage_back (stage);
}

static void
on_side (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlStage *stage = sl_window_stage (data);

  if (sl_stage_pair (stage) != NULL)
    sl_stage_show_side (stage, g_str_equal (g_variant_get_string (state, NULL), "b"));
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
  sl_window_watch (self, "shown", on_shown);
  sl_window_watch (self, "state", show_differences);
}

void
sl_window_drop_pair (SlWindow *self)
{
  Pair *state = g_steal_pointer (&sl_window_parts (self)->pair);

  if (state->followed != NULL)
    g_signal_handlers_disconnect_by_func (state->followed, on_changed, self);
  g_free (state);
}
