/* SPDX-License-Identifier: MIT
 *
 * sluice-cli capacity: how a linear model of one's own spends its parameters on the features of one's own data
 * (Donier 2019, eq. 1; math/linear.h).  */
#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "core/data/read/containers/container.h"
#include "core/labs/capacity/math/linear.h"
#include "core/run/base/error.h"
#include "core/run/base/json.h"
#include "core/run/base/language.h"
#include "core/run/record/data.h"

enum { MOST = SL_LINEAR_MOST, BLOCK = 256 };

static const double most_slope = 1e100; /* of squares a sum is still a number */

static const char *const examples = N_ (
  "SPEC is a table or another file of examples, or a source.  Its training examples give the\n"
  "correlations of the features; a feature that never changes has no capacity.\n"
  "\n"
  "The model is w = w (θ), one weight for each feature.  --model has ∂w/∂θ: a row for each\n"
  "feature and a column for each parameter, as a table without headings or a .npy.  Without\n"
  "it every weight is free.\n"
  "\n"
  "Examples:\n"
  "  sluice-cli capacity survey.csv:class=species --ridge 0.5\n"
  "  sluice-cli capacity survey.csv --model shared.csv --metric whitened --json\n");

typedef struct
{
  char    *model, *metric;
  double   ridge;
  gboolean json;
} Typed;

typedef struct
{
  size_t         n, p, rank; /* features, parameters, of which so many count */
  SlLinearMetric metric;
  double         ridge;
  double         c[MOST * MOST], jacobian[MOST * MOST], k[MOST * MOST];
} Model;

/* Of the features of n examples. */
typedef struct
{
  size_t n;
  double examples, mean[MOST], covariance[MOST * MOST];
} Sums;

/* Calls `add` with each training example, (n). */
static void
for_each_example (const SlDataset *data, void (*add) (Sums *sums, const sl_real *x), Sums *sums)
{
  size_t              n = sums->n, rows = data->n[SL_TRAIN];
  g_autofree sl_real *x = g_new (sl_real, BLOCK * n);

  for (size_t first = 0; first < rows; first += BLOCK)
    {
      size_t here = MIN (BLOCK, rows - first);

      sl_dataset_range (data, first, here, x, NULL);
      for (size_t e = 0; e < here; e++)
        add (sums, x + e * n);
    }
}

static void
add_to_mean (Sums *sums, const sl_real *x)
{
  for (size_t i = 0; i < sums->n; i++)
    sums->mean[i] += (double) x[i] / sums->examples;
}

static void
add_to_covariance (Sums *sums, const sl_real *x)
{
  size_t n = sums->n;

  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      sums->covariance[i * n + j]
        += ((double) x[i] - sums->mean[i]) * ((double) x[j] - sums->mean[j]) / sums->examples;
}

/* 0 where nothing but rounding differs from the mean. */
static double
deviation_of (const Sums *sums, size_t i)
{
  double variance = sums->covariance[i * sums->n + i], rounding = 1e-12 * sums->mean[i];

  return variance > rounding * rounding ? sqrt (variance) : 0;
}

/* The correlations of the features over the training examples; 0 in the row of one that never changes. */
static void
correlate (const SlDataset *data, Model *model)
{
  size_t           n = model->n;
  g_autofree Sums *sums = g_new0 (Sums, 1);

  sums->n = n;
  sums->examples = (double) data->n[SL_TRAIN];
  for_each_example (data, add_to_mean, sums);
  for_each_example (data, add_to_covariance, sums);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      {
        double both = deviation_of (sums, i) * deviation_of (sums, j);

        model->c[i * n + j] = model->c[j * n + i]
          = both > 0 ? sums->covariance[i * n + j] / both : 0;
      }
}

/* ∂w/∂θ (n, p) from a file: columns of a table, or one array of two axes. */
static SlStatus
read_arrays (SlArrays *arrays, const char *path, Model *model)
{
  const SlArray *first = arrays->n > 0 ? &arrays->array[0] : NULL;
  bool           columns = arrays->columns, whole = first != NULL && (columns || first->axes == 2);
  SlStatus       status = SL_SUCCESS;

  model->p = !whole ? 0 : columns ? arrays->n : (size_t) first->shape[1];
  if (!whole || first->shape[0] != model->n || model->p < 1 || model->p > MOST)
    return sl_status_new (
      SL_EFORMAT, path,
      whole ? sl_message ("%zu rows and %zu columns", (size_t) first->shape[0], model->p)
            : sl_message ("no table of numbers"),
      sl_message ("%zu rows, one for each feature, and at most %d columns", model->n, MOST));
  for (size_t a = 0; a < (columns ? model->p : 1) && sl_ok (&status); a++)
    {
      SlArray *array = &arrays->array[a];
      double   numbers[MOST * MOST];
      size_t   n = columns ? model->n : model->n * model->p;

      if (!sl_array_real (array) && !sl_array_whole (array))
        return sl_status_new (SL_EFORMAT, path, sl_message ("something else than numbers"),
                              sl_message ("numbers alone"));
      status = sl_array_load (arrays, array);
      if (sl_ok (&status))
        status = sl_array_reals (array, path, 0, n, numbers);
      for (size_t i = 0; i < n && sl_ok (&status); i++)
        {
          if (!isfinite (numbers[i]))
            return sl_status_new (SL_EFORMAT, path, sl_message ("a missing number"),
                                  sl_message ("%zu numbers in each column", model->n));
          if (fabs (numbers[i]) > most_slope)
            return sl_status_new (SL_EFORMAT, path, sl_message ("a slope of %g", numbers[i]),
                                  sl_message ("at most %g", most_slope));
          model->jacobian[columns ? i * model->p + a : i] = numbers[i];
        }
    }
  return status;
}

static SlStatus
read_model (const char *path, Model *model)
{
  const SlTableForm form = { .header = -1 };
  SlContainer       container;
  SlArrays          arrays;
  SlStatus          status = sl_container_find (path, &container);

  if (!sl_ok (&status))
    return status;
  status = sl_arrays_open (&arrays, path, container, &form);
  if (sl_ok (&status))
    status = read_arrays (&arrays, path, model);
  sl_arrays_clear (&arrays);
  return status;
}

static void
leave_free (Model *model)
{
  model->p = model->n;
  memset (model->jacobian, 0, sizeof model->jacobian);
  for (size_t i = 0; i < model->n; i++)
    model->jacobian[i * model->p + i] = 1;
}

static void
measure (Model *model)
{
  model->rank
    = sl_linear_capacity (model->n, model->p, model->c, model->jacobian, model->metric, model->k);
  if (model->ridge > 0)
    sl_linear_capacity_ridge (model->n, model->p, model->c, model->jacobian, model->ridge,
                              model->k);
}

static double
total_of (const Model *model)
{
  double total = 0;

  for (size_t i = 0; i < model->n; i++)
    total += model->k[i * model->n + i];
  return total;
}

/* What a feature is called; free with g_free(). */
static char *
title_of (const SlDataset *data, size_t i)
{
  return data->feature_title != NULL ? g_strdup (data->feature_title[i])
                                     : g_strdup_printf ("%zu", i + 1);
}

static void
print_table (const SlDataset *data, const Model *model)
{
  printf ("%s\n", data->id);
  for (size_t i = 0; i < model->n; i++)
    {
      g_autofree char *title = title_of (data, i);

      printf ("  %-32s %7.4f\n", title, model->k[i * model->n + i]);
    }
  printf (model->ridge > 0 ? _ ("Total %.4f, the effective degrees of freedom; independent "
                                "parameters: %zu\n")
                           : _ ("Total %.4f: independent parameters (%zu)\n"),
          total_of (model), model->rank);
  printf (_ ("Correlations are those of %zu training examples.\n"), data->n[SL_TRAIN]);
}

static void
print_json (const SlDataset *data, const Model *model)
{
  SlJsonWriter     w;
  g_autofree char *text = NULL;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "data", data->id);
  sl_json_add_whole (&w, "examples", data->n[SL_TRAIN]);
  sl_json_add_text (&w, "metric", model->metric == SL_METRIC_WHITENED ? "whitened" : "weights");
  sl_json_add_number (&w, "ridge", model->ridge);
  sl_json_add_whole (&w, "parameters", model->p);
  sl_json_add_whole (&w, "independent", model->rank);
  sl_json_add_number (&w, "total", total_of (model));
  sl_json_open (&w, "features", '[', SL_JSON_LINES);
  for (size_t i = 0; i < model->n; i++)
    {
      g_autofree char *title = title_of (data, i);

      sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (&w, "feature", title);
      sl_json_add_number (&w, "capacity", model->k[i * model->n + i]);
      sl_json_close (&w);
    }
  sl_json_close (&w);
  text = sl_json_writer_end (&w, TRUE);
  fputs (text, stdout);
}

/* What was typed beside the data. */
static SlExit
read_typed (const Typed *typed, Model *model)
{
  static const char *const metrics[]
    = { "weights", "whitened" }; /* in the order of SlLinearMetric */

  model->metric = typed->ridge > 0 ? SL_METRIC_WHITENED : SL_METRIC_WEIGHTS;
  model->ridge = typed->ridge;
  if (!(typed->ridge >= 0) || !isfinite (typed->ridge))
    {
      sl_cli_report ("--ridge cannot be negative");
      return SL_EXIT_USAGE;
    }
  if (typed->metric == NULL)
    return SL_EXIT_FINE;
  if (strcmp (typed->metric, metrics[0]) != 0 && strcmp (typed->metric, metrics[1]) != 0)
    {
      sl_cli_report ("--metric is weights or whitened, not \"%s\"", typed->metric);
      return SL_EXIT_USAGE;
    }
  model->metric = strcmp (typed->metric, metrics[1]) == 0 ? SL_METRIC_WHITENED : SL_METRIC_WEIGHTS;
  if (typed->ridge > 0 && model->metric == SL_METRIC_WEIGHTS)
    {
      sl_cli_report ("--ridge is measured after whitening; leave --metric out");
      return SL_EXIT_USAGE;
    }
  return SL_EXIT_FINE;
}

static SlStatus
check_data (const SlDataset *data, const char *spec)
{
  if (!sl_data_serves (sl_dataset_kind (data), SL_NEEDS_LABELS))
    return sl_status_new (SL_EUNSUPPORTED, spec,
                          sl_message_word (sl_data_title (sl_dataset_kind (data))),
                          sl_message_word (sl_data_title (SL_NEEDS_LABELS)));
  if (data->features > MOST)
    return sl_status_new (SL_EUNSUPPORTED, spec, sl_message ("%u features", data->features),
                          sl_message ("at most %d", MOST));
  return SL_SUCCESS;
}

static SlExit
perform (const char *spec, const Typed *typed)
{
  g_autofree Model *model = g_new0 (Model, 1);
  SlDataset        *data = NULL;
  SlExit            code = read_typed (typed, model);
  SlStatus          status = SL_SUCCESS;

  if (code != SL_EXIT_FINE)
    return code;
  status = sl_open_data (spec, &data);
  if (sl_ok (&status))
    status = check_data (data, spec);
  if (sl_ok (&status))
    {
      model->n = data->features;
      if (typed->model != NULL)
        status = read_model (typed->model, model);
      else
        leave_free (model);
    }
  if (sl_ok (&status))
    {
      correlate (data, model);
      measure (model);
      (typed->json ? print_json : print_table) (data, model);
    }
  else
    code = sl_cli_fail (&status);
  sl_dataset_free (data);
  return code;
}

extern const SlCliCommand sl_command_capacity;

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new ("SPEC");
  Typed              typed = { 0 };
  const GOptionEntry entries[] = {
    { "model", 0, 0, G_OPTION_ARG_FILENAME, &typed.model,
      N_ ("Slopes of the weights by the parameters; every weight is free without it"), "FILE" },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &typed.metric,
      N_ ("Projector that measures capacity: weights (default) or whitened"), "NAME" },
    { "ridge", 0, 0, G_OPTION_ARG_DOUBLE, &typed.ridge,
      N_ ("A penalty ρ of the squared parameters"), "RHO" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &typed.json, N_ ("JSON instead of a table"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  SlExit code;

  g_option_context_set_summary (context, sl_command_capacity.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (sl_cli_options (context, examples, args, &rest, &code))
    {
      code = SL_EXIT_USAGE;
      if (rest[0] == NULL)
        sl_cli_report (_ ("which data? A file or a source"));
      else if (sl_cli_at_most (args, rest, 1))
        code = perform (rest[0], &typed);
    }
  g_free (typed.model);
  g_free (typed.metric);
  return code;
}

const SlCliCommand sl_command_capacity
  = { "capacity", N_ ("Shows how a linear model spends its parameters on features."), command };
