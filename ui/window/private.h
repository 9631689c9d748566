/* SPDX-License-Identifier: MIT
 *
 * The inside of the window, shared by window.c (what it is made of), session.c (the run that it shows)
 * and show.c (what it says of it).  */
#pragma once

#include "ui/kit/banner.h"
#include "ui/runs/page.h"
#include "ui/status/line.h"
#include "ui/status/timeline.h"
#include "ui/window/services.h"

struct _SlWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwWindowTitle  *title;
  AdwStatusPage   *failed;
  GtkButton       *toggle;
  GtkStack        *pages;
  GtkSpinner      *spinner;
  SlSidebar       *sidebar;
  SlBanner        *diverged, *trouble;
  SlOverview      *overview;
  SlRunsPage      *runs;
  SlPlotGrid      *grid;
  SlStatusLine    *status;
  SlTimeline      *timeline;

  SlSession    *session; /* that is shown */
  SlSession    *own;     /* for labs chosen and files opened */
  SlPrefs      *prefs;
  SlWindowParts parts;
  char         *complaint; /* about a file, until another is opened; or NULL */
  gboolean      gone_on;   /* the user is elsewhere since: no banner says it any more */
  const char   *page;      /* where the user was last, and in which lab; compared only */
  const SlLab  *lab;
  guint         later;  /* timeout that brings the status line up to date */
  gint64        stated; /* when it last was, µs */
};

/* show.c */
void sl_window_show_title (SlWindow *self);
void sl_window_show_page (SlWindow *self);
void sl_window_show_banners (SlWindow *self);
void sl_window_show_running (SlWindow *self);
/* Brings the status line up to date soon, at most a few times a second. */
void sl_window_show_status (SlWindow *self);
