/* SPDX-License-Identifier: MIT
 *
 * See store.h.  */
#include "app/cli/plot/store.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "app/cli/show/describe.h"
#include "app/cli/show/trade.h"
#include "core/run/query/query.h"
#include "core/run/record/name.h"
#include "core/run/store/about/picture.h"
#include "core/run/sweep/sweep.h"
#include "plot/charts/gallery.h"
#include "plot/charts/gap.h"
#include "plot/charts/overlay.h"
#include "plot/charts/parts.h"
#include "plot/charts/trade.h"
#include "plot/export/export.h"

/* The runs to show and what they have in common. */
typedef struct
{
  SlStore     *store;
  GPtrArray   *rows;   /* of SlStoreRun, owned: all that the store has and the filter passes */
  SlTrade      trade;  /* those that are shown */
  SlStoredRun *loaded; /* (trade.runs->len), in that order, once a panel is chosen */
} Shown;

static bool
is_chosen (const SlStoreRun *run, char **words)
{
  if (words == NULL)
    return true;
  for (; *words != NULL; words++)
    if (sl_store_run_is_called (run, *words))
      return true;
  return false;
}

/* Every word calls a run; else says which does not. */
static bool
check_words (const GPtrArray *runs, char **words)
{
  for (; words != NULL && *words != NULL; words++)
    {
      bool known = false;

      for (guint i = 0; i < runs->len && !known; i++)
        known = is_chosen (g_ptr_array_index (runs, i), (char *[]) { *words, NULL });
      if (!known)
        {
          sl_cli_report ("there is no run \"%s\"; \"sluice-cli runs\" lists them", *words);
          return false;
        }
    }
  return true;
}

/* Why nothing is left to show. */
static SlExit
report_none (const SlPlotChoice *choice)
{
  if (choice->filter != NULL)
    sl_cli_report ("no run passes \"%s\"", choice->filter);
  else if (choice->lab != NULL)
    sl_cli_report ("there is no run of %s", choice->lab);
  else
    sl_cli_report ("there is no run");
  return SL_EXIT_FAILED;
}

/* Runs that an earlier version pruned are not over; says how many are left out. */
static void
report_pruned (const SlTrade *trade)
{
  guint n = trade->part[SL_TRADE_PRUNED];

  if (n > 0)
    sl_cli_report (_ ("runs that an earlier version pruned are left out: %u; make their sweep "
                      "again to continue them"),
                   n);
}

/* Of several labs that of the first run. */
static const SlLab *
lab_of (const Shown *shown, const SlPlotChoice *choice)
{
  if (choice->lab != NULL)
    return sl_describe_find_lab (choice->lab);
  for (guint i = 0; i < shown->rows->len; i++)
    if (is_chosen (g_ptr_array_index (shown->rows, i), choice->runs))
      return ((SlStoreRun *) g_ptr_array_index (shown->rows, i))->lab;
  return NULL;
}

static SlExit
compare_runs (Shown *shown, const SlLab *lab, const SlPlotChoice *choice)
{
  SlField field;

  if (choice->group != NULL && !sl_field_find (choice->group, shown->rows, &field))
    {
      sl_cli_report ("no run has a setting, score or fact \"%s\"", choice->group);
      return SL_EXIT_USAGE;
    }
  sl_trade_init (&shown->trade, lab);
  for (guint i = 0; i < shown->rows->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (shown->rows, i);

      if (run->lab == lab && is_chosen (run, choice->runs))
        sl_trade_add (&shown->trade, run, i);
    }
  sl_trade_settle (&shown->trade,
                   &(SlTradeView) { .x = choice->x,
                                    .y = choice->y,
                                    .group = choice->group != NULL ? &field : NULL });
  report_pruned (&shown->trade);
  return shown->trade.runs->len > 0 ? SL_EXIT_FINE : report_none (choice);
}

static SlExit
choose_runs (Shown *shown, const SlPlotChoice *choice)
{
  GError      *error = NULL;
  const SlLab *lab;

  shown->rows = sl_store_list (shown->store, NULL, FALSE, &error);
  if (shown->rows == NULL)
    return sl_cli_fail_error (error);
  if (!check_words (shown->rows, choice->runs))
    return SL_EXIT_USAGE;
  if (!sl_query_filter (choice->filter, shown->rows, &error))
    {
      sl_cli_fail_error (error);
      return SL_EXIT_USAGE;
    }
  lab = lab_of (shown, choice);
  if (lab == NULL)
    return choice->lab != NULL ? SL_EXIT_USAGE : report_none (choice);
  return compare_runs (shown, lab, choice);
}

static SlExit
load_runs (Shown *shown)
{
  GArray *runs = shown->trade.runs;
  GError *error = NULL;

  if (shown->loaded != NULL)
    return SL_EXIT_FINE;
  shown->loaded = g_new0 (SlStoredRun, runs->len);
  for (guint i = 0; i < runs->len; i++)
    if (!sl_store_load (shown->store, sl_trade_run (&shown->trade, i)->run->uuid, FALSE,
                        G_MAXUINT64, &shown->loaded[i], &error))
      return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

static bool
is_csv (const char *path)
{
  return g_str_has_suffix (path, ".csv");
}

static SlExit
save (SlFigure *figure, bool made, const char *path, const SlOutputs *outputs)
{
  bool saved;

  if (!made)
    {
      sl_cli_report ("%s: nothing to draw, or too much", path);
      return SL_EXIT_FAILED;
    }
  saved = sl_looks_page (&outputs->looks, &figure, 1, NULL, path);
  return saved ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

static SlExit
plot_trade (Shown *shown, const char *path, const SlOutputs *outputs)
{
  SlFigure figure = { 0 };
  SlFront  front = { 0 };
  SlExit   code = SL_EXIT_FAILED;

  if (!sl_trade_shows (&shown->trade, &shown->trade.x)
      || !sl_trade_shows (&shown->trade, &shown->trade.y))
    return SL_EXIT_FAILED;
  sl_trade_figure (&shown->trade, &front, &figure);
  if (front.n == 0)
    sl_cli_report ("%s: no run has both a \"%s\" and a \"%s\"", path, shown->trade.x.id,
                   shown->trade.y.id);
  else
    code = save (&figure, sl_front_update (&front, &figure), path, outputs);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
  return code;
}

/* ---- two groups ---- */

/* Names the groups where there are not two. */
static bool
has_two_groups (const Shown *shown)
{
  enum { LISTED = 12 };
  const SlTrade *trade = &shown->trade;
  guint          n = trade->points->len;
  g_autoptr (GString) list = g_string_new (NULL);

  if (sl_runs_has_difference (trade))
    return true;
  for (guint p = 0; p < n && p < LISTED; p++)
    {
      g_autofree char *title = sl_trade_title (trade, p, true);

      g_string_append_printf (list, "%s%s", p > 0 ? "; " : "", title);
    }
  if (n > LISTED)
    g_string_append (list, "; …");
  sl_cli_report ("a difference needs two groups, not %u: choose two with --filter, or another "
                 "setting with --group (there are %s)",
                 n, list->str);
  return false;
}

static SlExit
plot_gaps (Shown *shown, const char *path, const SlOutputs *outputs)
{
  const guint *pair = shown->trade.pair;
  SlGapChart   chart = { 0 };
  SlFigure     figure = { 0 };
  g_autoptr (GArray) gaps = NULL;
  SlExit code;
  bool   made;

  if (!has_two_groups (shown))
    return SL_EXIT_USAGE;
  gaps = sl_trade_gaps (&shown->trade, pair[0], pair[1]);
  if (is_csv (path))
    return sl_outputs_save_text (sl_trade_gaps_csv (&shown->trade, gaps, pair[0], pair[1]), path)
             ? SL_EXIT_FINE
             : SL_EXIT_FAILED;
  made = sl_gap_chart_update (&chart, &shown->trade, gaps, pair[0], pair[1], &figure);
  code = save (&figure, made, path, outputs);
  sl_figure_clear (&figure);
  sl_gap_chart_clear (&chart);
  return code;
}

static SlExit
plot_parts (Shown *shown, const char *path, const SlOutputs *outputs)
{
  g_autofree SlPartBars *parts = g_new0 (SlPartBars, 1);
  SlFigure               figure = { 0 };
  SlExit code = save (&figure, sl_part_bars_update (parts, &shown->trade, &figure), path, outputs);

  sl_figure_clear (&figure);
  return code;
}

static SlExit
add_picture (SlStore *store, const SlTrade *trade, guint at, SlGallery *gallery)
{
  GError *error = NULL;
  g_autoptr (GBytes) png = sl_store_picture (store, sl_trade_run (trade, at)->run->uuid, &error);
  g_autofree char *name = NULL;
  SlBitmap         bitmap;
  SlStatus         status;

  if (error != NULL)
    return sl_cli_fail_error (error);
  if (png == NULL)
    return SL_EXIT_FINE;
  /* Values alone, "gram, 5": there is little room below a picture. */
  name = sl_trade_run_title (trade, at, false);
  status = sl_bitmap_decode (g_bytes_get_data (png, NULL), g_bytes_get_size (png), name, &bitmap);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  status = sl_gallery_add (gallery, name, &bitmap);
  sl_bitmap_clear (&bitmap);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

/* What the names of the pictures say: "Below each picture: Comparison, Strength γ"; "" when nothing
 * varies.  */
static void
name_pictures (const SlTrade *trade, char *note, size_t size)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (unsigned i = 0; i < trade->n_varies; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? ", " : "Below each picture: ",
                            trade->lab->params[trade->varies[i]].title);
  g_strlcpy (note, words->str, size);
}

/* The pictures of the runs, named after their settings; those without one are left out.  A sweep over
 * two parameters is a table of them.  */
static SlExit
add_pictures (SlStore *store, const SlTrade *trade, SlGallery *gallery)
{
  g_autofree SlSettings        *settings = g_new (SlSettings, trade->runs->len);
  g_autofree const SlSettings **shown = g_new (const SlSettings *, trade->runs->len);
  SlExit                        code = SL_EXIT_FINE;

  for (guint i = 0; i < trade->runs->len && code == SL_EXIT_FINE; i++)
    {
      shown[gallery->n] = &settings[gallery->n];
      sl_store_run_settings (sl_trade_run (trade, i)->run, &settings[gallery->n]);
      code = add_picture (store, trade, i, gallery);
    }
  if (code != SL_EXIT_FINE)
    return code;
  if (gallery->n == 0)
    {
      sl_cli_report ("none of these runs has a picture: sweeps with --store keep them");
      return SL_EXIT_FAILED;
    }
  gallery->across = sl_sweep_row (trade->lab, shown, gallery->n);
  return SL_EXIT_FINE;
}

static SlExit
plot_pictures (Shown *shown, const char *path, const SlOutputs *outputs)
{
  SlGallery gallery = { 0 };
  SlFigure  figure = { 0 };
  SlExit    code = add_pictures (shown->store, &shown->trade, &gallery);

  if (code == SL_EXIT_FINE)
    {
      if (outputs->looks.across > 0)
        gallery.across = (unsigned) outputs->looks.across;
      g_strlcpy (figure.title, shown->trade.lab->title, sizeof figure.title);
      name_pictures (&shown->trade, figure.note, sizeof figure.note);
      sl_gallery_update (&gallery, &figure);
      code = save (&figure, true, path, outputs);
    }
  sl_figure_clear (&figure);
  sl_gallery_clear (&gallery);
  return code;
}

static const SlSeries *
series_of (void *data, guint run, const char *channel)
{
  const SlRecord *record = &((Shown *) data)->loaded[run].record;
  int             at = sl_layout_find (&record->layout, channel);

  return at >= 0 ? &record->series[at] : NULL;
}

/* Panels without steps: what each run has measured last. */
static bool
overlay_records (const Shown *shown, SlFigure *figure)
{
  bool made = true;

  for (guint i = 0; i < shown->trade.runs->len && made; i++)
    {
      g_autofree char *title = sl_trade_run_title (&shown->trade, i, true);

      made
        = sl_overlay_record (figure, &(SlOverlayRun) { .title = title, .number = i + 1, .slot = i },
                             &shown->loaded[i].record);
    }
  return made;
}

static SlExit
plot_panel (Shown *shown, unsigned panel, SlRunsKind kind, const char *path,
            const SlOutputs *outputs)
{
  SlRunsChart chart
    = { .trade = &shown->trade, .panel = panel, .kind = kind, .series = series_of, .data = shown };
  SlFigure figure = { 0 };
  SlExit   code;
  bool     made;

  if (kind == SL_RUNS_DIFFERENCE && !has_two_groups (shown))
    return SL_EXIT_USAGE;
  code = load_runs (shown);
  if (code != SL_EXIT_FINE)
    return code;
  sl_overlay_begin (&figure, shown->trade.lab, panel);
  made = figure.kind == SL_SERIES ? sl_runs_chart_draw (&chart, &figure)
                                  : overlay_records (shown, &figure);
  sl_overlay_end (&figure);
  sl_runs_chart_say (&chart, &figure);
  code = save (&figure, made && !sl_figure_empty (&figure), path, outputs);
  sl_figure_clear (&figure);
  sl_runs_chart_clear (&chart);
  return code;
}

/* The same as --html, in a list of figures. */
static SlExit
plot_page (Shown *shown, char *path, SlOutputs *outputs)
{
  char  *typed = outputs->html;
  SlExit code;

  outputs->html = path;
  code = sl_plot_page (shown->store, &shown->trade, NULL, outputs);
  outputs->html = typed;
  return code;
}

static SlExit
plot_one (Shown *shown, char *word, const SlPlotChoice *choice, SlOutputs *outputs)
{
  char            *equals = strchr (word, '=');
  g_autofree char *id = equals != NULL ? g_strndup (word, (gsize) (equals - word)) : NULL;
  int              panel = id != NULL ? sl_lab_panel (shown->trade.lab, id) : -1;

  if (id != NULL && strcmp (id, "difference") == 0 && is_csv (equals + 1))
    return plot_gaps (shown, equals + 1, outputs);
  if (id != NULL && strcmp (id, "trade") == 0 && g_str_has_suffix (equals + 1, ".html"))
    return plot_page (shown, equals + 1, outputs);
  if (equals == NULL || equals[1] == '\0' || sl_export_format_for (equals + 1) < 0)
    {
      sl_cli_report ("\"%s\" should be %s=FILE, with .svg, .png, .pdf, .tikz, .py or .csv", word,
                     "trade|difference|pictures|parts|PANEL");
      return SL_EXIT_USAGE;
    }
  if (!sl_looks_check (&outputs->looks, 1, (SlExportFormat) sl_export_format_for (equals + 1)))
    return SL_EXIT_USAGE;
  if (strcmp (id, "trade") == 0)
    return plot_trade (shown, equals + 1, outputs);
  if (strcmp (id, "difference") == 0)
    return plot_gaps (shown, equals + 1, outputs);
  if (strcmp (id, "parts") == 0 && shown->trade.lab->parts != NULL)
    return plot_parts (shown, equals + 1, outputs);
  if (strcmp (id, "pictures") == 0 && shown->trade.lab->picture != NULL)
    return plot_pictures (shown, equals + 1, outputs);
  if (panel < 0)
    {
      sl_cli_report ("%s has no panel \"%s\"", shown->trade.lab->id, id);
      return SL_EXIT_USAGE;
    }
  return plot_panel (shown, (unsigned) panel, choice->curves, equals + 1, outputs);
}

SlExit
sl_plot_store (const char *path, char **plots, const SlPlotChoice *choice, SlOutputs *outputs)
{
  GError *error = NULL;
  g_autoptr (SlStore) store = sl_store_open (path, &error);
  Shown  shown = { .store = store };
  SlExit code;

  if (store == NULL)
    return sl_cli_fail_error (error);
  code = choose_runs (&shown, choice);
  for (; *plots != NULL && code == SL_EXIT_FINE; plots++)
    code = plot_one (&shown, *plots, choice, outputs);
  if (code == SL_EXIT_FINE && outputs->html != NULL)
    code = sl_plot_page (store, &shown.trade, NULL, outputs);
  if (shown.trade.lab != NULL)
    {
      for (guint i = 0; shown.loaded != NULL && i < shown.trade.runs->len; i++)
        sl_stored_run_clear (&shown.loaded[i]);
      g_free (shown.loaded);
      sl_trade_clear (&shown.trade);
    }
  g_clear_pointer (&shown.rows, g_ptr_array_unref);
  return code;
}
