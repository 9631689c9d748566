/* SPDX-License-Identifier: MIT */
#include "tests/ui/fixture.h"

#include "core/labs/registry.h"
#include "tests/support/folder.h"
#include "ui/form/rail.h"

enum { SEED = 7 };

void
sl_fixture_begin (SlFixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  f->prefs = sl_prefs_new ();
  f->session = sl_session_new ();
}

void
sl_fixture_start (SlFixture *f, const char *lab, const char *const *pairs, const char *data,
                  gboolean run)
{
  const SlLab *found = sl_lab_find (lab);
  SlSettings   settings;

  g_assert_nonnull (found);
  sl_settings_default (&settings, found->params, found->n_params);
  for (; pairs != NULL && *pairs != NULL; pairs += 2)
    {
      SlStatus status
        = sl_settings_set (&settings, found->params, found->n_params, pairs[0], pairs[1]);

      g_assert_true (sl_ok (&status));
    }
  sl_session_start (f->session, found, &settings, data, SEED, run);
}

GtkListBox *
sl_fixture_labs (SlFixture *f)
{
  return sl_rail_get_list (SL_RAIL (sl_child (f->window, "rail")));
}

void
sl_fixture_open (SlFixture *f)
{
  f->window = sl_window_new (NULL, f->session, f->prefs);
  gtk_window_present (GTK_WINDOW (f->window));
}

void
sl_fixture_show_all (SlFixture *f)
{
  sl_plot_grid_set_all (sl_window_get_grid (f->window), TRUE);
  sl_settle ();
}

static void
remove_folder (SlFixture *f)
{
  sl_remove_all (f->folder);
  g_free (f->folder);
  g_free (f->path);
}

/* A session whose thread was in a slow update when its window closed lives until that is over. */
static gboolean
is_nothing_left (gpointer unused)
{
  return sl_session_close_left () == 0;
}

void
sl_fixture_end (SlFixture *f, gconstpointer data)
{
  g_object_ref (f->window);
  gtk_window_close (GTK_WINDOW (f->window));
  sl_settle ();
  g_assert_finalize_object (f->window);
  sl_wait (is_nothing_left, NULL);
  if (f->group != NULL)
    g_assert_finalize_object (f->group);
  g_assert_finalize_object (f->session);
  g_assert_finalize_object (f->prefs);
  if (f->store != NULL)
    {
      /* A thread may be reading when its window goes. */
      sl_wait (sl_is_alone, f->store);
      g_assert_finalize_object (f->store);
    }
  remove_folder (f);
}

gboolean
sl_can (SlFixture *f, const char *name)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (f->window), name);

  g_assert_nonnull (action);
  return g_action_get_enabled (action);
}

typedef struct
{
  SlFixture  *fixture;
  const char *action;
} Wanted;

static gboolean
is_enabled (gpointer data)
{
  const Wanted *wanted = data;

  return sl_can (wanted->fixture, wanted->action);
}

void
sl_act (SlFixture *f, const char *name, GVariant *parameter)
{
  /* What can be done follows the run, which says so in its own time. */
  sl_wait_named (name, G_STRLOC, is_enabled, &(Wanted) { f, name });
  g_action_group_activate_action (G_ACTION_GROUP (f->window), name, parameter);
}

SlParamRow *
sl_row (SlFixture *f, const char *id)
{
  return sl_param_form_row (sl_sidebar_get_form (sl_window_get_sidebar (f->window)), id);
}

const SlValue *
sl_value (SlFixture *f, const char *id)
{
  const SlLab *lab = sl_session_lab (f->session);
  int          param = sl_param_find (lab->params, lab->n_params, id);

  g_assert_cmpint (param, >=, 0);
  return &sl_session_settings (f->session)->value[param];
}

typedef struct
{
  SlSession *session;
  uint64_t   count;
} Target;

static gboolean
is_reached (gpointer data)
{
  const Target *target = data;

  return sl_session_info (target->session)->step >= target->count;
}

static gboolean
is_later (gpointer data)
{
  const Target *target = data;

  return sl_session_generation (target->session) > target->count
         && !sl_session_is_loading (target->session);
}

unsigned
sl_n_ghosts (SlFixture *f, const char *panel)
{
  int             number = sl_lab_panel (sl_session_lab (f->session), panel);
  SlPlotView     *view = sl_plot_grid_get_view (sl_window_get_grid (f->window), (unsigned) number);
  const SlFigure *figure = sl_plot_view_get_figure (view);
  unsigned        n = 0;

  sl_plot_view_update (view);
  for (unsigned c = 0; c < figure->n_curves; c++)
    n += figure->curve[c].ghost && figure->curve[c].series->n > 0;
  return n;
}

void
sl_wait_for_step (SlSession *session, uint64_t step)
{
  sl_wait (is_reached, &(Target) { session, step });
}

void
sl_wait_for_run (SlSession *session, unsigned generation)
{
  sl_wait (is_later, &(Target) { session, generation });
}

gboolean
sl_is_loaded (gpointer session)
{
  return sl_session_lab (session) != NULL && !sl_session_is_loading (session);
}

gboolean
sl_is_running (gpointer session)
{
  return sl_is_loaded (session) && sl_session_state (session) == SL_RUNNING
         && sl_session_info (session)->step > 0;
}

gboolean
sl_is_paused (gpointer session)
{
  /* The timeout that brings what it did is gone when nothing more comes. */
  return sl_is_loaded (session) && sl_session_state (session) == SL_PAUSED
         && g_main_context_find_source_by_user_data (NULL, session) == NULL;
}

gboolean
sl_is_marked (gpointer session)
{
  return sl_session_record (session)->n_flags > 0;
}

unsigned
sl_fixture_panel (SlFixture *f, const char *id)
{
  int panel = sl_lab_panel (sl_session_lab (f->session), id);

  g_assert_cmpint (panel, >=, 0);
  return (unsigned) panel;
}
