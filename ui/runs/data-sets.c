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

static const char *
without_folder (const char *spec)
{
  const char *colon = strchrnul (spec, ':'), *slash = memrchr (spec, '/', (size_t) (colon - spec));

  return slash != NULL && slash + 1 < colon ? slash + 1 : spec;
}

static size_t
length_without_options (const char *name)
{
  return (size_t) (strchrnul (name, ':') - name);
}

static gboolean
is_called_alike (const char *a, const char *b)
{
  size_t n = length_without_options (a);

  return n == length_without_options (b) && memcmp (a, b, n) == 0;
}

static void
give_titles (SlDataSets *sets)
{
  for (guint i = 0; i < sets->name->len; i++)
    {
      SlChoice   *choice = &g_array_index (sets->name, SlChoice, i);
      const char *name = without_folder (choice->id);
      unsigned    alike = 0;

      for (guint k = 0; k < sets->name->len; k++)
        alike
          += is_called_alike (name, without_folder (g_array_index (sets->name, SlChoice, k).id));
      choice->title = alike > 1 ? g_strdup (name) : g_strndup (name, length_without_options (name));
    }
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

      SlChoice name = { 0 };
      guint64  hash = run->data_hash;

      if (sl_data_sets_find (sets, run) < sl_data_sets_count (sets))
        continue;
      name.id = g_strdup (run->data);
      g_array_append_val (sets->name, name);
      g_array_append_val (sets->hash, hash);
    }
  give_titles (sets);
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
sl_data_sets_title (const SlDataSets *sets, const SlStoreRun *run)
{
  return sl_data_sets_names (sets)[sl_data_sets_find (sets, run)].title;
}
