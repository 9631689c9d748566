/* SPDX-License-Identifier: MIT
 *
 * Finding things in the window: presets, groups of panels, the search for parameters, the menu.  */
#include <string.h>

#include "tests/ui/fixture.h"

static void
set_up (SlFixture *f, gconstpointer data)
{
  static const char *const few[] = { "experts", "4", "hidden", "6", NULL };
  g_autofree char         *store = NULL;
  g_autoptr (GError) error = NULL;

  sl_fixture_begin (f, data);
  store = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (store, &error);
  g_assert_no_error (error);
  sl_fixture_open (f);
  sl_window_set_store (f->window, f->store, NULL);
  sl_fixture_start (f, "experts", few, "moons", TRUE);
  sl_wait (sl_is_running, f->session);
}

/* ---- presets ---- */

static GtkWidget *
preset_row (SlFixture *f)
{
  return sl_child (sl_window_get_sidebar (f->window), "presets");
}

/* A preset begins a run of its settings, all of them, and is taken back as one change. */
static void
test_preset (SlFixture *f, gconstpointer data)
{
  const SlLab *lab = sl_session_lab (f->session);
  GtkListBox  *list = GTK_LIST_BOX (sl_child (preset_row (f), "list"));
  unsigned     generation = sl_session_generation (f->session);
  SlSettings   quick;
  SlStatus     status = sl_preset_settings (lab, sl_lab_preset (lab, "quick"), &quick);

  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (sl_child_text (preset_row (f), "name"), ==, "Own Values");
  for (int i = 0; i <= (int) sl_lab_n_presets (lab); i++)
    g_assert_nonnull (gtk_list_box_get_row_at_index (list, i));
  sl_wait_for_step (f->session, 20);
  sl_act (f, "preset", g_variant_new_string ("quick"));
  sl_wait_for_run (f->session, generation);
  g_assert_true (sl_settings_same (sl_session_settings (f->session), &quick, lab->n_params));
  g_assert_cmpstr (sl_child_text (preset_row (f), "name"), ==, "Quick");
  generation = sl_session_generation (f->session);
  sl_act (f, "undo", NULL);
  sl_wait_for_run (f->session, generation);
  g_assert_cmpfloat (sl_value (f, "experts")->v[0], ==, 4.0);
  g_assert_cmpfloat (sl_value (f, "hidden")->v[0], ==, 6.0);
  g_assert_cmpfloat (sl_value (f, "batch")->v[0], !=, 100.0);
  g_assert_cmpstr (sl_child_text (preset_row (f), "name"), ==, "Own Values");
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
#define ADD(name, run) g_test_add ("/find/" name, SlFixture, NULL, set_up, run, sl_fixture_end)
  ADD ("preset", test_preset);
#undef ADD
  return g_test_run ();
}
