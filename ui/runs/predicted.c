/* SPDX-License-Identifier: MIT
 *
 * The trade-off, and predicted time as its cost: offered where something is predicted, with what is set up and not
 * made yet.  */
#include <glib/gi18n.h>
#include <math.h>

#include "ui/kit/cost-service.h"
#include "ui/runs/private.h"

#define PREDICTED "sl-predicted" /* set on the page */

enum { AHEAD_MOST = 100 };

/* What predicts, kept on the page. */
typedef struct
{
  SlRunPredict ask; /* or NULL */
  gpointer     owner;
  gboolean     wanted; /* as soon as there is one */
} Predicted;

static Predicted *
predicted_of (SlRunsPage *self)
{
  Predicted *predicted = g_object_get_data (G_OBJECT (self), PREDICTED);

  if (predicted == NULL)
    {
      predicted = g_new0 (Predicted, 1);
      g_object_set_data_full (G_OBJECT (self), PREDICTED, predicted, g_free);
    }
  return predicted;
}

/* Whether a time is predicted for one of the runs, or for what is set up. */
static gboolean
is_predicted (SlRunsPage *self, const Predicted *predicted)
{
  g_autoptr (GArray) ahead = NULL;
  const SlLab *lab;
  const char  *data;

  if (predicted->ask == NULL || self->set.lab == NULL)
    return FALSE;
  for (guint i = self->set.items->len; i > 0; i--)
    {
      const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (self->set.items, i - 1));
      SlPrediction      time = predicted->ask (predicted->owner, self->set.lab, &run->settings,
                                               run->data, run->data_hash);

      if (isfinite (time.seconds))
        return TRUE;
    }
  ahead = sl_sweep_bar_ahead (self->sweep, 1, &lab, &data);
  return lab == self->set.lab && ahead->len > 0
         && isfinite (
           predicted->ask (predicted->owner, lab, &g_array_index (ahead, SlSettings, 0), data, 0)
             .seconds);
}

static void
offer (SlRunsPage *self, Predicted *predicted)
{
  GtkStringList *names = GTK_STRING_LIST (gtk_drop_down_get_model (self->cost));
  gboolean       offered = g_list_model_get_n_items (G_LIST_MODEL (names)) > SL_COST_PREDICTED;
  gboolean       there = is_predicted (self, predicted);

  if (there && !offered)
    gtk_string_list_append (names, _ ("Predicted"));
  if (there && predicted->wanted)
    {
      predicted->wanted = FALSE;
      gtk_drop_down_set_selected (self->cost, SL_COST_PREDICTED);
    }
  if (there || !offered)
    return;
  if (gtk_drop_down_get_selected (self->cost) == SL_COST_PREDICTED)
    gtk_drop_down_set_selected (self->cost, SL_COST_TIMED);
  gtk_string_list_remove (names, SL_COST_PREDICTED);
}

void
sl_runs_page_fill_front (SlRunsPage *self)
{
  Predicted *predicted = predicted_of (self);
  SlFront   *front = sl_front_view_get_front (self->front);
  g_autoptr (GArray) ahead = NULL;
  const SlLab *lab;
  const char  *data;
  SlCost       cost;

  offer (self, predicted);
  cost = (SlCost) gtk_drop_down_get_selected (self->cost);
  sl_run_set_front (&self->set, cost, predicted->ask, predicted->owner, front,
                    sl_chart_get_figure (SL_CHART (self->front)));
  if (cost != SL_COST_PREDICTED)
    return;
  ahead = sl_sweep_bar_ahead (self->sweep, AHEAD_MOST, &lab, &data);
  if (lab == self->set.lab)
    sl_run_set_ahead (&self->set, (const SlSettings *) (const void *) ahead->data, ahead->len, data,
                      predicted->ask, predicted->owner, front);
}

void
sl_runs_page_want_predicted (SlRunsPage *self)
{
  predicted_of (self)->wanted = TRUE;
}

void
sl_runs_page_set_predict (SlRunsPage *self, SlRunPredict predict, gpointer owner)
{
  Predicted *predicted = predicted_of (self);

  g_return_if_fail (SL_IS_RUNS_PAGE (self));
  if (predicted->ask == NULL)
    g_signal_connect_object (sl_cost_service_get (), "changed",
                             G_CALLBACK (sl_runs_page_update_soon), self, G_CONNECT_SWAPPED);
  predicted->ask = predict;
  predicted->owner = owner;
}
