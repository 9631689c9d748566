/* SPDX-License-Identifier: MIT */
#include "ui/runs/item.h"

#include <glib/gi18n.h>

#include "core/run/sweep/store.h"
#include "plot/base/theme.h"
#include "ui/kit/widget.h"

struct _SlRunItem
{
  GObject parent_instance;

  SlStoreRun *run;
  SlOutcome   outcome;
  unsigned    number;
  char       *title, *settings;
};

G_DEFINE_FINAL_TYPE (SlRunItem, sl_run_item, G_TYPE_OBJECT)

/* What was set to another value than the default, as typed on a command line; of a sweep's runs also
 * s, rank and k, one of which is what most sweeps vary.  */
static char *
describe (const SlStoreRun *run)
{
  const SlLab *lab = run->lab;
  GString     *out = g_string_new (NULL);
  SlSettings   plain;

  if (lab == NULL)
    return g_string_free (out, FALSE);
  sl_settings_default (&plain, lab->params, lab->n_params);
  sl_settings_settle (&plain, lab->params, lab->n_params);
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      gboolean swept = run->sweep[0] != '\0' && lab->params[p].headline != SL_HEADLINE_NONE;
      char     now[128];

      if ((swept || !sl_value_same (&run->settings.value[p], &plain.value[p]))
          && sl_param_matters (&run->settings, lab->params, lab->n_params, p))
        g_string_append_printf (
          out, "%s%s %s", out->len > 0 ? " · " : "", lab->params[p].id,
          sl_param_format (&lab->params[p], &run->settings.value[p], now, sizeof now));
    }
  return g_string_free (out, FALSE);
}

static void
take (SlRunItem *self, SlStoreRun *run)
{
  self->run = run;
  sl_store_run_outcome (run, &self->outcome);
  /* Translators: what a run without a name is called; its number. */
  self->title
    = run->name[0] != '\0' ? g_strdup (run->name) : g_strdup_printf (_ ("run %u"), self->number);
  self->settings = describe (run);
}

static void
drop (SlRunItem *self)
{
  g_clear_pointer (&self->run, sl_store_run_free);
  g_clear_pointer (&self->title, g_free);
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
sl_run_item_slot (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), 0);
  return self->run->colour > 0 ? self->run->colour - 1 : (self->number - 1) % SL_THEME_COLOURS;
}

const char *
sl_run_item_title (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), NULL);
  return self->title;
}

const char *
sl_run_item_settings (SlRunItem *self)
{
  g_return_val_if_fail (SL_IS_RUN_ITEM (self), NULL);
  return self->settings;
}

static void
sl_run_item_finalize (GObject *object)
{
  drop (SL_RUN_ITEM (object));
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
