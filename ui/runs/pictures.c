/* SPDX-License-Identifier: MIT
 *
 * What the runs of a lab that makes pictures have made, side by side: a table where a sweep has two
 * axes.  Read and decoded in a thread.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/background.h"
#include "core/run/base/language.h"
#include "core/run/store/about/picture.h"
#include "core/run/sweep/sweep.h"
#include "ui/runs/private.h"

typedef struct SlRunPictures
{
  SlGallery gallery; /* pictures of the runs that `key` names */
  char     *key;
  gboolean  loading;
} Pictures;

/* What a thread reads. */
typedef struct
{
  SlStore     *store;
  const SlLab *lab;
  GPtrArray   *uuid, *name; /* of strings, side by side */
  GArray      *settings;    /* of SlSettings, likewise */
  SlGallery    gallery;     /* filled by the thread */
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_ptr_array_unref (task->uuid);
  g_ptr_array_unref (task->name);
  g_array_unref (task->settings);
  sl_gallery_clear (&task->gallery);
  g_free (task);
}

static gboolean
read_one (Task *task, guint i, GError **error)
{
  g_autoptr (GBytes) png = sl_store_picture (task->store, g_ptr_array_index (task->uuid, i), error);
  const char *name = g_ptr_array_index (task->name, i);
  SlBitmap    bitmap;
  SlStatus    status;

  if (png == NULL)
    return *error == NULL;
  status = sl_bitmap_decode (g_bytes_get_data (png, NULL), g_bytes_get_size (png), name, &bitmap);
  if (sl_ok (&status))
    {
      status = sl_gallery_add (&task->gallery, name, &bitmap);
      sl_bitmap_clear (&bitmap);
    }
  if (!sl_ok (&status))
    g_propagate_error (error, sl_status_to_error (&status));
  return sl_ok (&status);
}

static gboolean
read_pictures (gpointer data, GError **error)
{
  Task             *task = data;
  const SlSettings *shown[SL_GALLERY_MOST];
  gboolean          fine = TRUE;

  for (guint i = 0; i < task->uuid->len && fine; i++)
    {
      unsigned before = task->gallery.n;

      fine = read_one (task, i, error);
      if (task->gallery.n > before)
        shown[before] = &g_array_index (task->settings, SlSettings, i);
    }
  task->gallery.across = sl_sweep_row (task->lab, shown, task->gallery.n);
  return fine;
}

static void
on_read (gpointer page, gpointer data, const GError *error)
{
  SlRunsPage *self = page;
  Pictures   *pictures = self->loaded;
  Task       *task = data;
  SlGallery   before = pictures->gallery;

  pictures->loading = FALSE;
  if (error != NULL)
    sl_runs_page_notify (self, error->message);
  pictures->gallery = task->gallery;
  task->gallery = before;
  sl_gallery_update (&pictures->gallery, sl_plot_view_get_figure (self->pictures));
  sl_plot_view_touch (self->pictures);
  sl_runs_page_show_hint (self);
  /* Others may have come meanwhile. */
  sl_runs_page_update_pictures (self);
}

/* A text that changes with the runs that are shown and with their progress. */
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

/* The newest that there is room for of those that may have made one, in the order of their sweeps. */
static Task *
new_task (SlStore *store, const SlRunSet *set)
{
  Task          *task = g_new0 (Task, 1);
  const SlTrade *trade = &set->trade;
  guint          begun = 0, skipped = 0;

  task->store = g_object_ref (store);
  task->lab = set->lab;
  task->settings = g_array_new (FALSE, FALSE, sizeof (SlSettings));
  task->uuid = g_ptr_array_new_with_free_func (g_free);
  task->name = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < trade->runs->len; i++)
    begun += sl_trade_run (trade, i)->run->step > 0;
  for (guint i = 0; i < trade->runs->len; i++)
    {
      const SlStoreRun *run = sl_trade_run (trade, i)->run;
      SlSettings        settings;

      if (run->step == 0 || skipped++ + SL_GALLERY_MOST < begun)
        continue;
      sl_store_run_settings (run, &settings);
      g_array_append_val (task->settings, settings);
      g_ptr_array_add (task->uuid, g_strdup (run->uuid));
      g_ptr_array_add (task->name, sl_trade_run_title (trade, i, FALSE));
    }
  return task;
}

/* What the names below the pictures are. */
static void
describe (SlFigure *figure, const SlRunSet *set)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (unsigned i = 0; i < set->trade.n_varies; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            sl_words (set->lab->params[set->trade.varies[i]].title));
  g_strlcpy (figure->title, sl_words (set->lab->title), sizeof figure->title);
  figure->note[0] = '\0';
  if (names->len > 0)
    /* Translators: titles of parameters, whose values stand below pictures. */
    g_snprintf (figure->note, sizeof figure->note, _ ("Below each picture: %s"), names->str);
}

gboolean
sl_runs_page_has_pictures (SlRunsPage *self)
{
  return self->loaded->loading || self->loaded->gallery.n > 0;
}

void
sl_runs_page_update_pictures (SlRunsPage *self)
{
  Pictures        *pictures = self->loaded;
  g_autofree char *key = NULL;

  if (pictures->loading || self->set.lab == NULL || self->store == NULL)
    return;
  key = key_of (self);
  if (g_strcmp0 (key, pictures->key) == 0)
    return;
  g_free (pictures->key);
  pictures->key = g_steal_pointer (&key);
  describe (sl_plot_view_get_figure (self->pictures), &self->set);
  pictures->loading = TRUE;
  sl_background_run (read_pictures, on_read, self, self->closing,
                     new_task (self->store, &self->set), free_task);
}

void
sl_runs_page_add_pictures (SlRunsPage *self)
{
  self->loaded = g_new0 (Pictures, 1);
}

void
sl_runs_page_drop_pictures (SlRunsPage *self)
{
  sl_gallery_clear (&self->loaded->gallery);
  g_free (self->loaded->key);
  g_clear_pointer (&self->loaded, g_free);
}
