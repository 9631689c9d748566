/* SPDX-License-Identifier: MIT
 *
 * What is left to show: the runs in the brushes of the parallel coordinates, in words what a chart lacks, and the fields
 * of a sweep where there is room.  */
#include <glib/gi18n.h>

#include "ui/runs/private.h"
#include "ui/runs/table/many.h"

/* Of a lower page the sweep takes one line, so that chart and table are in view. */
enum { LOW = 600 };

/* ---- brushes ----
 *
 * What lies in them is what table and charts show.  The parallel coordinates themselves keep the others, pale, so that a
 * brush can be moved.  */

static gboolean
is_brushed (const SlParallel *parallel)
{
  for (unsigned a = 0; a < parallel->n_axes; a++)
    if (parallel->axis[a].brushed)
      return TRUE;
  return FALSE;
}

/* Names of the runs that lie in every brush; NULL without brushes. */
static GHashTable *
meant (SlRunsPage *self)
{
  const SlParallel *parallel = sl_parallel_view_get_parallel (self->parallel);
  GHashTable       *names;

  if (!is_brushed (parallel))
    return NULL;
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->all.items->len && i < parallel->n; i++)
    if (sl_parallel_selected (parallel, i))
      g_hash_table_add (names,
                        g_strdup (sl_run_item_run (g_ptr_array_index (self->all.items, i))->uuid));
  return names;
}

void
sl_runs_page_brushed (SlRunsPage *self)
{
  g_autoptr (GHashTable) names = meant (self);

  sl_run_table_set_meant (self->table, names);
}

gboolean
sl_runs_page_is_brushed (SlRunsPage *self)
{
  return is_brushed (sl_parallel_view_get_parallel (self->parallel));
}

void
sl_runs_page_update_parallel (SlRunsPage *self)
{
  SlParallel *parallel = sl_parallel_view_get_parallel (self->parallel);
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (self->table);
  g_autoptr (GPtrArray) items = selected->len > 0 && !is_brushed (parallel)
                                  ? g_ptr_array_ref (selected)
                                  : sl_run_table_get_wanted (self->table);

  sl_many_keep_charted (items);
  sl_run_set_clear (&self->all);
  sl_run_set_init (&self->all, items, sl_sweep_bar_get_lab (self->sweep), NULL);
  sl_run_set_parallel (&self->all, parallel);
  sl_parallel_view_update (self->parallel);
  /* Axes may have gone, with their brushes. */
  sl_runs_page_brushed (self);
}

/* ---- what a chart lacks ---- */

/* What can be done about it. */
typedef enum { NOTHING, FILTER, BRUSHES, SELECTION } Offer;

static const char *const offers[] = { [NOTHING] = "",
                                      [FILTER] = N_ ("Clear filter"),
                                      [BRUSHES] = N_ ("Clear brushes"),
                                      [SELECTION] = N_ ("Clear selection") };

/* Why there is no run to compare. */
static const char *
no_runs (SlRunsPage *self, Offer *offer)
{
  const SlLab *lab;

  if (self->list == NULL)
    return _ ("Runs are not stored.");
  if (*offer == SELECTION)
    return _ ("The selected runs cannot be compared.");
  if (!sl_run_list_is_loaded (self->list) || sl_run_list_is_partial (self->list))
    return _ ("Loading runs…");
  if (sl_run_table_is_filtered (self->table))
    *offer = FILTER;
  else if (sl_runs_page_is_brushed (self))
    *offer = BRUSHES;
  if (*offer != NOTHING)
    return *offer == FILTER ? _ ("No run passes this filter.") : _ ("No run lies in the brushes.");
  if (sl_sweep_bar_is_busy (self->sweep))
    return _ ("The first runs are in training.");
  if (gtk_widget_get_visible (GTK_WIDGET (self->sweep)))
    return _ ("Start a sweep above: its runs appear here.");
  lab = sl_sweep_bar_get_lab (self->sweep);
  return lab != NULL && !sl_lab_trains (lab)
           ? _ ("A recording is replayed, not trained: it makes no runs.")
           : _ ("No runs are stored here.");
}

/* What the chart in view lacks, or "". */
static const char *
missing (SlRunsPage *self, Offer *offer)
{
  const char *view = gtk_stack_get_visible_child_name (self->views);
  gboolean    front = g_strcmp0 (view, "front") == 0;

  if (g_strcmp0 (view, "curves") == 0 && sl_curve_files_count (self->files) > 0)
    return "";
  if (front && sl_runs_page_shows_trials (self))
    return sl_front_view_get_front (self->front)->n == 0
             ? _ ("No run here has both a time and an error.")
             : "";
  if (self->list == NULL || self->set.lab == NULL)
    return no_runs (self, offer);
  if (front && sl_front_view_get_front (self->front)->n == 0)
    return _ ("No run here has both numbers yet.");
  if (g_strcmp0 (view, "gaps") == 0 && !sl_runs_has_difference (&self->set.trade))
    return _ ("Select two rows of the table: Ctrl+click adds a row.");
  if (g_strcmp0 (view, "each") == 0 && self->set.trade.n_varies == 0)
    return _ ("Nothing was varied between these runs.");
  if (g_strcmp0 (view, "pictures") == 0 && !sl_runs_page_has_pictures (self))
    return _ ("No run here has kept its picture: those of a sweep do.");
  return "";
}

/* Below the words. */
static GtkButton *
button_of (SlRunsPage *self)
{
  return GTK_BUTTON (gtk_widget_get_next_sibling (GTK_WIDGET (self->hint)));
}

void
sl_runs_page_show_hint (SlRunsPage *self)
{
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (self->table);
  GtkButton  *button = button_of (self);
  Offer       offer = selected->len > 0 ? SELECTION : NOTHING;
  const char *hint = missing (self, &offer);

  gtk_label_set_label (self->hint, hint);
  gtk_button_set_label (button, offer != NOTHING ? _ (offers[offer]) : "");
  g_object_set_data (G_OBJECT (button), "offer", GINT_TO_POINTER (offer));
  gtk_widget_set_visible (GTK_WIDGET (button), offer != NOTHING);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->hint)), hint[0] != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->views), hint[0] == '\0');
}

void
sl_runs_page_take_offer (SlRunsPage *self)
{
  switch ((Offer) GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button_of (self)), "offer")))
    {
    case FILTER:
      gtk_widget_activate_action (GTK_WIDGET (self->table), "table.clear-filter", NULL);
      return;
    case BRUSHES:
      gtk_widget_activate_action (GTK_WIDGET (self->parallel), "chart.unbrush", NULL);
      return;
    case SELECTION: sl_run_table_unselect (self->table); return;
    case NOTHING: return;
    }
}

/* ---- the sweep ---- */

/* What is replayed has no sweep to set up: its plots have their curves over cache, copies and capacity.  Nor is there
 * one without data, without a place for its runs, or beside what another program trained.  */
static gboolean
can_sweep (SlRunsPage *self)
{
  const SlLab *lab = sl_sweep_bar_get_lab (self->sweep);

  return lab != NULL && sl_lab_trains (lab) && self->store != NULL && sl_store_writes (self->store)
         && !sl_runs_page_shows_trials (self)
         && (lab->data == SL_NEEDS_NOTHING || sl_sweep_bar_get_data (self->sweep) != NULL);
}

void
sl_runs_page_show_form (SlRunsPage *self)
{
  gboolean shown = can_sweep (self) || sl_sweep_bar_is_busy (self->sweep);

  gtk_widget_set_visible (GTK_WIDGET (self->sweep), shown);
  /* The line below it. */
  gtk_widget_set_visible (gtk_widget_get_next_sibling (GTK_WIDGET (self->sweep)), shown);
}

static GtkAdjustment *
height_of (SlRunsPage *self)
{
  return gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (gtk_widget_get_first_child (GTK_WIDGET (self))));
}

static void
fit (SlRunsPage *self)
{
  self->fitting = 0;
  if (gtk_adjustment_get_page_size (height_of (self)) < LOW)
    sl_sweep_bar_set_folded (self->sweep, TRUE);
  else if (self->sweeps->len == 0)
    sl_sweep_bar_set_folded (self->sweep, FALSE);
}

/* Told amid a layout. */
static void
on_height (SlRunsPage *self)
{
  if (self->fitting == 0)
    self->fitting = g_idle_add_once ((GSourceOnceFunc) fit, self);
}

void
sl_runs_page_watch_height (SlRunsPage *self)
{
  g_signal_connect_object (height_of (self), "notify::page-size", G_CALLBACK (on_height), self,
                           G_CONNECT_SWAPPED);
}
