/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/grouped.h"

struct _SlRunGrouped
{
  GObject parent_instance;

  GListModel *runs;
  gboolean    grouped;
  SlField     field;
  GHashTable *known; /* value -> SlRunGroupRow: all there were, so that what is folded stays so */
  GPtrArray  *order; /* of them, in their order; references */
  GPtrArray  *rows;  /* what is shown while grouped; references */
};

static GType
item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
n_items (GListModel *model)
{
  SlRunGrouped *self = SL_RUN_GROUPED (model);

  return self->grouped ? self->rows->len : g_list_model_get_n_items (self->runs);
}

static gpointer
item_at (GListModel *model, guint i)
{
  SlRunGrouped *self = SL_RUN_GROUPED (model);

  if (!self->grouped)
    return g_list_model_get_item (self->runs, i);
  return i < self->rows->len ? g_object_ref (g_ptr_array_index (self->rows, i)) : NULL;
}

static void
model_init (GListModelInterface *interface)
{
  interface->get_item_type = item_type;
  interface->get_n_items = n_items;
  interface->get_item = item_at;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (SlRunGrouped, sl_run_grouped, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, model_init))

static GPtrArray *
objects (void)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

/* ---- groups ---- */

static void
on_toggle (SlRunGrouped *self, SlRunGroupRow *group)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();

  g_ptr_array_add (one, group);
  sl_run_grouped_fold (self, one, !sl_run_group_row_is_folded (group));
}

/* The row of a value; a number and a text that looks like it are two. */
static SlRunGroupRow *
row_of (SlRunGrouped *self, const SlFieldValue *value)
{
  char             text[SL_FIELD_TEXT_SIZE];
  g_autofree char *key = g_strdup_printf ("%d%s", value->kind, sl_field_text (value, text));
  g_autofree char *title = NULL;
  SlRunGroupRow   *row = g_hash_table_lookup (self->known, key);

  if (row != NULL)
    return row;
  title = sl_run_group_title (&self->field, value);
  row = sl_run_group_row_new (title);
  g_signal_connect_object (row, "toggle", G_CALLBACK (on_toggle), self, G_CONNECT_SWAPPED);
  g_hash_table_insert (self->known, g_steal_pointer (&key), row);
  return row;
}

/* Sorts the runs into their groups. */
static void
regroup (SlRunGrouped *self)
{
  guint                n = g_list_model_get_n_items (self->runs);
  g_autofree unsigned *group = g_new (unsigned, n + 1);
  g_autoptr (GPtrArray) items = objects (), runs = g_ptr_array_sized_new (n);
  g_autoptr (GArray) groups = NULL;
  g_autofree GPtrArray **members = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (items, g_list_model_get_item (self->runs, i));
      g_ptr_array_add (runs, (gpointer) sl_run_item_run (g_ptr_array_index (items, i)));
    }
  groups = sl_run_groups (runs, &self->field, group);
  members = g_new (GPtrArray *, groups->len + 1);
  for (guint g = 0; g < groups->len; g++)
    members[g] = objects ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (members[group[i]], g_object_ref (g_ptr_array_index (items, i)));
  g_ptr_array_set_size (self->order, 0);
  for (guint g = 0; g < groups->len; g++)
    {
      const SlRunGroup *means = &g_array_index (groups, SlRunGroup, g);
      SlRunGroupRow    *row = row_of (self, &means->value);

      sl_run_group_row_take (row, members[g], means);
      g_ptr_array_add (self->order, g_object_ref (row));
    }
}

/* ---- rows ---- */

static GPtrArray *
make_rows (SlRunGrouped *self)
{
  GPtrArray *rows = objects ();

  for (guint g = 0; g < self->order->len; g++)
    {
      SlRunGroupRow *group = g_ptr_array_index (self->order, g);
      GPtrArray     *items = sl_run_group_row_items (group);

      g_ptr_array_add (rows, g_object_ref (group));
      for (guint i = 0; i < items->len && !sl_run_group_row_is_folded (group); i++)
        g_ptr_array_add (rows, g_object_ref (g_ptr_array_index (items, i)));
    }
  return rows;
}

/* Rows that stay where they are, at both ends, are none that changed. */
static void
show_rows (SlRunGrouped *self)
{
  g_autoptr (GPtrArray) before = self->rows;
  GPtrArray *rows = make_rows (self);
  guint      most = MIN (before->len, rows->len), head = 0, tail = 0;

  self->rows = rows;
  while (head < most && before->pdata[head] == rows->pdata[head])
    head++;
  while (tail < most - head
         && before->pdata[before->len - 1 - tail] == rows->pdata[rows->len - 1 - tail])
    tail++;
  if (before->len > head + tail || rows->len > head + tail)
    g_list_model_items_changed (G_LIST_MODEL (self), head, before->len - head - tail,
                                rows->len - head - tail);
}

void
sl_run_grouped_update (SlRunGrouped *self)
{
  g_return_if_fail (SL_IS_RUN_GROUPED (self));
  if (!self->grouped)
    return;
  regroup (self);
  show_rows (self);
}

void
sl_run_grouped_fold (SlRunGrouped *self, GPtrArray *groups, gboolean folded)
{
  g_return_if_fail (SL_IS_RUN_GROUPED (self));
  if (groups == NULL)
    groups = self->order;
  for (guint g = 0; g < groups->len; g++)
    sl_run_group_row_set_folded (g_ptr_array_index (groups, g), folded);
  show_rows (self);
}

static void
on_runs (SlRunGrouped *self, guint position, guint removed, guint added)
{
  if (self->grouped)
    sl_run_grouped_update (self);
  else
    g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
}

void
sl_run_grouped_set (SlRunGrouped *self, const char *name)
{
  guint before;

  g_return_if_fail (SL_IS_RUN_GROUPED (self));
  before = n_items (G_LIST_MODEL (self));
  g_hash_table_remove_all (self->known);
  g_ptr_array_set_size (self->order, 0);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  self->grouped = name != NULL && sl_field_find (name, NULL, &self->field);
  if (self->grouped)
    regroup (self);
  self->rows = make_rows (self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, before, n_items (G_LIST_MODEL (self)));
}

const SlField *
sl_run_grouped_field (SlRunGrouped *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUPED (self), NULL);
  return self->grouped ? &self->field : NULL;
}

static void
sl_run_grouped_finalize (GObject *object)
{
  SlRunGrouped *self = SL_RUN_GROUPED (object);

  g_object_unref (self->runs);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->order);
  g_ptr_array_unref (self->rows);
  G_OBJECT_CLASS (sl_run_grouped_parent_class)->finalize (object);
}

static void
sl_run_grouped_class_init (SlRunGroupedClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_run_grouped_finalize;
}

static void
sl_run_grouped_init (SlRunGrouped *self)
{
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->order = objects ();
  self->rows = objects ();
}

SlRunGrouped *
sl_run_grouped_new (GListModel *runs)
{
  SlRunGrouped *self;

  g_return_val_if_fail (G_IS_LIST_MODEL (runs), NULL);
  self = g_object_new (SL_TYPE_RUN_GROUPED, NULL);
  self->runs = g_object_ref (runs);
  g_signal_connect_object (runs, "items-changed", G_CALLBACK (on_runs), self, G_CONNECT_SWAPPED);
  return self;
}
