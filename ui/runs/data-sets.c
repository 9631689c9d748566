/* SPDX-License-Identifier: MIT */
#include "ui/runs/data-sets.h"

#include <string.h>

#include "core/data/source/source.h"

static gboolean
is_same (const char *a, guint64 hash_a, const char *b, guint64 hash_b)
{
  return hash_a != 0 && hash_b != 0 ? hash_a == hash_b : g_str_equal (a, b);
}

gboolean
sl_run_is_on_other_data (const SlStoreRun *a, const SlStoreRun *b)
{
  return !is_same (a->data, a->data_hash, b->data, b->data_hash);
}

char *
sl_data_sets_whole (const char *spec)
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  SlStatus        status = sl_source_parse (spec, &source, &settings, &files);
  char            whole[sizeof ((SlDataset *) NULL)->id];

  return g_strdup (sl_ok (&status) && source != NULL
                     ? sl_source_format (source, &settings, &files, whole, sizeof whole)
                     : spec);
}

/* The options of a file are known when it was read. */
gboolean
sl_run_is_on (const SlStoreRun *run, const char *whole)
{
  return g_str_has_prefix (run->data, whole) && strchr (":", run->data[strlen (whole)]) != NULL;
}

static void
add (SlDataSets *sets, const SlStoreRun *run)
{
  guint64  hash = run->data_hash;
  SlChoice name = { .id = g_strdup (run->data),
                    .title = *run->data != '\0' ? g_path_get_basename (run->data) : g_strdup ("") };

  g_array_append_val (sets->name, name);
  g_array_append_val (sets->hash, hash);
}

static void
free_name (gpointer data)
{
  SlChoice *name = data;

  g_free ((char *) name->id);
  g_free ((char *) name->title);
}

void
sl_data_sets_init (SlDataSets *sets, const GPtrArray *items)
{
  sets->name = g_array_new (TRUE, TRUE, sizeof (SlChoice));
  sets->hash = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_set_clear_func (sets->name, free_name);
  for (guint i = 0; i < items->len; i++)
    {
      const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (items, i));

      if (sl_data_sets_find (sets, run) == sl_data_sets_count (sets))
        add (sets, run);
    }
}

void
sl_data_sets_clear (SlDataSets *sets)
{
  g_clear_pointer (&sets->name, g_array_unref);
  g_clear_pointer (&sets->hash, g_array_unref);
}

guint
sl_data_sets_count (const SlDataSets *sets)
{
  return sets->hash->len;
}

guint
sl_data_sets_find (const SlDataSets *sets, const SlStoreRun *run)
{
  guint i = 0;

  while (i < sets->hash->len
         && !is_same (run->data, run->data_hash, g_array_index (sets->name, SlChoice, i).id,
                      g_array_index (sets->hash, guint64, i)))
    i++;
  return i;
}

const SlChoice *
sl_data_sets_names (const SlDataSets *sets)
{
  return &g_array_index (sets->name, SlChoice, 0);
}

const char *
sl_data_sets_name (const SlDataSets *sets, const SlStoreRun *run)
{
  return sl_data_sets_names (sets)[sl_data_sets_find (sets, run)].title;
}
