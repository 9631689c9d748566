/* SPDX-License-Identifier: MIT
 *
 * Sweeps; see sluice.h.  */
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/json.h"
#include "core/run/store/store.h"
#include "core/run/sweep/job.h"
#include "lib/run-private.h"

struct SluiceSweep
{
  SlSweep         sweep;
  SluiceData     *data; /* a reference, or NULL */
  SlLibGate       gate;
  GArray         *jobs;   /* of SlSweepJob */
  SlSweepResult **result; /* (jobs) or NULL: not made yet */
};

/* ---- beginning ---- */

static SluiceCode
add_axes (SlSweep *sweep, const char *axes)
{
  g_auto (GStrv) line = g_strsplit (axes != NULL ? axes : "", "\n", -1);
  GError *error = NULL;

  for (char **l = line; *l != NULL; l++)
    if (**l != '\0' && !sl_sweep_add_axis (sweep, *l, &error))
      return sl_lib_fail_error (error);
  return SLUICE_FINE;
}

/* The list of runs, each by a name that the data are part of. */
static SluiceCode
list_jobs (SluiceSweep *self)
{
  GError *error = NULL;

  if (!sl_sweep_check (&self->sweep, &error) || !sl_sweep_check_reach (&self->sweep, &error))
    return sl_lib_fail_error (error);
  if (self->data != NULL)
    {
      g_free (self->sweep.data);
      self->sweep.data = g_strdup_printf ("%s %016" G_GINT64_MODIFIER "x", self->data->dataset->id,
                                          self->data->dataset->hash);
    }
  self->jobs = sl_sweep_expand (&self->sweep);
  self->result = g_new0 (SlSweepResult *, self->jobs->len);
  return SLUICE_FINE;
}

static SluiceCode
open_data (SluiceSweep *self)
{
  return self->data != NULL || self->sweep.data == NULL
           ? SLUICE_FINE
           : sluice_data_open (self->sweep.data, &self->data);
}

SluiceCode
sluice_sweep_new (const SluiceRunSpec *spec, const char *axes, const char *seeds,
                  const SluiceUntil *until, SluiceSweep **sweep)
{
  SluiceSweep *self;
  SlPlan       plan;
  SluiceCode   code;
  GError      *error = NULL;

  *sweep = NULL;
  SL_LIB_ENTER ();
  code = sl_lib_plan (spec, &plan);
  if (code != SLUICE_FINE)
    {
      if (plan.lab != NULL)
        sl_plan_clear (&plan);
      return code;
    }
  self = g_new0 (SluiceSweep, 1);
  sl_sweep_init (&self->sweep, plan.lab);
  self->sweep.settings = plan.settings;
  sl_plan_clear (&plan);
  self->data = spec->data != NULL ? sl_lib_data_ref (spec->data) : NULL;
  self->sweep.own = sl_lib_gate (&self->gate, spec->gate);
  if (until != NULL)
    self->sweep.budget
      = (SlBudget) { .steps = until->updates, .epochs = until->epochs, .seconds = until->seconds };
  code = add_axes (&self->sweep, axes);
  if (code == SLUICE_FINE && seeds != NULL && !sl_sweep_set_seeds (&self->sweep, seeds, &error))
    code = sl_lib_fail_error (error);
  if (code == SLUICE_FINE)
    code = list_jobs (self);
  if (code != SLUICE_FINE)
    {
      sluice_sweep_free (self);
      return code;
    }
  *sweep = self;
  return SLUICE_FINE;
}

unsigned
sluice_sweep_size (const SluiceSweep *sweep)
{
  return sweep->jobs->len;
}

void
sluice_sweep_free (SluiceSweep *sweep)
{
  if (sweep == NULL)
    return;
  for (guint i = 0; sweep->jobs != NULL && i < sweep->jobs->len; i++)
    sl_sweep_result_free (sweep->result[i]);
  g_free (sweep->result);
  g_clear_pointer (&sweep->jobs, g_array_unref);
  sluice_data_free (sweep->data);
  sl_sweep_clear (&sweep->sweep);
  g_free (sweep);
}

/* ---- making ---- */

/* What the threads share. */
typedef struct
{
  SluiceSweep *sweep;
  SlStore     *store;
  GMutex       lock;
  GCond        changed;
  guint        next, over, at_work;
  gint         stop; /* atomic */
} Making;

static bool
go_on (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Making *making = data;

  return !g_atomic_int_get (&making->stop);
}

/* The next run that is not made yet, or -1. */
static int
take (Making *making)
{
  SluiceSweep *sweep = making->sweep;
  int          taken = -1;

  g_mutex_lock (&making->lock);
  while (making->next < sweep->jobs->len && sweep->result[making->next] != NULL)
    making->next++;
  if (making->next < sweep->jobs->len && !g_atomic_int_get (&making->stop))
    taken = (int) making->next++;
  g_mutex_unlock (&making->lock);
  return taken;
}

static void
leave (Making *making)
{
  g_mutex_lock (&making->lock);
  making->at_work--;
  g_cond_signal (&making->changed);
  g_mutex_unlock (&making->lock);
}

static gpointer
work (gpointer data)
{
  Making                 *making = data;
  SluiceSweep            *sweep = making->sweep;
  g_auto (SlLibCall) call G_GNUC_UNUSED = sl_lib_enter (); /* for its locale */
  int                     i;

  sl_blas_set_threads (1);
  while ((i = take (making)) >= 0)
    {
      SlSweepResult *result = sl_sweep_perform (
        &sweep->sweep, &g_array_index (sweep->jobs, SlSweepJob, i), making->store,
        sweep->data != NULL ? sweep->data->dataset : NULL, go_on, making);

      g_mutex_lock (&making->lock);
      sweep->result[i] = result;
      making->over += result != NULL;
      g_cond_signal (&making->changed);
      g_mutex_unlock (&making->lock);
    }
  leave (making);
  return NULL;
}

enum { ASK_EVERY = 20000 /* µs */ };

/* Until all threads have ended; asks once more then. */
static void
watch (Making *making, SluiceAsk ask, void *data)
{
  double all = making->sweep->jobs->len;
  bool   last = false;

  g_mutex_lock (&making->lock);
  while (!last)
    {
      guint over;

      if (making->at_work > 0)
        g_cond_wait_until (&making->changed, &making->lock, g_get_monotonic_time () + ASK_EVERY);
      last = making->at_work == 0;
      over = making->over;
      if (ask == NULL || g_atomic_int_get (&making->stop))
        continue;
      g_mutex_unlock (&making->lock);
      if (ask (data, over, over / all) != 0 && over < making->sweep->jobs->len)
        g_atomic_int_set (&making->stop, 1);
      g_mutex_lock (&making->lock);
    }
  g_mutex_unlock (&making->lock);
}

static guint
count_made (const SluiceSweep *sweep)
{
  guint made = 0;

  for (guint i = 0; i < sweep->jobs->len; i++)
    made += sweep->result[i] != NULL;
  return made;
}

static void
make (Making *making, unsigned at_once, SluiceAsk ask, void *data)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();
  guint left = making->sweep->jobs->len - making->over;

  at_once = MIN (at_once > 0 ? at_once : sl_blas_cores (), left);
  making->at_work = at_once;
  g_mutex_init (&making->lock);
  g_cond_init (&making->changed);
  for (unsigned i = 0; i < at_once; i++)
    {
      GThread *thread = g_thread_try_new ("sweep", work, making, NULL);

      if (thread != NULL)
        g_ptr_array_add (threads, thread);
      else
        leave (making);
    }
  watch (making, ask, data);
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
  g_mutex_clear (&making->lock);
  g_cond_clear (&making->changed);
}

SluiceCode
sluice_sweep_make (SluiceSweep *sweep, unsigned at_once, const char *path, SluiceAsk ask,
                   void *data)
{
  g_autoptr (SlStore) store = NULL;
  GError    *error = NULL;
  Making     making = { .sweep = sweep };
  SluiceCode code;

  SL_LIB_ENTER ();
  if (path != NULL && sweep->sweep.own != NULL)
    return sl_lib_refuse (SLUICE_UNSUPPORTED,
                          "a sweep of a gate of one's own has no store: runs are found there by "
                          "their settings, which do not say what the gate does");
  code = open_data (sweep);
  if (code != SLUICE_FINE)
    return code;
  if (path != NULL)
    {
      store = sl_store_open (path, &error);
      if (store == NULL)
        return sl_lib_fail_error (error);
    }
  making.store = store;
  making.over = count_made (sweep);
  make (&making, at_once, ask, data);
  if (store != NULL && !sl_store_settle (store, &error))
    return sl_lib_fail_error (error);
  if (making.stop)
    return sl_lib_refuse (SLUICE_STOPPED, "stopped with %u of %u runs over", count_made (sweep),
                          sweep->jobs->len);
  return count_made (sweep) == sweep->jobs->len
           ? SLUICE_FINE
           : sl_lib_refuse (SLUICE_MEMORY, "the system gives no thread to make the runs in");
}

/* ---- the table ---- */

static void
add_column (SlJsonWriter *w, const char *id, const char *title, const char *unit)
{
  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "id", id);
  sl_json_add_text (w, "title", title);
  sl_json_add_text (w, "unit", unit);
  sl_json_close (w);
}

/* A run that came to its end, by which the scores are named; or NULL. */
static const SlSweepResult *
whole (const SluiceSweep *sweep)
{
  for (guint i = 0; i < sweep->jobs->len; i++)
    if (sweep->result[i] != NULL && sl_ok (&sweep->result[i]->status))
      return sweep->result[i];
  return NULL;
}

static const struct
{
  SlSplit     split;
  const char *id;
} splits[] = { { SL_TEST, "test" }, { SL_VALID, "validation" } };

static void
add_columns (SlJsonWriter *w, const SluiceSweep *self, const SlSweepResult *model)
{
  const SlSweep *sweep = &self->sweep;

  for (unsigned a = 0; a < sweep->n_axes; a++)
    add_column (w, sl_sweep_axis_id (sweep->lab, sweep->axis[a].param),
                sl_sweep_axis_title (sweep->lab, sweep->axis[a].param), NULL);
  add_column (w, "seed", "seed", NULL);
  add_column (w, "update", "updates", NULL);
  add_column (w, "status", "status", NULL);
  add_column (w, "problem", "problem", NULL);
  for (size_t s = 0; model != NULL && s < G_N_ELEMENTS (splits); s++)
    for (unsigned i = 0; i < model->n_scores[splits[s].split]; i++)
      {
        const SlScore   *score = &model->score[splits[s].split][i];
        g_autofree char *id = g_strdup_printf ("%s.%s", splits[s].id, score->id);

        add_column (w, id, score->title, score->unit);
      }
  add_column (w, "expected", "expected", "% of dense");
  add_column (w, "executed", "executed", "% of dense");
  add_column (w, "timed", "timed", "% of dense");
  add_column (w, "seconds", "seconds", "s");
}

/* An axis' value as a number where it is one, else as it is typed. */
static void
add_setting (SlJsonWriter *w, const SlSweep *sweep, const SlSweepAxis *axis, unsigned at)
{
  SlChoice              *choices;
  SlParam                param = sl_sweep_axis_param (sweep->lab, axis->param, &choices);
  g_autofree void *owned G_GNUC_UNUSED = choices;
  char                   text[512];

  if (param.kind == SL_REAL || param.kind == SL_INTEGER)
    sl_json_add_number (w, NULL, axis->value[at].v[0]);
  else
    sl_json_add_text (w, NULL, sl_param_format (&param, &axis->value[at], text, sizeof text));
}

static const char *
status_words (const SlSweepResult *result)
{
  return sl_ok (&result->status)               ? "finished"
         : result->status.code == SL_EDIVERGED ? "diverged"
                                               : "failed";
}

static void
add_row (SlJsonWriter *w, const SluiceSweep *self, const SlSweepResult *result,
         const SlSweepResult *model)
{
  const SlSweep *sweep = &self->sweep;
  char           text[1024];

  sl_json_open (w, NULL, '[', SL_JSON_TIGHT);
  for (unsigned a = 0; a < sweep->n_axes; a++)
    add_setting (w, sweep, &sweep->axis[a], result->job.at[a]);
  sl_json_add_whole (w, NULL, result->job.seed);
  sl_json_add_whole (w, NULL, result->recipe.step);
  sl_json_add_text (w, NULL, status_words (result));
  sl_json_add_text (
    w, NULL, sl_ok (&result->status) ? NULL : sl_status_text (&result->status, text, sizeof text));
  for (size_t s = 0; model != NULL && s < G_N_ELEMENTS (splits); s++)
    for (unsigned i = 0; i < model->n_scores[splits[s].split]; i++)
      sl_json_add_number (w, NULL,
                          i < result->n_scores[splits[s].split]
                            ? result->score[splits[s].split][i].value
                            : (double) NAN);
  sl_json_add_number (w, NULL, result->outcome.expected);
  sl_json_add_number (w, NULL, result->outcome.executed);
  sl_json_add_number (w, NULL, result->outcome.timed);
  sl_json_add_number (w, NULL, result->seconds);
  sl_json_close (w);
}

SluiceCode
sluice_sweep_table (const SluiceSweep *sweep, char **json)
{
  const SlSweepResult *model = whole (sweep);
  SlJsonWriter         w;

  *json = NULL;
  SL_LIB_ENTER ();
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_open (&w, "columns", '[', SL_JSON_LINES);
  add_columns (&w, sweep, model);
  sl_json_close (&w);
  sl_json_open (&w, "rows", '[', SL_JSON_LINES);
  for (guint i = 0; i < sweep->jobs->len; i++)
    if (sweep->result[i] != NULL)
      add_row (&w, sweep, sweep->result[i], model);
  *json = sl_json_writer_end (&w, FALSE);
  return SLUICE_FINE;
}
