/* SPDX-License-Identifier: MIT
 *
 * The real window on a real session, as most tests with a window want it.  */
#pragma once

#include "tests/ui/ui.h"
#include "ui/window/window.h"

typedef struct
{
  char      *folder; /* the test's own; removed with what is in it */
  char      *path;   /* a file in it, */
  SlStore   *store;  /* a store and */
  SlGroup   *group;  /* a group, where the test has put one; or NULL */
  SlPrefs   *prefs;
  SlSession *session;
  SlWindow  *window;
} SlFixture;

/* A folder, preferences and a session that does nothing yet.  This and the end can be given to
 * g_test_add().  */
void sl_fixture_begin (SlFixture *f, gconstpointer data);

/* Begins a run of a lab on seed 7, with its defaults but for `pairs` of ids and values (NULL at the
 * end, or none at all).  */
void sl_fixture_start (SlFixture *f, const char *lab, const char *const *pairs, const char *data,
                       gboolean run);

/* Shows a window on the session. */
/* The list of labs at the window's side. */
GtkListBox *sl_fixture_labs (SlFixture *f);

void sl_fixture_open (SlFixture *f);

/* All plots of the lab instead of its front page. */
void sl_fixture_show_all (SlFixture *f);

/* Closes the window and drops everything; fails the test when something is still held. */
void sl_fixture_end (SlFixture *f, gconstpointer data);

/* Number of the panel of the run's lab with this id. */
unsigned sl_fixture_panel (SlFixture *f, const char *id);

/* Activates an action of the window as soon as it is enabled; takes the parameter over. */
void sl_act (SlFixture *f, const char *name, GVariant *parameter);

gboolean sl_can (SlFixture *f, const char *name);

/* The row of a parameter in the sidebar. */
SlParamRow *sl_row (SlFixture *f, const char *id);

/* The value of a parameter of the run. */
const SlValue *sl_value (SlFixture *f, const char *id);

/* How many curves with values of other runs a plot has. */
unsigned sl_n_ghosts (SlFixture *f, const char *panel);

/* Waits until the run has made that many updates. */
void sl_wait_for_step (SlSession *session, uint64_t step);

/* Waits until a run after this generation has begun. */
void sl_wait_for_run (SlSession *session, unsigned generation);

/* Conditions on an SlSession. */
gboolean sl_is_loaded (gpointer session);  /* it has a run, and no other is on its way */
gboolean sl_is_running (gpointer session); /* and has made an update */
gboolean sl_is_paused (gpointer session);  /* and all that it did has come */
gboolean sl_is_marked (gpointer session);  /* a change has its flag */
