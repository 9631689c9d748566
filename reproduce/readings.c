/* SPDX-License-Identifier: MIT */
#include "reproduce/readings.h"

#include <math.h>
#include <string.h>

#include "core/run/lesson/formula.h"

/* Of the score of this name; a "+" at its end, as of "way-10+", is not part of a formula. */
static double
score_of (const SlSweepResult *result, SlSplit split, const char *id)
{
  for (unsigned i = 0; i < result->n_scores[split]; i++)
    {
      const char *here = result->score[split][i].id;
      size_t      length = strcspn (here, "+");

      if (strlen (id) == length && strncmp (here, id, length) == 0)
        return result->score[split][i].value;
    }
  return (double) NAN;
}

static const SlSeries *
series_of (const SlSweepResult *result, const char *channel)
{
  static const SlSeries none;
  int                   at = sl_layout_find (&result->record.layout, channel);

  return at >= 0 ? &result->record.series[at] : &none;
}

static double
last_of (const SlSeries *series)
{
  return series->n > 0 ? series->value[series->n - 1] : (double) NAN;
}

static double
least_of (const SlSeries *series)
{
  double lo, hi;

  return sl_series_range (series, 0, series->n, &lo, &hi) ? lo : (double) NAN;
}

static double
end_of (const SlSeries *series)
{
  double mean;

  return series->n > 0 && sl_series_mean (series, series->n - series->n / 10 - 1, series->n, &mean)
           ? mean
           : (double) NAN;
}

/* Without a run (NULL) only whether the name means something. */
static gboolean
named (const char *name, double at, double *value, gpointer data)
{
  static const struct
  {
    const char *prefix;
    double (*of) (const SlSeries *series);
  } ofs[] = { { "last.", last_of }, { "least.", least_of }, { "end.", end_of } };
  static const char    score[] = "score.", valid[] = "valid.";
  const SlSweepResult *result = data;
  const struct
  {
    const char *name;
    double      value;
  } figures[] = { { "seconds", result != NULL ? result->seconds : 0 },
                  { "epochs", result != NULL ? result->epochs : 0 },
                  { "outcome.error", result != NULL ? result->outcome.error : 0 },
                  { "outcome.executed", result != NULL ? result->outcome.executed : 0 } };

  *value = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++)
    if (strcmp (name, figures[i].name) == 0)
      {
        *value = figures[i].value;
        return TRUE;
      }
  for (size_t i = 0; i < G_N_ELEMENTS (ofs); i++)
    if (g_str_has_prefix (name, ofs[i].prefix))
      {
        if (result != NULL)
          *value = ofs[i].of (series_of (result, name + strlen (ofs[i].prefix)));
        return TRUE;
      }
  if (!g_str_has_prefix (name, score) && !g_str_has_prefix (name, valid))
    return FALSE;
  if (result != NULL)
    *value = score_of (result, name[0] == 's' ? SL_TEST : SL_VALID, strchr (name, '.') + 1);
  return TRUE;
}

/* What a row reads into a column: its own formula, or that of the column, unless the row is read `from` another. */
static const char *
formula_of (const SlPaperTable *table, unsigned row, unsigned column)
{
  g_autofree char *key = g_strconcat ("read-", table->column[column].id, NULL);
  const char      *own = sl_table_row_word (table, row, key);

  if (own == NULL && sl_table_row_word (table, row, "from") == NULL)
    own = table->column[column].read;
  return own != NULL && own[0] != '\0' ? own : NULL;
}

static void
fill_row (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  for (unsigned c = 0; c < r->table->n_columns; c++)
    {
      const char      *formula = formula_of (r->table, row, c);
      g_autofree char *group = g_strconcat ("column ", r->table->column[c].id, NULL);
      const char      *missing = sl_table_word (r->table, group, "missing");
      double           value;

      if (formula == NULL || (r->cells->quick && r->table->column[c].full_only)
          || !sl_formula_value (formula, named, (gpointer) result, &value, NULL))
        continue;
      if (!isfinite (value) && missing != NULL)
        value = g_ascii_strtod (missing, NULL);
      if (isfinite (value))
        r->cells->ours[row][c][result->job.seed - r->first] = value;
    }
}

/* "error.valid", or "bits.train training;bits.valid validation" with what the curve is called behind the row. */
static void
keep_curves (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  const char *plot = sl_table_row_word (r->table, row, "plot");
  const char *curves = sl_table_row_word (r->table, row, "curves"),
             *label = r->table->row[row].label;
  g_auto (GStrv) word = g_strsplit (curves != NULL ? curves : "", ";", -1);
  double from = sl_reproduction_number (r, "curves-from");

  for (char **w = word; plot != NULL && *w != NULL; w++)
    {
      char            *what = strchr (*w, ' ');
      g_autofree char *channel = g_strndup (*w, strcspn (*w, " "));
      g_autofree char *name
        = what != NULL ? g_strconcat (label, ",", what, NULL) : g_strdup (label);
      const SlSeries *series = series_of (result, channel);
      size_t          first = 0;

      while (first < series->n && series->step[first] < from)
        first++;
      sl_reproduction_curve (r, row, plot, name, series->n - first, series->step + first,
                             series->value + first);
    }
}

void
sl_readings_take (SlReproduction *r, const SlSweepResult *result)
{
  const SlPaperTable *table = r->table;
  unsigned            row = result->job.number;

  fill_row (r, row, result);
  for (unsigned other = 0; other < table->n_rows; other++)
    {
      const char *from = sl_table_row_word (table, other, "from");

      if (from != NULL && sl_table_row_is (table, row, from))
        fill_row (r, other, result);
    }
  if (result->job.seed != r->first)
    return;
  keep_curves (r, row, result);
  if (table->across > 0)
    sl_reproduction_picture (r, row, result->picture);
}

bool
sl_readings_check (const SlPaperTable *table, GError **error)
{
  for (unsigned row = 0; row < table->n_rows; row++)
    for (unsigned c = 0; c < table->n_columns; c++)
      {
        const char *formula = formula_of (table, row, c);
        double      value;

        if (formula != NULL && !sl_formula_value (formula, named, NULL, &value, error))
          {
            g_prefix_error (error, "%s.table: ", table->id);
            return false;
          }
      }
  return true;
}
