/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/list.h"

#include "core/run/base/background.h"
#include "ui/kit/widget.h"

/* Seconds between two readings of all runs while another program writes, and by how many the clocks of two writers
 * and their batches may be apart.  */
enum { WHOLE = 5, OVERLAP = 3 };

struct _SlRunList
{
  GObject parent_instance;

  SlStore    *store;
  GPtrArray  *items; /* of SlRunItem */
  GHashTable *known; /* id -> SlRunItem, borrowed from each other */
  unsigned    made;  /* items, also those of runs that were deleted */
  gboolean    watched, reading, again;
  double      newest;  /* when a run that is known went on last, as its writer's clock says */
  gint64      whole;   /* µs: when all runs were read last */
  guint       settled; /* source that reads all runs, a while after another program wrote */

  GCancellable *closing;
};

static GType
item_type (GListModel *model)
{
  return SL_TYPE_RUN_ITEM;
}

static guint
n_items (GListModel *model)
{
  return SL_RUN_LIST (model)->items->len;
}

static gpointer
item_at (GListModel *model, guint i)
{
  SlRunList *self = SL_RUN_LIST (model);

  return i < self->items->len ? g_object_ref (g_ptr_array_index (self->items, i)) : NULL;
}

static void
model_init (GListModelInterface *interface)
{
  interface->get_item_type = item_type;
  interface->get_n_items = n_items;
  interface->get_item = item_at;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (SlRunList, sl_run_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, model_init))

/* Whether a reader would see a difference. */
static gboolean
differs (const SlStoreRun *a, const SlStoreRun *b)
{
  return a->status != b->status || a->step != b->step || a->seconds != b->seconds
         || a->colour != b->colour || a->pinned != b->pinned || a->resumable != b->resumable
         || a->n_figures != b->n_figures || !g_str_equal (a->name, b->name)
         || a->recipe_sum != b->recipe_sum || g_strcmp0 (a->note, b->note) != 0
         || g_strcmp0 (a->tags, b->tags) != 0;
}

/* Takes out those that are not among `runs`.  TRUE: there were such. */
static gboolean
drop_others (SlRunList *self, const GPtrArray *runs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean news = FALSE;

  for (unsigned i = 0; i < runs->len; i++)
    g_hash_table_add (seen, ((SlStoreRun *) g_ptr_array_index (runs, i))->uuid);
  for (unsigned i = self->items->len; i > 0; i--)
    {
      const char *uuid = sl_run_item_run (g_ptr_array_index (self->items, i - 1))->uuid;

      if (g_hash_table_contains (seen, uuid))
        continue;
      g_hash_table_remove (self->known, uuid);
      g_ptr_array_remove_index (self->items, i - 1);
      g_list_model_items_changed (G_LIST_MODEL (self), i - 1, 1, 0);
      news = TRUE;
    }
  return news;
}

/* Makes the list hold `runs`, whose elements are taken: all there are, or those that went on.  TRUE when something
 * changed.  */
static gboolean
take_runs (SlRunList *self, GPtrArray *runs, gboolean all)
{
  gboolean news = all && drop_others (self, runs);
  unsigned before = self->items->len;

  /* From here on they are the items'. */
  g_ptr_array_set_free_func (runs, NULL);
  for (unsigned i = 0; i < runs->len; i++)
    {
      SlStoreRun *run = g_ptr_array_index (runs, i);
      SlRunItem  *item = g_hash_table_lookup (self->known, run->uuid);

      self->newest = MAX (self->newest, run->touched);
      if (item == NULL)
        {
          item = sl_run_item_new (run, ++self->made);
          g_hash_table_insert (self->known, (char *) sl_run_item_run (item)->uuid, item);
          g_ptr_array_add (self->items, item);
          news = TRUE;
        }
      else if (differs (sl_run_item_run (item), run))
        {
          /* The key is a part of what is replaced. */
          g_hash_table_steal (self->known, run->uuid);
          sl_run_item_renew (item, run);
          g_hash_table_insert (self->known, (char *) sl_run_item_run (item)->uuid, item);
          news = TRUE;
        }
      else
        sl_store_run_free (run);
    }
  if (self->items->len > before)
    g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->items->len - before);
  return news;
}

/* What a thread reads. */
typedef struct
{
  SlStore   *store;
  double     since; /* 0: all */
  GPtrArray *runs;  /* of SlStoreRun */
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_clear_pointer (&task->runs, g_ptr_array_unref);
  g_free (task);
}

static gboolean
read_runs (gpointer data, GError **error)
{
  Task *task = data;

  task->runs = task->since > 0 ? sl_store_list_since (task->store, task->since, error)
                               : sl_store_list (task->store, NULL, FALSE, error);
  return task->runs != NULL;
}

static void
on_read (gpointer owner, gpointer data, const GError *error)
{
  SlRunList *self = owner;
  Task      *task = data;

  self->reading = FALSE;
  if (error != NULL)
    g_signal_emit_by_name (self, "failed", error->message);
  else if (take_runs (self, task->runs, task->since == 0))
    g_signal_emit_by_name (self, "loaded");
  if (self->again)
    sl_run_list_reload (self);
}

static void
read_since (SlRunList *self, double since)
{
  Task *task;

  self->again = self->reading;
  if (self->reading || !self->watched)
    return;
  self->reading = TRUE;
  task = g_new0 (Task, 1);
  task->store = g_object_ref (self->store);
  task->since = since;
  if (since == 0)
    self->whole = g_get_monotonic_time ();
  sl_background_run (read_runs, on_read, self, self->closing, task, free_task);
}

void
sl_run_list_reload (SlRunList *self)
{
  g_return_if_fail (SL_IS_RUN_LIST (self));
  read_since (self, 0);
}

static void
on_settled (SlRunList *self)
{
  self->settled = 0;
  sl_run_list_reload (self);
}

/* Another program wrote: what went on is read at once, and all of it, for what was deleted or renamed, every few
 * seconds.  */
static void
on_elsewhere (SlRunList *self)
{
  if (g_get_monotonic_time () - self->whole > WHOLE * G_USEC_PER_SEC)
    {
      sl_run_list_reload (self);
      return;
    }
  if (!self->reading)
    read_since (self, MAX (self->newest - OVERLAP, 1));
  if (self->settled == 0 && self->watched)
    self->settled = g_timeout_add_once (WHOLE * 1000, (GSourceOnceFunc) on_settled, self);
}

void
sl_run_list_watch (SlRunList *self, gboolean watched)
{
  g_return_if_fail (SL_IS_RUN_LIST (self));
  if (self->watched == watched)
    return;
  self->watched = watched;
  sl_store_watch (self->store, watched);
  sl_run_list_reload (self);
}

SlStore *
sl_run_list_store (SlRunList *self)
{
  g_return_val_if_fail (SL_IS_RUN_LIST (self), NULL);
  return self->store;
}

SlRunItem *
sl_run_list_find (SlRunList *self, const char *uuid)
{
  g_return_val_if_fail (SL_IS_RUN_LIST (self) && uuid != NULL, NULL);
  return g_hash_table_lookup (self->known, uuid);
}

static void
sl_run_list_finalize (GObject *object)
{
  SlRunList *self = SL_RUN_LIST (object);

  if (self->watched)
    sl_store_watch (self->store, FALSE);
  g_clear_handle_id (&self->settled, g_source_remove);
  g_cancellable_cancel (self->closing);
  g_object_unref (self->closing);
  g_signal_handlers_disconnect_by_data (self->store, self);
  g_object_unref (self->store);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->items);
  G_OBJECT_CLASS (sl_run_list_parent_class)->finalize (object);
}

static void
sl_run_list_class_init (SlRunListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_run_list_finalize;
  sl_signal_new (SL_TYPE_RUN_LIST, "loaded", 0);
  sl_signal_new (SL_TYPE_RUN_LIST, "failed", 1, G_TYPE_STRING);
}

static void
sl_run_list_init (SlRunList *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  self->closing = g_cancellable_new ();
}

SlRunList *
sl_run_list_new (SlStore *store)
{
  SlRunList *self;

  g_return_val_if_fail (SL_IS_STORE (store), NULL);
  self = g_object_new (SL_TYPE_RUN_LIST, NULL);
  self->store = g_object_ref (store);
  g_signal_connect_swapped (store, "changed", G_CALLBACK (sl_run_list_reload), self);
  g_signal_connect_swapped (store, "changed-elsewhere", G_CALLBACK (on_elsewhere), self);
  return self;
}
