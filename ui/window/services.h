/* SPDX-License-Identifier: MIT
 *
 * What the window offers its controllers.  A controller is one task of the window (save.c, pins.c, …)
 * with a state that only its own file knows.  sl_window_add_…() makes it and adds its actions, before
 * the template is there; sl_window_drop_…() frees it, while the template still is.  */
#pragma once

#include "ui/window/window.h"

/* The controllers that have a state; each file fills in its own. */
typedef struct
{
  struct SlWindowExport *export;
  struct SlWindowFollowed  *followed;
  struct SlWindowHealth    *health;
  struct SlWindowHistory   *history;
  struct SlWindowLayout    *layout;
  struct SlWindowLesson    *lesson;
  struct SlWindowOffer     *offer;
  struct SlWindowOpen      *open;
  struct SlWindowOverview  *overview;
  struct SlWindowPaint     *paint;
  struct SlWindowPair      *pair;
  struct SlWindowPicture   *picture;
  struct SlWindowNetwork   *network;
  struct SlWindowPins      *pins;
  struct SlWindowRemake    *remake;
  struct SlWindowRuns      *runs;
  struct SlWindowSave      *save;
  struct SlWindowUnseen    *unseen;
  struct SlWindowView      *view;
  struct SlWindowWorkspace *workspace;
} SlWindowParts;

SlWindowParts *sl_window_parts (SlWindow *self);

/* An object of the template by its id, borrowed. */
gpointer sl_window_child (SlWindow *self, const char *id);

/* All are borrowed. */
/* The session for labs that are chosen and files that are opened; NULL at the end. */
SlSession *sl_window_get_own (SlWindow *self);
/* The group that the overview shows, which is a lesson's while that is shown; or NULL. */
SlGroup *sl_window_get_group (SlWindow *self);
/* The window's own group. */
SlGroup *sl_window_get_own_group (SlWindow *self);
/* The store of runs, or NULL. */
SlStore *sl_window_get_store (SlWindow *self);
SlPrefs *sl_window_get_prefs (SlWindow *self);

/* ---- what is shown ---- */

/* Shows a session with its plots. */
void sl_window_set_session (SlWindow *self, SlSession *session);
/* Shows the window's own session. */
void sl_window_show_own (SlWindow *self);
/* Leaves the page of runs. */
void sl_window_leave_runs (SlWindow *self);

/* Whether the page of runs is shown. */
gboolean sl_window_shows_runs (SlWindow *self);
/* Whether the session that is shown is one of the overview's. */
gboolean sl_window_is_closer (SlWindow *self);

/* The user has gone on since a file was refused: its banner leaves.  A run that cannot be continued keeps its own. */
void sl_window_go_on (SlWindow *self);

/* What is shown has changed: brings all that the window says of it up to date. */
void sl_window_changed (SlWindow *self);

/* ---- actions and messages ---- */

GAction *sl_window_action (SlWindow *self, const char *name);
void     sl_window_enable (SlWindow *self, const char *name, gboolean enabled);
void     sl_window_set_state (SlWindow *self, const char *name, GVariant *state);

/* A toast with a button that does an action, "win.lesson('1-gate')" (both may be NULL); borrowed
 * from the window for as long as it is shown.  */
AdwToast *sl_window_toast_button (SlWindow *self, const char *sentence, const char *label,
                                  const char *action);
/* A toast over the plots of the overview. */
void sl_window_hint (SlWindow *self, const char *sentence);
