/* SPDX-License-Identifier: MIT */
#include "core/run/cost/model.h"

#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/busy.h"
#include "core/run/base/json.h"
#include "core/run/base/kernel.h"
#include "core/run/base/save.h"
#include "core/run/cost/call.h"
#include "core/run/cost/fit.h"
#include "core/run/cost/learn.h"
#include "core/run/cost/table.h"

enum {
  VERSION = 12,
  SWEEPS = 4, /* over the points, at most */
  TRIED = 60,
  FILE_MOST = 1 << 21,
  LEARNED = 2 * SL_N_COST_TERMS + 2
};

/* Of the two shortest timings of the same call, beyond which the machine was busy: on one whose memory others use by
 * turns they are apart by 0.02.  */
static const double steady_spread = 0.2;

/* Two timings that agree differ by less, as a ratio. */
static const double alike = 1.05;

/* Of a core, what others have to leave for what is timed. */
static const double least_left = 0.6;

/* Multiply-adds of the largest call that is timed. */
static const double most_macs = 5e7;

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
    sl_cost_learned_init (&model->learned[i]);
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

/* The two shortest timings of every point; infinite where there are none. */
typedef struct
{
  SlCostModel *shortest, *next;
} Timings;

/* Times every point of which no two timings agree; FALSE when cancelled.  Another program slows a machine down for a
 * while, and not for all sweeps.  */
static gboolean
time_points (const Timings *timings, SlCostBuffers *buffers, GCancellable *cancellable)
{
  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned point = 0; point < sl_cost_table_points ((SlCostKind) kind); point++)
      {
        SlCostCall call = sl_cost_table_call ((SlCostKind) kind, point);
        double    *a = &timings->shortest->seconds[kind][point];
        double    *b = &timings->next->seconds[kind][point], now;

        if (g_cancellable_is_cancelled (cancellable))
          return FALSE;
        if (*b <= alike * *a && isfinite (*b))
          continue;
        if (macs_of (&call) * call.share > most_macs)
          continue;
        now = sl_cost_time_call (buffers, &call);
        *b = fmin (*b, fmax (*a, now));
        *a = fmin (*a, now);
      }
  return TRUE;
}

/* By how much they differ, as a share: 4 of 5 points by less. */
static double
find_spread (const Timings *timings)
{
  g_autoptr (GArray) apart = g_array_new (FALSE, FALSE, sizeof (double));

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned point = 0; point < sl_cost_table_points ((SlCostKind) kind); point++)
      {
        double ratio
          = timings->next->seconds[kind][point] / timings->shortest->seconds[kind][point] - 1;

        if (isfinite (ratio))
          g_array_append_val (apart, ratio);
      }
  sl_median ((double *) apart->data, apart->len);
  return g_array_index (apart, double, apart->len * 4 / 5);
}

static gboolean
time_kernels (SlCostModel *model, SlCostBuffers *buffers, GCancellable *cancellable)
{
  g_autoptr (SlCostModel) next = make_model ();
  Timings timings = { model, next };
  double  error[TRIED];

  for (unsigned kind = 0; kind < SL_N_COST_KINDS; kind++)
    for (unsigned point = 0; point < sl_cost_table_points ((SlCostKind) kind); point++)
      model->seconds[kind][point] = next->seconds[kind][point] = INFINITY;
  for (unsigned i = 0; i < SWEEPS; i++)
    if (!time_points (&timings, buffers, cancellable))
      return FALSE;
  model->spread = find_spread (&timings);
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
  double        begin = sl_clock_wall (), others = sl_busy_others ();
  gboolean      done;

  sl_blas_set_threads (1);
  sl_cost_buffers_init (&buffers);
  done = time_kernels (model, &buffers, cancellable);
  sl_cost_buffers_clear (&buffers);
  done = done && sl_cost_learn (model, cancellable);
  model->took = sl_clock_wall () - begin;
  model->others = (sl_busy_others () - others) / (model->took * sl_blas_cores ());
  sl_blas_set_threads (threads);
  if (!done)
    g_clear_pointer (&model, sl_cost_model_free);
  return model;
}

bool
sl_cost_model_is_steady (const SlCostModel *model)
{
  double left = (1 - model->others) * sl_blas_cores ();

  return model->spread < steady_spread && !(left < least_left);
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
      double               numbers[LEARNED] = { l->update_error, l->pass_error };

      memcpy (numbers + 2, &l->update, sizeof l->update);
      memcpy (numbers + 2 + SL_N_COST_TERMS, &l->pass, sizeof l->pass);
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
  double        number[LEARNED];
  unsigned      i = 0;

  if (list == NULL || list->n != LEARNED)
    return FALSE;
  for (element = list->first; element != NULL; element = element->next, i++)
    if (!read_positive (element, &number[i]))
      return FALSE;
  learned->update_error = number[0];
  learned->pass_error = number[1];
  memcpy (&learned->update, number + 2, sizeof learned->update);
  memcpy (&learned->pass, number + 2 + SL_N_COST_TERMS, sizeof learned->pass);
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
