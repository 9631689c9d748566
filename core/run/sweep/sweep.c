/* SPDX-License-Identifier: MIT
 *
 * See sweep.h.  */
#include "core/run/sweep/private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/base/number.h"

const char sl_sweep_unpruned[] = N_ ("Sweeps no longer prune runs");

void
sl_sweep_init (SlSweep *sweep, const SlLab *lab)
{
  const uint64_t one = 1;

  *sweep = (SlSweep) { .lab = lab };
  sl_settings_default (&sweep->settings, lab->params, lab->n_params);
  if (lab->data != SL_NEEDS_NOTHING)
    sweep->data = g_strdup (sl_source_default_for (lab->data));
  sweep->also = g_ptr_array_new_with_free_func (g_free);
  sweep->seeds = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_array_append_val (sweep->seeds, one);
}

void
sl_sweep_clear (SlSweep *sweep)
{
  for (unsigned a = 0; a < sweep->n_axes; a++)
    g_free (sweep->axis[a].value);
  g_free (sweep->data);
  g_clear_pointer (&sweep->also, g_ptr_array_unref);
  g_clear_pointer (&sweep->seeds, g_array_unref);
  *sweep = (SlSweep) { 0 };
}

void
sl_sweep_copy (SlSweep *to, const SlSweep *from)
{
  *to = *from;
  to->data = g_strdup (from->data);
  to->also = g_ptr_array_copy (from->also, (GCopyFunc) (void (*) (void)) g_strdup, NULL);
  g_ptr_array_set_free_func (to->also, g_free);
  to->seeds = g_array_copy (from->seeds);
  for (unsigned a = 0; a < from->n_axes; a++)
    to->axis[a].value
      = g_memdup2 (from->axis[a].value, from->axis[a].n * sizeof *from->axis[a].value);
}

unsigned
sl_sweep_n_data (const SlSweep *sweep)
{
  return 1 + sweep->also->len;
}

const char *
sl_sweep_data (const SlSweep *sweep, unsigned number)
{
  return number == 0 ? sweep->data : sweep->also->pdata[number - 1];
}

guint64
sl_sweep_count (const SlSweep *sweep)
{
  guint64 n = (guint64) sweep->seeds->len * sl_sweep_n_data (sweep);

  if (sweep->how != SL_SWEEP_GRID)
    return n * sweep->points;
  /* Of very many only that they are. */
  for (unsigned a = 0; a < sweep->n_axes && n <= G_MAXUINT32; a++)
    n *= sweep->axis[a].n;
  return n;
}

/* Whether the lab can use these data. */
static gboolean
check_data (const SlLab *lab, const char *data, GError **error)
{
  const SlSource *source;
  SlSettings      options;
  SlStatus        status;

  if (lab->data == SL_NEEDS_NOTHING)
    return data == NULL
           || sl_fail (error, SL_EINVAL, lab->id, _ ("data"), _ ("none: it needs no data"));
  if (data == NULL)
    return sl_fail (error, SL_EINVAL, lab->id, _ ("no data"), sl_words (sl_data_title (lab->data)));
  status = sl_source_parse (data, &source, &options, NULL);
  if (!sl_status_good (&status, error))
    return FALSE;
  return source == NULL || sl_data_serves (source->yields, lab->data)
         || sl_fail (error, SL_EUNSUPPORTED, data, sl_words (sl_data_title (source->yields)),
                     sl_words (sl_data_title (lab->data)));
}

/* Whether they are of the kind that points are drawn from, or combined. */
static gboolean
check_axes (const SlSweep *sweep, GError **error)
{
  for (unsigned a = 0; a < sweep->n_axes && sweep->how == SL_SWEEP_GRID; a++)
    if (sweep->axis[a].range)
      return sl_fail (error, SL_EINVAL, sl_sweep_axis_id (sweep->lab, sweep->axis[a].param),
                      _ ("a range to draw from"), _ ("lo:hi:n, for every combination"));
  if (sweep->how == SL_SWEEP_GRID && sweep->n_axes > SL_SWEEP_GRID_AXES)
    return sl_fail (error, SL_EINVAL, _ ("the sweep"), _ ("too many axes"), _ ("at most 4"));
  return sweep->how == SL_SWEEP_GRID || sweep->n_axes > 0
         || sl_fail (error, SL_EINVAL, _ ("the sweep"), _ ("points to draw, but no axis"),
                     _ ("at least one axis"));
}

gboolean
sl_sweep_check (const SlSweep *sweep, GError **error)
{
  const SlBudget *budget = &sweep->budget;
  char            found[64], expected[64];

  if (!(budget->epochs >= 0) || !isfinite (budget->epochs) || !(budget->seconds >= 0)
      || !isfinite (budget->seconds) || !(budget->patience >= 0) || !isfinite (budget->patience))
    return sl_fail (error, SL_EINVAL, _ ("the length of a run"), _ ("a negative or endless one"),
                    _ ("updates, epochs or seconds"));
  if (budget->steps == 0 && budget->epochs == 0 && budget->seconds == 0 && budget->patience == 0)
    return sl_fail (error, SL_EINVAL, _ ("the length of a run"), _ ("none"),
                    _ ("updates, epochs or seconds"));
  if (sl_sweep_count (sweep) > SL_SWEEP_JOBS_MAX)
    {
      g_snprintf (found, sizeof found, _ ("%llu runs"),
                  (unsigned long long) sl_sweep_count (sweep));
      g_snprintf (expected, sizeof expected, _ ("at most %d"), SL_SWEEP_JOBS_MAX);
      return sl_fail (error, SL_EINVAL, _ ("the sweep"), found, expected);
    }
  for (unsigned i = 0; i < sl_sweep_n_data (sweep); i++)
    if (!check_data (sweep->lab, sl_sweep_data (sweep, i), error))
      return FALSE;
  return check_axes (sweep, error);
}

gboolean
sl_sweep_check_reach (const SlSweep *sweep, GError **error)
{
  g_autoptr (GArray) jobs = sl_sweep_expand (sweep);
  SlStatus status = SL_SUCCESS;

  for (guint i = 0; i < jobs->len && sl_ok (&status); i++)
    status = sl_settings_check_reach (&g_array_index (jobs, SlSweepJob, i).settings,
                                      sweep->lab->params, sweep->lab->n_params);
  return sl_status_good (&status, error);
}

/* Every option written out, so that two ways to say the same give the same name.  A file is only
 * known by what was typed.  */
static void
append_data (GString *text, const char *data)
{
  const SlSource *source;
  SlSettings      options;
  SlSourceFiles   files;
  SlStatus        status = sl_source_parse (data, &source, &options, &files);
  char            full[sizeof ((SlDataset *) NULL)->id];

  if (sl_ok (&status) && source != NULL)
    g_string_append (text, sl_source_format (source, &options, &files, full, sizeof full));
  else
    g_string_append (text, data);
}

void
sl_sweep_name (const SlLab *lab, const SlSettings *settings, const char *data, uint64_t seed,
               const SlBudget *budget, char id[SL_SWEEP_ID])
{
  GString   *text = g_string_new ("sluice-run 1\n");
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8     b[32];
  gsize      length = sizeof b;
  char       value[512];
  SlSettings usual;

  sl_settings_default (&usual, lab->params, lab->n_params);
  g_string_append_printf (text, "%s\n", lab->id);
  /* What is as by default is left out, so that a lab may get new parameters. */
  for (unsigned p = 0; p < lab->n_params; p++)
    if (!sl_value_same (&settings->value[p], &usual.value[p]))
      g_string_append_printf (
        text, "%s=%s\n", lab->params[p].id,
        sl_param_format (&lab->params[p], &settings->value[p], value, sizeof value));
  if (data != NULL)
    append_data (text, data);
  g_string_append_printf (text, "\n%" PRIu64 "\n%" PRIu64 "\n", seed, budget->steps);
  g_string_append_printf (text, "%s\n", sl_number_format (budget->epochs, value));
  g_string_append_printf (text, "%s\n", sl_number_format (budget->seconds, value));
  if (budget->patience > 0)
    g_string_append_printf (text, "patience %s\n", sl_number_format (budget->patience, value));
  g_checksum_update (sum, (const guchar *) text->str, (gssize) text->len);
  g_checksum_get_digest (sum, b, &length);
  /* Version 8 of RFC 9562: the bits are whatever the maker says. */
  b[6] = (guint8) ((b[6] & 0x0f) | 0x80);
  b[8] = (guint8) ((b[8] & 0x3f) | 0x80);
  snprintf (id, SL_SWEEP_ID, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
            b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
            b[14], b[15]);
  g_checksum_free (sum);
  g_string_free (text, TRUE);
}

static void
name_job (const SlSweep *sweep, SlSweepJob *job)
{
  job->budget = sweep->budget;
  sl_sweep_name (sweep->lab, &job->settings, sl_sweep_data (sweep, job->data), job->seed,
                 &job->budget, job->id);
}

/* A drawn number beyond its reach is what it does: the reach. */
static void
keep_in_reach (const SlSweep *sweep, SlSettings *settings)
{
  const SlLab *lab = sweep->lab;

  for (unsigned a = 0; a < sweep->n_axes; a++)
    {
      unsigned p = sweep->axis[a].param;

      if (p < sl_lab_n_settings (lab) && lab->params[p].most != NULL)
        settings->value[p].v[0] = fmin (settings->value[p].v[0],
                                        sl_param_reach (settings, lab->params, lab->n_params, p));
    }
}

/* Every drawn point with every seed on all data; one that was drawn twice is made once. */
static GArray *
expand_points (const SlSweep *sweep)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree SlSweepPoint *point = g_new0 (SlSweepPoint, sweep->points);
  GArray                  *jobs = g_array_new (FALSE, FALSE, sizeof (SlSweepJob));

  sl_sweep_draw (sweep, point);
  for (guint s = 0; s < sweep->seeds->len; s++)
    for (unsigned i = 0; i < sweep->points * sl_sweep_n_data (sweep); i++)
      {
        const SlSweepPoint *here = &point[i % sweep->points];
        SlSweepJob          job = { .number = jobs->len,
                                    .data = i / sweep->points,
                                    .seed = g_array_index (sweep->seeds, uint64_t, s) };
        const SlValue      *value[SL_SWEEP_AXES_MAX];

        for (unsigned a = 0; a < sweep->n_axes; a++)
          value[a] = &here->value[a];
        memcpy (job.at, here->at, sizeof job.at);
        job.settings = sl_sweep_settings_of (sweep, value);
        keep_in_reach (sweep, &job.settings);
        name_job (sweep, &job);
        if (g_hash_table_add (known, g_strdup (job.id)))
          g_array_append_val (jobs, job);
      }
  return jobs;
}

static GArray *
expand_grid (const SlSweep *sweep)
{
  guint64 n = sl_sweep_count (sweep), points = n / sweep->seeds->len / sl_sweep_n_data (sweep);
  GArray *jobs = g_array_sized_new (FALSE, FALSE, sizeof (SlSweepJob), (guint) n);

  for (guint64 i = 0; i < n; i++)
    {
      SlSweepJob job = { .number = (unsigned) i };
      guint64    point = i % points;

      job.data = (unsigned) (i / points % sl_sweep_n_data (sweep));
      job.seed = g_array_index (sweep->seeds, uint64_t, i / points / sl_sweep_n_data (sweep));
      for (unsigned a = sweep->n_axes; a-- > 0; point /= sweep->axis[a].n)
        job.at[a] = (unsigned) (point % sweep->axis[a].n);
      job.settings = sl_sweep_settings (sweep, job.at);
      name_job (sweep, &job);
      g_array_append_val (jobs, job);
    }
  return jobs;
}

GArray *
sl_sweep_expand (const SlSweep *sweep)
{
  return sweep->how != SL_SWEEP_GRID ? expand_points (sweep) : expand_grid (sweep);
}

void
sl_sweep_shard (GArray *jobs, unsigned shard, unsigned shards)
{
  guint kept = 0;

  for (guint i = shard - 1; i < jobs->len; i += shards)
    g_array_index (jobs, SlSweepJob, kept++) = g_array_index (jobs, SlSweepJob, i);
  g_array_set_size (jobs, kept);
}

/* How many runs from the first on have its value. */
static unsigned
alike (const SlSettings *const *run, unsigned n, unsigned param)
{
  const SlValue *first = &run[0]->value[param];
  unsigned       same = 1;

  while (same < n && sl_value_same (&run[same]->value[param], first))
    same++;
  return same;
}

unsigned
sl_sweep_row (const SlLab *lab, const SlSettings *const *run, unsigned n)
{
  unsigned longest = 1;

  for (unsigned p = 0; p < lab->n_params && n > 0; p++)
    {
      unsigned same = alike (run, n, p);

      if (same < n && same > longest)
        longest = same;
    }
  return longest > 1 && n % longest == 0 ? longest : 0;
}

/* ---- what a lab suggests ---- */

const SlSweepHint *
sl_sweep_hint (const SlLab *lab, const char *id)
{
  for (unsigned i = 0; i < sl_lab_n_sweeps (lab); i++)
    if (strcmp (lab->sweeps[i].id, id) == 0)
      return &lab->sweeps[i];
  return NULL;
}

gboolean
sl_sweep_hint_settings (const SlSweepHint *hint, const SlLab *lab, SlSettings *settings,
                        GError **error)
{
  SlStatus status = sl_settings_set_words (settings, lab->params, lab->n_params, hint->settings);

  sl_settings_settle (settings, lab->params, lab->n_params);
  return sl_status_good (&status, error);
}

gboolean
sl_sweep_suggest (SlSweep *sweep, const SlSweepHint *hint, GError **error)
{
  g_auto (GStrv) axes = g_strsplit (hint->axes, " ", -1);

  for (char **axis = axes; *axis != NULL; axis++)
    if (!sl_sweep_add_axis (sweep, *axis, error))
      return FALSE;
  sweep->budget = (SlBudget) { .steps = hint->steps };
  return sl_sweep_hint_settings (hint, sweep->lab, &sweep->settings, error)
         && sl_sweep_set_seeds (sweep, hint->seeds, error);
}
