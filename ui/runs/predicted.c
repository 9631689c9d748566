/* SPDX-License-Identifier: MIT
 *
 * The trade-off against predicted time: offered where something is predicted, with what is set up and not
 * made yet.  */
#include <glib/gi18n.h>
#include <math.h>

#include "ui/kit/cost-service.h"
#include "ui/runs/private.h"

enum { AHEAD_MOST = 100 };

/* Whether a time is predicted for one of the runs, or for what is set up. */
static gboolean
is_predicted (SlRunsPage *self)
{
  g_autoptr (GArray) ahead = NULL;
  const SlLab *lab;
  const char  *data;

  if (self->predict == NULL || self->set.lab == NULL)
    return FALSE;
  for (guint i = self->set.items->len; i > 0; i--)
    {
      const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (self->set.items, i - 1));

      if (isfinite (self
                      ->predict (self->predict_owner, self->set.lab, &run->settings, run->data,
                                 run->data_hash)
                      .seconds))
        return TRUE;
    }
  ahead = sl_sweep_bar_ahead (self->sweep, 1, &lab, &data);
  return lab == self->set.lab && ahead->len > 0
         && isfinite (
           self->predict (self->predict_owner, lab, &g_array_index (ahead, SlSettings, 0), data, 0)
             .seconds);
}

void
sl_runs_page_offer_predicted (SlRunsPage *self)
{
  GtkStringList *names = GTK_STRING_LIST (gtk_drop_down_get_model (self->cost));
  gboolean       offered = g_list_model_get_n_items (G_LIST_MODEL (names)) > SL_COST_PREDICTED;
  gboolean       predicted = is_predicted (self);

  if (predicted && !offered)
    gtk_string_list_append (names, _ ("Predicted"));
  if (predicted && self->wants_predicted)
    gtk_drop_down_set_selected (self->cost, SL_COST_PREDICTED);
  if (predicted)
    self->wants_predicted = FALSE;
  if (!predicted && offered)
    {
      if (gtk_drop_down_get_selected (self->cost) == SL_COST_PREDICTED)
        gtk_drop_down_set_selected (self->cost, SL_COST_TIMED);
      gtk_string_list_remove (names, SL_COST_PREDICTED);
    }
}

void
sl_runs_page_add_ahead (SlRunsPage *self)
{
  const SlLab *lab;
  const char  *data;
  g_autoptr (GArray) ahead = sl_sweep_bar_ahead (self->sweep, AHEAD_MOST, &lab, &data);

  if (lab == self->set.lab)
    sl_run_set_ahead (&self->set, (const SlSettings *) (const void *) ahead->data, ahead->len, data,
                      self->predict, self->predict_owner, sl_front_view_get_front (self->front));
}

static void
on_model (SlRunsPage *self)
{
  sl_runs_page_update_soon (self);
}

void
sl_runs_page_set_predict (SlRunsPage *self, SlRunPredict predict, gpointer owner)
{
  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  if (self->predict == NULL)
    g_signal_connect_object (sl_cost_service_get (), "changed", G_CALLBACK (on_model), self,
                             G_CONNECT_SWAPPED);
  self->predict = predict;
  self->predict_owner = owner;
}
