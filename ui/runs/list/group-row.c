/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/group-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "ui/kit/widget.h"

struct _SlRunGroupRow
{
  GObject parent_instance;

  char      *title;
  gboolean   setting; /* its runs have one */
  GPtrArray *items;
  SlRunGroup means;
  gboolean   folded;
};

G_DEFINE_FINAL_TYPE (SlRunGroupRow, sl_run_group_row, G_TYPE_OBJECT)

/* The score that is the error; labs whose errors are shares of examples have none of their own. */
static const char *
error_of (SlRunItem *item)
{
  const SlLab *lab = sl_run_item_run (item)->lab;

  return lab == NULL || lab->error == NULL ? "error" : lab->error;
}

/* Means over what is counted in different units say nothing. */
static void
drop_mixed (const GPtrArray *items, SlRunGroup *means)
{
  SlRunItem *first = items->len > 0 ? g_ptr_array_index (items, 0) : NULL;

  for (guint i = 1; i < items->len; i++)
    {
      SlRunItem *item = g_ptr_array_index (items, i);

      if (sl_run_item_run (item)->lab == sl_run_item_run (first)->lab)
        continue;
      if (!g_str_equal (error_of (item), error_of (first)))
        means->error = (SlMean) { 0 };
      if (!g_str_equal (sl_run_item_cost_unit (item), sl_run_item_cost_unit (first)))
        means->executed = (SlMean) { 0 };
    }
}

static gboolean
is_same (const SlMean *a, const SlMean *b)
{
  return a->n == b->n && (a->n == 0 || (a->mean == b->mean && a->sd == b->sd));
}

void
sl_run_group_row_take (SlRunGroupRow *self, GPtrArray *items, const SlRunGroup *means)
{
  SlRunGroup before;
  gboolean   fewer;

  g_return_if_fail (SL_IS_RUN_GROUP_ROW (self));
  before = self->means;
  fewer = self->items == NULL || self->items->len != items->len;
  g_clear_pointer (&self->items, g_ptr_array_unref);
  self->items = items;
  self->means = *means;
  if (self->setting)
    {
      g_free (self->title);
      self->title = g_strdup_printf (ngettext ("%u run", "%u runs", items->len), items->len);
    }
  drop_mixed (items, &self->means);
  if (fewer || before.validation != means->validation || before.left_out != means->left_out
      || !is_same (&before.error, &self->means.error)
      || !is_same (&before.executed, &self->means.executed)
      || !is_same (&before.timed, &self->means.timed))
    g_signal_emit_by_name (self, "changed");
}

const char *
sl_run_group_row_title (SlRunGroupRow *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUP_ROW (self), NULL);
  return self->title;
}

gboolean
sl_run_group_row_is_setting (SlRunGroupRow *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUP_ROW (self), FALSE);
  return self->setting;
}

GPtrArray *
sl_run_group_row_items (SlRunGroupRow *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUP_ROW (self), NULL);
  return self->items;
}

const SlRunGroup *
sl_run_group_row_means (SlRunGroupRow *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUP_ROW (self), NULL);
  return &self->means;
}

void
sl_run_group_row_set_folded (SlRunGroupRow *self, gboolean folded)
{
  g_return_if_fail (SL_IS_RUN_GROUP_ROW (self));
  if (self->folded == folded)
    return;
  self->folded = folded;
  g_signal_emit_by_name (self, "changed");
}

gboolean
sl_run_group_row_is_folded (SlRunGroupRow *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUP_ROW (self), FALSE);
  return self->folded;
}

void
sl_run_group_row_toggle (SlRunGroupRow *self)
{
  g_return_if_fail (SL_IS_RUN_GROUP_ROW (self));
  g_signal_emit_by_name (self, "toggle");
}

char *
sl_run_group_title (const SlField *field, const SlFieldValue *value)
{
  const SlLab *lab;
  char         text[SL_FIELD_TEXT_SIZE];

  if (value->kind == SL_FIELD_NOTHING)
    /* Translators: what runs are called that have no setting, tag or score of this name: "no k". */
    return g_strdup_printf (_ ("no %s"), field->id);
  sl_field_text (value, text);
  lab = strcmp (field->id, "lab") == 0 ? sl_lab_find (text) : NULL;
  if (lab != NULL)
    return g_strdup (sl_words (lab->title));
  for (int i = 0; i < SL_N_RUN_STATUSES && strcmp (field->id, "status") == 0; i++)
    if (strcmp (text, sl_run_status_text ((SlRunStatus) i)) == 0)
      return g_strdup (sl_run_status_title ((SlRunStatus) i));
  return g_strdup_printf ("%s = %s", field->id, text);
}

static void
sl_run_group_row_finalize (GObject *object)
{
  SlRunGroupRow *self = SL_RUN_GROUP_ROW (object);

  g_free (self->title);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  G_OBJECT_CLASS (sl_run_group_row_parent_class)->finalize (object);
}

static void
sl_run_group_row_class_init (SlRunGroupRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_run_group_row_finalize;
  sl_signal_new (SL_TYPE_RUN_GROUP_ROW, "changed", 0);
  sl_signal_new (SL_TYPE_RUN_GROUP_ROW, "toggle", 0);
}

static void
sl_run_group_row_init (SlRunGroupRow *self)
{
}

SlRunGroupRow *
sl_run_group_row_new (const char *title)
{
  SlRunGroupRow *self = g_object_new (SL_TYPE_RUN_GROUP_ROW, NULL);

  self->title = g_strdup (title);
  self->setting = title == NULL;
  return self;
}
