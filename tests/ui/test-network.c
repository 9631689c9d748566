/* SPDX-License-Identifier: MIT
 *
 * Networks of choices in the window: the one of a run saved, edited and dropped, and what is refused.  */
#include <string.h>

#include "tests/ui/fixture.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  sl_fixture_begin (f, data);
  f->path = g_build_filename (f->folder, "network.json", NULL);
  sl_fixture_open (f);
  sl_fixture_start (f, "selective-execution", NULL, "digits:images=300", FALSE);
  sl_wait (sl_is_paused, f->session);
}

static const char *
network_of (SlFixture *f)
{
  return sl_session_dataset (f->session)->network;
}

/* A network that was saved comes back after an edit, in the lab that is shown or from another one. */
static void
test_there_and_back (SlFixture *f, gconstpointer data)
{
  g_autofree char *text = NULL, *edited = NULL;
  g_auto (GStrv) part = NULL;
  unsigned generation;

  sl_act (f, "save-network-to", g_variant_new_string (f->path));
  g_assert_true (g_file_get_contents (f->path, &text, NULL, NULL));
  part = g_strsplit (text, "\"low\"", -1);
  edited = g_strjoinv ("\"small\"", part);
  g_assert_true (g_file_set_contents (f->path, edited, -1, NULL));

  generation = sl_session_generation (f->session);
  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (network_of (f), ==, edited);
  g_assert_true (g_str_has_prefix (sl_session_spec (f->session), "digits:images=300,"));

  /* Edited and opened once more. */
  g_assert_true (g_file_set_contents (f->path, text, -1, NULL));
  generation = sl_session_generation (f->session);
  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (network_of (f), ==, text);

  generation = sl_session_generation (f->session);
  sl_act (f, "lab", g_variant_new_string ("experts"));
  sl_wait_for_run (f->session, generation);
  g_assert_false (sl_can (f, "save-network"));
  generation = sl_session_generation (f->session);
  sl_window_open_file (f->window, f->path);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpstr (network_of (f), ==, text);
}

static gboolean
says_line (gpointer window)
{
  return strstr (sl_child_text (sl_child (window, "trouble"), "text"), "\"nam\", line 3") != NULL;
}

/* The run that is shown stays, and the sentence has the line. */
static void
test_refused (SlFixture *f, gconstpointer data)
{
  static const char bad[] = "{\"sluice-network\": 1,\n \"nodes\": [\n  {\"nam\": \"in\"}]}\n";
  unsigned          generation = sl_session_generation (f->session);

  g_assert_true (g_file_set_contents (f->path, bad, -1, NULL));
  sl_window_open_file (f->window, f->path);
  sl_wait (says_line, f->window);
  g_assert_cmpuint (sl_session_generation (f->session), ==, generation);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add ("/network/there-and-back", SlFixture, NULL, set_up, test_there_and_back,
              sl_fixture_end);
  g_test_add ("/network/refused", SlFixture, NULL, set_up, test_refused, sl_fixture_end);
  return g_test_run ();
}
