/* SPDX-License-Identifier: MIT
 *
 * See plot-store.h.  */
#include "app/cli/show/plot-store.h"

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
#include "plot/charts/overlay.h"
#include "plot/charts/parts.h"
#include "plot/export/export.h"

/* The runs to show and what they have in common. */
typedef struct
{
  SlStore     *store;
  SlTrade      trade;  /* the runs, grouped by setting */
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

/* Why nothing is left to show, of the runs that pass. */
static SlExit
report_none (const GPtrArray *runs, const SlLab *lab, const SlPlotChoice *choice)
{
  bool any = false;

  for (guint i = 0; i < runs->len && !any; i++)
    any = is_chosen (g_ptr_array_index (runs, i), choice->runs)
          && ((const SlStoreRun *) g_ptr_array_index (runs, i))->lab == lab;
  if (any)
    sl_cli_report ("none of them is finished");
  else if (choice->filter != NULL)
    sl_cli_report ("no run passes \"%s\"", choice->filter);
  else if (choice->lab != NULL)
    sl_cli_report ("there is no run of %s", choice->lab);
  else
    sl_cli_report ("there is no run");
  return SL_EXIT_FAILED;
}

/* Runs that an earlier version pruned are not over; says how many are left out. */
static void
report_pruned (const GPtrArray *runs, const SlLab *lab, const SlPlotChoice *choice)
{
  unsigned n = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      n += run->lab == lab && run->status == SL_RUN_PRUNED && is_chosen (run, choice->runs);
    }
  if (n > 0)
    sl_cli_report (
      ngettext ("%u run that an earlier version pruned is left out; its sweep, made again, "
                "goes on with it",
                "%u runs that an earlier version pruned are left out; their sweep, made "
                "again, goes on with them",
                n),
      n);
}

static SlExit
choose_runs (Shown *shown, const SlPlotChoice *choice)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) runs = sl_store_list (shown->store, NULL, FALSE, &error);
  int          cost = sl_trade_cost_typed (choice->cost);
  const SlLab *lab = choice->lab != NULL ? sl_describe_find_lab (choice->lab) : NULL;

  if (runs == NULL)
    return sl_cli_fail_error (error);
  if (choice->lab != NULL && lab == NULL)
    return SL_EXIT_USAGE;
  if (cost < 0)
    return SL_EXIT_USAGE;
  if (!check_words (runs, choice->runs))
    return SL_EXIT_USAGE;
  if (!sl_query_filter (choice->filter, runs, &error))
    {
      sl_cli_fail_error (error);
      return SL_EXIT_USAGE;
    }
  for (guint i = 0; i < runs->len && lab == NULL; i++)
    if (is_chosen (g_ptr_array_index (runs, i), choice->runs))
      lab = ((SlStoreRun *) g_ptr_array_index (runs, i))->lab;
  if (lab != NULL)
    {
      sl_trade_init (&shown->trade, lab, (SlCost) cost);
      for (guint i = 0; i < runs->len; i++)
        if (is_chosen (g_ptr_array_index (runs, i), choice->runs))
          sl_trade_add_stored (&shown->trade, g_ptr_array_index (runs, i));
      report_pruned (runs, lab, choice);
      if (shown->trade.runs->len > 0)
        {
          sl_trade_settle (&shown->trade);
          return SL_EXIT_FINE;
        }
    }
  return report_none (runs, lab, choice);
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
    if (!sl_store_load (shown->store, g_array_index (runs, SlTradeRun, i).id, FALSE, G_MAXUINT64,
                        &shown->loaded[i], &error))
      return sl_cli_fail_error (error);
  return SL_EXIT_FINE;
}

/* What a run is called among the others: its setting and seed, as far as they differ. */
static char *
title_of (const SlTrade *trade, const SlTradeRun *run, bool with_seed)
{
  const SlTradePoint *point = &g_array_index (trade->points, SlTradePoint, run->point);
  g_autofree char    *words = sl_trade_words (trade, point);

  if (!with_seed)
    return g_steal_pointer (&words);
  return trade->points->len > 1
           ? g_strdup_printf ("%s, seed %" G_GUINT64_FORMAT, words, (guint64) run->seed)
           : g_strdup_printf ("seed %" G_GUINT64_FORMAT, (guint64) run->seed);
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

static bool
any_error (const SlTrade *trade)
{
  for (guint i = 0; i < trade->runs->len; i++)
    if (isfinite (g_array_index (trade->runs, SlTradeRun, i).outcome.error))
      return true;
  return false;
}

static SlExit
plot_trade (Shown *shown, const char *path, const SlOutputs *outputs)
{
  SlFigure figure = { 0 };
  SlFront  front = { 0 };
  SlExit   code;

  if (!sl_trade_shows_cost (&shown->trade))
    return SL_EXIT_FAILED;
  if (!any_error (&shown->trade))
    {
      sl_cli_report ("%s: none of these runs has a test error", path);
      return SL_EXIT_FAILED;
    }
  code = save (&figure, sl_trade_figure (&shown->trade, &front, &figure), path, outputs);
  sl_figure_clear (&figure);
  sl_front_clear (&front);
  return code;
}

/* The place of a bar: the first number that varies. */
static double
order_of (const SlTrade *trade, const SlTradeRun *run)
{
  for (unsigned i = 0; i < trade->n_varies; i++)
    {
      SlKind kind = trade->lab->params[trade->varies[i]].kind;

      if (kind == SL_REAL || kind == SL_INTEGER)
        return sl_packed_value (run->settings, trade->lab->params, trade->varies[i]).v[0];
    }
  return 0;
}

static SlExit
plot_parts (Shown *shown, const char *path, const SlOutputs *outputs)
{
  const SlTrade         *trade = &shown->trade;
  g_autofree SlPartBars *parts = g_new0 (SlPartBars, 1);
  g_autoptr (GString) axis = g_string_new (NULL);
  SlFigure figure = { 0 };
  SlExit   code;

  for (unsigned i = 0; i < trade->n_varies; i++)
    g_string_append_printf (axis, "%s%s", i > 0 ? ", " : "",
                            trade->lab->params[trade->varies[i]].title);
  for (guint r = 0; r < trade->runs->len; r++)
    {
      const SlTradeRun *run = &g_array_index (trade->runs, SlTradeRun, r);
      g_autofree char  *name
        = sl_tradeoff_text (trade->lab, run->settings, trade->varies, trade->n_varies, false);

      for (unsigned s = 0; s < run->n_scores; s++)
        if (sl_part_bars_has (trade->lab, run->score[s].id))
          sl_part_bars_add (parts, name, order_of (trade, run), run->score[s].id,
                            run->score[s].value);
    }
  code = save (&figure, sl_part_bars_update (parts, trade->lab, axis->str, &figure), path, outputs);
  sl_figure_clear (&figure);
  return code;
}

/* Values alone, "gram, 5": there is little room below a picture. */
static char *
picture_name (const SlTrade *trade, const SlTradeRun *run)
{
  const SlTradePoint *point = &g_array_index (trade->points, SlTradePoint, run->point);
  g_autofree char    *values
    = sl_tradeoff_text (trade->lab, run->settings, trade->varies, trade->n_varies, false);
  GString *name = g_string_new (values);

  if (trade->data_varies)
    g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", run->data);
  if (point->n + point->diverged > 1)
    g_string_append_printf (name, "%sseed %" G_GUINT64_FORMAT, name->len > 0 ? ", " : "",
                            (guint64) run->seed);
  return g_string_free (name, FALSE);
}

static SlExit
add_picture (SlStore *store, const SlTrade *trade, const SlTradeRun *run, SlGallery *gallery)
{
  GError *error = NULL;
  g_autoptr (GBytes) png = sl_store_picture (store, run->id, &error);
  g_autofree char *name = NULL;
  SlBitmap         bitmap;
  SlStatus         status;

  if (error != NULL)
    return sl_cli_fail_error (error);
  if (png == NULL)
    return SL_EXIT_FINE;
  name = picture_name (trade, run);
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
      const SlTradeRun *run = &g_array_index (trade->runs, SlTradeRun, i);

      shown[gallery->n] = &settings[gallery->n];
      sl_settings_unpack (run->settings, trade->lab->params, trade->lab->n_params,
                          &settings[gallery->n]);
      code = add_picture (store, trade, run, gallery);
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

/* The run's own colour or, where another run of the figure has it, the next that none has. */
static unsigned
slot_of (const SlTradeRun *run, unsigned *taken)
{
  for (unsigned i = 0; i < SL_RUN_COLOURS; i++)
    {
      unsigned slot = (run->colour - 1 + i) % SL_RUN_COLOURS;

      if ((*taken & 1u << slot) != 0)
        continue;
      *taken |= 1u << slot;
      return slot;
    }
  return run->colour - 1;
}

/* A curve for each run. */
static bool
overlay_runs (const Shown *shown, SlFigure *figure)
{
  GArray  *runs = shown->trade.runs;
  unsigned taken = 0;
  bool     made = true;

  for (guint i = 0; i < runs->len && made; i++)
    {
      const SlTradeRun *run = &g_array_index (runs, SlTradeRun, i);
      g_autofree char  *title = title_of (&shown->trade, run, true);

      made = sl_overlay_record (
        figure, &(SlOverlayRun) { .title = title, .number = i + 1, .slot = slot_of (run, &taken) },
        &shown->loaded[i].record);
    }
  return made;
}

/* The band of one channel over the runs of a setting. */
static bool
band_of (const Shown *shown, guint point, unsigned channel, SlBand *band)
{
  GArray                     *runs = shown->trade.runs;
  g_autofree const SlSeries **series = g_new (const SlSeries *, runs->len);
  unsigned                    n = 0;

  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, SlTradeRun, i).point == point
        && channel < shown->loaded[i].record.layout.n)
      series[n++] = &shown->loaded[i].record.series[channel];
  return sl_band_make (band, series, n, SL_BAND_DEVIATION);
}

/* A curve for each setting; `bands` (points * channels) keeps what the figure borrows. */
static bool
overlay_bands (const Shown *shown, unsigned panel, SlFigure *figure, SlBand *bands)
{
  const SlTrade *trade = &shown->trade;
  bool           made = true;

  for (guint p = 0; p < trade->points->len && made; p++)
    {
      guint            first = g_array_index (trade->points, SlTradePoint, p).first;
      const SlLayout  *layout = &shown->loaded[first].record.layout;
      g_autofree char *title
        = title_of (trade, &g_array_index (trade->runs, SlTradeRun, first), false);
      SlOverlayRun run = { .title = title, .number = p + 1, .slot = p };
      unsigned     place = 0;

      for (unsigned c = 0; c < layout->n && made; c++)
        {
          const SlChannel *channel = &layout->channel[c];
          SlBand          *band = &bands[p * SL_CHANNELS_MAX + c];

          if (channel->panel != panel || !channel->series)
            continue;
          made = band_of (shown, p, c, band);
          if (made && band->n > 0)
            made = sl_overlay_band (
              figure, &run,
              &(SlOverlayTrace) { .id = channel->id,
                                  .title = sl_channel_title (trade->lab, channel).packed,
                                  .place = place,
                                  .unit = trade->lab->panels[panel].traces[channel->trace].unit },
              band);
          place++;
        }
    }
  return made;
}

static SlExit
plot_panel (Shown *shown, unsigned panel, bool bands, const char *path, const SlOutputs *outputs)
{
  guint    n = shown->trade.points->len * SL_CHANNELS_MAX;
  SlBand  *band = bands ? g_new0 (SlBand, n) : NULL;
  SlFigure figure = { 0 };
  SlExit   code = load_runs (shown);
  bool     made;

  if (code == SL_EXIT_FINE)
    {
      sl_overlay_begin (&figure, shown->trade.lab, panel);
      made = bands ? overlay_bands (shown, panel, &figure, band) : overlay_runs (shown, &figure);
      sl_overlay_end (&figure);
      code = save (&figure, made && !sl_figure_empty (&figure), path, outputs);
      sl_figure_clear (&figure);
    }
  for (guint i = 0; bands && i < n; i++)
    sl_band_clear (&band[i]);
  g_free (band);
  return code;
}

static SlExit
plot_one (Shown *shown, const char *word, const SlPlotChoice *choice, const SlOutputs *outputs)
{
  const char      *equals = strchr (word, '=');
  g_autofree char *id = equals != NULL ? g_strndup (word, (gsize) (equals - word)) : NULL;
  int              panel = id != NULL ? sl_lab_panel (shown->trade.lab, id) : -1;

  if (equals == NULL || equals[1] == '\0' || sl_export_format_for (equals + 1) < 0)
    {
      sl_cli_report ("\"%s\" should be trade=FILE, pictures=FILE, parts=FILE or PANEL=FILE, with "
                     ".svg, .png, .pdf or .tikz",
                     word);
      return SL_EXIT_USAGE;
    }
  if (!sl_looks_check (&outputs->looks, 1, (SlExportFormat) sl_export_format_for (equals + 1)))
    return SL_EXIT_USAGE;
  if (strcmp (id, "trade") == 0)
    return plot_trade (shown, equals + 1, outputs);
  if (strcmp (id, "parts") == 0 && shown->trade.lab->parts != NULL)
    return plot_parts (shown, equals + 1, outputs);
  if (strcmp (id, "pictures") == 0 && shown->trade.lab->picture != NULL)
    return plot_pictures (shown, equals + 1, outputs);
  if (panel < 0)
    {
      sl_cli_report ("%s has no panel \"%s\"", shown->trade.lab->id, id);
      return SL_EXIT_USAGE;
    }
  return plot_panel (shown, (unsigned) panel, choice->bands, equals + 1, outputs);
}

SlExit
sl_plot_store (const char *path, char **plots, const SlPlotChoice *choice, const SlOutputs *outputs)
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
  if (shown.trade.lab != NULL)
    {
      for (guint i = 0; shown.loaded != NULL && i < shown.trade.runs->len; i++)
        sl_stored_run_clear (&shown.loaded[i]);
      g_free (shown.loaded);
      sl_trade_clear (&shown.trade);
    }
  return code;
}
