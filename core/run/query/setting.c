/* SPDX-License-Identifier: MIT
 *
 * See setting.h.  */
#include "core/run/query/setting.h"

#include <stdlib.h>
#include <string.h>

#include "core/run/base/fit.h"
#include "core/run/tradeoff/tradeoff.h"

/* ---- what sweeps vary ---- */

typedef struct
{
  const SlLab *lab;
  SlPacked    *first; /* settings of its first run */
  unsigned     n;
  unsigned     param[SL_PARAMS_MAX]; /* that vary, ascending */
} Sweep;

struct SlVaried
{
  GHashTable *sweeps; /* name -> Sweep */
};

static void
free_sweep (gpointer data)
{
  free (((Sweep *) data)->first);
  g_free (data);
}

SlVaried *
sl_varied_new (void)
{
  SlVaried *varied = g_rc_box_new (SlVaried);

  varied->sweeps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_sweep);
  return varied;
}

SlVaried *
sl_varied_ref (SlVaried *varied)
{
  return g_rc_box_acquire (varied);
}

static void
clear (gpointer data)
{
  g_hash_table_unref (((SlVaried *) data)->sweeps);
}

void
sl_varied_unref (SlVaried *varied)
{
  g_rc_box_release_full (varied, clear);
}

static void
mark_difference (Sweep *sweep, const SlPacked *settings, bool varies[SL_PARAMS_MAX])
{
  bool may[SL_PARAMS_MAX] = { false };

  sl_packed_mark (sweep->first, may);
  sl_packed_mark (settings, may);
  for (unsigned p = 0; p < sl_lab_n_settings (sweep->lab); p++)
    if (may[p] && !varies[p])
      {
        SlValue first = sl_packed_value (sweep->first, sweep->lab->params, p);
        SlValue other = sl_packed_value (settings, sweep->lab->params, p);

        varies[p] = !sl_value_same (&first, &other);
      }
}

gboolean
sl_varied_add (SlVaried *varied, const SlStoreRun *run)
{
  Sweep   *sweep;
  unsigned before;
  bool     varies[SL_PARAMS_MAX] = { false };

  if (run->sweep[0] == '\0' || run->lab == NULL)
    return FALSE;
  sweep = g_hash_table_lookup (varied->sweeps, run->sweep);
  if (sweep == NULL)
    {
      sweep = g_new0 (Sweep, 1);
      sweep->lab = run->lab;
      sweep->first = sl_packed_copy (run->settings);
      g_hash_table_insert (varied->sweeps, g_strdup (run->sweep), sweep);
    }
  if (run->lab != sweep->lab)
    return FALSE;
  before = sweep->n;
  for (unsigned i = 0; i < before; i++)
    varies[sweep->param[i]] = true;
  mark_difference (sweep, run->settings, varies);
  sweep->n = 0;
  for (unsigned p = 0; p < sl_lab_n_settings (sweep->lab); p++)
    if (varies[p])
      sweep->param[sweep->n++] = p;
  return sweep->n > before;
}

unsigned
sl_varied_params (const SlVaried *varied, const SlStoreRun *run, const unsigned **param)
{
  const Sweep *sweep
    = run->sweep[0] != '\0' ? g_hash_table_lookup (varied->sweeps, run->sweep) : NULL;

  if (sweep == NULL || sweep->lab != run->lab)
    return 0;
  if (param != NULL)
    *param = sweep->param;
  return sweep->n;
}

char *
sl_varied_text (const SlVaried *varied, const SlStoreRun *run)
{
  enum { MOST = 3 };
  GString        *text = g_string_new (NULL);
  const unsigned *param = NULL;
  unsigned        n = sl_varied_params (varied, run, &param);

  for (unsigned i = 0; i < n && i < MOST; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " × " : "", run->lab->params[param[i]].id);
  if (n > MOST)
    g_string_append (text, " × …");
  return g_string_free (text, FALSE);
}

/* ---- settings in words ---- */

/* Marks what is said of a run besides what its sweep varies. */
static void
mark_unusual (const SlStoreRun *run, const SlSettings *settings, bool said[SL_PARAMS_MAX])
{
  const SlLab *lab = run->lab;
  SlSettings   usual;

  sl_settings_default (&usual, lab->params, lab->n_params);
  sl_settings_settle (&usual, lab->params, lab->n_params);
  for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
    {
      gboolean swept = run->sweep[0] != '\0' && lab->params[p].headline != SL_HEADLINE_NONE;

      said[p] = (swept || !sl_value_same (&settings->value[p], &usual.value[p]))
                && sl_param_matters (settings, lab->params, lab->n_params, p);
    }
}

char *
sl_run_settings_text (const SlStoreRun *run, const SlVaried *varied, const char *between,
                      const char *is)
{
  const SlLab    *lab = run->lab;
  GString        *text = g_string_new (NULL);
  const unsigned *param = NULL;
  unsigned        n = varied != NULL ? sl_varied_params (varied, run, &param) : 0;
  unsigned        order[SL_PARAMS_MAX], n_said = 0;
  bool            said[SL_PARAMS_MAX] = { false };
  SlSettings      settings;
  char            value[512];

  if (lab == NULL)
    return g_string_free (text, FALSE);
  sl_store_run_settings (run, &settings);
  mark_unusual (run, &settings, said);
  for (unsigned i = 0; i < n; i++)
    {
      order[n_said++] = param[i];
      said[param[i]] = false;
    }
  for (unsigned p = 0; p < sl_lab_n_settings (lab); p++)
    if (said[p])
      order[n_said++] = p;
  for (unsigned i = 0; i < n_said; i++)
    g_string_append_printf (
      text, "%s%s%s%s", i > 0 ? between : "", lab->params[order[i]].id, is,
      sl_param_format (&lab->params[order[i]], &settings.value[order[i]], value, sizeof value));
  return g_string_free (text, FALSE);
}

/* ---- runs of one setting ---- */

/* After Fowler, Noll and Vo. */
static guint64
mix (guint64 key, const void *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    key = (key ^ ((const guchar *) bytes)[i]) * 0x100000001b3U;
  return key;
}

/* `data` are what tells its data apart. */
static guint64
key_of (const SlStoreRun *run, const unsigned *param, unsigned n, const void *data, size_t size)
{
  guint64 key = mix (0xcbf29ce484222325U, run->lab_id, strlen (run->lab_id) + 1);

  key = mix (key, data, size);
  /* Nothing is known of what it was trained with. */
  if (run->lab == NULL)
    return mix (key, run->uuid, strlen (run->uuid));
  for (unsigned i = 0; i < n; i++)
    {
      SlValue value = sl_store_run_value (run, param[i]);

      key = mix (mix (key, &value.n, sizeof value.n), value.v, value.n * sizeof *value.v);
    }
  return key;
}

guint64
sl_run_setting_key (const SlStoreRun *run)
{
  unsigned all[SL_PARAMS_MAX], n = 0;

  for (unsigned p = 0; run->lab != NULL && p < sl_lab_n_settings (run->lab); p++)
    all[n++] = p;
  if (run->data_hash != 0)
    return key_of (run, all, n, &run->data_hash, sizeof run->data_hash);
  return key_of (run, all, n, run->data, strlen (run->data) + 1);
}

/* The runs of one lab. */
typedef struct
{
  const SlLab *lab;
  unsigned     place;  /* among the labs */
  GPtrArray   *packed; /* their settings */
  unsigned     n_varied, varied[SL_PARAMS_MAX];
} OfLab;

static void
free_lab (gpointer data)
{
  g_ptr_array_unref (((OfLab *) data)->packed);
  g_free (data);
}

/* What varies among the runs of each lab, by the lab. */
static GHashTable *
sort_by_lab (const GPtrArray *runs)
{
  GHashTable    *labs = g_hash_table_new_full (NULL, NULL, NULL, free_lab);
  GHashTableIter iter;
  gpointer       value;

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      OfLab            *of = g_hash_table_lookup (labs, run->lab);

      if (of == NULL)
        {
          of = g_new0 (OfLab, 1);
          *of = (OfLab) { .lab = run->lab,
                          .place = g_hash_table_size (labs),
                          .packed = g_ptr_array_new () };
          g_hash_table_insert (labs, (gpointer) run->lab, of);
        }
      g_ptr_array_add (of->packed, run->settings);
    }
  g_hash_table_iter_init (&iter, labs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      OfLab *of = value;

      if (of->lab != NULL)
        of->n_varied = sl_tradeoff_varied (of->lab, (const SlPacked *const *) of->packed->pdata,
                                           of->packed->len, of->varied);
    }
  return labs;
}

/* A group by its first run. */
typedef struct
{
  guint             was; /* its number in the order of first runs */
  const SlStoreRun *run;
  const OfLab      *of;
} First;

static int
compare_values (const SlValue *a, const SlValue *b)
{
  for (unsigned i = 0; i < a->n && i < b->n; i++)
    if (a->v[i] != b->v[i])
      return a->v[i] < b->v[i] ? -1 : 1;
  return (a->n > b->n) - (a->n < b->n);
}

static int
by_setting (gconstpointer a, gconstpointer b)
{
  const First *x = a, *y = b;
  int          order = (x->of->place > y->of->place) - (x->of->place < y->of->place);

  for (unsigned i = 0; i < x->of->n_varied && order == 0; i++)
    {
      SlValue p = sl_store_run_value (x->run, x->of->varied[i]);
      SlValue q = sl_store_run_value (y->run, x->of->varied[i]);

      order = compare_values (&p, &q);
    }
  order = order != 0 ? order : strcmp (x->run->data, y->run->data);
  return order != 0 ? order : (x->was > y->was) - (x->was < y->was);
}

/* The words of a group; of several labs with the lab, on several data with that. */
static void
say (const First *first, gboolean labs, const SlDataSets *data, SlFieldValue *value)
{
  const SlStoreRun *run = first->run;
  g_autofree char  *words
    = first->of->lab == NULL
        ? g_strdup (run->name)
        : sl_tradeoff_text (run->lab, run->settings, first->of->varied, first->of->n_varied, true);
  const char *part[] = { labs || *words == '\0' ? run->lab_id : "", words,
                         sl_data_sets_count (data) > 1 ? sl_data_sets_title (data, run) : "" };
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < G_N_ELEMENTS (part); i++)
    if (part[i][0] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", part[i]);
  value->kind = SL_FIELD_TEXT;
  value->text = sl_fit (value->room, text->str, sizeof value->room);
}

/* Numbers the groups in the order of their first runs, which are returned (of First). */
static GArray *
number_groups (const GPtrArray *runs, GHashTable *labs, const SlDataSets *data, unsigned *group)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GArray *firsts = g_array_new (FALSE, FALSE, sizeof (First));

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);
      First             fresh = { firsts->len, run, g_hash_table_lookup (labs, run->lab) };
      guint             place = sl_data_sets_find (data, run);
      guint64 key = key_of (run, fresh.of->varied, fresh.of->n_varied, &place, sizeof place);
      guint   found = GPOINTER_TO_UINT (g_hash_table_lookup (seen, &key));

      if (found == 0)
        {
          g_array_append_val (firsts, fresh);
          found = firsts->len;
          g_hash_table_insert (seen, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (found));
        }
      group[i] = found - 1;
    }
  return firsts;
}

/* Orders the groups by their values, and says these. */
static void
name_groups (const GPtrArray *runs, GHashTable *labs, const SlDataSets *data, GArray *firsts,
             unsigned *group, GArray *groups)
{
  g_autofree unsigned *place = g_new (unsigned, firsts->len + 1);

  g_array_sort (firsts, by_setting);
  for (guint g = 0; g < firsts->len; g++)
    {
      place[g_array_index (firsts, First, g).was] = g;
      say (&g_array_index (firsts, First, g), g_hash_table_size (labs) > 1, data,
           &g_array_index (groups, SlRunGroup, g).value);
    }
  for (guint i = 0; i < runs->len; i++)
    group[i] = place[group[i]];
}

guint
sl_run_number_settings (const GPtrArray *runs, const SlDataSets *data, unsigned *setting)
{
  g_autoptr (GHashTable) labs = sort_by_lab (runs);
  g_autoptr (GArray) firsts = number_groups (runs, labs, data, setting);

  return firsts->len;
}

GArray *
sl_run_setting_groups (const GPtrArray *runs, gboolean named, unsigned *group)
{
  SlDataSets data;
  g_autoptr (GHashTable) labs = sort_by_lab (runs);
  g_autoptr (GArray) firsts = NULL;
  GArray *groups = g_array_new (FALSE, TRUE, sizeof (SlRunGroup));

  sl_data_sets_init (&data, runs);
  firsts = number_groups (runs, labs, &data, group);
  g_array_set_size (groups, firsts->len);
  if (named)
    name_groups (runs, labs, &data, firsts, group, groups);
  for (guint i = 0; i < runs->len; i++)
    g_array_index (groups, SlRunGroup, group[i]).n++;
  sl_run_groups_take_means (runs, group, groups);
  sl_data_sets_clear (&data);
  return groups;
}
