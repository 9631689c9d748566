/* SPDX-License-Identifier: MIT
 *
 * What the page shows, kept for the next start of the program.  */
#include "ui/runs/private.h"

#define WANTED "sl-wanted-sweep" /* set on the list of sweeps until they are there */

static const char *
chosen_sweep (SlRunsPage *self)
{
  guint at = gtk_drop_down_get_selected (self->scope);

  if (self->list == NULL || at == GTK_INVALID_LIST_POSITION || at == 0 || at > self->sweeps->len)
    return sl_runs_page_wanted_sweep (self);
  return g_ptr_array_index (self->sweeps, at - 1);
}

const char *
sl_runs_page_wanted_sweep (SlRunsPage *self)
{
  return g_object_get_data (G_OBJECT (self->scope), WANTED);
}

void
sl_runs_page_want_sweep (SlRunsPage *self, const char *title)
{
  g_object_set_data_full (G_OBJECT (self->scope), WANTED, g_strdup (title), g_free);
}

void
sl_runs_page_write_place (SlRunsPage *self, SlJsonWriter *w)
{
  const char *sweep;

  g_return_if_fail (SL_IS_RUNS_PAGE (self) && w != NULL);
  sweep = chosen_sweep (self);
  sl_json_add_text (w, "view", gtk_stack_get_visible_child_name (self->views));
  if (sweep != NULL)
    sl_json_add_text (w, "sweep", sweep);
  if (sl_run_table_get_group (self->table) != NULL)
    sl_json_add_text (w, "group", sl_run_table_get_group (self->table));
  sl_json_add_whole (w, "cost", gtk_drop_down_get_selected (self->cost));
  sl_json_add_truth (w, "log-x", gtk_toggle_button_get_active (self->log_x));
  sl_json_add_truth (w, "log-y", gtk_toggle_button_get_active (self->log_y));
  sl_json_open (w, "setup", '{', SL_JSON_LINES);
  sl_sweep_bar_write_place (self->sweep, w);
  sl_json_close (w);
}

static gboolean
is_true (const SlJson *object, const char *key)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TRUTH);

  return member != NULL && member->number != 0.0;
}

void
sl_runs_page_read_place (SlRunsPage *self, const SlJson *place)
{
  const SlJson *view = sl_json_member_of (place, "view", SL_JSON_TEXT);
  const SlJson *sweep = sl_json_member_of (place, "sweep", SL_JSON_TEXT);
  const SlJson *group = sl_json_member_of (place, "group", SL_JSON_TEXT);
  uint64_t      cost;

  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  if (place == NULL)
    return;
  if (view != NULL && gtk_stack_get_child_by_name (self->views, view->text) != NULL)
    gtk_stack_set_visible_child_name (self->views, view->text);
  if (sl_json_whole (sl_json_member (place, "cost"), SL_N_COSTS - 1, &cost))
    {
      if (cost == SL_COST_PREDICTED)
        sl_runs_page_want_predicted (self);
      gtk_drop_down_set_selected (self->cost, (guint) MIN (cost, SL_COST_PREDICTED - 1));
    }
  if (group != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self->table), "table.group", "s", group->text);
  gtk_toggle_button_set_active (self->log_x, is_true (place, "log-x"));
  gtk_toggle_button_set_active (self->log_y, is_true (place, "log-y"));
  sl_runs_page_want_sweep (self, sweep != NULL ? sweep->text : NULL);
  sl_sweep_bar_read_place (self->sweep, sl_json_member_of (place, "setup", SL_JSON_OBJECT));
}
