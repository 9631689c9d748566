/* SPDX-License-Identifier: MIT
 *
 * Curves of earlier runs that stay behind those of the present one: pinned as they are now, and those
 * of the run whose place the present one took.  */
#include <glib/gi18n.h>

#include "ui/window/plots/plots.h"

enum { PINS_MOST = 3 }; /* more could not be told apart */

typedef struct SlWindowPins
{
  SlRecord  *record[PINS_MOST];    /* oldest first */
  SlGhost    ghost[PINS_MOST + 1]; /* (n), then that of `before` if it has a lab */
  SlRecord   before;               /* or the stored curves of the run that is to be made again */
  SlSession *session;              /* of `before`, only compared */
  gboolean   is_stored;
  gboolean   in_front; /* it is what the plots show, and no ghost */
  unsigned   n;
  unsigned   count; /* that ever were, for their names */
} Pins;

static void
drop_first (Pins *pins)
{
  sl_record_clear (pins->record[0]);
  g_free (pins->record[0]);
  pins->n--;
  for (unsigned i = 0; i < pins->n; i++)
    {
      pins->record[i] = pins->record[i + 1];
      pins->ghost[i] = pins->ghost[i + 1];
    }
}

/* Two runs side by side are ghosts of each other. */
static gboolean
can_pin (SlWindow *self)
{
  return sl_stage_pair (sl_window_stage (self)) == NULL;
}

/* Whether the stored curves are those of the run itself: it was not trained again yet. */
static gboolean
is_in_front (SlWindow *self)
{
  return sl_window_parts (self)->pins->is_stored
         && sl_session_shows_stored (sl_window_get_session (self));
}

static void
show_pins (SlWindow *self)
{
  Pins    *pins = sl_window_parts (self)->pins;
  unsigned n = pins->n;

  pins->in_front = is_in_front (self);
  if (pins->before.lab != NULL && !pins->in_front)
    {
      pins->ghost[n].record = &pins->before;
      g_strlcpy (pins->ghost[n].title, pins->is_stored ? _ ("as stored") : _ ("run before"),
                 sizeof pins->ghost[n].title);
      n++;
    }
  sl_plot_grid_set_ghosts (sl_window_get_grid (self), pins->ghost, n);
  sl_plot_grid_wake (sl_window_get_grid (self));
}

/* The plots forget curves before these go. */
static void
hide_pins (SlWindow *self)
{
  sl_plot_grid_set_ghosts (sl_window_get_grid (self), NULL, 0);
}

static bool
is_pinned (const Pins *pins, unsigned generation)
{
  for (unsigned i = 0; i < pins->n; i++)
    if (pins->record[i]->generation == generation)
      return true;
  return false;
}

/* A run that is gone back to is looked at for itself, a pinned one is there already, and a lesson has runs
 * of its own.  */
static bool
is_wanted (SlWindow *self, const SlRecord *before)
{
  SlSession *session = sl_window_get_session (self);

  return sl_session_is_new (session) && !sl_window_in_lesson (self)
         && before->lab == sl_session_record (session)->lab
         && !is_pinned (sl_window_parts (self)->pins, before->generation);
}

/* A run took the place of another one, whose curves stay behind its own. */
static void
on_restarted (SlWindow *self)
{
  Pins    *pins = sl_window_parts (self)->pins;
  SlRecord before = { 0 }, shown = { 0 };
  gboolean stored;

  if (!can_pin (self))
    return;
  if (sl_session_take_before (sl_window_get_session (self), &before) && !is_wanted (self, &before))
    sl_record_clear (&before);
  stored = sl_stage_take_stored (sl_window_stage (self), &shown);
  if (stored)
    sl_record_clear (&before);
  else
    shown = before;
  if (shown.lab == NULL && pins->before.lab == NULL)
    return;
  hide_pins (self);
  sl_record_clear (&pins->before);
  pins->before = shown;
  pins->is_stored = stored;
  show_pins (self);
}

/* Curves of a run before are for its session; a pair has curves of its own. */
static void
on_shown (SlWindow *self)
{
  Pins      *pins = sl_window_parts (self)->pins;
  SlSession *session = sl_window_get_session (self);

  if (pins->before.lab != NULL && session != pins->session)
    {
      hide_pins (self);
      sl_record_clear (&pins->before);
    }
  pins->session = session;
  if (can_pin (self))
    show_pins (self);
}

/* The stored run is trained again. */
static void
on_progress (SlWindow *self)
{
  if (sl_window_parts (self)->pins->in_front != is_in_front (self) && can_pin (self))
    show_pins (self);
}

static void
on_pin (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow       *self = data;
  Pins           *pins = sl_window_parts (self)->pins;
  SlSession      *session = sl_window_get_session (self);
  const SlRecord *record = sl_session_record (session);
  SlRecord       *copy;
  SlGhost        *ghost;

  if (sl_window_shows_overview (self) || !can_pin (self) || record->lab == NULL)
    return;
  copy = g_new0 (SlRecord, 1);
  if (!sl_record_copy (copy, record, sl_session_settings (session)))
    {
      g_free (copy);
      return;
    }
  if (pins->n == PINS_MOST)
    {
      hide_pins (self);
      drop_first (pins);
    }
  ghost = &pins->ghost[pins->n];
  ghost->record = pins->record[pins->n] = copy;
  /* Translators: behind the name of a curve of an earlier run. */
  g_snprintf (ghost->title, sizeof ghost->title, _ ("pinned %u"), ++pins->count);
  pins->n++;
  show_pins (self);
}

static void
unpin_all (SlWindow *self)
{
  Pins *pins = sl_window_parts (self)->pins;

  hide_pins (self);
  while (pins->n > 0)
    drop_first (pins);
  sl_record_clear (&pins->before);
  pins->count = 0;
}

static void
on_unpin (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!can_pin (data))
    return;
  unpin_all (data);
  sl_plot_grid_wake (sl_window_get_grid (data));
}

void
sl_window_add_pins (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "pin", .activate = on_pin },
    { .name = "unpin", .activate = on_unpin },
  };

  sl_window_parts (self)->pins = g_new0 (Pins, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "shown", on_shown);
  sl_window_watch (self, "restarted", on_restarted);
  sl_window_watch (self, "progress", on_progress);
}

void
sl_window_drop_pins (SlWindow *self)
{
  unpin_all (self);
  g_clear_pointer (&sl_window_parts (self)->pins, g_free);
}
