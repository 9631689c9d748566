/* SPDX-License-Identifier: MIT */
#include "ui/runs/page.h"

#include <glib/gi18n.h>

#include "ui/kit/widget.h"
#include "ui/runs/private.h"
#include "ui/runs/table/many.h"

G_DEFINE_FINAL_TYPE (SlRunsPage, sl_runs_page, GTK_TYPE_WIDGET)

enum { SCOPE_CHARS = 20 };

void
sl_runs_page_notify (SlRunsPage *self, const char *sentence)
{
  g_signal_emit_by_name (self, "toast", sentence);
}

static void
open_item (SlRunsPage *self, SlRunItem *item)
{
  g_signal_emit_by_name (self, "open", item);
}

static void
on_front_pick (SlRunsPage *self, guint point, SlFrontView *view)
{
  const SlFront *front = sl_front_view_get_front (view);

  if (!sl_runs_page_shows_trials (self) && point < front->n
      && front->point[point].tag < self->set.items->len)
    open_item (self, sl_run_set_item (&self->set, (guint) front->point[point].tag));
}

static void
on_multiple_pick (SlRunsPage *self, guint run)
{
  if (run < self->set.items->len)
    open_item (self, sl_run_set_item (&self->set, run));
}

static void
on_line_pick (SlRunsPage *self, guint line)
{
  if (line < self->all.items->len)
    open_item (self, g_ptr_array_index (self->all.items, line));
}

static gboolean
is_view (SlRunsPage *self, const char *name)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->views), name) == 0;
}

/* A lab whose runs have no cost, but pictures, opens with the pictures. */
static void
offer_pictures (SlRunsPage *self, gboolean other)
{
  GtkWidget *view = GTK_WIDGET (self->pictures);
  gboolean   makes = self->set.lab != NULL && self->set.lab->picture != NULL;

  gtk_stack_page_set_visible (gtk_stack_get_page (self->views, view), makes);
  if (makes && other && is_view (self, "front") && sl_front_view_get_front (self->front)->n == 0)
    gtk_stack_set_visible_child (self->views, view);
}

static void
update_front (SlRunsPage *self)
{
  gboolean of_others = sl_runs_page_shows_trials (self);

  gtk_widget_set_sensitive (GTK_WIDGET (self->x_axis), !of_others);
  gtk_widget_set_sensitive (GTK_WIDGET (self->y_axis), !of_others);
  if (of_others)
    {
      sl_runs_page_draw_trials (self);
      return;
    }
  if (self->set.lab != NULL)
    sl_trade_figure (&self->set.trade, sl_front_view_get_front (self->front),
                     sl_chart_get_figure (SL_CHART (self->front)));
  else
    sl_front_empty (sl_front_view_get_front (self->front));
  sl_front_view_update (self->front);
}

static SlUntimedBar *
untimed_of (SlRunsPage *self)
{
  return SL_UNTIMED_BAR (
    gtk_widget_get_template_child (GTK_WIDGET (self), SL_TYPE_RUNS_PAGE, "untimed"));
}

/* Beside a trade-off by the clock, the runs that have no time. */
static void
offer_times (SlRunsPage *self)
{
  const SlTrade *trade = &self->set.trade;
  g_autoptr (GPtrArray) runs = NULL;
  gboolean timed = self->set.lab != NULL && is_view (self, "front")
                   && !sl_runs_page_shows_trials (self) && trade->x.kind == SL_MEASURE_COST
                   && trade->x.cost == SL_COST_TIMED;

  runs = timed ? sl_trade_list (trade) : g_ptr_array_new ();
  sl_untimed_bar_show (untimed_of (self), self->store, runs, runs->len);
}

/* The selected rows, or all that are shown, of many the newest. */
static GPtrArray *
compared_rows (SlRunsPage *self)
{
  GPtrArray *items = sl_run_table_get_selected (self->table);

  if (items->len == 0)
    {
      g_ptr_array_unref (items);
      items = sl_run_table_get_shown (self->table);
    }
  sl_many_keep_charted (items);
  return items;
}

/* Fills the lists of the axes with what the runs of the set have, which were compared by this view, and compares them
 * anew where they lack what is wanted.  */
static void
settle_axes (SlRunsPage *self, const SlTradeView *view)
{
  SlTrade    *trade = &self->set.trade;
  SlTradeView chosen = *view;
  const char *timed = g_intern_string (sl_cost_id (SL_COST_TIMED));
  g_autoptr (GPtrArray) runs = NULL, names = NULL;

  if (self->set.lab == NULL)
    return;
  runs = sl_trade_list (trade);
  names = sl_measures (self->set.lab, runs, trade->varies, trade->n_varies);
  /* Runs without a time are timed beside this axis. */
  if (!g_ptr_array_find (names, timed, NULL))
    g_ptr_array_add (names, (gpointer) timed);
  chosen.x = sl_axis_chooser_among (self->x_axis, names, sl_cost_id (SL_COST_EXECUTED));
  chosen.y = sl_axis_chooser_among (self->y_axis, names, "error");
  if (!g_str_equal (chosen.x, trade->x.id) || !g_str_equal (chosen.y, trade->y.id))
    sl_trade_settle (trade, &chosen);
  sl_axis_chooser_show (self->x_axis, self->set.lab, runs, names, chosen.x);
  sl_axis_chooser_show (self->y_axis, self->set.lab, runs, names, chosen.y);
}

static gboolean
has_difference (SlRunsPage *self)
{
  return self->set.lab != NULL && sl_runs_has_difference (&self->set.trade);
}

/* Compares what is shown, by the axes and the groups that are chosen; of two, the one that stands higher in the table is
 * the first.  */
static void
compare (SlRunsPage *self)
{
  g_autoptr (GPtrArray) shown = compared_rows (self);
  SlTradeView view = { .x = sl_axis_chooser_wanted (self->x_axis),
                       .y = sl_axis_chooser_wanted (self->y_axis),
                       .group = sl_run_table_get_field (self->table),
                       .data = sl_sweep_bar_get_data (self->sweep) };
  gboolean    some; /* the others are of other labs */

  sl_run_set_clear (&self->set);
  sl_run_set_init (&self->set, shown, sl_sweep_bar_get_lab (self->sweep), &view);
  some = self->set.items->len < shown->len && !sl_runs_page_shows_trials (self);
  sl_run_table_set_charted (self->table, some ? self->set.lab : NULL, self->set.items->len);
  settle_axes (self, &view);
  if (has_difference (self))
    sl_trade_lead (&self->set.trade, sl_run_table_highest (self->table, self->set.items));
}

SlGapView *
sl_runs_page_gaps (SlRunsPage *self)
{
  return SL_GAP_VIEW (gtk_stack_get_child_by_name (self->views, "gaps"));
}

void
sl_runs_page_update (SlRunsPage *self)
{

  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  /* Rows may come or go by the brushes, which is taken in here. */
  if (is_view (self, "parallel") || sl_runs_page_is_brushed (self))
    sl_runs_page_update_parallel (self);
  g_clear_handle_id (&self->later, g_source_remove);
  sl_runs_page_show_form (self);
  compare (self);
  /* Of many thousand runs each chart takes its time: only the one in view is made. */
  if (is_view (self, "front"))
    update_front (self);
  offer_times (self);
  sl_run_multiples_show (self->multiples, is_view (self, "each") ? &self->set : NULL);
  offer_pictures (self, sl_runs_page_fill_panels (self));
  sl_runs_page_update_parts (self);
  if (is_view (self, "curves"))
    sl_runs_page_update_curves (self);
  else if (is_view (self, "pictures"))
    sl_runs_page_update_pictures (self);
  else if (is_view (self, "gaps"))
    sl_gap_view_show (sl_runs_page_gaps (self), has_difference (self) ? &self->set.trade : NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->difference), has_difference (self));
  gtk_widget_set_sensitive (GTK_WIDGET (self->range), gtk_toggle_button_get_active (self->bands));
  sl_runs_page_show_hint (self);
}

static void
on_later (SlRunsPage *self)
{
  self->later = 0;
  sl_runs_page_update (self);
}

/* Many rows change at once, and the charts with the last of them. */
void
sl_runs_page_update_soon (SlRunsPage *self)
{
  if (self->later == 0 && !self->filling)
    self->later = g_idle_add_once ((GSourceOnceFunc) on_later, self);
}

static void
on_view (SlRunsPage *self)
{
  gboolean curves = is_view (self, "curves");

  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->log_x)),
                          is_view (self, "front"));
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->bands)), curves);
  gtk_widget_set_visible (self->parallel_tools, is_view (self, "parallel"));
  sl_runs_page_update_soon (self);
  g_signal_emit_by_name (self, "moved");
}

static void
on_files (SlRunsPage *self)
{
  sl_runs_page_fill_panels (self);
  sl_runs_page_update_soon (self);
  g_signal_emit_by_name (self, "moved");
}

static void
on_log (SlRunsPage *self)
{
  if (!self->filling)
    g_object_set (self->front, "log-x", gtk_toggle_button_get_active (self->log_x), "log-y",
                  gtk_toggle_button_get_active (self->log_y), NULL);
}

static void
on_grouped (SlRunsPage *self)
{
  sl_runs_page_update_soon (self);
  g_signal_emit_by_name (self, "moved");
}

static void
on_unbrush (SlRunsPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self->parallel), "chart.unbrush", NULL);
}

/* The same by key. */
static void
on_front_log (SlRunsPage *self)
{
  gboolean x, y;

  g_object_get (self->front, "log-x", &x, "log-y", &y, NULL);
  self->filling = TRUE;
  gtk_toggle_button_set_active (self->log_x, x);
  gtk_toggle_button_set_active (self->log_y, y);
  self->filling = FALSE;
}

static gboolean
is_made (const char *id, gpointer list)
{
  SlRunItem  *item = sl_run_list_find (list, id);
  SlRunStatus status = item != NULL ? sl_run_item_run (item)->status : SL_RUN_FAILED;

  return status == SL_RUN_FINISHED || status == SL_RUN_DIVERGED;
}

static void
on_loaded (SlRunsPage *self)
{
  sl_sweep_bar_recount (self->sweep);
  sl_runs_page_fill_scopes (self);
  /* What is there to be compared has the room. */
  if (self->set.lab == NULL && self->sweeps->len > 0 && !sl_sweep_bar_is_busy (self->sweep))
    sl_sweep_bar_set_folded (self->sweep, TRUE);
  sl_runs_page_update_soon (self);
}

/* A sweep that starts is shown; the list of runs may have none of its runs yet. */
static void
on_sweep_started (SlRunsPage *self, const char *title)
{
  sl_runs_page_want_sweep (self, title);
  g_signal_emit_by_name (self, "sweeping");
}

static void
on_sweep_ended (SlRunsPage *self)
{
  sl_runs_page_show_form (self);
  if (self->list != NULL)
    sl_run_list_reload (self->list);
}

static void
on_deleted (SlRunsPage *self, guint n, guint kept)
{
  g_autofree char *count = g_strdup_printf (ngettext ("%u run deleted", "%u runs deleted", n), n);
  /* Translators: %s is "3 runs deleted". */
  g_autofree char *rest = g_strdup_printf (_ ("%s; runs in training are kept"), count);
  const char *sentence = kept == 0 ? count : n > 0 ? rest : _ ("Not deleted: it is being trained");

  g_signal_emit_by_name (self, "deleted", sentence);
}

void
sl_runs_page_set_base (SlRunsPage *self, const SlLab *lab, const SlSettings *settings,
                       const char *data)
{
  gboolean same;

  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  same = sl_sweep_bar_get_lab (self->sweep) == lab
         && g_strcmp0 (sl_sweep_bar_get_data (self->sweep), data) == 0;
  sl_sweep_bar_set_base (self->sweep, lab, settings, data);
  sl_runs_page_show_form (self);
  if (!same)
    sl_runs_page_update_soon (self);
}

gboolean
sl_runs_page_suggest (SlRunsPage *self, const char *id)
{
  g_return_val_if_fail (SL_IS_RUNS_PAGE (self), FALSE);
  return sl_sweep_bar_suggest (self->sweep, id);
}

void
sl_runs_page_set_store (SlRunsPage *self, SlStore *store)
{
  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  if (store == self->store)
    return;
  sl_untimed_bar_stop (untimed_of (self));
  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  g_clear_object (&self->list);
  g_set_object (&self->store, store);
  if (store != NULL)
    {
      self->list = sl_run_list_new (store);
      sl_run_list_watch (self->list, gtk_widget_get_mapped (GTK_WIDGET (self)));
      g_signal_connect_swapped (self->list, "loaded", G_CALLBACK (on_loaded), self);
      g_signal_connect_swapped (self->list, "failed", G_CALLBACK (sl_runs_page_notify), self);
      g_signal_connect_swapped (self->list, "failed", G_CALLBACK (sl_runs_page_update_soon), self);
    }
  sl_run_table_set_list (self->table, self->list);
  sl_sweep_bar_set_store (self->sweep, store, is_made, self->list);
  sl_runs_page_update_soon (self);
}

void
sl_runs_page_stop (SlRunsPage *self)
{
  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  sl_sweep_bar_stop (self->sweep);
  sl_untimed_bar_stop (untimed_of (self));
}

void
sl_runs_page_undelete (SlRunsPage *self)
{
  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  gtk_widget_activate_action (GTK_WIDGET (self->table), "table.undelete", NULL);
}

gboolean
sl_runs_page_can_undelete (SlRunsPage *self)
{
  g_return_val_if_fail (SL_IS_RUNS_PAGE (self), FALSE);
  return sl_run_table_can_undelete (self->table);
}

void
sl_runs_page_open_curves (SlRunsPage *self, const char *path, const char *title)
{
  g_return_if_fail (SL_IS_RUNS_PAGE (self) && path != NULL);
  sl_curve_files_open (self->files, path, title);
  gtk_stack_set_visible_child_name (self->views, "curves");
}

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlRunsPage *self = SL_RUNS_PAGE (widget);

  if (g_str_equal (name, "runs.export"))
    sl_runs_page_export (self);
  else if (g_str_equal (name, "runs.export-to"))
    sl_runs_page_export_to (self, g_variant_get_string (parameter, NULL));
  else if (g_str_equal (name, "runs.export-table"))
    sl_runs_page_export_table (self);
  else if (g_str_equal (name, "runs.export-curves"))
    sl_runs_page_export_curves (self, FALSE);
  else if (g_str_equal (name, "runs.export-events"))
    sl_runs_page_export_curves (self, TRUE);
  else if (g_str_equal (name, "runs.export-curves-to"))
    sl_runs_page_export_curves_to (self, g_variant_get_string (parameter, NULL), FALSE);
  else if (g_str_equal (name, "runs.export-events-to"))
    sl_runs_page_export_curves_to (self, g_variant_get_string (parameter, NULL), TRUE);
  else if (g_str_equal (name, "runs.copy"))
    sl_runs_page_copy (self);
  else
    gtk_stack_set_visible_child_name (self->views, g_variant_get_string (parameter, NULL));
}

/* Where nothing else takes the key, it takes the selection away. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  return sl_run_table_unselect (SL_RUNS_PAGE (widget)->table);
}

static void
sl_runs_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (sl_runs_page_parent_class)->map (widget);
  if (SL_RUNS_PAGE (widget)->list != NULL)
    sl_run_list_watch (SL_RUNS_PAGE (widget)->list, TRUE);
}

/* A sweep goes on, and what it makes is not made again when the next one is set up. */
static void
sl_runs_page_unmap (GtkWidget *widget)
{
  SlRunsPage *self = SL_RUNS_PAGE (widget);

  if (self->list != NULL)
    sl_run_list_watch (self->list, sl_sweep_bar_is_busy (self->sweep));
  GTK_WIDGET_CLASS (sl_runs_page_parent_class)->unmap (widget);
}

static void
sl_runs_page_dispose (GObject *object)
{
  SlRunsPage *self = SL_RUNS_PAGE (object);

  if (self->table != NULL)
    {
      sl_runs_page_set_store (self, NULL);
      self->filling = TRUE;
      sl_figure_clear (sl_plot_view_get_figure (self->curves));
      sl_figure_clear (sl_plot_view_get_figure (self->pictures));
      sl_figure_clear (sl_runs_page_parts_figure (self));
    }
  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_handle_id (&self->fitting, g_source_remove);
  g_clear_object (&self->chooser);
  sl_widget_dispose (object);
  if (self->closing != NULL)
    {
      g_cancellable_cancel (self->closing);
      g_clear_object (&self->closing);
      sl_runs_page_drop_curves (self);
      sl_runs_page_drop_pictures (self);
    }
  sl_run_set_clear (&self->set);
  sl_run_set_clear (&self->all);
  g_clear_pointer (&self->sweeps, g_ptr_array_unref);
  g_clear_pointer (&self->trials, sl_runs_page_drop_trials);
}

static void
bind_children (GtkWidgetClass *widget)
{
  sl_widget_class_bind_children (
    widget, "untimed", 0L, SL_CHILD (SlRunsPage, sweep), SL_CHILD (SlRunsPage, table),
    SL_CHILD (SlRunsPage, front), SL_CHILD (SlRunsPage, curves), SL_CHILD (SlRunsPage, pictures),
    SL_CHILD (SlRunsPage, parallel), SL_CHILD (SlRunsPage, multiples), SL_CHILD (SlRunsPage, views),
    SL_CHILD (SlRunsPage, scope), SL_CHILD (SlRunsPage, x_axis), SL_CHILD (SlRunsPage, y_axis),
    SL_CHILD (SlRunsPage, panel), SL_CHILD (SlRunsPage, files), SL_CHILD (SlRunsPage, bands),
    SL_CHILD (SlRunsPage, range), SL_CHILD (SlRunsPage, difference), SL_CHILD (SlRunsPage, log_x),
    SL_CHILD (SlRunsPage, log_y), SL_CHILD (SlRunsPage, parallel_tools),
    SL_CHILD (SlRunsPage, hint), NULL);
  sl_widget_class_bind_callbacks (
    widget, SL_CALLBACK (on_front_pick), SL_CALLBACK (on_multiple_pick), SL_CALLBACK (on_line_pick),
    SL_CALLBACK (open_item), SL_CALLBACK (on_deleted), SL_CALLBACK (on_view), SL_CALLBACK (on_log),
    SL_CALLBACK (on_front_log), SL_CALLBACK (sl_runs_page_scoped), SL_CALLBACK (on_unbrush),
    SL_CALLBACK (sl_runs_page_brushed), SL_CALLBACK (on_sweep_started),
    SL_CALLBACK (on_sweep_ended), SL_CALLBACK (sl_runs_page_update_soon),
    SL_CALLBACK (sl_runs_page_notify), SL_CALLBACK (sl_runs_page_filed), SL_CALLBACK (on_files),
    SL_CALLBACK (on_grouped), SL_CALLBACK (sl_runs_page_take_offer),
    SL_CALLBACK (sl_runs_page_copy), SL_CALLBACK (sl_runs_page_export), NULL);
}

static void
sl_runs_page_class_init (SlRunsPageClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_runs_page_dispose;
  widget->map = sl_runs_page_map;
  widget->unmap = sl_runs_page_unmap;
  sl_signal_new (SL_TYPE_RUNS_PAGE, "open", 1, SL_TYPE_RUN_ITEM);
  sl_signal_new (SL_TYPE_RUNS_PAGE, "sweeping", 0);
  sl_signal_new (SL_TYPE_RUNS_PAGE, "moved", 0);
  sl_signal_new (SL_TYPE_RUNS_PAGE, "toast", 1, G_TYPE_STRING);
  sl_signal_new (SL_TYPE_RUNS_PAGE, "deleted", 1, G_TYPE_STRING);
  g_type_ensure (SL_TYPE_SWEEP_BAR);
  g_type_ensure (SL_TYPE_RUN_TABLE);
  g_type_ensure (SL_TYPE_FRONT_VIEW);
  g_type_ensure (SL_TYPE_PARALLEL_VIEW);
  g_type_ensure (SL_TYPE_GAP_VIEW);
  g_type_ensure (SL_TYPE_AXIS_CHOOSER);
  g_type_ensure (SL_TYPE_UNTIMED_BAR);
  g_type_ensure (SL_TYPE_PLOT_VIEW);
  g_type_ensure (SL_TYPE_RUN_MULTIPLES);
  g_type_ensure (SL_TYPE_CURVE_FILES);
  gtk_widget_class_install_action (widget, "runs.export", NULL, on_action);
  gtk_widget_class_install_action (widget, "runs.export-to", "s", on_action);
  gtk_widget_class_install_action (widget, "runs.export-table", NULL, on_action);
  gtk_widget_class_install_action (widget, "runs.export-curves", NULL, on_action);
  gtk_widget_class_install_action (widget, "runs.export-events", NULL, on_action);
  gtk_widget_class_install_action (widget, "runs.export-curves-to", "s", on_action);
  gtk_widget_class_install_action (widget, "runs.export-events-to", "s", on_action);
  gtk_widget_class_install_action (widget, "runs.copy", NULL, on_action);
  gtk_widget_class_install_action (widget, "runs.view", "s", on_action);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
  sl_widget_class_set_template (widget, "runs/page.ui");
  bind_children (widget);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_f, GDK_CONTROL_MASK, "table.filter", NULL);
  gtk_widget_class_add_binding (widget, GDK_KEY_Escape, 0, on_escape, NULL);
}

static void
sl_runs_page_init (SlRunsPage *self)
{
  self->sweeps = g_ptr_array_new_with_free_func (g_free);
  self->closing = g_cancellable_new ();
  sl_runs_page_add_curves (self);
  sl_runs_page_add_pictures (self);
  self->filling = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_runs_page_add_parts (self);
  sl_runs_page_watch_height (self);
  sl_widget_name_inner (GTK_WIDGET (self));
  sl_axis_chooser_name (self->x_axis, _ ("Along x"));
  sl_axis_chooser_name (self->y_axis, _ ("Along y"));
  sl_drop_down_shorten (self->scope, SCOPE_CHARS);
  self->filling = FALSE;
  sl_run_set_init (&self->set, self->sweeps, NULL, NULL);
  sl_run_set_init (&self->all, self->sweeps, NULL, NULL);
  sl_runs_page_fill_scopes (self);
  on_view (self);
}
