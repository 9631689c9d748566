/* SPDX-License-Identifier: MIT */
#include "app/cli/plot/foreign.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/foreign/folder.h"
#include "core/run/foreign/foreign.h"
#include "core/run/store/store.h"
#include "plot/charts/overlay.h"
#include "plot/export/style.h"

enum { FIGURES_MAX = 256 /* on a page */, HIGHEST = 2000 /* mm */ };

static void
free_run (gpointer data)
{
  sl_foreign_clear (data);
  g_free (data);
}

/* How a run was read, beside its title where it is one of a folder; told once all is drawn. */
static void
say (GPtrArray *said, const SlForeign *run, const char *path, bool of_folder)
{
  g_autofree char *how = sl_foreign_said (run);

  g_ptr_array_add (said, of_folder ? g_strdup_printf ("%s, %s: %s", path, run->title, how)
                                   : g_strdup_printf ("%s: %s", path, how));
}

/* All runs of a folder of logs; what has no curves is left out. */
static SlExit
add_folder (GPtrArray *runs, GPtrArray *said, const char *path)
{
  gboolean more;
  g_autoptr (GPtrArray) found = sl_foreign_runs_in (path, &more);
  guint before = runs->len;

  for (guint i = 0; i < found->len; i++)
    {
      const SlForeignRun   *at = g_ptr_array_index (found, i);
      g_autofree SlForeign *run = g_new (SlForeign, 1);
      g_autoptr (GError) error = NULL;

      if (!sl_foreign_open_as (run, at->path, at->title, &error))
        {
          sl_cli_report ("%s", error->message);
          continue;
        }
      say (said, run, path, true);
      g_ptr_array_add (runs, g_steal_pointer (&run));
    }
  if (more)
    sl_cli_report (_ ("%s: only the first %u runs are read"), path, found->len);
  if (found->len == 0)
    sl_cli_report (_ ("%s: expected a folder of TensorBoard logs, found no event file"), path);
  return runs->len > before ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

static SlExit
add_run (GPtrArray *runs, GPtrArray *said, const char *path)
{
  g_autofree SlForeign *run = g_new (SlForeign, 1);
  GError               *error = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    return add_folder (runs, said, path);
  if (sl_store_is_store (path))
    {
      sl_cli_report ("%s is a store; --with needs a run exported by \"sluice-cli runs\"", path);
      return SL_EXIT_USAGE;
    }
  if (!sl_foreign_open (run, path, &error))
    return sl_cli_fail_error (error);
  say (said, run, path, false);
  g_ptr_array_add (runs, g_steal_pointer (&run));
  return SL_EXIT_FINE;
}

/* Adds the curves of these names of all runs.  False: there are too many. */
static bool
fill_figure (SlFigure *figure, const GPtrArray *runs, char **names)
{
  g_autofree char *title = g_strjoinv (", ", names);
  bool             room = true;

  sl_overlay_begin_curves (figure, title,
                           sl_foreign_steps ((SlForeign *const *) runs->pdata, runs->len));
  for (guint r = 0; r < runs->len && room; r++)
    {
      const SlForeign *foreign = g_ptr_array_index (runs, r);
      SlOverlayRun     run = { .title = foreign->title, .number = r + 1, .slot = r };

      for (unsigned i = 0; names[i] != NULL && room; i++)
        {
          const SlForeignCurve *curve = sl_foreign_find (foreign, names[i]);
          const SlOverlayTrace  trace
            = { .id = names[i], .title = names[1] != NULL ? names[i] : NULL, .place = i };

          if (curve != NULL)
            room = sl_overlay_series (figure, &run, &trace, &curve->series);
        }
    }
  sl_overlay_end (figure);
  return room;
}

/* One name after the other, each once, of all runs; ended by NULL.  The names are borrowed. */
static char **
all_names (const GPtrArray *runs)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint r = 0; r < runs->len; r++)
    {
      const SlForeign *run = g_ptr_array_index (runs, r);

      for (guint c = 0; c < run->curves->len; c++)
        {
          const SlForeignCurve *curve = g_ptr_array_index (run->curves, c);
          bool                  known = curve->series.n == 0;

          for (guint before = 0; before < r && !known; before++)
            known = sl_foreign_find (g_ptr_array_index (runs, before), curve->name) != NULL;
          if (!known)
            g_ptr_array_add (names, curve->name);
        }
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/* A page that would be too high becomes about as wide as high, with figures as large as they were; nothing that was
 * typed is changed.  The size, as typed, is to be freed; NULL: the page is good as it is.  */
static char *
size_for_many (SlLooks *looks, unsigned n)
{
  SlExportOptions options;
  SlExportStyle   style;
  unsigned        rows;

  if (looks->across != SL_LOOKS_ACROSS_OF_PAGE || looks->size != NULL
      || !sl_looks_options (looks, n, &style, &options, NULL) || options.height <= HIGHEST)
    return NULL;
  rows = (n + options.across - 1) / options.across;
  looks->across = (int) ceil (sqrt (n));
  return g_strdup_printf ("%.0fx%.0f", options.width / options.across * looks->across,
                          options.height / rows
                            * ((n + (unsigned) looks->across - 1) / (unsigned) looks->across));
}

static SlExit
plot_all (const GPtrArray *runs, const char *path, const SlOutputs *outputs)
{
  g_autofree char    **names = all_names (runs);
  SlLooks              looks = outputs->looks;
  g_autofree char     *size = NULL;
  guint                n = g_strv_length (names);
  g_autofree SlFigure *figures = NULL;
  SlFigure            *page[FIGURES_MAX];
  bool                 saved;

  if (n > FIGURES_MAX)
    {
      sl_cli_report ("%u curves are too many for a page; name some", n);
      return SL_EXIT_USAGE;
    }
  figures = g_new0 (SlFigure, n);
  for (guint i = 0; i < n; i++)
    {
      fill_figure (&figures[i], runs, (char *[]) { names[i], NULL });
      page[i] = &figures[i];
    }
  size = size_for_many (&looks, n);
  if (size != NULL)
    looks.size = size;
  saved = sl_looks_page (&looks, page, n, NULL, path);
  for (guint i = 0; i < n; i++)
    sl_figure_clear (&figures[i]);
  return saved ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

/* True when every name is a curve of some run; else says which is not, and which there are. */
static bool
check_names (const GPtrArray *runs, char **wanted)
{
  for (; *wanted != NULL; wanted++)
    {
      g_autofree char **names = NULL;
      g_autofree char  *list = NULL;
      bool              known = false;

      for (guint r = 0; r < runs->len && !known; r++)
        known = sl_foreign_find (g_ptr_array_index (runs, r), *wanted) != NULL;
      if (known)
        continue;
      names = all_names (runs);
      list = g_strjoinv (", ", names);
      sl_cli_report ("there is no curve \"%s\"; there are %s", *wanted, list);
      return false;
    }
  return true;
}

static SlExit
plot_one (const GPtrArray *runs, const char *plot, const SlOutputs *outputs)
{
  const char      *equals = strrchr (plot, '=');
  g_autofree char *wanted = equals != NULL ? g_strndup (plot, equals - plot) : NULL;
  g_auto (GStrv) names = wanted != NULL ? g_strsplit (wanted, ",", SL_FOREIGN_CURVES_MAX) : NULL;
  SlFigure figure = { 0 };
  SlExit   code = SL_EXIT_USAGE;
  int      format = equals != NULL ? sl_export_format_for (equals + 1) : -1;

  if (wanted == NULL || names[0] == NULL || format < 0)
    {
      sl_cli_report ("\"%s\" should be %s=FILE, with .svg, .png, .pdf, .tikz, .py or .csv", plot,
                     "NAME");
      return SL_EXIT_USAGE;
    }
  if (!sl_looks_check (&outputs->looks, 1, (SlExportFormat) format))
    return SL_EXIT_USAGE;
  if (strcmp (wanted, "all") == 0)
    return plot_all (runs, equals + 1, outputs);
  if (!check_names (runs, names))
    return SL_EXIT_USAGE;
  if (!fill_figure (&figure, runs, names))
    sl_cli_report ("%s: too many curves for a figure", plot);
  else
    code = sl_looks_page (&outputs->looks, (SlFigure *[]) { &figure }, 1, NULL, equals + 1)
             ? SL_EXIT_FINE
             : SL_EXIT_FAILED;
  sl_figure_clear (&figure);
  return code;
}

SlExit
sl_plot_foreign (const char *path, char **with, char **plots, const SlOutputs *outputs)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (free_run);
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  SlExit code = add_run (runs, said, path);

  for (; with != NULL && *with != NULL && code == SL_EXIT_FINE; with++)
    code = add_run (runs, said, *with);
  for (; *plots != NULL && code == SL_EXIT_FINE; plots++)
    code = plot_one (runs, *plots, outputs);
  for (guint i = 0; i < said->len && code == SL_EXIT_FINE; i++)
    sl_cli_report ("%s", (const char *) g_ptr_array_index (said, i));
  return code;
}
