/* SPDX-License-Identifier: MIT
 *
 * See table.h.  */
#include "core/run/query/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/run/base/json.h"
#include "core/run/files/csv.h"
#include "core/run/store/store.h"

static const SlStoreRun *
run_at (const GPtrArray *runs, guint i)
{
  return g_ptr_array_index (runs, i);
}

/* Seconds since 1970 as a date that sorts; free with g_free(). */
static char *
date_text (double created)
{
  gint64 seconds = created >= 0.0 && created < 0x1p60 ? (gint64) created : -1;
  g_autoptr (GDateTime) date = seconds >= 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;

  return date != NULL ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ") : g_strdup ("");
}

/* ---- columns ---- */

/* Adds a text to an array of them unless it is there. */
static void
add_once (GPtrArray *texts, const char *text)
{
  for (guint i = 0; i < texts->len; i++)
    if (strcmp (g_ptr_array_index (texts, i), text) == 0)
      return;
  g_ptr_array_add (texts, (gpointer) text);
}

/* Parameters that some run has changed, in the order of the labs. */
static GPtrArray *
changed_params (const GPtrArray *runs)
{
  GPtrArray *ids = g_ptr_array_new ();

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = run_at (runs, i);
      SlSettings        usual, settings;

      if (run->lab == NULL)
        continue;
      sl_settings_default (&usual, run->lab->params, run->lab->n_params);
      sl_store_run_settings (run, &settings);
      for (unsigned p = 0; p < run->lab->n_params; p++)
        if (!sl_value_same (&settings.value[p], &usual.value[p]))
          add_once (ids, run->lab->params[p].id);
    }
  return ids;
}

/* Scores and other figures of whole runs, but not the last values of channels that a lab has
 * anyway. */
static GPtrArray *
figures (const GPtrArray *runs)
{
  static const char *const groups[] = { "test.", "valid.", "outcome." };
  GPtrArray               *names = g_ptr_array_new ();

  for (guint i = 0; i < runs->len; i++)
    for (unsigned f = 0; f < run_at (runs, i)->n_figures; f++)
      for (size_t g = 0; g < G_N_ELEMENTS (groups); g++)
        if (g_str_has_prefix (run_at (runs, i)->figure[f].name, groups[g]))
          add_once (names, run_at (runs, i)->figure[f].name);
  return names;
}

/* Which examples the error is of. */
static const char *
error_of (const SlOutcome *outcome)
{
  return isnan (outcome->error) ? "" : outcome->validation ? "validation" : "test";
}

static void
csv_row (GString *csv, const SlStoreRun *run, const GPtrArray *params, const GPtrArray *names)
{
  g_autofree char *date = date_text (run->created);
  char             value[512];
  SlSettings       settings;
  SlOutcome        outcome;

  if (run->lab != NULL)
    sl_store_run_settings (run, &settings);

  sl_store_run_outcome (run, &outcome);
  sl_csv_text (csv, run->uuid);
  sl_csv_text (csv, run->name);
  sl_csv_text (csv, run->lab_id);
  sl_csv_text (csv, run->data);
  sl_csv_whole (csv, run->seed);
  sl_csv_text (csv, sl_run_status_text (run->status));
  sl_csv_whole (csv, run->step);
  sl_csv_number (csv, run->seconds);
  sl_csv_text (csv, date);
  sl_csv_text (csv, run->sweep);
  sl_csv_text (csv, run->kernel);
  sl_csv_whole (csv, run->threads);
  sl_csv_number (csv, outcome.error);
  sl_csv_text (csv, error_of (&outcome));
  sl_csv_number (csv, outcome.at);
  for (guint i = 0; i < params->len; i++)
    {
      int p = run->lab != NULL ? sl_param_find (run->lab->params, run->lab->n_params,
                                                g_ptr_array_index (params, i))
                               : -1;

      sl_csv_text (csv, p < 0 ? ""
                              : sl_param_format (&run->lab->params[p], &settings.value[p], value,
                                                 sizeof value));
    }
  for (guint i = 0; i < names->len; i++)
    sl_csv_number (csv, sl_store_run_score (run, g_ptr_array_index (names, i)));
  sl_csv_end (csv);
}

char *
sl_store_table_csv (const GPtrArray *runs)
{
  GString *csv
    = g_string_new ("id,name,lab,data,seed,status,step,seconds,created,sweep,kernel,threads,error,"
                    "error-of,error-at,");
  g_autoptr (GPtrArray) params = changed_params (runs), names = figures (runs);

  for (guint i = 0; i < params->len; i++)
    sl_csv_text (csv, g_ptr_array_index (params, i));
  for (guint i = 0; i < names->len; i++)
    sl_csv_text (csv, g_ptr_array_index (names, i));
  sl_csv_end (csv);
  for (guint i = 0; i < runs->len; i++)
    csv_row (csv, run_at (runs, i), params, names);
  return g_string_free (csv, FALSE);
}

/* ---- JSON ---- */

char *
sl_store_table_json (SlStore *store, const GPtrArray *runs, GError **error)
{
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '[', SL_JSON_LINES);
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = run_at (runs, i);
      g_autofree char  *date = date_text (run->created);
      g_autofree char  *recipe = sl_store_recipe (store, run->uuid, error);
      SlOutcome         outcome;

      if (recipe == NULL)
        {
          g_free (sl_json_writer_end (&w, TRUE));
          return NULL;
        }
      sl_store_run_outcome (run, &outcome);
      sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (&w, "id", run->uuid);
      sl_json_add_text (&w, "name", run->name);
      sl_json_add_text (&w, "status", sl_run_status_text (run->status));
      sl_json_add_text (&w, "created", date);
      sl_json_add_text (&w, "sweep", run->sweep);
      sl_json_add_whole (&w, "step", run->step);
      sl_json_add_number (&w, "seconds", run->seconds);
      sl_json_add_number (&w, "error", outcome.error);
      sl_json_add_text (&w, "error-of", error_of (&outcome));
      sl_json_add_number (&w, "error-at", outcome.at);
      sl_json_open (&w, "figures", '{', SL_JSON_TIGHT);
      for (unsigned f = 0; f < run->n_figures; f++)
        sl_json_add_number (&w, run->figure[f].name, run->figure[f].value);
      sl_json_close (&w);
      sl_json_break (&w);
      sl_json_add_json (&w, "recipe", g_strchomp (recipe));
      sl_json_close (&w);
    }
  return sl_json_writer_end (&w, TRUE);
}
