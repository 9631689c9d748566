/* SPDX-License-Identifier: MIT
 *
 * See store-table.h.  */
#include "core/run/store/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/run/base/number.h"
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
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc ((gint64) created);

  return date != NULL ? g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ") : g_strdup ("");
}

static bool
is_usual (const SlStoreRun *run, const SlSettings *usual, unsigned p)
{
  const SlValue *a = &run->settings.value[p], *b = &usual->value[p];

  return a->n == b->n && memcmp (a->v, b->v, a->n * sizeof *a->v) == 0;
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
      SlSettings        usual;

      if (run->lab == NULL)
        continue;
      sl_settings_default (&usual, run->lab->params, run->lab->n_params);
      for (unsigned p = 0; p < run->lab->n_params; p++)
        if (!is_usual (run, &usual, p))
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

static void
csv_text (GString *csv, const char *text)
{
  if (strpbrk (text, ",\"\n\r") == NULL)
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text != '\0'; text++)
    g_string_append_printf (csv, *text == '"' ? "\"\"" : "%c", *text);
  g_string_append_c (csv, '"');
}

static void
csv_number (GString *csv, double value)
{
  char text[SL_NUMBER_SIZE];

  if (!isnan (value))
    g_string_append (csv, sl_number_format (value, text));
}

static void
csv_row (GString *csv, const SlStoreRun *run, const GPtrArray *params, const GPtrArray *names)
{
  g_autofree char *date = date_text (run->created);
  char             value[512];

  g_string_append_printf (csv, "%s,", run->uuid);
  csv_text (csv, run->name);
  g_string_append_printf (csv, ",%s,", run->lab_id);
  csv_text (csv, run->data);
  g_string_append_printf (csv, ",%" PRIu64 ",%s,%" PRIu64 ",", run->seed,
                          sl_run_status_text (run->status), run->step);
  csv_number (csv, run->seconds);
  g_string_append_printf (csv, ",%s,%s,%s,%u", date, run->sweep, run->kernel, run->threads);
  for (guint i = 0; i < params->len; i++)
    {
      int p = run->lab != NULL ? sl_param_find (run->lab->params, run->lab->n_params,
                                                g_ptr_array_index (params, i))
                               : -1;

      g_string_append_c (csv, ',');
      if (p >= 0)
        csv_text (csv, sl_param_format (&run->lab->params[p], &run->settings.value[p], value,
                                        sizeof value));
    }
  for (guint i = 0; i < names->len; i++)
    {
      g_string_append_c (csv, ',');
      csv_number (csv, sl_store_run_score (run, g_ptr_array_index (names, i)));
    }
  g_string_append_c (csv, '\n');
}

char *
sl_store_table_csv (const GPtrArray *runs)
{
  GString *csv
    = g_string_new ("id,name,lab,data,seed,status,step,seconds,created,sweep,kernel,threads");
  g_autoptr (GPtrArray) params = changed_params (runs), names = figures (runs);

  for (guint i = 0; i < params->len; i++)
    g_string_append_printf (csv, ",%s", (char *) g_ptr_array_index (params, i));
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (csv, ",%s", (char *) g_ptr_array_index (names, i));
  g_string_append_c (csv, '\n');
  for (guint i = 0; i < runs->len; i++)
    csv_row (csv, run_at (runs, i), params, names);
  return g_string_free (csv, FALSE);
}

/* ---- JSON ---- */

static void
text_member (GString *json, const char *name, const char *text)
{
  g_string_append_printf (json, "\"%s\": ", name);
  sl_json_string (json, text);
  g_string_append (json, ", ");
}

static void
json_run (GString *json, const SlStoreRun *run)
{
  g_autofree char *date = date_text (run->created), *recipe = g_strdup (run->recipe);

  g_string_append (json, "  {");
  text_member (json, "id", run->uuid);
  text_member (json, "name", run->name);
  text_member (json, "status", sl_run_status_text (run->status));
  text_member (json, "created", date);
  text_member (json, "sweep", run->sweep);
  g_string_append_printf (json, "\"step\": %" PRIu64 ", \"seconds\": ", run->step);
  sl_json_number (json, run->seconds);
  g_string_append (json, ", \"figures\": {");
  for (unsigned f = 0; f < run->n_figures; f++)
    {
      g_string_append_printf (json, "%s\"%s\": ", f > 0 ? ", " : "", run->figure[f].name);
      sl_json_number (json, run->figure[f].value);
    }
  g_string_append_printf (json, "},\n   \"recipe\": %s}", g_strchomp (recipe));
}

char *
sl_store_table_json (const GPtrArray *runs)
{
  GString *json = g_string_new ("[");

  for (guint i = 0; i < runs->len; i++)
    {
      g_string_append (json, i > 0 ? ",\n" : "\n");
      json_run (json, run_at (runs, i));
    }
  g_string_append (json, "\n]\n");
  return g_string_free (json, FALSE);
}
