/* SPDX-License-Identifier: MIT
 *
 * The inside of the table, shared by table.c (what it shows) and actions.c (what is done with it).  */
#pragma once

#include "ui/runs/list/grouped.h"
#include "ui/runs/list/rows.h"
#include "ui/runs/table/filter.h"
#include "ui/runs/table/group-chooser.h"
#include "ui/runs/table/table.h"

struct _SlRunTable
{
  GtkWidget parent_instance;

  GtkColumnView     *view;
  SlRunFilter       *filter;
  GtkLabel          *count, *empty;
  GtkWidget         *unselect;
  SlRunGroupChooser *group;
  GtkToggleButton   *differences;
  GtkStack          *stack;

  SlRunList          *list;
  double              room; /* that letters take, 1 as usual */
  GtkCustomFilter    *wanted;
  GtkFilterListModel *filtered;
  GtkSortListModel   *sorted;
  SlRunGrouped       *grouped;
  SlRunRows          *rows; /* of them, as they are shown */
  GtkMultiSelection  *selection;
  gboolean            stale;     /* the rows are not as in `grouped` */
  guint               settled;   /* idle source that makes them so */
  char               *sweep;     /* NULL: all */
  GHashTable         *scope;     /* names of runs; NULL: all */
  const SlLab        *charted;   /* the lab whose runs alone charts have, */
  guint               n_charted; /* so many; NULL: they have all */
  GHashTable         *meant;     /* names of runs; NULL: all */
  char              **deleted;   /* by the last deletion */
};

/* Installs the actions and their keys. */
void sl_run_table_install_actions (GtkWidgetClass *widget);

/* Lets those go on that have something to be done with: `n` selected runs, `one` of which is selected by itself. */
void sl_run_table_allow_actions (SlRunTable *self, guint n, gboolean one);

/* A run's name was edited. */
void sl_run_table_renamed (SlRunTable *self, SlRunItem *item, const char *name);
