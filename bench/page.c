/* SPDX-License-Identifier: MIT
 *
 * A run carried out of the program: how large its page is, how long it takes to be written and to open in a browser; how
 * large its film is.  */
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/again/again.h"
#include "plot/film/film.h"
#include "plot/page/page.h"

enum { UPDATES = 5000, MOMENTS = 20, FRAMES = 60, FRAME_UPDATES = 600, WIDTH = 800 };

static const double page_mb = 2.0, film_mb = 5.0;

static bool
go_on (void *data, double done)
{
  return true;
}

/* A run of a lab as it comes, with moments of its front page or of its picture alone. */
static SlStatus
make (SlAgain *again, const SlLab *lab, uint64_t updates, unsigned moments, unsigned *panel,
      unsigned *n)
{
  g_autofree bool *wanted = g_new0 (bool, lab->n_panels);
  SlSettings       settings;
  SlRecipe         recipe;
  SlStatus         status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_recipe_init (&recipe, lab, &settings, NULL, 1);
  g_strlcpy (recipe.data, sl_source_default_for (lab->data), sizeof recipe.data);
  recipe.step = updates;
  *n = sl_page_front (lab, &settings, NULL, panel);
  for (unsigned i = 0; i < *n; i++)
    wanted[panel[i]] = true;
  status = sl_again_make (again, &recipe, wanted, moments, go_on, NULL);
  sl_recipe_clear (&recipe);
  return status;
}

static GBytes *
write_page (const SlAgain *again, const unsigned *panel, unsigned n, double *ms)
{
  double  begin = sl_bench_process_seconds ();
  GBytes *bytes = sl_page_run (&(SlPageRun) { .record = &again->run.record,
                                              .recipe = &again->run.recipe,
                                              .frames = again->frames,
                                              .panel = panel,
                                              .n_panels = n },
                               NULL);

  *ms = 1e3 * (sl_bench_process_seconds () - begin);
  return bytes;
}

/* From the disk to a page that has drawn itself, where there is a browser. */
static void
measure_opening (SlBench *bench, const char *id, GBytes *page)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-page-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.html", NULL);
  g_autofree char *name = g_strdup_printf ("page.%s.open", id);

  if (g_file_set_contents (path, g_bytes_get_data (page, NULL), (gssize) g_bytes_get_size (page),
                           NULL))
    sl_bench_result (bench, name, sl_bench_peer ("opening.py", path), "ms", SL_BAR_NONE, 0,
                     "from the disk until it is drawn; 0: no browser");
  g_unlink (path);
  g_rmdir (folder);
}

static SlExit
measure_page (SlBench *bench, const char *id)
{
  g_autofree char *size = g_strdup_printf ("page.%s.size", id);
  g_autofree char *write = g_strdup_printf ("page.%s.write", id);
  unsigned         panel[1 + SL_FRONT_PLOTS], n;
  SlAgain          again;
  SlStatus         status = make (&again, sl_lab_find (id), UPDATES, MOMENTS, panel, &n);

  if (sl_ok (&status))
    {
      double ms;
      g_autoptr (GBytes) page = write_page (&again, panel, n, &ms);

      sl_bench_result (bench, size, 1e-6 * (double) g_bytes_get_size (page), "MB", SL_BAR_MOST,
                       page_mb, "5,000 updates, 20 moments");
      sl_bench_result (bench, write, ms, "ms", SL_BAR_NONE, 0, "processor time to write it");
      measure_opening (bench, id, page);
    }
  sl_again_clear (&again);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
measure_film (SlBench *bench, const char *id)
{
  g_autofree char *size = g_strdup_printf ("page.%s.film", id);
  unsigned         panel[1 + SL_FRONT_PLOTS], n;
  SlAgain          again;
  SlStatus         status = make (&again, sl_lab_find (id), FRAME_UPDATES, FRAMES, panel, &n);

  if (sl_ok (&status))
    {
      SlFilm film = { .record = &again.run.record,
                      .settings = &again.plan.settings,
                      .moments = sl_film_moments (again.frames),
                      .panel = { panel[0] },
                      .n = 1,
                      .format = SL_FILM_GIF,
                      .page = sl_export_options (SL_PRESET_SCREEN, 1),
                      .delay = 0.15,
                      .hold = 2.0 };
      g_autoptr (GPtrArray) files = NULL;

      sl_film_scale (&film.page, WIDTH, 0);
      files = sl_film_make (&film, NULL, NULL, NULL, NULL);
      sl_bench_result (bench, size, 1e-6 * (double) g_bytes_get_size (files->pdata[0]), "MB",
                       SL_BAR_MOST, film_mb, "GIF of 60 moments, 800 px wide");
    }
  sl_again_clear (&again);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
bench_page (SlBench *bench)
{
  static const char *const labs[] = { "experts", "sign-estimator" };
  SlExit                   exit = SL_EXIT_FINE;

  for (size_t i = 0; i < G_N_ELEMENTS (labs) && exit == SL_EXIT_FINE; i++)
    {
      exit = measure_page (bench, labs[i]);
      if (exit == SL_EXIT_FINE)
        exit = measure_film (bench, labs[i]);
    }
  return exit;
}

const SlBenchGroup sl_bench_page
  = { "page", "web page and film of a run: how large they are, and how soon one opens", true,
      bench_page };
