/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/rows.h"

/* Rows that follow in one idle moment, and behind which rows have no widgets. */
enum { STEP = 16, MADE = 240 };

struct _SlRunRows
{
  GObject parent_instance;

  GListStore *store;
  GListModel *from;
  guint       good;  /* so many rows, from the first, are as in `from` */
  guint       later; /* idle source while there are others */
};

G_DEFINE_FINAL_TYPE (SlRunRows, sl_run_rows, G_TYPE_OBJECT)

static guint
n_rows (SlRunRows *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->store));
}

/* Rows from `at` on: `removed` of them become `added` of those that belong there. */
static void
splice (SlRunRows *self, guint at, guint removed, guint added)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < added; i++)
    g_ptr_array_add (items, g_list_model_get_item (self->from, at + i));
  g_list_store_splice (self->store, at, removed, items->pdata, items->len);
}

static gboolean
on_later (gpointer data)
{
  SlRunRows *self = data;
  guint      n = n_rows (self), all = g_list_model_get_n_items (self->from), step;

  if (n > self->good)
    {
      /* Old ones go from the end. */
      step = n > MADE ? MIN (n - self->good, n - MADE + STEP) : MIN (n - self->good, STEP);
      g_list_store_splice (self->store, n - step, step, NULL, 0);
    }
  else
    {
      step = n < MADE ? MIN (all - n, STEP) : all - n;
      self->good += step;
      splice (self, n, 0, step);
    }
  if (self->good < all || n_rows (self) > self->good)
    return G_SOURCE_CONTINUE;
  self->later = 0;
  return G_SOURCE_REMOVE;
}

static void
add_later (SlRunRows *self)
{
  if (self->later == 0)
    self->later = g_idle_add_full (G_PRIORITY_LOW, on_later, self, NULL);
}

void
sl_run_rows_follow (SlRunRows *self, GListModel *from, guint position, guint removed, guint added,
                    guint first)
{
  guint all = g_list_model_get_n_items (from), n = n_rows (self);

  g_return_if_fail (SL_IS_RUN_ROWS (self));
  g_set_object (&self->from, from);
  /* Behind those that are there, further ones of a list that is being read. */
  if (removed == 0 && added > STEP && self->good == n && position >= n
      && (first == G_MAXUINT ? n > 0 : n >= first))
    {
      add_later (self);
      return;
    }
  if (self->later == 0 && (first == G_MAXUINT || (removed <= STEP && added <= STEP)))
    {
      self->good = all;
      splice (self, position, removed, added);
      return;
    }
  first = MIN (first, all);
  self->good = first;
  splice (self, 0, first == all ? n : MIN (first, n), first);
  if (first < all || n_rows (self) > first)
    add_later (self);
}

GListModel *
sl_run_rows_list (SlRunRows *self)
{
  g_return_val_if_fail (SL_IS_RUN_ROWS (self), NULL);
  return G_LIST_MODEL (self->store);
}

static void
sl_run_rows_finalize (GObject *object)
{
  SlRunRows *self = SL_RUN_ROWS (object);

  g_clear_handle_id (&self->later, g_source_remove);
  g_clear_object (&self->from);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (sl_run_rows_parent_class)->finalize (object);
}

static void
sl_run_rows_class_init (SlRunRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_run_rows_finalize;
}

static void
sl_run_rows_init (SlRunRows *self)
{
}

SlRunRows *
sl_run_rows_new (GType type)
{
  SlRunRows *self = g_object_new (SL_TYPE_RUN_ROWS, NULL);

  self->store = g_list_store_new (type);
  return self;
}
