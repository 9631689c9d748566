/* SPDX-License-Identifier: MIT */
#include "ui/kit/cost-service.h"

#include "core/run/base/threads.h"
#include "core/run/cost/background.h"
#include "ui/kit/widget.h"

struct _SlCostService
{
  GObject      parent_instance;
  SlCostModel *model;
  GSubprocess *child; /* that is timing; or NULL */
  guint        retry; /* source of another trial, or 0 */
  guint        wait;  /* seconds until then */
};

/* Until it is tried again on a machine that was busy, seconds: twice as long every time, since one that always is
 * shall not be kept busy by this.  */
enum { WAIT = 300, WAIT_MOST = 4 * 3600 };

G_DEFINE_FINAL_TYPE (SlCostService, sl_cost_service, G_TYPE_OBJECT)

SlCostService *
sl_cost_service_get (void)
{
  static SlCostService *self;

  if (self == NULL)
    {
      self = g_object_new (SL_TYPE_COST_SERVICE, NULL);
      self->model = sl_cost_model_load ();
    }
  return self;
}

const SlCostModel *
sl_cost_service_model (SlCostService *self)
{
  g_return_val_if_fail (SL_IS_COST_SERVICE (self), NULL);
  return self->model;
}

void
sl_cost_service_take (SlCostService *self, SlCostModel *model)
{
  g_return_if_fail (SL_IS_COST_SERVICE (self));
  sl_cost_model_free (self->model);
  self->model = model;
  g_signal_emit_by_name (self, "changed");
}

/* Nothing is timed any more: runs may have all cores again. */
static void
drop_child (SlCostService *self)
{
  g_clear_object (&self->child);
  sl_threads_spare_core (FALSE);
}

static gboolean
on_retry (gpointer data)
{
  SlCostService *self = data;

  self->retry = 0;
  sl_cost_service_measure (self);
  return G_SOURCE_REMOVE;
}

static void
on_ended (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (SlCostService) self = data;
  g_autoptr (GError) error = NULL;
  gboolean kept = g_subprocess_wait_check_finish (G_SUBPROCESS (object), result, &error);

  if (self->child != G_SUBPROCESS (object))
    return;
  drop_child (self);
  if (!kept)
    {
      g_debug ("costs were not measured: %s", error->message);
      self->retry = g_timeout_add_seconds (self->wait, on_retry, self);
      self->wait = MIN (2 * self->wait, WAIT_MOST);
    }
  sl_cost_service_take (self, kept ? sl_cost_model_load () : NULL);
}

void
sl_cost_service_measure (SlCostService *self)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (SL_IS_COST_SERVICE (self));
  if (self->model != NULL || self->child != NULL)
    return;
  g_clear_handle_id (&self->retry, g_source_remove);
  self->child = sl_cost_start_child (&error);
  if (self->child == NULL)
    {
      g_debug ("costs cannot be measured: %s", error->message);
      return;
    }
  sl_threads_spare_core (TRUE);
  g_subprocess_wait_check_async (self->child, NULL, on_ended, g_object_ref (self));
  g_signal_emit_by_name (self, "changed");
}

void
sl_cost_service_stop (SlCostService *self)
{
  g_return_if_fail (SL_IS_COST_SERVICE (self));
  g_clear_handle_id (&self->retry, g_source_remove);
  if (self->child == NULL)
    return;
  g_subprocess_force_exit (self->child);
  drop_child (self);
}

gboolean
sl_cost_service_is_measuring (SlCostService *self)
{
  g_return_val_if_fail (SL_IS_COST_SERVICE (self), FALSE);
  return self->child != NULL;
}

SlPrediction
sl_cost_service_share (SlCostService *self, const SlLab *lab, const SlSettings *settings,
                       const SlDataset *dataset)
{
  g_return_val_if_fail (SL_IS_COST_SERVICE (self) && lab != NULL, sl_cost_nothing);
  return self->model != NULL ? sl_cost_share (self->model, lab, settings, dataset)
                             : sl_cost_nothing;
}

static void
sl_cost_service_finalize (GObject *object)
{
  SlCostService *self = SL_COST_SERVICE (object);

  g_clear_handle_id (&self->retry, g_source_remove);
  g_clear_object (&self->child);
  sl_cost_model_free (self->model);
  G_OBJECT_CLASS (sl_cost_service_parent_class)->finalize (object);
}

static void
sl_cost_service_class_init (SlCostServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_cost_service_finalize;
  sl_signal_new (SL_TYPE_COST_SERVICE, "changed", 0);
}

static void
sl_cost_service_init (SlCostService *self)
{
  self->wait = WAIT;
}
