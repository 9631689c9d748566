/* SPDX-License-Identifier: MIT
 *
 * How fast what is shown trains.  */
#include <math.h>

#include "ui/window/frame/frame.h"

/* Updates a second as the action has them; "0": as many as the machine makes.  Other programs may ask for anything. */
static void
on_pace (GSimpleAction *action, GVariant *state, gpointer data)
{
  const char *words = g_variant_get_string (state, NULL);
  char       *end;
  double      updates = g_ascii_strtod (words, &end);

  if (end == words || *end != '\0' || !(updates >= 0.0) || !isfinite (updates))
    return;
  sl_stage_set_pace (sl_window_stage (data), updates);
  g_simple_action_set_state (action, state);
}

static void
show (SlWindow *self)
{
  SlStage         *stage = sl_window_stage (self);
  g_autofree char *pace = g_strdup_printf ("%.0f", sl_stage_pace (stage));

  sl_window_set_state (self, "pace", g_variant_new_string (pace));
}

void
sl_window_add_pace (SlWindow *self)
{
  static const GActionEntry entries[]
    = { { .name = "pace", .parameter_type = "s", .state = "'0'", .change_state = on_pace } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "shown", show);
}
