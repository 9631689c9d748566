/* SPDX-License-Identifier: MIT */
#include "core/run/query/data-sets.h"

#include <string.h>

#include "core/data/source/files.h"
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

static char *
without_options (const char *spec)
{
  char *name = g_strdup (spec);

  sl_source_cut_options (name);
  return name;
}

char *
sl_data_sets_full_spec (const char *spec)
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  SlStatus        status = sl_source_parse (spec, &source, &settings, &files);
  char            full[sizeof ((SlDataset *) NULL)->id];

  if (!sl_ok (&status) || source == NULL)
    return without_options (spec);
  return g_strdup (sl_source_format (source, &settings, &files, full, sizeof full));
}

gboolean
sl_run_is_on (const SlStoreRun *run, const char *full)
{
  const char *rest = g_str_has_prefix (run->data, full) ? run->data + strlen (full) : NULL;

  return rest != NULL && (*rest == '\0' || *rest == ':');
}

/* The title of a specification: a file is called without its folder. */
static char *
title_of (const char *spec, gboolean with_options)
{
  g_autofree char *name = without_options (spec);
  g_autofree char *base = *name != '\0' ? g_path_get_basename (name) : g_strdup ("");

  return g_strconcat (base, with_options ? spec + strlen (name) : "", NULL);
}

/* Titles that two data sets share get the options as well. */
static void
give_titles (SlDataSets *sets)
{
  SlChoice *name = &g_array_index (sets->name, SlChoice, 0);
  guint     n = sets->name->len;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) shared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    {
      char *title = title_of (name[i].id, FALSE);

      g_hash_table_add (g_hash_table_contains (seen, title) ? shared : seen, title);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *title = title_of (name[i].id, FALSE);

      name[i].title = title_of (name[i].id, g_hash_table_contains (shared, title));
    }
}

static void
free_name (gpointer data)
{
  SlChoice *name = data;

  g_free ((char *) name->id);
  g_free ((char *) name->title);
}

static void
add (SlDataSets *sets, const SlStoreRun *run)
{
  SlChoice name = { .id = g_strdup (run->data) };
  guint64  hash = run->data_hash;
  gpointer place = GUINT_TO_POINTER (sets->name->len + 1);

  g_array_append_val (sets->name, name);
  g_array_append_val (sets->hash, hash);
  if (!g_hash_table_contains (sets->by_name, name.id))
    g_hash_table_insert (sets->by_name, (gpointer) name.id, place);
  if (hash != 0)
    g_hash_table_insert (sets->by_hash, g_memdup2 (&hash, sizeof hash), place);
}

void
sl_data_sets_init (SlDataSets *sets, const GPtrArray *runs)
{
  sets->name = g_array_new (TRUE, TRUE, sizeof (SlChoice));
  sets->hash = g_array_new (FALSE, FALSE, sizeof (guint64));
  sets->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  sets->by_hash = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_array_set_clear_func (sets->name, free_name);
  for (guint i = 0; i < runs->len; i++)
    if (sl_data_sets_find (sets, g_ptr_array_index (runs, i)) == sl_data_sets_count (sets))
      add (sets, g_ptr_array_index (runs, i));
  give_titles (sets);
}

void
sl_data_sets_clear (SlDataSets *sets)
{
  g_clear_pointer (&sets->by_name, g_hash_table_unref);
  g_clear_pointer (&sets->by_hash, g_hash_table_unref);
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
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (sets->by_hash, &run->data_hash));

  if (found == 0)
    found = GPOINTER_TO_UINT (g_hash_table_lookup (sets->by_name, run->data));
  if (found == 0
      || !is_same (run->data, run->data_hash, g_array_index (sets->name, SlChoice, found - 1).id,
                   g_array_index (sets->hash, guint64, found - 1)))
    return sets->hash->len;
  return found - 1;
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
