/* SPDX-License-Identifier: MIT
 *
 * Where the person is when the program ends, and whether the next start shows the same.  */
#include "tests/e2e/hour/hour.h"

#include <glib/gstdio.h>

static char *
file_of (const Hour *hour)
{
  return g_strconcat (hour->ledger, "-place", NULL);
}

/* A run that goes may come to its limit before the program ends, or after the next start. */
static void
say_run (GString *text, SlSession *session, gboolean going)
{
  const SlLab     *lab = sl_session_lab (session);
  gboolean         visiting = sl_session_is_visiting (session), stored;
  g_autofree char *edits = NULL;

  if (lab == NULL)
    return;
  going = going || sl_session_state (session) == SL_FINISHED;
  stored = sl_session_present (session) > 0;
  edits = sl_edits_write (sl_session_edits (session), lab);
  g_string_append_printf (text, "lab %s run %s %s\n", lab->id,
                          stored ? sl_session_uuid (session) : "-", going ? "goes" : "rests");
  if (!going)
    g_string_append_printf (text, "at %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT "%s\n",
                            sl_session_info (session)->step, sl_session_present (session),
                            visiting ? ", past" : "");
  if (stored)
    g_string_append (text, edits);
}

typedef struct
{
  Hour    *hour;
  uint64_t step;
} Look;

/* What the window shows, in words. */
static char *
dup_place (Hour *hour)
{
  GString  *text = g_string_new (NULL);
  SlWindow *window = hour->window;
  SlGroup  *group = sl_overview_get_group (sl_window_get_overview (window));

  if (!sl_window_shows_overview (window))
    say_run (text, hour_session (hour), sl_session_state (hour_session (hour)) == SL_RUNNING);
  else
    for (unsigned i = 0; i < sl_group_size (group); i++)
      say_run (text, sl_group_session (group, i), sl_group_goes (group, i));
  return g_string_free (text, FALSE);
}

/* A change was made that will end the run, and has not yet. */
static gboolean
is_ending (SlSession *session)
{
  const GArray *undo = sl_session_edits (session)->undo;
  const SlEdit *last = undo->len > 0 ? &g_array_index (undo, SlEdit, undo->len - 1) : NULL;

  return sl_session_error (session) == NULL && last != NULL && last->ended && last->run[0] == '\0'
         && last->step > 0 && last->step == sl_session_present (session);
}

/* The run is there and either trains or rests. */
static gboolean
is_settled (SlSession *session)
{
  if (sl_session_lab (session) == NULL || sl_session_is_loading (session) || is_ending (session))
    return FALSE;
  if (sl_session_state (session) == SL_RUNNING)
    return sl_session_present (session) > 0;
  return g_main_context_find_source_by_user_data (NULL, session) == NULL;
}

static gboolean
is_there (gpointer data)
{
  Hour    *hour = data;
  SlGroup *group = sl_overview_get_group (sl_window_get_overview (hour->window));

  if (!sl_window_shows_overview (hour->window))
    return is_settled (hour_session (hour));
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (!is_settled (sl_group_session (group, i)))
      return FALSE;
  return group != NULL;
}

/* A diverged run comes back at its last checkpoint, and a lesson is no place of its own. */
static gboolean
can_come_back (Hour *hour)
{
  return sl_window_shows_overview (hour->window)
         || sl_session_state (hour_session (hour)) != SL_DIVERGED;
}

/* What was changed or taken back just now is on its way to the store when the window has looked at the run's thread
 * twice: the update that went on meanwhile may be all that it sees first.  */
static gboolean
has_looked (gpointer data)
{
  const Look *look = data;
  SlSession  *session = hour_session (look->hour);

  return sl_session_state (session) != SL_RUNNING || sl_session_info (session)->step != look->step;
}

/* A run that is opened is read from the store first, while the one before it is still shown. */
static gboolean
is_opened (gpointer data)
{
  const Hour *hour = data;
  SlSession  *session = hour_session (hour);

  return hour->opening[0] == '\0' || sl_session_error (session) != NULL
         || g_strcmp0 (sl_session_uuid (session), hour->opening) == 0;
}

typedef struct
{
  Hour  *hour;
  char  *place;
  gint64 since; /* us */
} Still;

/* Several changes that are taken back at once go from run to run. */
static gboolean
is_still (gpointer data)
{
  enum { ENOUGH = G_USEC_PER_SEC };
  Still           *still = data;
  gint64           now = g_get_monotonic_time ();
  g_autofree char *place = is_there (still->hour) ? dup_place (still->hour) : NULL;

  if (place == NULL || g_strcmp0 (place, still->place) != 0)
    {
      g_free (still->place);
      still->place = g_steal_pointer (&place);
      still->since = now;
    }
  return still->place != NULL && now - still->since >= ENOUGH;
}

void
hour_note_place (Hour *hour)
{
  Look             look = { .hour = hour };
  Still            still = { .hour = hour };
  g_autofree char *file = file_of (hour), *place = NULL;
  g_autoptr (GError) error = NULL;

  /* The page of runs may be shown from the start page, when no lab has been chosen yet. */
  if (!sl_window_shows_overview (hour->window) && sl_session_lab (hour_session (hour)) == NULL)
    return;
  hour_wait (hour, "the run that was opened", is_opened, hour);
  hour_wait (hour, "a place", is_still, &still);
  g_free (still.place);
  for (int looks = 0; looks < 2; looks++)
    {
      look.step = sl_session_info (hour_session (hour))->step;
      hour_wait (hour, "a look at its thread", has_looked, &look);
    }
  sl_store_flush (hour->store, NULL);
  if (!can_come_back (hour))
    return;
  place = dup_place (hour);
  g_file_set_contents (file, place, -1, &error);
  g_assert_no_error (error);
}

void
hour_check_place (Hour *hour)
{
  g_autofree char *file = file_of (hour), *before = NULL, *now = NULL;

  if (!g_file_get_contents (file, &before, NULL, NULL))
    return;
  g_unlink (file);
  hour_wait (hour, "the place of the last time", is_there, hour);
  now = dup_place (hour);
  if (!g_str_equal (before, now))
    g_error ("it was\n%s\nand is now\n%s", before, now);
  hour_say ("at the same place");
}
