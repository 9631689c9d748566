/* SPDX-License-Identifier: MIT
 *
 * See group.h.  */
#include "core/run/query/group.h"

#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/query/setting.h"
#include "core/run/query/split.h"

/* A run and its value. */
typedef struct
{
  guint        run;
  SlFieldValue value;
} Entry;

static int
by_value (gconstpointer a, gconstpointer b)
{
  const Entry *x = *(const Entry *const *) a, *y = *(const Entry *const *) b;
  int          order = sl_field_compare (&x->value, &y->value);

  return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

/* Text that lies in the value itself moves with it. */
static void
settle_text (SlFieldValue *value, const SlFieldValue *was)
{
  if (was->text == was->room)
    value->text = value->room;
}

/* The runs in the order of their values. */
static GPtrArray *
sorted (const GPtrArray *runs, const SlField *field)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < runs->len; i++)
    {
      Entry *entry = g_new (Entry, 1);

      entry->run = i;
      sl_field_read (field, g_ptr_array_index (runs, i), &entry->value);
      g_ptr_array_add (entries, entry);
    }
  g_ptr_array_sort (entries, by_value);
  return entries;
}

enum { WRONG, EXECUTED, TIMED, N_MEANS };

/* The errors that runs of each lab have, of SlErrorCount. */
static GHashTable *
count_errors (const GPtrArray *runs)
{
  GHashTable *labs = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      SlErrorCount     *count = g_hash_table_lookup (labs, run->lab);

      if (count == NULL)
        {
          count = g_new0 (SlErrorCount, 1);
          g_hash_table_insert (labs, (gpointer) run->lab, count);
        }
      sl_error_count_add (count, run);
    }
  return labs;
}

/* A group has errors of one kind, which is that of its first run's lab. */
static void
choose_errors (const GPtrArray *runs, const unsigned *group, GArray *groups)
{
  g_autoptr (GHashTable) labs = count_errors (runs);

  for (guint i = runs->len; i > 0; i--)
    g_array_index (groups, SlRunGroup, group[i - 1]).validation = sl_error_count_is_validation (
      g_hash_table_lookup (labs, ((const SlStoreRun *) g_ptr_array_index (runs, i - 1))->lab));
}

void
sl_run_groups_take_means (const GPtrArray *runs, const unsigned *group, GArray *groups)
{
  g_autofree double *value = g_new (double, N_MEANS * runs->len + 1);
  g_autofree SlMean *mean = g_new (SlMean, N_MEANS * groups->len + 1);

  choose_errors (runs, group, groups);
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      bool              counts = sl_run_counts (run);
      SlOutcome         outcome;

      sl_store_run_outcome (run, &outcome);
      value[WRONG * runs->len + i]
        = counts ? sl_run_error (run, g_array_index (groups, SlRunGroup, group[i]).validation)
                 : (double) NAN;
      value[EXECUTED * runs->len + i] = counts ? outcome.executed : (double) NAN;
      value[TIMED * runs->len + i] = counts ? outcome.timed : (double) NAN;
    }
  for (int k = 0; k < N_MEANS; k++)
    sl_mean_groups (value + k * runs->len, group, runs->len, mean + k * groups->len, groups->len);
  for (guint g = 0; g < groups->len; g++)
    {
      SlRunGroup *one = &g_array_index (groups, SlRunGroup, g);

      one->error = mean[WRONG * groups->len + g];
      one->executed = mean[EXECUTED * groups->len + g];
      one->timed = mean[TIMED * groups->len + g];
      one->left_out = one->n - one->error.n;
    }
}

GArray *
sl_run_groups (const GPtrArray *runs, const SlField *field, unsigned *group)
{
  GArray *groups;
  g_autoptr (GPtrArray) entries = NULL;

  if (sl_field_is_setting (field))
    return sl_run_setting_groups (runs, TRUE, group);
  groups = g_array_new (FALSE, FALSE, sizeof (SlRunGroup));
  entries = sorted (runs, field);

  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (entries, i);
      const Entry *before = i > 0 ? g_ptr_array_index (entries, i - 1) : NULL;
      SlRunGroup   fresh = { .value = entry->value };

      if (before == NULL || sl_field_compare (&before->value, &entry->value) != 0)
        g_array_append_val (groups, fresh);
      g_array_index (groups, SlRunGroup, groups->len - 1).n++;
      group[entry->run] = groups->len - 1;
    }
  /* Now that the array stays where it is. */
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (entries, i);

      settle_text (&g_array_index (groups, SlRunGroup, group[entry->run]).value, &entry->value);
    }
  sl_run_groups_take_means (runs, group, groups);
  return groups;
}

/* ---- what differs ---- */

/* Among those that have anything of it. */
static gboolean
differs (const GPtrArray *runs, const SlField *field)
{
  SlFieldValue first = { .kind = SL_FIELD_NOTHING }, other;

  for (guint i = 0; i < runs->len; i++)
    {
      SlFieldValue *value = first.kind == SL_FIELD_NOTHING ? &first : &other;

      sl_field_read (field, g_ptr_array_index (runs, i), value);
      if (value == &other && other.kind != SL_FIELD_NOTHING
          && sl_field_compare (&first, &other) != 0)
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
sl_run_differences (const GPtrArray *runs)
{
  static const char *const facts[] = { "lab", "data" };
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  SlField    field;

  for (size_t f = 0; f < G_N_ELEMENTS (facts) && runs->len > 0; f++)
    if (sl_field_find (facts[f], NULL, &field) && differs (runs, &field))
      g_ptr_array_add (names, g_strdup (facts[f]));
  for (int l = 0; sl_labs[l] != NULL && runs->len > 0; l++)
    for (unsigned p = 0; p < sl_lab_n_settings (sl_labs[l]); p++)
      {
        g_autofree char *name = g_strconcat ("set.", sl_labs[l]->params[p].id, NULL);

        if (!g_hash_table_add (seen, (gpointer) sl_labs[l]->params[p].id)
            || !sl_field_find (name, NULL, &field) || !differs (runs, &field))
          continue;
        /* Without the prefix where nothing else has the name. */
        if (sl_field_find (sl_labs[l]->params[p].id, NULL, &field) && field.fact < 0)
          g_ptr_array_add (names, g_strdup (sl_labs[l]->params[p].id));
        else
          g_ptr_array_add (names, g_steal_pointer (&name));
      }
  if (runs->len > 0 && sl_field_find ("seed", NULL, &field) && differs (runs, &field))
    g_ptr_array_add (names, g_strdup ("seed"));
  return names;
}
