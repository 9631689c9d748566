/* SPDX-License-Identifier: MIT */
#include "core/run/cost/model.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/json.h"
#include "core/run/base/kernel.h"
#include "core/run/base/save.h"
#include "core/run/cost/call.h"
#include "core/run/cost/learn.h"
#include "core/run/cost/table.h"

enum { VERSION = 3, TRIED = 60, FILE_MOST = 1 << 21, LEARNED = 4 };

/* Of two timings of the same call, beyond which the machine was busy. */
static const double steady_spread = 0.35;

/* Multiply-adds of the largest call that is timed. */
static const double most_macs = 1.3e8;

void
sl_cost_model_free (SlCostModel *model)
{
  if (model == NULL)
    return;
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    g_free (model->seconds[kind]);
  g_free (model);
}

static SlCostModel *
make_model (void)
{
  SlCostModel *model = g_new0 (SlCostModel, 1);

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    model->seconds[kind] = g_new0 (double, sl_cost_table_points ((SlCostKind) kind));
  for (unsigned i = 0; i < SL_COST_LABS; i++)
    model->learned[i] = (SlCostLearned) { 1, 1, 0, 0 };
  return model;
}

static double
macs_of (const SlCostCall *call)
{
  return (double) call->m * (double) call->n * (double) call->k;
}

/* By how much a product off the grid is mispredicted, as a share. */
static double
try_product (const SlCostModel *model, SlCostBuffers *buffers)
{
  for (;;)
    {
      size_t     size[3];
      SlCostCall call;
      double     timed;

      for (unsigned i = 0; i < 3; i++)
        size[i] = (size_t) exp (log (3) + sl_rng_uniform (&buffers->rng) * log (1200.0 / 3));
      call = (SlCostCall) {
        (SlCostKind) (sl_rng_below (&buffers->rng, 3)), size[0], size[1], size[2], 1, 1, 1, 1
      };
      if (macs_of (&call) > most_macs)
        continue;
      timed = sl_cost_time_call (buffers, &call);
      return fabs (log (sl_cost_table_seconds (model->seconds[call.kind], &call, 1) / timed));
    }
}

/* Times the call at every point; FALSE when cancelled. */
static gboolean
time_points (double *const *seconds, SlCostBuffers *buffers, GCancellable *cancellable)
{
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned point = 0; point < sl_cost_table_points ((SlCostKind) kind); point++)
      {
        SlCostCall call = sl_cost_table_call ((SlCostKind) kind, point);

        if (g_cancellable_is_cancelled (cancellable))
          return FALSE;
        seconds[kind][point]
          = macs_of (&call) * call.share <= most_macs ? sl_cost_time_call (buffers, &call) : NAN;
      }
  return TRUE;
}

/* Joins two timings of everything into the first, and says how far they are apart. */
static double
join_timings (double *const *first, double *const *second)
{
  g_autoptr (GArray) apart = g_array_new (FALSE, FALSE, sizeof (double));

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned point = 0; point < sl_cost_table_points ((SlCostKind) kind); point++)
      {
        double *a = &first[kind][point], b = second[kind][point], ratio = fabs (log (b / *a));

        if (!isfinite (ratio))
          continue;
        g_array_append_val (apart, ratio);
        *a = fmin (*a, b);
      }
  sl_median ((double *) apart->data, apart->len);
  return expm1 (g_array_index (apart, double, apart->len * 4 / 5));
}

static gboolean
time_kernels (SlCostModel *model, SlCostBuffers *buffers, GCancellable *cancellable)
{
  g_autoptr (SlCostModel) again = make_model ();
  double error[TRIED];

  if (!time_points (model->seconds, buffers, cancellable)
      || !time_points (again->seconds, buffers, cancellable))
    return FALSE;
  model->spread = join_timings (model->seconds, again->seconds);
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    sl_cost_table_fill ((SlCostKind) kind, model->seconds[kind]);
  for (unsigned i = 0; i < TRIED; i++)
    error[i] = try_product (model, buffers);
  sl_median (error, TRIED);
  model->error = expm1 (error[TRIED * 4 / 5]);
  return TRUE;
}

SlCostModel *
sl_cost_model_measure (GCancellable *cancellable)
{
  SlCostModel  *model = make_model ();
  SlCostBuffers buffers;
  unsigned      threads = sl_blas_threads ();
  double        begin = sl_clock_wall ();
  gboolean      done;

  sl_blas_set_threads (1);
  sl_cost_buffers_init (&buffers);
  done = time_kernels (model, &buffers, cancellable);
  sl_cost_buffers_clear (&buffers);
  done = done && sl_cost_learn (model, cancellable);
  model->took = sl_clock_wall () - begin;
  sl_blas_set_threads (threads);
  if (!done)
    g_clear_pointer (&model, sl_cost_model_free);
  return model;
}

bool
sl_cost_model_is_steady (const SlCostModel *model)
{
  return model->spread < steady_spread;
}

static char *
cache_path (void)
{
  g_autofree char *name = g_strdup_printf ("cost-%s.json", sl_blas_kernel ());

  return g_build_filename (g_get_user_cache_dir (), "sluice", name, NULL);
}

gboolean
sl_cost_model_save (const SlCostModel *model, GError **error)
{
  g_autofree char *path = cache_path (), *folder = g_path_get_dirname (path);
  g_autofree char *processor = sl_kernel_processor (), *library = sl_kernel_library (),
                  *text = NULL;
  SlJsonWriter w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_whole (&w, "version", VERSION);
  sl_json_add_text (&w, "processor", processor);
  sl_json_add_text (&w, "library", library);
  sl_json_add_number (&w, "error", model->error);
  sl_json_add_number (&w, "spread", model->spread);
  sl_json_add_number (&w, "took", model->took);
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    sl_json_add_numbers (&w, sl_cost_kind_name ((SlCostKind) kind), model->seconds[kind],
                         sl_cost_table_points ((SlCostKind) kind), SL_JSON_PACKED);
  sl_json_open (&w, "labs", '{', SL_JSON_LINES);
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      const SlCostLearned *l = &model->learned[i];
      double numbers[LEARNED] = { l->update, l->speed_up, l->update_error, l->speed_up_error };

      sl_json_add_numbers (&w, sl_labs[i]->id, numbers, LEARNED, SL_JSON_PACKED);
    }
  sl_json_close (&w);
  sl_json_close (&w);
  text = sl_json_writer_end (&w, TRUE);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: cannot be made", folder);
      return FALSE;
    }
  return sl_save (path, text, strlen (text), error);
}

static gboolean
same_text (const SlJson *object, const char *key, const char *text)
{
  const SlJson *member = sl_json_member_of (object, key, SL_JSON_TEXT);

  return member != NULL && strcmp (member->text, text) == 0;
}

static gboolean
read_positive (const SlJson *member, double *value)
{
  if (member == NULL || member->kind != SL_JSON_NUMBER || !(member->number > 0)
      || !isfinite (member->number))
    return FALSE;
  *value = member->number;
  return TRUE;
}

static gboolean
read_kind (const SlJson *object, SlCostKind kind, double *seconds)
{
  const SlJson *list = sl_json_member_of (object, sl_cost_kind_name (kind), SL_JSON_ARRAY);
  unsigned      i = 0;

  if (list == NULL || list->n != sl_cost_table_points (kind))
    return FALSE;
  for (const SlJson *element = list->first; element != NULL; element = element->next)
    if (!read_positive (element, &seconds[i++]))
      return FALSE;
  return TRUE;
}

/* A lab that came later was not learned from. */
static gboolean
read_learned (const SlJson *labs, const char *id, SlCostLearned *learned)
{
  const SlJson *list = sl_json_member_of (labs, id, SL_JSON_ARRAY), *element;
  double       *to[LEARNED]
    = { &learned->update, &learned->speed_up, &learned->update_error, &learned->speed_up_error };
  unsigned i = 0;

  if (list == NULL || list->n != LEARNED)
    return FALSE;
  for (element = list->first; element != NULL; element = element->next, i++)
    if (!read_positive (element, to[i]))
      return FALSE;
  return TRUE;
}

static gboolean
read_model (const SlJson *object, SlCostModel *model)
{
  g_autofree char *processor = sl_kernel_processor (), *library = sl_kernel_library ();
  const SlJson    *labs = sl_json_member_of (object, "labs", SL_JSON_OBJECT);
  uint64_t         version;

  if (!sl_json_whole (sl_json_member (object, "version"), VERSION, &version) || version != VERSION
      || !same_text (object, "processor", processor) || !same_text (object, "library", library)
      || labs == NULL || !read_positive (sl_json_member (object, "error"), &model->error)
      || !read_positive (sl_json_member (object, "spread"), &model->spread)
      || !read_positive (sl_json_member (object, "took"), &model->took))
    return FALSE;
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    if (!read_kind (object, (SlCostKind) kind, model->seconds[kind]))
      return FALSE;
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    if (!read_learned (labs, sl_labs[i]->id, &model->learned[i]))
      return FALSE;
  return TRUE;
}

SlCostModel *
sl_cost_model_load (void)
{
  g_autofree char *path = cache_path (), *text = NULL;
  g_autoptr (SlJson) json = NULL;
  g_autoptr (SlCostModel) model = make_model ();
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL)
      || (json = sl_json_parse_object (text, length, FILE_MOST, path, NULL)) == NULL
      || !read_model (json, model))
    return NULL;
  return g_steal_pointer (&model);
}

/* Seconds of a part at the expected, the least and the most share of units that are on. */
static void
add_up (const SlCostModel *model, const SlWorkload *work, SlCostPart part, double sum[3])
{
  for (unsigned i = 0; i < 3; i++)
    sum[i] = 0;
  for (unsigned c = 0; c < work->n[part]; c++)
    {
      const SlCostCall *call = &work->call[part][c];
      double            share[3] = { call->share, call->least, call->most };

      for (unsigned i = 0; i < 3; i++)
        sum[i] += call->times * sl_cost_table_seconds (model->seconds[call->kind], call, share[i]);
    }
}

const SlPrediction sl_cost_nothing = { NAN, NAN, NAN };

static const SlCostLearned *
learned_of (const SlCostModel *model, const SlLab *lab)
{
  static const SlCostLearned none = { 1, 1, 0, 0 };

  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    if (sl_labs[i] == lab)
      return &model->learned[i];
  return &none;
}

static bool
is_known (const SlWorkload *work, SlCostPart part)
{
  return work->refused[part].packed[0] == '\0' && work->n[part] > 0;
}

SlPrediction
sl_cost_predict_speed_up (const SlCostModel *model, const SlWorkload *work)
{
  const SlCostLearned *learned = learned_of (model, work->lab);
  double               dense[3], pass[3], wide = 1 + fmax (model->error, learned->speed_up_error);

  if (!is_known (work, SL_COST_OF_DENSE) || !is_known (work, SL_COST_OF_PASS))
    return sl_cost_nothing;
  add_up (model, work, SL_COST_OF_DENSE, dense);
  add_up (model, work, SL_COST_OF_PASS, pass);
  return (SlPrediction) { learned->speed_up * dense[0] / pass[0],
                          learned->speed_up * dense[0] / pass[2] / wide,
                          learned->speed_up * dense[0] / pass[1] * wide };
}

SlPrediction
sl_cost_predict (const SlCostModel *model, const SlWorkload *work, SlCostPart part)
{
  const SlCostLearned *learned = learned_of (model, work->lab);
  double               sum[3], wide = 1 + model->error, factor = 1;

  if (!is_known (work, part))
    return sl_cost_nothing;
  add_up (model, work, part, sum);
  if (part == SL_COST_OF_STEP)
    {
      wide = 1 + fmax (model->error, learned->update_error);
      factor = learned->update;
    }
  else if (part == SL_COST_OF_PASS)
    {
      wide = 1 + fmax (model->error, learned->speed_up_error);
      factor = 1 / learned->speed_up;
    }
  return (SlPrediction) { factor * sum[0], factor * sum[1] / wide, factor * sum[2] * wide };
}

SlPrediction
sl_cost_share (const SlCostModel *model, const SlLab *lab, const SlSettings *settings,
               const SlDataset *dataset)
{
  g_autofree SlWorkload *work = NULL;
  SlPrediction           up;
  SlStatus               status;

  if (lab->cost == NULL || (dataset == NULL && lab->data != SL_NEEDS_NOTHING))
    return sl_cost_nothing;
  work = g_new (SlWorkload, 1);
  status = sl_cost_init (work, lab, settings, dataset);
  if (!sl_ok (&status))
    return sl_cost_nothing;
  up = sl_cost_predict_speed_up (model, work);
  return (SlPrediction) { 100 / up.seconds, 100 / up.most, 100 / up.least };
}

SlCostVerdict
sl_cost_verdict (const SlPrediction *speed_up)
{
  if (!isfinite (speed_up->seconds))
    return SL_COST_UNKNOWN;
  if (speed_up->least > 1)
    return SL_COST_PAYS;
  return speed_up->most < 1 ? SL_COST_PAYS_NOT : SL_COST_EVEN;
}
