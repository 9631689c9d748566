/* SPDX-License-Identifier: MIT
 *
 * What the window offers its controllers.  A controller is one task of the window (pins, runs, a lesson, …)
 * with a state that only its own file knows.  It knows the stage (core/run/stage), whose signals it follows,
 * the actions, and the toasts, but no controller that uses it.  sl_window_add_…() makes it, adds its actions
 * and connects it, before the template is there; sl_window_drop_…() frees it, while the template still is.  */
#pragma once

#include <adwaita.h>

#include "core/run/stage/stage.h"
#include "ui/form/sidebar.h"
#include "ui/grid/grid.h"
#include "ui/kit/prefs.h"
#include "ui/overview/overview.h"

typedef struct _SlWindow SlWindow;

/* The controllers that have a state; each file fills in its own. */
typedef struct
{
  struct SlWindowExport *export;
  struct SlWindowCarry     *carry;
  struct SlWindowBanners   *banners;
  struct SlWindowHistory   *history;
  struct SlWindowImport    *import;
  struct SlWindowLayout    *layout;
  struct SlWindowAway      *away; /* frame/away.c */
  struct SlWindowLesson    *lesson;
  struct SlWindowPaint     *paint;
  struct SlWindowPair      *pair;
  struct SlWindowPicture   *picture;
  struct SlWindowNetwork   *network;
  struct SlWindowPins      *pins;
  struct SlWindowRuns      *runs;
  struct SlWindowSave      *save;
  struct SlWindowStore     *store;
  struct SlWindowView      *view;
  struct SlWindowWorkspace *workspace;

  GPtrArray            *followed; /* of SlFollow (opening/open.c) */
  GtkFileChooserNative *opener;   /* while it is open (opening/file.c) */
} SlWindowParts;

SlWindowParts *sl_window_parts (SlWindow *self);

/* All are borrowed. */
/* An object of the template by its id. */
gpointer    sl_window_child (SlWindow *self, const char *id);
SlStage    *sl_window_stage (SlWindow *self);
SlPrefs    *sl_window_get_prefs (SlWindow *self);
SlOverview *sl_window_get_overview (SlWindow *self);
SlPlotGrid *sl_window_get_grid (SlWindow *self);
SlSidebar  *sl_window_get_sidebar (SlWindow *self);
/* The session that is shown; on the start page, the one that was. */
SlSession *sl_window_get_session (SlWindow *self);
/* The store of runs, or NULL. */
SlStore *sl_window_get_store (SlWindow *self);
/* For tasks in the background: cancelled when the window goes. */
GCancellable *sl_window_closing (SlWindow *self);

gboolean sl_window_shows_overview (SlWindow *self);
/* Whether a lesson is taken, which begins runs of its own. */
gboolean sl_window_in_lesson (SlWindow *self);

/* Calls handler (SlWindow *self) at a signal of the stage. */
void sl_window_watch (SlWindow *self, const char *signal, void (*handler) (SlWindow *self));

/* Changes a parameter of the run that is shown; a toast says what is wrong with the value. */
void sl_window_set_value (SlWindow *self, const char *id, const SlValue *value);

/* A screen that the window is not on; a reference, or NULL. */
GdkMonitor *sl_window_dup_other_monitor (SlWindow *self);

/* ---- actions ---- */

GAction *sl_window_action (SlWindow *self, const char *name);
void     sl_window_enable (SlWindow *self, const char *name, gboolean enabled);
void     sl_window_set_state (SlWindow *self, const char *name, GVariant *state);
gboolean sl_window_is_on (SlWindow *self, const char *name); /* of an action that is on or off */

/* ---- messages ---- */

/* A short message at the bottom. */
void sl_window_toast (SlWindow *self, const char *sentence);
/* One with a button that does an action, "win.lesson('1-gate')" (both may be NULL); borrowed from the
 * window for as long as it is shown.  */
AdwToast *sl_window_toast_button (SlWindow *self, const char *sentence, const char *label,
                                  const char *action);

/* What is wrong with a file: in a banner, or on a page of its own where there is no run to show.  NULL:
 * nothing any more.  */
void sl_window_report (SlWindow *self, const char *sentence);

/* The user has gone on since a file was refused: its banner leaves.  A run that cannot be continued keeps its own. */
void sl_window_go_on (SlWindow *self);
