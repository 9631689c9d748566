/* SPDX-License-Identifier: MIT */
#include "ui/runs/set.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/tradeoff/tradeoff.h"
#include "ui/runs/list/group-row.h"

/* Values that have a marker each. */
enum { SHAPES = 6, TEXT = 128 };

static SlValue
value_of (SlRunItem *item, unsigned param)
{
  return sl_store_run_value (sl_run_item_run (item), param);
}

static void
value_text (const SlRunSet *set, SlRunItem *item, unsigned param, char text[TEXT])
{
  SlValue value = value_of (item, param);

  sl_param_format (&set->lab->params[param], &value, text, TEXT);
}

/* The same for the same value, after Fowler, Noll and Vo. */
static guint64
mix (guint64 key, const SlValue *value)
{
  guint64 bits;

  for (unsigned i = 0; i < value->n; i++)
    {
      memcpy (&bits, &value->v[i], sizeof bits);
      key = (key ^ bits ^ bits >> 32) * 0x100000001b3U;
    }
  return key * 0x100000001b3U + value->n;
}

/* How many values a parameter has among the runs, counted no further than `most`. */
static unsigned
count_values (const SlRunSet *set, unsigned param, unsigned most)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < set->items->len && g_hash_table_size (seen) < most; i++)
    {
      SlValue value = value_of (g_ptr_array_index (set->items, i), param);
      guint64 key = mix (0, &value);

      g_hash_table_add (seen, g_memdup2 (&key, sizeof key));
    }
  return g_hash_table_size (seen);
}

static gboolean
is_named (const SlParam *param)
{
  return param->kind == SL_CHOICE || param->kind == SL_BOOLEAN;
}

/* The number with most values is the colour, names are markers; a second number is a marker when it has few
 * values.  */
static void
choose (SlRunSet *set)
{
  unsigned most = 0;

  set->tone = set->shape = -1;
  for (unsigned i = 0; i < set->n_varied; i++)
    {
      int      param = (int) set->varied[i];
      bool     named = is_named (&set->lab->params[param]);
      unsigned n = named ? 0 : count_values (set, set->varied[i], set->items->len);

      if (named)
        set->shape = set->shape < 0 ? param : set->shape;
      else if (n > most)
        {
          set->tone = param;
          most = n;
        }
    }
  for (unsigned i = 0; i < set->n_varied && set->shape < 0; i++)
    if ((int) set->varied[i] != set->tone
        && count_values (set, set->varied[i], SHAPES + 1) <= SHAPES)
      set->shape = (int) set->varied[i];
}

/* The lab that the caller wants, if some run is of it; else that of the last. */
static const SlLab *
lab_of (GPtrArray *items, const SlLab *asked)
{
  const SlLab *last = NULL;

  for (guint i = items->len; i > 0; i--)
    {
      const SlLab *lab = sl_run_item_run (g_ptr_array_index (items, i - 1))->lab;

      if (asked != NULL && lab == asked)
        return asked;
      last = last == NULL ? lab : last;
    }
  return last;
}

/* Chooses the newest run, of those on this data if there are some. */
static void
choose_newest (SlRunSet *set, const char *data)
{
  g_autofree char *full = data != NULL ? sl_data_sets_full_spec (data) : NULL;
  unsigned         most = 0;

  for (guint i = 0; i < set->items->len; i++)
    {
      SlRunItem *item = g_ptr_array_index (set->items, i);

      if (sl_run_item_number (item) <= most
          || (data != NULL && !sl_run_is_on (sl_run_item_run (item), full)))
        continue;
      most = sl_run_item_number (item);
      set->newest = i;
    }
  if (most == 0 && data != NULL)
    choose_newest (set, NULL);
}

void
sl_run_set_init (SlRunSet *set, GPtrArray *items, const SlLab *lab, const char *data)
{
  g_autofree const SlPacked **settings = NULL;

  *set = (SlRunSet) { .items = g_ptr_array_new_with_free_func (g_object_unref) };
  set->lab = lab_of (items, lab);
  for (guint i = 0; i < items->len && set->lab != NULL; i++)
    if (sl_run_item_run (g_ptr_array_index (items, i))->lab == set->lab)
      g_ptr_array_add (set->items, g_object_ref (g_ptr_array_index (items, i)));
  choose_newest (set, data);
  sl_data_sets_init (&set->data, set->items);
  settings = g_new (const SlPacked *, set->items->len + 1);
  for (guint i = 0; i < set->items->len; i++)
    settings[i] = sl_run_item_run (g_ptr_array_index (set->items, i))->settings;
  if (set->lab != NULL)
    set->n_varied = sl_tradeoff_varied (set->lab, settings, set->items->len, set->varied);
  choose (set);
}

/* The parameter of the set's lab that the field is, or -1. */
static int
param_of (const SlRunSet *set, const SlField *field)
{
  for (int l = 0; l < SL_FIELD_LABS && sl_labs[l] != NULL; l++)
    if (sl_labs[l] == set->lab && field->fact < 0 && field->figure == NULL)
      return field->param[l];
  return -1;
}

void
sl_run_set_group (SlRunSet *set, const SlField *field)
{
  int param = field != NULL ? param_of (set, field) : -1;

  set->grouped = field != NULL;
  if (field == NULL)
    {
      choose (set);
      return;
    }
  set->field = *field;
  set->tone = set->shape = -1;
  if (param >= 0 && is_named (&set->lab->params[param]))
    set->shape = param;
  else
    set->tone = param;
}

void
sl_run_set_clear (SlRunSet *set)
{
  sl_data_sets_clear (&set->data);
  g_clear_pointer (&set->items, g_ptr_array_unref);
  *set = (SlRunSet) { 0 };
}

SlLayout *
sl_run_set_layout (GPtrArray *items)
{
  const SlStoreRun *run = sl_run_item_run (g_ptr_array_index (items, 0));
  SlLayout         *layout = g_new (SlLayout, 1);
  SlSettings        settings;

  sl_store_run_settings (run, &settings);
  sl_layout_init (layout, run->lab, &settings);
  return layout;
}

GPtrArray *
sl_run_set_newest (const SlRunSet *set, guint most)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  guint      n = set->items->len;

  for (guint i = n > most ? n - most : 0; i < n; i++)
    g_ptr_array_add (items, g_object_ref (g_ptr_array_index (set->items, i)));
  return items;
}

static guint64
setting_key (const SlRunSet *set, SlRunItem *item)
{
  guint64 key = g_str_hash (sl_run_item_run (item)->data);

  for (unsigned i = 0; i < set->n_varied; i++)
    {
      SlValue value = value_of (item, set->varied[i]);

      key = mix (key, &value);
    }
  return key;
}

guint64
sl_run_set_key (const SlRunSet *set, SlRunItem *item)
{
  SlFieldValue value;

  if (!set->grouped)
    return setting_key (set, item);
  sl_field_read (&set->field, sl_run_item_run (item), &value);
  return mix (g_str_hash (value.text), &(SlValue) { .n = 1, .v = { value.number } })
         + (guint64) value.kind;
}

/* The title with the name of the run's data, where there are several. */
static char *
title_with_data (const SlRunSet *set, SlRunItem *item, const char *text)
{
  if (sl_data_sets_count (&set->data) < 2)
    return g_strdup (text);
  return g_strdup_printf ("%s%s%s", text, *text != '\0' ? ", " : "",
                          sl_data_sets_title (&set->data, sl_run_item_run (item)));
}

static char *
setting_title (const SlRunSet *set, SlRunItem *item, gboolean named)
{
  g_autofree char *text = sl_tradeoff_text (set->lab, sl_run_item_run (item)->settings, set->varied,
                                            set->n_varied, named);
  g_autofree char *title = title_with_data (set, item, text);

  return *title != '\0' ? g_steal_pointer (&title) : g_strdup (sl_run_item_name (item));
}

char *
sl_run_set_run_title (const SlRunSet *set, SlRunItem *item)
{
  return title_with_data (set, item, sl_run_item_name (item));
}

char *
sl_run_set_title (const SlRunSet *set, SlRunItem *item, gboolean named)
{
  SlFieldValue value;

  if (!set->grouped)
    return setting_title (set, item, named);
  sl_field_read (&set->field, sl_run_item_run (item), &value);
  return sl_run_group_title (&set->field, &value);
}

static double
number_of (SlRunItem *item, int param)
{
  return param >= 0 ? value_of (item, (unsigned) param).v[0] : (double) NAN;
}

/* Place of the run's value among those of the parameter that gives the markers; names it. */
static unsigned
shape_of (const SlRunSet *set, SlRunItem *item, SlFront *front)
{
  const SlParam *param = set->shape >= 0 ? &set->lab->params[set->shape] : NULL;
  char           text[TEXT], title[SL_FRONT_TITLE];
  unsigned       i = 0;

  if (param == NULL)
    return 0;
  value_text (set, item, (unsigned) set->shape, text);
  g_snprintf (title, sizeof title, "%s %s", param->id, text);
  while (i + 1 < SL_FRONT_SHAPES && front->shape_title[i][0] != '\0'
         && !g_str_equal (front->shape_title[i], title))
    i++;
  if (front->shape_title[i][0] == '\0')
    g_strlcpy (front->shape_title[i], title, SL_FRONT_TITLE);
  return i;
}

/* Errors of two kinds in one chart are called by what they have in common. */
static gboolean
all_tested (const SlRunSet *set)
{
  for (guint i = 0; i < set->items->len; i++)
    if (sl_run_item_outcome (g_ptr_array_index (set->items, i))->validation)
      return FALSE;
  return TRUE;
}

static SlAxis
error_axis (const SlRunSet *set)
{
  SlAxis axis = sl_lab_error_axis (set->lab);

  if (g_str_equal (axis.label, "error") && all_tested (set))
    axis.label = N_ ("test error");
  return axis;
}

static void
add (const SlRunSet *set, SlFront *front, guint i, double x)
{
  SlRunItem        *item = g_ptr_array_index (set->items, i);
  const SlStoreRun *newest = sl_run_item_run (g_ptr_array_index (set->items, set->newest));
  g_autofree char  *title = sl_run_set_title (set, item, TRUE);
  SlFrontRun        run = { .key = sl_run_set_key (set, item),
                            .x = x,
                            .y = sl_run_item_outcome (item)->error,
                            .tone = number_of (item, set->tone),
                            .shape = shape_of (set, item, front),
                            .apart = sl_run_is_on_other_data (sl_run_item_run (item), newest),
                            .tag = i };

  if (front->frontier && sl_run_item_run (item)->status == SL_RUN_PRUNED)
    return;
  g_strlcpy (run.title, title, sizeof run.title);
  if (sl_run_item_outcome (item)->validation)
    g_strlcat (run.title, _ (", validation"), sizeof run.title);
  sl_front_add (front, &run);
}

static void
begin (const SlRunSet *set, SlFront *front, SlFigure *figure)
{
  const SlParam *tone = set->tone >= 0 ? &set->lab->params[set->tone] : NULL;

  sl_front_empty (front);
  memset (front->shape_title, 0, sizeof front->shape_title);
  figure->y = error_axis (set);
  figure->z = (SlAxis) { .label = tone != NULL ? tone->title : "",
                         .unit = tone != NULL ? sl_given (tone->unit) : "",
                         .logarithmic = tone != NULL && tone->logarithmic };
}

void
sl_run_set_front (const SlRunSet *set, SlCost cost, SlFront *front, SlFigure *figure)
{
  begin (set, front, figure);
  front->frontier = true;
  g_strlcpy (figure->title, N_ ("Error against cost"), sizeof figure->title);
  figure->x = sl_cost_axis (set->lab, cost);
  for (guint i = 0; i < set->items->len; i++)
    add (set, front, i, sl_cost_of (sl_run_item_outcome (g_ptr_array_index (set->items, i)), cost));
}

void
sl_run_set_multiple (const SlRunSet *set, unsigned varied, SlFront *front, SlFigure *figure,
                     const char ***names)
{
  const SlParam *param = &set->lab->params[set->varied[varied]];
  SlRunSet       settings = *set;
  unsigned       n = 0;

  /* A point for each setting: the runs of a group have many values of the parameter. */
  settings.grouped = FALSE;
  begin (set, front, figure);
  front->frontier = false;
  *names = NULL;
  g_strlcpy (figure->title, param->title, sizeof figure->title);
  figure->x = (SlAxis) { .label = param->title, .unit = sl_given (param->unit) };
  if (!figure->view_set)
    {
      figure->view.log_x = param->logarithmic;
      figure->view_set = true;
    }
  if (param->kind == SL_CHOICE)
    {
      while (param->choices[n].id != NULL)
        n++;
      *names = g_new (const char *, n + 1);
      for (unsigned i = 0; i <= n; i++)
        (*names)[i] = i < n ? param->choices[i].title : NULL;
    }
  figure->categories.name = *names;
  figure->categories.n = n;
  figure->integer_x
    = (param->kind == SL_INTEGER || param->kind == SL_LIST) && sl_param_is_whole (param);
  for (guint i = 0; i < set->items->len; i++)
    add (&settings, front, i,
         number_of (g_ptr_array_index (set->items, i), (int) set->varied[varied]));
}

/* Results that are shown beside the parameters. */
enum { EXECUTED, TIMED, WRONG, RESULTS };

/* Of the times of a run when they are measured again, over the runs. */
static double
mean_spread (const SlRunSet *set)
{
  double   sum = 0.0;
  unsigned n = 0;

  for (guint i = 0; i < set->items->len; i++)
    {
      double spread = sl_run_item_outcome (g_ptr_array_index (set->items, i))->timed_spread;

      sum += isfinite (spread) ? spread : 0.0;
      n += isfinite (spread);
    }
  return n > 0 ? sum / n : 0.0;
}

void
sl_run_set_parallel (const SlRunSet *set, SlParallel *parallel)
{
  SlParallel before = *parallel;
  bool       mixed = sl_data_sets_count (&set->data) > 1;
  unsigned   n = MIN (set->n_varied, SL_PARALLEL_AXES - RESULTS - mixed), results = n + mixed;
  double     line[SL_PARALLEL_AXES];

  *parallel = (SlParallel) { 0 };
  for (unsigned a = 0; a < n; a++)
    {
      const SlParam  *param = &set->lab->params[set->varied[a]];
      SlParallelAxis *axis
        = sl_parallel_axis (parallel, param->title, sl_given (param->unit), param->logarithmic);

      axis->choices = param->kind == SL_CHOICE ? param->choices : NULL;
    }
  if (mixed)
    sl_parallel_axis (parallel, N_ ("Data"), "", false)->choices = sl_data_sets_names (&set->data);
  sl_parallel_axis (parallel, N_ ("executed"), "%", false);
  sl_parallel_axis (parallel, N_ ("timed"), "%", false);
  sl_parallel_axis (parallel, error_axis (set).label, error_axis (set).unit, false);
  for (unsigned r = 0; r < RESULTS; r++)
    parallel->axis[results + r].measured = true;
  parallel->axis[results + TIMED].spread = mean_spread (set);
  parallel->colour = results + WRONG;
  for (unsigned a = 0; a < parallel->n_axes; a++)
    for (unsigned b = 0; b < before.n_axes; b++)
      if (before.axis[b].brushed && g_str_equal (before.axis[b].title, parallel->axis[a].title))
        sl_parallel_brush (parallel, a, before.axis[b].from, before.axis[b].to);
  for (guint i = 0; i < set->items->len; i++)
    {
      SlRunItem       *item = g_ptr_array_index (set->items, i);
      const SlOutcome *outcome = sl_run_item_outcome (item);

      for (unsigned a = 0; a < n; a++)
        line[a] = number_of (item, (int) set->varied[a]);
      if (mixed)
        line[n] = sl_data_sets_find (&set->data, sl_run_item_run (item));
      line[results + EXECUTED] = outcome->executed;
      line[results + TIMED] = outcome->timed;
      line[results + WRONG] = outcome->error;
      if (!sl_parallel_line (parallel, line))
        break;
    }
  parallel->marked = before.marked <= parallel->n ? before.marked : 0;
  sl_parallel_clear (&before);
}
