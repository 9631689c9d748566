/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/grouped.h"

#include <stdlib.h>

#include "core/run/query/setting.h"

/* Runs of which so many are folded at first, and of which there are very many. */
enum { CROWD = 16, MANY = 5000 };

struct _SlRunGrouped
{
  GObject parent_instance;

  GListModel *runs;
  GtkSorter  *sorter; /* or NULL */
  gboolean    grouped;
  SlField     field;
  GHashTable *known; /* value -> SlRunGroupRow: all there were, so that what is folded stays so */
  GPtrArray  *order; /* of them, and of runs that are alone, in their order; references */
  guint       n;     /* runs that were grouped last */
  gboolean    stale; /* others are there now */
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

/* The row of a value; a number and a text that looks like it are two.  Of a setting the row of its runs. */
static SlRunGroupRow *
row_of (SlRunGrouped *self, const SlFieldValue *value, SlRunItem *first)
{
  gboolean         setting = sl_field_is_setting (&self->field);
  char             text[SL_FIELD_TEXT_SIZE];
  g_autofree char *key
    = setting
        ? g_strdup_printf ("%" G_GINT64_MODIFIER "x", sl_run_setting_key (sl_run_item_run (first)))
        : g_strdup_printf ("%d%s", value->kind, sl_field_text (value, text));
  g_autofree char *title = NULL;
  SlRunGroupRow   *row = g_hash_table_lookup (self->known, key);

  if (row != NULL)
    return row;
  title = setting ? NULL : sl_run_group_title (&self->field, value);
  row = sl_run_group_row_new (title);
  sl_run_group_row_set_folded (row, self->n >= CROWD);
  g_signal_connect_object (row, "toggle", G_CALLBACK (on_toggle), self, G_CONNECT_SWAPPED);
  g_hash_table_insert (self->known, g_steal_pointer (&key), row);
  return row;
}

/* A group, or a run that is alone, on its way to its place. */
typedef struct
{
  gpointer          row;
  const SlStoreRun *run; /* its first one */
  guint first; /* the place of that one in the list, and of its sweep: of its first group there */
  guint sweep;
  GtkSorter *sorter; /* NULL: nothing orders */
} Placed;

/* As a sorter says; else sweeps as they come in the list, in them the settings by their number. */
static int
by_place (gconstpointer a, gconstpointer b)
{
  const Placed *x = a, *y = b;
  int           order = x->sorter != NULL ? gtk_sorter_compare (x->sorter, x->row, y->row) : 0;

  if (order == 0 && x->sorter == NULL)
    order = (x->sweep > y->sweep) - (x->sweep < y->sweep);
  if (order == 0 && x->sorter == NULL && x->sweep == y->sweep)
    order = (x->run->cell > y->run->cell) - (x->run->cell < y->run->cell);
  return order != 0 ? order : (x->first > y->first) - (x->first < y->first);
}

/* The place of the first group of its sweep, of no sweep its own. */
static guint
sweep_of (GHashTable *sweeps, const Placed *placed)
{
  gpointer at;

  if (placed->run->sweep[0] == '\0')
    return placed->first;
  if (g_hash_table_lookup_extended (sweeps, placed->run->sweep, NULL, &at))
    return GPOINTER_TO_UINT (at);
  g_hash_table_insert (sweeps, (gpointer) placed->run->sweep, GUINT_TO_POINTER (placed->first));
  return placed->first;
}

/* Orders groups, and the runs that are alone. */
static void
place (SlRunGrouped *self, const GPtrArray *runs, const guint *first)
{
  gboolean sorts
    = self->sorter != NULL && gtk_sorter_get_order (self->sorter) != GTK_SORTER_ORDER_NONE;
  g_autofree Placed *placed = g_new (Placed, self->order->len + 1);
  g_autoptr (GHashTable) sweeps = g_hash_table_new (g_str_hash, g_str_equal);

  if (!sl_run_grouped_has_groups (self) || (!sorts && !sl_field_is_setting (&self->field)))
    return;
  for (guint i = 0; i < self->order->len; i++)
    {
      placed[i] = (Placed) { .row = self->order->pdata[i],
                             .run = g_ptr_array_index (runs, first[i]),
                             .first = first[i],
                             .sorter = sorts ? self->sorter : NULL };
      placed[i].sweep = sweep_of (sweeps, &placed[i]);
    }
  qsort (placed, self->order->len, sizeof *placed, by_place);
  for (guint i = 0; i < self->order->len; i++)
    self->order->pdata[i] = placed[i].row;
}

/* Puts a group, or the only run of a setting, behind what is there. */
static void
add_group (SlRunGrouped *self, GPtrArray *members, const SlRunGroup *means)
{
  SlRunGroupRow *row;

  if (members->len == 1 && sl_field_is_setting (&self->field))
    {
      g_ptr_array_add (self->order, g_object_ref (members->pdata[0]));
      g_ptr_array_unref (members);
      return;
    }
  row = row_of (self, &means->value, members->pdata[0]);
  sl_run_group_row_take (row, members, means);
  g_ptr_array_add (self->order, g_object_ref (row));
}

/* Sorts the runs into their groups. */
static void
regroup (SlRunGrouped *self)
{
  guint                n = g_list_model_get_n_items (self->runs);
  g_autofree unsigned *group = g_new (unsigned, n + 1);
  g_autofree guint    *first = NULL;
  g_autoptr (GPtrArray) items = objects (), runs = g_ptr_array_sized_new (n);
  g_autoptr (GArray) groups = NULL;
  g_autofree GPtrArray **members = NULL;

  self->n = n;
  self->stale = FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (items, g_list_model_get_item (self->runs, i));
      g_ptr_array_add (runs, (gpointer) sl_run_item_run (g_ptr_array_index (items, i)));
    }
  groups = sl_field_is_setting (&self->field) ? sl_run_setting_groups (runs, FALSE, group)
                                              : sl_run_groups (runs, &self->field, group);
  members = g_new (GPtrArray *, groups->len + 1);
  first = g_new (guint, groups->len + 1);
  for (guint g = 0; g < groups->len; g++)
    members[g] = objects ();
  for (guint i = 0; i < n; i++)
    {
      if (members[group[i]]->len == 0)
        first[group[i]] = i;
      g_ptr_array_add (members[group[i]], g_object_ref (g_ptr_array_index (items, i)));
    }
  g_ptr_array_set_size (self->order, 0);
  for (guint g = 0; g < groups->len; g++)
    add_group (self, members[g], &g_array_index (groups, SlRunGroup, g));
  place (self, runs, first);
}

/* ---- rows ---- */

static GPtrArray *
make_rows (SlRunGrouped *self)
{
  GPtrArray *rows = objects ();

  for (guint g = 0; g < self->order->len; g++)
    {
      gpointer   row = g_ptr_array_index (self->order, g);
      GPtrArray *items = SL_IS_RUN_GROUP_ROW (row) && !sl_run_group_row_is_folded (row)
                           ? sl_run_group_row_items (row)
                           : NULL;

      g_ptr_array_add (rows, g_object_ref (row));
      for (guint i = 0; items != NULL && i < items->len; i++)
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
    if (SL_IS_RUN_GROUP_ROW (g_ptr_array_index (groups, g)))
      sl_run_group_row_set_folded (g_ptr_array_index (groups, g), folded);
  show_rows (self);
}

static void
on_runs (SlRunGrouped *self, guint position, guint removed, guint added)
{
  guint n = g_list_model_get_n_items (self->runs);

  if (!self->grouped)
    g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
  /* A part of very many changes at a time, and then the next. */
  else if (n > MANY && n < 2 * self->n && self->n < 2 * n)
    self->stale = TRUE;
  else
    sl_run_grouped_update (self);
}

static void
on_sorter (SlRunGrouped *self)
{
  on_runs (self, 0, 0, 0);
}

gboolean
sl_run_grouped_is_stale (SlRunGrouped *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUPED (self), FALSE);
  return self->stale;
}

gboolean
sl_run_grouped_has_groups (SlRunGrouped *self)
{
  g_return_val_if_fail (SL_IS_RUN_GROUPED (self), FALSE);
  for (guint i = 0; i < self->order->len; i++)
    if (SL_IS_RUN_GROUP_ROW (g_ptr_array_index (self->order, i)))
      return TRUE;
  return FALSE;
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
  else
    self->stale = FALSE;
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
  g_clear_object (&self->sorter);
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
sl_run_grouped_new (GListModel *runs, GtkSorter *sorter)
{
  SlRunGrouped *self;

  g_return_val_if_fail (G_IS_LIST_MODEL (runs), NULL);
  self = g_object_new (SL_TYPE_RUN_GROUPED, NULL);
  self->runs = g_object_ref (runs);
  g_set_object (&self->sorter, sorter);
  if (sorter != NULL)
    g_signal_connect_object (sorter, "changed", G_CALLBACK (on_sorter), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runs, "items-changed", G_CALLBACK (on_runs), self, G_CONNECT_SWAPPED);
  return self;
}
