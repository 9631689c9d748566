/* SPDX-License-Identifier: MIT */
#include "ui/carry/job.h"

#include "core/run/again/again.h"
#include "core/run/base/background.h"
#include "core/run/base/error.h"
#include "core/run/base/save.h"
#include "plot/page/page.h"

enum { WIDTH = 800, SLIDE_WIDTH = 1280, SLIDE_HEIGHT = 720 };
enum { WHOLE = 1000, TRAINING_OF_FILM = 600, TRAINING_OF_PAGE = 950 }; /* shares of the way */

enum { PATIENCE = 500000, LOOK = 500 /* µs */ };

static const double hold = 2.0; /* seconds of the last frame */

struct SlCarryJob
{
  SlCarryOrder  order;
  SlCarryDone   done;
  GCancellable *cancellable;
  gint          share, over;
  gboolean      untrained;
};

void
sl_carry_order_clear (SlCarryOrder *order)
{
  sl_recipe_clear (&order->recipe);
  sl_record_clear (&order->record);
  sl_frames_free (order->kept);
  g_free (order->title);
  g_free (order->sentence);
  g_free (order->path);
}

static void
free_job (gpointer data)
{
  SlCarryJob *job = data;

  sl_carry_order_clear (&job->order);
  g_object_unref (job->cancellable);
  g_free (job);
}

/* ---- in the thread ---- */

static bool
goes_on (void *data, double done)
{
  SlCarryJob *job = data;
  int         whole = job->order.film ? TRAINING_OF_FILM : TRAINING_OF_PAGE;

  g_atomic_int_set (&job->share, (int) (done * whole));
  return !sl_carry_is_cancelled (job);
}

static void
on_frame (gpointer data, double done)
{
  SlCarryJob *job = data;

  g_atomic_int_set (&job->share, TRAINING_OF_FILM + (int) (done * (WHOLE - TRAINING_OF_FILM)));
}

static gboolean
write_page (SlCarryJob *job, const SlAgain *again, GError **error)
{
  const SlCarryOrder *order = &job->order;
  SlPageRun           run = { .record = &order->record,
                              .recipe = &order->recipe,
                              .frames = order->kept,
                              .panel = order->panel,
                              .n_panels = order->n,
                              .title = order->title,
                              .sentence = order->sentence };
  g_autoptr (GBytes) page = NULL;

  if (again != NULL)
    {
      run.record = &again->run.record;
      run.recipe = &again->run.recipe;
      run.frames = again->frames;
    }
  page = sl_page_run (&run, error);
  return page != NULL && !g_cancellable_set_error_if_cancelled (job->cancellable, error)
         && sl_save (order->path, g_bytes_get_data (page, NULL), g_bytes_get_size (page), error);
}

static gboolean
write_film (SlCarryJob *job, const SlAgain *again, GError **error)
{
  const SlCarryOrder *order = &job->order;
  SlExportPreset      preset = order->looks.slide ? SL_PRESET_SLIDE : SL_PRESET_SCREEN;
  g_autofree char    *recipe = sl_recipe_write (&again->run.recipe);
  g_autoptr (GPtrArray) files = NULL;
  SlFilm film = { .record = &again->run.record,
                  .settings = &again->run.recipe.settings,
                  .moments = sl_film_moments (again->frames),
                  .panel = { order->panel[0] },
                  .n = 1,
                  .format = order->looks.format,
                  .page = sl_export_options (preset, 1),
                  .delay = order->looks.delay,
                  .hold = hold };

  film.page.recipe = recipe;
  if (order->looks.slide)
    sl_film_scale (&film.page, SLIDE_WIDTH, SLIDE_HEIGHT);
  else
    {
      sl_film_scale (&film.page, WIDTH, 0);
      sl_film_fit (&film, preset);
    }
  files = sl_film_make (&film, job->cancellable, on_frame, job, error);
  return files != NULL && !g_cancellable_set_error_if_cancelled (job->cancellable, error)
         && sl_film_save (files, film.format, order->path, again->run.recipe.lab->id, error);
}

static gboolean
train_and_write (SlCarryJob *job, GError **error)
{
  const SlCarryOrder *order = &job->order;
  g_autofree bool    *wanted = g_new0 (bool, order->recipe.lab->n_panels);
  SlAgain             again;
  SlStatus            status;
  gboolean            good;

  for (unsigned i = 0; i < order->n; i++)
    wanted[order->panel[i]] = true;
  status = sl_again_make (&again, &order->recipe, wanted, order->moments, goes_on, job);
  job->untrained = !sl_ok (&status);
  good = sl_status_good (&status, error)
         && (order->film ? write_film : write_page) (job, &again, error);
  sl_again_clear (&again);
  return good;
}

static gboolean
carry (gpointer data, GError **error)
{
  SlCarryJob *job = data;
  gboolean    good
    = job->order.moments > 0 ? train_and_write (job, error) : write_page (job, NULL, error);

  g_atomic_int_set (&job->over, TRUE);
  return good;
}

/* ---- in the main thread ---- */

static void
on_done (gpointer owner, gpointer data, const GError *error)
{
  SlCarryJob *job = data;

  if (job->done != NULL)
    job->done (owner, job, error);
}

SlCarryJob *
sl_carry_begin (SlCarryOrder order, SlCarryDone done, gpointer owner)
{
  SlCarryJob *job = g_new (SlCarryJob, 1);

  *job = (SlCarryJob) { .order = order, .done = done, .cancellable = g_cancellable_new () };
  sl_background_run (carry, on_done, owner, NULL, job, free_job);
  return job;
}

void
sl_carry_cancel (SlCarryJob *job)
{
  g_cancellable_cancel (job->cancellable);
}

void
sl_carry_leave (SlCarryJob *job)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;

  job->done = NULL;
  sl_carry_cancel (job);
  while (!g_atomic_int_get (&job->over) && g_get_monotonic_time () < deadline)
    g_usleep (LOOK);
}

gboolean
sl_carry_is_cancelled (const SlCarryJob *job)
{
  return g_cancellable_is_cancelled (job->cancellable);
}

double
sl_carry_share (const SlCarryJob *job)
{
  return (double) g_atomic_int_get (&job->share) / WHOLE;
}

const SlCarryOrder *
sl_carry_order (const SlCarryJob *job)
{
  return &job->order;
}

gboolean
sl_carry_could_not_train (const SlCarryJob *job)
{
  return job->untrained;
}
