/* SPDX-License-Identifier: MIT */
#include "ui/runs/list/list.h"

#include <string.h>

#include "core/run/base/background.h"
#include "ui/kit/widget.h"

/* Seconds between two readings of all runs while another program writes, and by how many the clocks of two writers
 * and their batches may be apart.  */
enum { WHOLE = 5, OVERLAP = 3 };

/* Runs of the first page of such a reading, each other one of which has twice as many as the one before, and the most:
 * to take them, the window may not stop for more than a moment.  */
enum { FIRST_PAGE = 500, PAGE_MOST = 2000 };

/* As many that go at once are taken out together, and a mark of those that do. */
enum { TOGETHER = 50, MISSING = G_MAXINT };

struct _SlRunList
{
  GObject parent_instance;

  SlStore    *store;
  GPtrArray  *items; /* of SlRunItem */
  GHashTable *known; /* id to one of `items` */
  SlVaried   *varied;
  gboolean    more_varied; /* in some sweep than before */
  gboolean    loaded;      /* at least once */
  unsigned    made;        /* items, also those of runs that were deleted */
  gboolean    watched, reading;
  gboolean    again, changed; /* behind what is being read: all, or what the store wrote */
  gboolean    news;           /* something changed since the reading began */
  unsigned    turn;           /* number of the reading of all runs */
  gboolean    partial;        /* further pages are to come */
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
         || (a->n_figures > 0
             && memcmp (a->figure, b->figure, a->n_figures * sizeof *a->figure) != 0)
         || a->recipe_sum != b->recipe_sum || g_strcmp0 (a->note, b->note) != 0
         || g_strcmp0 (a->tags, b->tags) != 0;
}

/* ---- taking out ---- */

typedef gboolean (*Goes) (SlRunList *self, SlRunItem *item);

/* Whether the reading of all runs that is over did not find it. */
static gboolean
is_gone (SlRunList *self, SlRunItem *item)
{
  return sl_run_item_get_mark (item) != self->turn;
}

static gboolean
is_missing (SlRunList *self, SlRunItem *item)
{
  return sl_run_item_get_mark (item) == MISSING;
}

static void
forget (SlRunList *self, SlRunItem *item)
{
  g_hash_table_remove (self->known, sl_run_item_run (item)->uuid);
}

/* One by one: what is selected stays selected. */
static void
drop_each (SlRunList *self, Goes goes)
{
  for (unsigned i = self->items->len; i > 0; i--)
    if (goes (self, g_ptr_array_index (self->items, i - 1)))
      {
        forget (self, g_ptr_array_index (self->items, i - 1));
        g_ptr_array_remove_index (self->items, i - 1);
        g_list_model_items_changed (G_LIST_MODEL (self), i - 1, 1, 0);
      }
}

/* All at once: the rows from the first of them on are others. */
static void
drop_together (SlRunList *self, Goes goes)
{
  GPtrArray *kept = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) before = self->items;
  unsigned first = before->len;

  for (unsigned i = before->len; i > 0; i--)
    if (goes (self, g_ptr_array_index (before, i - 1)))
      first = i - 1;
  for (unsigned i = 0; i < before->len; i++)
    if (goes (self, g_ptr_array_index (before, i)))
      forget (self, g_ptr_array_index (before, i));
    else
      g_ptr_array_add (kept, g_object_ref (g_ptr_array_index (before, i)));
  self->items = kept;
  g_list_model_items_changed (G_LIST_MODEL (self), first, before->len - first, kept->len - first);
}

/* Takes out all items that `goes` is true of. */
static void
drop (SlRunList *self, Goes goes)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->items->len; i++)
    n += goes (self, g_ptr_array_index (self->items, i));
  self->news |= n > 0;
  if (n > TOGETHER)
    drop_together (self, goes);
  else if (n > 0)
    drop_each (self, goes);
}

/* ---- taking in ---- */

/* Puts `run`, which is taken, into the list. */
static void
take_run (SlRunList *self, SlStoreRun *run)
{
  SlRunItem *item = g_hash_table_lookup (self->known, run->uuid);

  self->newest = MAX (self->newest, run->touched);
  self->more_varied |= sl_varied_add (self->varied, run);
  if (item == NULL)
    {
      item = sl_run_item_new (run, ++self->made);
      sl_run_item_set_varied (item, self->varied);
      g_hash_table_insert (self->known, g_strdup (sl_run_item_run (item)->uuid), item);
      g_ptr_array_add (self->items, item);
      self->news = TRUE;
    }
  else if (differs (sl_run_item_run (item), run))
    {
      sl_run_item_renew (item, run);
      self->news = TRUE;
    }
  else
    sl_store_run_free (run);
  sl_run_item_set_mark (item, self->turn);
}

/* Runs of sweeps have more to say than before. */
static void
tell_varied (SlRunList *self)
{
  for (unsigned i = 0; i < self->items->len && self->more_varied; i++)
    if (sl_run_item_run (g_ptr_array_index (self->items, i))->sweep[0] != '\0')
      g_signal_emit_by_name (g_ptr_array_index (self->items, i), "changed");
  self->more_varied = FALSE;
}

/* Makes the list hold `runs`, whose elements are taken. */
static void
take_runs (SlRunList *self, GPtrArray *runs)
{
  unsigned before = self->items->len;

  /* From here on they are the items'. */
  g_ptr_array_set_free_func (runs, NULL);
  for (unsigned i = 0; i < runs->len; i++)
    take_run (self, g_ptr_array_index (runs, i));
  if (self->items->len > before)
    g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->items->len - before);
  tell_varied (self);
}

/* What a thread reads: those that went on since a time, or these, or a page of all. */
typedef struct
{
  SlStore   *store;
  double     since; /* 0: not by time */
  char     **uuids; /* ended by NULL, or NULL */
  char      *after; /* the last run of the page before, or NULL */
  unsigned   most;  /* of the page */
  char      *last;  /* found: the last run of a full page, or NULL */
  GPtrArray *runs;  /* of SlStoreRun */
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_clear_pointer (&task->runs, g_ptr_array_unref);
  g_strfreev (task->uuids);
  g_free (task->after);
  g_free (task->last);
  g_free (task);
}

/* Whether a run is no more than the settings of one in a window, which has not made an update. */
static gboolean
is_untrained (const SlStoreRun *run)
{
  return run->step == 0 && run->sweep[0] == '\0'
         && (run->status == SL_RUN_RUNNING || run->status == SL_RUN_PAUSED
             || run->status == SL_RUN_CUT_OFF);
}

static void
leave_out_untrained (GPtrArray *runs)
{
  for (guint i = runs->len; i > 0; i--)
    if (is_untrained (g_ptr_array_index (runs, i - 1)))
      g_ptr_array_remove_index (runs, i - 1);
}

static gboolean
read_runs (gpointer data, GError **error)
{
  Task *task = data;

  if (task->since > 0)
    task->runs = sl_store_list_since (task->store, task->since, error);
  else if (task->uuids != NULL)
    task->runs = sl_store_list_these (task->store, (const char *const *) task->uuids, error);
  else
    task->runs = sl_store_list_page (task->store, task->after, task->most, error);
  if (task->runs == NULL)
    return FALSE;
  if (task->most > 0 && task->runs->len == task->most)
    task->last = g_strdup (((SlStoreRun *) g_ptr_array_index (task->runs, task->most - 1))->uuid);
  leave_out_untrained (task->runs);
  return TRUE;
}

static void on_read (gpointer owner, gpointer data, const GError *error);

static void
begin (SlRunList *self, Task what)
{
  self->reading = TRUE;
  what.store = g_object_ref (self->store);
  sl_background_run (read_runs, on_read, self, self->closing, g_memdup2 (&what, sizeof what),
                     free_task);
}

/* TRUE when the page was not the last, and the next one is being read. */
static gboolean
turn_page (SlRunList *self, const Task *task)
{
  self->partial = self->watched && task->last != NULL;
  if (self->partial)
    begin (self,
           (Task) { .after = g_strdup (task->last), .most = MIN (2 * task->most, PAGE_MOST) });
  else if (self->watched)
    drop (self, is_gone);
  return self->partial;
}

static gboolean
has_run (const GPtrArray *runs, const char *uuid)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_str_equal (((SlStoreRun *) g_ptr_array_index (runs, i))->uuid, uuid))
      return TRUE;
  return FALSE;
}

/* Takes out those that were asked for and are not among `runs`. */
static void
drop_missing (SlRunList *self, char **uuids, const GPtrArray *runs)
{
  for (char **uuid = uuids; *uuid != NULL; uuid++)
    {
      SlRunItem *item = g_hash_table_lookup (self->known, *uuid);

      if (item != NULL && !has_run (runs, *uuid))
        sl_run_item_set_mark (item, MISSING);
    }
  drop (self, is_missing);
}

static void
read_all (SlRunList *self)
{
  g_strfreev (sl_store_take_written (self->store));
  self->again = self->changed = FALSE;
  self->whole = g_get_monotonic_time ();
  self->turn++;
  begin (self, (Task) { .most = FIRST_PAGE });
}

/* What this program wrote. */
static void
read_written (SlRunList *self)
{
  char **uuids = sl_store_take_written (self->store);

  self->changed = FALSE;
  if (uuids == NULL)
    read_all (self);
  else
    begin (self, (Task) { .uuids = uuids });
}

/* FALSE: further pages follow. */
static gboolean
take_task (SlRunList *self, Task *task)
{
  gboolean paged = task->since == 0 && task->uuids == NULL;

  if (task->uuids != NULL)
    drop_missing (self, task->uuids, task->runs);
  take_runs (self, task->runs);
  return !paged || !turn_page (self, task);
}

static void
on_read (gpointer owner, gpointer data, const GError *error)
{
  SlRunList *self = owner;
  gboolean   news;

  self->reading = self->partial = FALSE;
  if (error != NULL)
    g_signal_emit_by_name (self, "failed", error->message);
  else if (!take_task (self, data))
    return;
  news = self->news || (error == NULL && !self->loaded);
  self->news = FALSE;
  self->loaded = TRUE;
  if (news)
    g_signal_emit_by_name (self, "loaded");
  /* Unless a handler of the signal did so. */
  if (!self->reading && self->watched && self->again)
    read_all (self);
  else if (!self->reading && self->watched && self->changed)
    read_written (self);
}

void
sl_run_list_reload (SlRunList *self)
{
  g_return_if_fail (SL_IS_RUN_LIST (self));
  if (self->reading)
    self->again = TRUE;
  else if (self->watched)
    read_all (self);
}

static void
on_changed (SlRunList *self)
{
  if (self->reading)
    self->changed = TRUE;
  else if (self->watched)
    read_written (self);
}

const SlVaried *
sl_run_list_varied (SlRunList *self)
{
  g_return_val_if_fail (SL_IS_RUN_LIST (self), NULL);
  return self->varied;
}

gboolean
sl_run_list_is_loaded (SlRunList *self)
{
  g_return_val_if_fail (SL_IS_RUN_LIST (self), FALSE);
  return self->loaded;
}

gboolean
sl_run_list_is_partial (SlRunList *self)
{
  g_return_val_if_fail (SL_IS_RUN_LIST (self), FALSE);
  return self->partial;
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
  if (!self->reading && self->watched)
    begin (self, (Task) { .since = MAX (self->newest - OVERLAP, 1) });
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
  sl_varied_unref (self->varied);
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
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->varied = sl_varied_new ();
  self->closing = g_cancellable_new ();
}

SlRunList *
sl_run_list_new (SlStore *store)
{
  SlRunList *self;

  g_return_val_if_fail (SL_IS_STORE (store), NULL);
  self = g_object_new (SL_TYPE_RUN_LIST, NULL);
  self->store = g_object_ref (store);
  g_signal_connect_swapped (store, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (store, "changed-elsewhere", G_CALLBACK (on_elsewhere), self);
  return self;
}
