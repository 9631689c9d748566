/* SPDX-License-Identifier: MIT
 *
 * What is done otherwise for very many runs, so that the window stops for none of it.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/runs/list/list.h"

/* More are not told apart in a chart, and are followed by filter and order a few at a time. */
enum { SL_MANY_CHARTED = 5000 };

/* Whether rows are still being read, filtered or sorted: there is more to come.  `list` NULL: nothing is read. */
gboolean sl_many_is_settling (GtkFilterListModel *filtered, GtkSortListModel *sorted,
                              SlRunList *list);

/* Whether rows are about to change places, or, where some were `removed`, to go. */
gboolean sl_many_is_moving (GtkFilterListModel *filtered, GtkSortListModel *sorted,
                            gboolean removed);

/* "3 of 20 runs selected", "20 of 28 runs", "100000 runs, the newest 5000 in charts", and where charts have only the `charted`
 * runs of one lab, "10 runs; charts: 4 of Sign estimator" (`lab` NULL: they have all); free with g_free().  */
char *sl_many_count_text (guint selected, guint shown, guint all, const SlLab *lab, guint charted);

/* Whether the runs of a list (of SlRunItem) are of several labs. */
gboolean sl_many_have_labs (GListModel *runs);

/* Whether some run of a list (of SlRunItem) has tags. */
gboolean sl_many_have_tags (GListModel *runs);

/* Has filter and order follow all at once, or a few at a time. */
void sl_many_adapt (GtkFilterListModel *filtered, GtkSortListModel *sorted, SlRunList *list);

/* Takes out of `items` (of SlRunItem, with references) all but the newest SL_MANY_CHARTED, which stay in their order. */
void sl_many_keep_charted (GPtrArray *items);
