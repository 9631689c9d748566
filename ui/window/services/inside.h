/* SPDX-License-Identifier: MIT
 *
 * The inside of the window, for window.c (what it is made of), services.c and show.c (what it says of what
 * is shown).  */
#pragma once

#include "ui/kit/banner.h"
#include "ui/runs/page.h"
#include "ui/status/line.h"
#include "ui/status/timeline.h"
#include "ui/window/services/services.h"

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

  SlStage      *stage;
  SlPrefs      *prefs;
  SlWindowParts parts;
  GCancellable *closing;
  char         *complaint; /* about a file, until another is opened; or NULL */
  gboolean      gone_on;   /* the user is elsewhere since: no banner says it any more */
  const char   *page;      /* where the user was last, and in which lab; compared only */
  const SlLab  *lab;
  const SlLab  *plots;  /* whose plots there were before another run began; compared only */
  guint         later;  /* timeout that brings the status line up to date */
  gint64        stated; /* when it last was, µs */
};

/* show.c: title, page, banners and status follow the stage. */
void sl_window_add_show (SlWindow *self);
