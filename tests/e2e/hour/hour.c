/* SPDX-License-Identifier: MIT
 *
 * hour: one life of the program, from a start to its end; see ../hour.py, which sets the environment:
 * HOUR_SEED, HOUR_ACTIONS (at most, in this life), HOUR_LEDGER (a file) and HOUR_END (quit, term, kill).  */
#include "tests/e2e/hour/hour.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/application.h"

void
hour_say (const char *format, ...)
{
  va_list          arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  printf ("%s\n", text);
  fflush (stdout);
}

static void
read_ledger (Hour *hour)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) names = NULL;

  if (!g_file_get_contents (hour->ledger, &text, NULL, NULL))
    return;
  names = g_strsplit (text, "\n", -1);
  for (char **name = names; *name != NULL; name++)
    if (**name != '\0')
      g_hash_table_add (hour->runs, g_strdup (*name));
}

static void
end (Hour *hour)
{
  const char *how = g_getenv ("HOUR_END");

  hour_say ("end by %s", how);
  hour->over = TRUE;
  if (hour_choose (hour, 3) == 0) /* in the middle of something */
    hour_act (hour);
  else
    hour_note_place (hour);
  if (g_str_equal (how, "kill"))
    kill (getpid (), SIGKILL);
  if (g_str_equal (how, "term"))
    kill (getpid (), SIGTERM);
  else
    g_action_group_activate_action (G_ACTION_GROUP (hour->application), "quit", NULL);
}

static gboolean
live (gpointer data)
{
  Hour *hour = data;

  hour->store = sl_session_store (hour_session (hour));
  g_assert_nonnull (hour->store);
  sl_store_set_drops_looks (hour->store,
                            FALSE); /* every run counts here; test-look is about those */
  read_ledger (hour);
  hour_check_place (hour);
  hour_check_runs (hour);
  for (; hour->left > 0; hour->left--)
    {
      hour_act (hour);
      hour_check_runs (hour);
      hour_say ("done");
    }
  end (hour);
  return G_SOURCE_REMOVE;
}

static void
begin (GApplication *application, SlWindow *window)
{
  static Hour the_hour; /* until the program ends, which is at no place of ours */
  Hour       *hour = &the_hour;

  hour->application = application;
  hour->window = window;
  hour->rand = g_rand_new_with_seed ((guint32) strtoul (g_getenv ("HOUR_SEED"), NULL, 10));
  hour->left = (unsigned) strtoul (g_getenv ("HOUR_ACTIONS"), NULL, 10);
  hour->ledger = g_strdup (g_getenv ("HOUR_LEDGER"));
  hour->runs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_idle_add (live, hour);
}

int
main (int argc, char **argv)
{
  static const SlDriver person = { .begin = begin };

  return sl_application_main (argc, argv, &person);
}
