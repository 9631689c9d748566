/* SPDX-License-Identifier: MIT
 *
 * The inside of the window, shared by sl-window.c (what it shows), sl-window-actions.c (what
 * it does) and sl-window-paint.c (painted data).  */
#pragma once

#include "core/run/files/painting.h"
#include "core/run/group/pair.h"
#include "ui/kit/banner.h"
#include "ui/lesson/bar.h"
#include "ui/overview/overview.h"
#include "ui/runs/page.h"
#include "ui/window/status-line.h"
#include "ui/window/timeline.h"
#include "ui/window/window.h"

typedef struct _SlLessonDesk SlLessonDesk; /* sl-window-lesson-private.h */
typedef struct _SlPins       SlPins;       /* sl-window-pin.c */

/* What sl-window-runs.c had measured last. */
typedef struct
{
  const SlSession *session; /* only compared */
  unsigned         generation;
  uint64_t         step;
  SlSettings       settings;
  gint64           time; /* µs */
} SlMeasured;

typedef struct SlExported SlExported;

struct _SlWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwWindowTitle  *title;
  AdwStatusPage   *failed;
  GtkButton       *toggle;
  GtkWidget       *step, *rewind, *export, *leave;
  GtkDropTarget   *drop;
  GtkStack        *pages;
  GtkSpinner      *spinner;
  SlSidebar       *sidebar;
  SlBanner        *diverged, *trouble, *unstored;
  SlOverview      *overview;
  SlRunsPage      *runs;
  SlPlotGrid      *grid;
  SlStatusLine    *status;
  SlTimeline      *timeline;
  SlLessonBar     *lesson_bar;
  GMenu           *lessons; /* the submenu of them */
  GtkWidget       *menu;

  SlSession            *session;     /* that is shown */
  SlSession            *own;         /* for labs chosen and files opened */
  SlGroup              *group;       /* of the start page, or NULL */
  gboolean              in_overview; /* the start page is shown */
  gboolean              own_held;    /* its own session was running before that */
  SlPair               *pair;        /* two runs side by side, or NULL */
  SlSession            *twin_like;   /* what was shown before */
  gboolean              twin_held;   /* and was running */
  SlGhost               twin_ghost;  /* the one of them that is not edited */
  GtkWidget            *pair_bar;
  GtkLabel             *pair_place;
  gboolean              comparing; /* the page of runs is shown */
  SlExported           *exported;  /* of sl-window-export.c, or NULL */
  SlMeasured            measured;
  SlPrefs              *prefs;
  SlStore              *store;     /* of runs, or NULL */
  GError               *no_store;  /* why there is none */
  char                 *save_path; /* of a save that waits for a checkpoint, or NULL */
  SlSession            *save_from; /* whose run that is, or NULL */
  guint                 saving;    /* the timeout that looks for it */
  unsigned              kept_before, looks;
  char                 *saved_path; /* where the run of this name was saved, or NULL */
  char                  saved_uuid[SL_UUID];
  gboolean              resume_paused;    /* what is being opened is not to run */
  char                  view_of[SL_UUID]; /* the stored run whose views the plots have, or "" */
  uint64_t              limit_due; /* of the run that is to be made again, once it is there; or 0 */
  uint64_t              limit_before;
  unsigned              before_remade, remade; /* generations: before that run, and of it or 0 */
  char                 *view_kept;             /* what the store has of them, or NULL */
  char                 *view_due;     /* what the run that is to come was looked at with, or NULL */
  GtkFileChooserNative *saver;        /* while it is open */
  char                 *picture_path; /* where the picture goes that was asked for, or NULL */
  SlLessonDesk         *lesson;
  SlPins               *pins;
  char                 *complaint; /* about a file, until another is opened; or NULL */
  GtkFileChooserNative *chooser;   /* while it is open */
  SlPainting            painting;  /* since a stroke began until its run is there */
  char                 *painted;   /* what the last stroke became, to be opened */
  gboolean              stroking;  /* a stroke is under way */
  GPtrArray
          *strokes; /* of specifications: the data before each stroke and after the last; or NULL */
  guint    stroke;  /* which of them is in use */
  gboolean presenting;
  gboolean filled;  /* the whole screen, before it presented */
  guint    awake;   /* what keeps the screen from going dark, or 0 */
  gboolean narrow;  /* too narrow for plots beside the sidebar */
  gboolean tight;   /* too narrow for every button of the header */
  gboolean folded;  /* as `narrow` when the sidebar was folded or unfolded last */
  guint    folding; /* idle source that folds or unfolds */
  guint    later;   /* timeout that brings the status line up to date */
  gint64   stated;  /* when it last was, µs */
};

/* sl-window-actions.c */
void sl_window_add_actions (SlWindow *self);
void sl_window_update_actions (SlWindow *self);

/* sl-window-paint.c: an example painted (label -1: erased around), and the end of a stroke. */
void sl_window_paint_dab (SlWindow *self, double x, double y, int label, double radius_x,
                          double radius_y);
void sl_window_paint_stroke (SlWindow *self);
void sl_window_paint_restarted (SlWindow *self); /* another run is there, or on its way */

/* Takes a stroke back, or makes it again; FALSE when there is none. */
gboolean sl_window_can_repaint (SlWindow *self, gboolean again);
gboolean sl_window_repaint (SlWindow *self, gboolean again);

/* sl-window-show.c */
void sl_window_show_title (SlWindow *self);
void sl_window_show_page (SlWindow *self);
void sl_window_show_banners (SlWindow *self);

/* sl-window-plots.c: asked for by a plot of the grid. */
void sl_window_copy_plot (SlWindow *self, guint panel);
void sl_window_export_plot (SlWindow *self, guint panel);
void sl_window_pick (SlWindow *self, guint panel, guint number); /* a row was clicked */
void sl_window_drag (SlWindow *self, guint panel, double value); /* a mark was moved */

/* sl-window-size.c: comes and goes with the width, after the layout; the preference of now. */
void sl_window_fit_width (SlWindow *self, int width);
void sl_window_remember_size (SlWindow *self);

/* sl-window-undo.c */
void sl_window_noted (SlWindow *self); /* the notes on a plot changed */

/* sl-window-present.c: begins or ends a presentation on a screen, or with NULL on the one it is on; and
 * what follows the size of type.  */
void sl_window_add_present (SlWindow *self); /* before the template */
void sl_window_watch_pages (SlWindow *self); /* after it */
void sl_window_set_presenting (SlWindow *self, gboolean presenting, GdkMonitor *monitor);
void sl_window_fit_type (SlWindow *self);
int  sl_window_fold_width (SlWindow *self); /* below, there is no room for a sidebar */
void sl_window_fit_header (SlWindow *self); /* leaves out buttons whose actions the menu has */

/* sl-window-show.c: a toast with a button that does an action, "win.lesson('1-gate')" (both may be
 * NULL); borrowed from the window, for as long as it is shown.  */
AdwToast *sl_window_toast_button (SlWindow *self, const char *sentence, const char *label,
                                  const char *action);

/* sl-window-show.c: a toast over the plots of the start page, above the sliders. */
void sl_window_hint (SlWindow *self, const char *sentence);

/* sl-window-lesson.c: actions, before the template; menu and keys, after it; the end of both.
 * sl-window-lesson-stage.c: what the step shows, hides and locks, as far as its lab is in sight; also
 * for a new run, whose rows and plots may be others.  TRUE, with a toast, when a parameter is locked.  */
void     sl_window_add_lesson_actions (SlWindow *self);
void     sl_window_add_lessons (SlWindow *self);
void     sl_window_drop_lessons (SlWindow *self);
void     sl_window_lesson_set_stage (SlWindow *self);
gboolean sl_window_lesson_locks (SlWindow *self, const char *param);

/* show.c: the banner of what went wrong, with a button that begins a refused run anew; NULL: none. */
void sl_window_show_trouble (SlWindow *self, const char *sentence, gboolean begin_anew);

/* sl-window.c: a sentence about a file, for as long as nobody closes it; NULL: none. */
void sl_window_report (SlWindow *self, const char *sentence);

/* sl-window-file.c: actions; a file of runs; the end of it.  */
void sl_window_add_files (SlWindow *self);
void sl_window_open_runs (SlWindow *self, const char *path);
void sl_window_save_to (SlWindow *self, const char *path);
void sl_window_drop_store (SlWindow *self);

/* sl-window-picture.c: actions, and whether they can be used; what was asked for came. */
void sl_window_add_picture (SlWindow *self);
void sl_window_update_picture (SlWindow *self);
void sl_window_pictured (SlWindow *self);

/* sl-window-view.c: the views of the plots into the store; they are those of the run that is shown;
 * the run on its way brings its own; it is there, in the plots too.  */
void sl_window_keep_view (SlWindow *self);
void sl_window_view_follow (SlWindow *self);
void sl_window_view_expect (SlWindow *self, const char *view);
void sl_window_view_restarted (SlWindow *self);

/* sl-window-export.c: its actions; forgets the last export. */
void sl_window_add_export (SlWindow *self);
void sl_window_drop_exported (SlWindow *self);

/* sl-window-command.c */
void sl_window_add_command (SlWindow *self);

/* sl-window-undo.c: actions; what can be undone, and the strip of checkpoints, follow the session. */
void sl_window_add_undo (SlWindow *self);
void sl_window_update_timeline (SlWindow *self);

/* sl-window-pin.c: actions; the curves that are pinned, behind the others again; the end. */
void sl_window_add_pins (SlWindow *self);
void sl_window_show_pins (SlWindow *self);
void sl_window_drop_pins (SlWindow *self);

/* sl-window-twin.c: its actions; what they do beside a twin, FALSE elsewhere; another session, or none
 * of ours, is shown; the end.  */
void     sl_window_add_pair (SlWindow *self);
gboolean sl_window_pair_does (SlWindow *self, const char *name);
void     sl_window_pair_left (SlWindow *self, SlSession *shown);
void     sl_window_pair_changed (SlWindow *self);

/* sl-window-help.c */
void sl_window_add_help (SlWindow *self);

/* sl-window-glance.c: its actions; what they do on the start page, FALSE elsewhere; back to the own
 * session; one of the start page's is shown closer; something changed on the start page; the end.  */
void     sl_window_add_overview (SlWindow *self);
gboolean sl_window_overview_does (SlWindow *self, const char *name);
void     sl_window_show_own (SlWindow *self);
gboolean sl_window_is_closer (SlWindow *self);
guint64  sl_window_seed (SlWindow *self); /* that a lab chosen now begins with */
void     sl_window_overview_changed (SlWindow *self);
void     sl_window_stop_group (SlWindow *self);
void     sl_window_drop_group (SlWindow *self);

/* sl-window-runs.c: its actions; the session changed; the page is left for another; what the page asks
 * for.  */
void sl_window_add_runs (SlWindow *self);
void sl_window_runs_changed (SlWindow *self);
void sl_window_runs_restarted (SlWindow *self); /* another run of its own session is there */
void sl_window_leave_runs (SlWindow *self);
void sl_window_open_run (SlWindow *self, SlRunItem *item, SlRunsPage *page);
void sl_window_runs_sweeping (SlWindow *self);
void sl_window_runs_deleted (SlWindow *self, const char *sentence);

/* sl-window.c: shows another session; the button that runs and pauses; the status line, soon. */
void sl_window_set_session (SlWindow *self, SlSession *session);
void sl_window_show_running (SlWindow *self, gboolean running);
void sl_window_show_status (SlWindow *self);

/* sl-window.c: shows or hides the sidebar. */
void sl_window_show_sidebar (SlWindow *self, gboolean shown);

/* sl-window.c: shows or hides it as width, preference and presentation would have it. */
void sl_window_fold (SlWindow *self);
