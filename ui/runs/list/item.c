/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/item.h"

#include <glib/gi18n.h>

#include "ui/kit/widget.h"

static const char *const states[SL_N_RUN_STATUSES] = {
  [SL_RUN_RUNNING] = N_ ("running"),
  [SL_RUN_PAUSED] = N_ ("paused"),
  [SL_RUN_FINISHED] = N_ ("finished"),
  [SL_RUN_DIVERGED] = N_ ("diverged"),
  [SL_RUN_CUT_OFF] = N_ ("interrupted"),
  [SL_RUN_FAILED] = N_ ("failed"),
  [SL_RUN_PRUNED] = N_ ("pruned by an earlier version"),
};

const char *
sl_run_status_title (SlRunStatus status)
{
  return _ (states[status]);
}

struct _SlRunItem
{
  GObject parent_instance;

  SlStoreRun *run;
  SlOutcome   outcome;
  unsigned    number, mark;
  SlVaried   *varied;   /* or NULL */
  unsigned    n_varied; /* parameters of it that `settings` has */
  char       *settings; /* once the caller reads it */
};

G_DEFINE_FINAL_TYPE (SlRunItem, sl_run_item, G_TYPE_OBJECT)

static void
take (SlRunItem *self, SlStoreRun *run)
{
  self->run = run;
  sl_store_run_outcome (run, &self->outcome);
}

static void
drop (SlRunItem *self)
{
  g_clear_pointer (&self->run, sl_store_run_free);
  g_clear_pointer (&self->settings, g_free);
}

void
sl_run_item_renew (SlRunItem *self, SlStoreRun *run)
{
  g_return_if_fail (SL_IS_RUN_ITEM (self));
  drop (self);
  take (self, run);
  g_signal_emit_by_name (self, "changed");
}

void
sl_run_item_edit (SlRunItem *self)
{
  g_return_if_fail (SL_IS_RUN_ITEM (self));
  g_signal_emit_by_name (self, "edit");
}

void
sl_run_item_set_varied (SlRunItem *self, SlVaried *varied)
{
  g_return_if_fail (SL_IS_RUN_ITEM (self) && varied != NULL);
  sl_varied_ref (varied);
  g_clear_pointer (&self->varied, sl_varied_unref);
  self->varied = varied;
  g_clear_pointer (&self->settings, g_free);
}

const SlStoreRun *
sl_run_item_run (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), NULL);
  return self->run;
}

const SlOutcome *
sl_run_item_outcome (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), NULL);
  return &self->outcome;
}

unsigned
sl_run_item_number (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), 0);
  return self->number;
}

unsigned
sl_run_item_get_mark (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), 0);
  return self->mark;
}

void
sl_run_item_set_mark (SlRunItem *self, unsigned mark)
{
  g_return_if_fail (SL_IS_RUN_ITEM (self));
  self->mark = mark;
}

unsigned
sl_run_item_slot (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), 0);
  return self->run->colour - 1;
}

const char *
sl_run_item_name (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), NULL);
  return self->run->name;
}

const char *
sl_run_item_cost_unit (SlRunItem *self)
{
  const SlLab *lab;
  const char  *unit;

  g_return_val_if_fail (SL_IS_RUN_ITEM (self), "%");
  lab = self->run->lab;
  unit = lab != NULL && lab->costs != NULL ? lab->costs->unit : NULL;
  return unit == NULL || unit[0] == '%' ? "%" : unit;
}

const char *
sl_run_item_settings (SlRunItem *self)
{
  unsigned n;

  g_return_val_if_fail (SL_IS_RUN_ITEM (self), NULL);
  n = self->varied != NULL ? sl_varied_params (self->varied, self->run, NULL) : 0;
  if (self->settings == NULL || n != self->n_varied)
    {
      g_free (self->settings);
      self->settings = sl_run_settings_text (self->run, self->varied, " · ", " ");
      self->n_varied = n;
    }
  return self->settings;
}

static void
sl_run_item_finalize (GObject *object)
{
  drop (SL_RUN_ITEM (object));
  g_clear_pointer (&SL_RUN_ITEM (object)->varied, sl_varied_unref);
  G_OBJECT_CLASS (sl_run_item_parent_class)->finalize (object);
}

static void
sl_run_item_class_init (SlRunItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_run_item_finalize;
  sl_signal_new (SL_TYPE_RUN_ITEM, "changed", 0);
  sl_signal_new (SL_TYPE_RUN_ITEM, "edit", 0);
}

static void
sl_run_item_init (SlRunItem *self)
{
}

SlRunItem *
sl_run_item_new (SlStoreRun *run, unsigned number)
{
  SlRunItem *self = g_object_new (SL_TYPE_RUN_ITEM, NULL);

  self->number = number;
  take (self, run);
  return self;
}
