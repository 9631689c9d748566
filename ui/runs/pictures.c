/* SPDX-License-Identifier: MIT
 *
 * What the runs of a lab that makes pictures have made, side by side: a table where a sweep has two
 * axes.  Read and decoded in a thread.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/language.h"
#include "core/run/store/picture.h"
#include "core/run/sweep/row.h"
#include "ui/runs/private.h"

/* What a thread reads. */
typedef struct
{
  SlStore     *store;
  const SlLab *lab;
  GPtrArray   *uuid, *name; /* of strings, side by side */
  GArray      *settings;    /* of SlSettings, likewise */
  SlGallery    gallery;     /* filled by the thread */
} Errand;

static void
free_errand (gpointer data)
{
  Errand *errand = data;

  g_object_unref (errand->store);
  g_ptr_array_unref (errand->uuid);
  g_ptr_array_unref (errand->name);
  g_array_unref (errand->settings);
  sl_gallery_clear (&errand->gallery);
  g_free (errand);
}

static gboolean
read_one (Errand *errand, guint i, GError **error)
{
  g_autoptr (GBytes) png
    = sl_store_picture (errand->store, g_ptr_array_index (errand->uuid, i), error);
  const char *name = g_ptr_array_index (errand->name, i);
  SlBitmap    bitmap;
  SlStatus    status;

  if (png == NULL)
    return *error == NULL;
  status = sl_bitmap_decode (g_bytes_get_data (png, NULL), g_bytes_get_size (png), name, &bitmap);
  if (sl_ok (&status))
    {
      status = sl_gallery_add (&errand->gallery, name, &bitmap);
      sl_bitmap_clear (&bitmap);
    }
  if (!sl_ok (&status))
    g_propagate_error (error, sl_status_to_error (&status));
  return sl_ok (&status);
}

static void
read_pictures (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Errand           *errand = data;
  const SlSettings *shown[SL_GALLERY_MOST];
  GError           *error = NULL;
  unsigned          before;

  for (guint i = 0; i < errand->uuid->len && error == NULL; i++)
    {
      before = errand->gallery.n;
      if (read_one (errand, i, &error) && errand->gallery.n > before)
        shown[before] = &g_array_index (errand->settings, SlSettings, i);
    }
  errand->gallery.across = sl_sweep_row (errand->lab, shown, errand->gallery.n);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  SlRunsPage *self = SL_RUNS_PAGE (source);
  Errand     *errand = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  SlGallery before = self->gallery;

  self->picturing = FALSE;
  /* The page may be gone by now. */
  if (self->pictures == NULL)
    return;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    sl_runs_page_notify (self, error->message);
  self->gallery = errand->gallery;
  errand->gallery = before;
  sl_gallery_update (&self->gallery, sl_plot_view_get_figure (self->pictures));
  sl_plot_view_touch (self->pictures);
  sl_runs_page_show_hint (self);
  /* Others may have come meanwhile. */
  sl_runs_page_update_pictures (self);
}

/* One word for the runs that are shown, and how far each of them is. */
static char *
key_of (SlRunsPage *self)
{
  GString *key = g_string_new (NULL);

  for (guint i = 0; i < self->set.items->len; i++)
    {
      const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (self->set.items, i));

      g_string_append_printf (key, "%s/%" G_GUINT64_FORMAT "/%d ", run->uuid, run->step,
                              run->status);
    }
  return g_string_free (key, FALSE);
}

/* In the order of their sweep; of no sweep, or of several, as they were made. */
static int
by_cell (gconstpointer a, gconstpointer b)
{
  const SlStoreRun *x = sl_run_item_run (*(SlRunItem *const *) a);
  const SlStoreRun *y = sl_run_item_run (*(SlRunItem *const *) b);
  int               sweeps = strcmp (x->sweep, y->sweep);

  if (sweeps != 0 || x->cell == y->cell)
    return sweeps != 0 ? sweeps : (x->created > y->created) - (x->created < y->created);
  return x->cell < y->cell ? -1 : 1;
}

static char *
name_of (const SlRunSet *set, SlRunItem *item)
{
  const SlStoreRun *run = sl_run_item_run (item);
  GString          *name = g_string_new (NULL);
  char              text[256];

  for (unsigned i = 0; i < set->n_varied; i++)
    g_string_append_printf (name, "%s%s", i > 0 ? ", " : "",
                            sl_param_format (&set->lab->params[set->varied[i]],
                                             &run->settings.value[set->varied[i]], text,
                                             sizeof text));
  if (name->len == 0)
    g_string_append (name, sl_run_item_title (item));
  return g_string_free (name, FALSE);
}

/* The newest that there is room for of those that may have made one. */
static void
choose_pictured (const SlRunSet *set, SlRunSet *pictured)
{
  g_autoptr (GPtrArray) begun = g_ptr_array_new ();
  g_autoptr (GPtrArray) newest = NULL;

  sl_run_set_init (pictured, set->items);
  for (guint i = 0; i < set->items->len; i++)
    if (sl_run_item_run (g_ptr_array_index (set->items, i))->step > 0)
      g_ptr_array_add (begun, g_ptr_array_index (set->items, i));
  if (begun->len == 0)
    return;
  sl_run_set_clear (pictured);
  sl_run_set_init (pictured, begun);
  newest = sl_run_set_newest (pictured, SL_GALLERY_MOST);
  sl_run_set_clear (pictured);
  sl_run_set_init (pictured, newest);
  g_ptr_array_sort (pictured->items, by_cell);
}

static Errand *
new_errand (SlStore *store, const SlRunSet *set)
{
  Errand *errand = g_new0 (Errand, 1);

  errand->store = g_object_ref (store);
  errand->lab = set->lab;
  errand->settings = g_array_new (FALSE, FALSE, sizeof (SlSettings));
  errand->uuid = g_ptr_array_new_with_free_func (g_free);
  errand->name = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < set->items->len; i++)
    {
      SlRunItem *item = g_ptr_array_index (set->items, i);

      g_array_append_val (errand->settings, sl_run_item_run (item)->settings);
      g_ptr_array_add (errand->uuid, g_strdup (sl_run_item_run (item)->uuid));
      g_ptr_array_add (errand->name, name_of (set, item));
    }
  return errand;
}

/* What the names below the pictures are. */
static void
describe (SlFigure *figure, const SlRunSet *set)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (unsigned i = 0; i < set->n_varied; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            sl_words (set->lab->params[set->varied[i]].title));
  g_strlcpy (figure->title, sl_words (set->lab->title), sizeof figure->title);
  figure->note[0] = '\0';
  if (names->len > 0)
    /* Translators: titles of parameters, whose values stand below pictures. */
    g_snprintf (figure->note, sizeof figure->note, _ ("Below each picture: %s"), names->str);
}

gboolean
sl_runs_page_has_pictures (SlRunsPage *self)
{
  return self->picturing || self->gallery.n > 0;
}

void
sl_runs_page_update_pictures (SlRunsPage *self)
{
  g_autofree char *key = NULL;
  g_autoptr (GTask) task = NULL;
  SlRunSet pictured;
  Errand  *errand;

  if (self->picturing || self->set.lab == NULL || self->store == NULL)
    return;
  key = key_of (self);
  if (g_strcmp0 (key, self->pictured) == 0)
    return;
  g_free (self->pictured);
  self->pictured = g_steal_pointer (&key);
  choose_pictured (&self->set, &pictured);
  describe (sl_plot_view_get_figure (self->pictures), &pictured);
  self->picturing = TRUE;
  errand = new_errand (self->store, &pictured);
  sl_run_set_clear (&pictured);
  task = g_task_new (self, NULL, on_read, NULL);
  g_task_set_task_data (task, errand, free_errand);
  g_task_run_in_thread (task, read_pictures);
}

void
sl_runs_page_clear_pictures (SlRunsPage *self)
{
  sl_gallery_clear (&self->gallery);
  g_clear_pointer (&self->pictured, g_free);
}
