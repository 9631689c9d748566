/* SPDX-License-Identifier: MIT
 *
 * The inside of the window, shared by sl-window.c (what it shows), sl-window-actions.c (what
 * it does) and sl-window-paint.c (painted data).  */
#pragma once

#include "core/run/painting.h"
#include "ui/sl-banner.h"
#include "ui/sl-status-line.h"
#include "ui/sl-window.h"

struct _SlWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwWindowTitle  *title;
  AdwStatusPage   *failed;
  GtkButton       *toggle;
  GtkWidget       *step, *export, *leave;
  GtkDropTarget   *drop;
  GtkStack        *pages;
  GtkSpinner      *spinner;
  SlSidebar       *sidebar;
  SlBanner        *diverged, *trouble;
  SlPlotGrid      *grid;
  SlStatusLine    *status;

  SlSession *session;
  SlPrefs   *prefs;
  GtkFileChooserNative *chooser; /* while it is open */
  SlPainting painting; /* since a stroke began until its run is there */
  char      *painted;  /* what the last stroke became, to be opened */
  gboolean   stroking; /* a stroke is under way */
  gboolean   presenting;
  gboolean   filled; /* the whole screen, before it presented */
  guint      awake;  /* what keeps the screen from going dark, or 0 */
  gboolean   narrow; /* too narrow for plots beside the sidebar */
  guint      folding; /* idle source that folds or unfolds */
  guint      later;  /* timeout that brings the status line up to date */
  gint64     stated; /* when it last was, µs */
};

/* sl-window-actions.c */
void sl_window_add_actions (SlWindow *self);
void sl_window_update_actions (SlWindow *self);

/* sl-window-paint.c: an example painted (label -1: erased around), and the end of a stroke. */
void sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                          double radius_y);
void sl_window_paint_stroke (SlWindow *self);
void sl_window_paint_restarted (SlWindow *self); /* another run is there, or on its way */

/* sl-window-present.c: begins or ends a presentation on a screen, or with NULL on the one it is on; and
 * what follows the size of type.  */
void sl_window_add_present (SlWindow *self);
void sl_window_set_presenting (SlWindow *self, gboolean presenting, GdkMonitor *monitor);
void sl_window_fit_type (SlWindow *self);
int  sl_window_fold_width (SlWindow *self); /* below, there is no room for a sidebar */

/* sl-window-help.c */
void sl_window_add_help (SlWindow *self);

/* sl-window.c: shows or hides the sidebar. */
void sl_window_show_sidebar (SlWindow *self, gboolean shown);
