/* SPDX-License-Identifier: MIT
 *
 * What is in view, as a file or on the clipboard.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/background.h"
#include "core/run/base/save.h"
#include "core/run/foreign/stored.h"
#include "core/run/query/table.h"
#include "plot/export/export.h"
#include "plot/export/values.h"
#include "ui/export/dialog.h"
#include "ui/export/drawn.h"
#include "ui/kit/clipboard.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/prefs.h"
#include "ui/runs/private.h"

static const char *
view_of (SlRunsPage *self)
{
  return gtk_stack_get_visible_child_name (self->views);
}

/* The figures in view; returns how many. */
static unsigned
figures_of (SlRunsPage *self, SlFigure *figures[SL_MULTIPLES_MAX])
{
  unsigned n = 0;

  if (g_str_equal (view_of (self), "each"))
    n = sl_run_multiples_figures (self->multiples, figures);
  else if (g_str_equal (view_of (self), "curves"))
    figures[n++] = sl_plot_view_get_figure (self->curves);
  else if (g_str_equal (view_of (self), "pictures"))
    figures[n++] = sl_plot_view_get_figure (self->pictures);
  else if (g_str_equal (view_of (self), "parts"))
    figures[n++] = sl_runs_page_parts_figure (self);
  else if (g_str_equal (view_of (self), "gaps"))
    figures[n++] = sl_gap_view_get_figure (sl_runs_page_gaps (self));
  else if (g_str_equal (view_of (self), "parallel"))
    figures[n++] = sl_chart_get_figure (SL_CHART (self->parallel));
  else
    figures[n++] = sl_chart_get_figure (SL_CHART (self->front));
  return n;
}

static gboolean
is_of_files (SlRunsPage *self)
{
  return g_str_equal (view_of (self), "curves") && sl_runs_page_shows_files_alone (self);
}

/* The files of other programs whose curves are in view. */
static void
name_files (SlRunsPage *self, GString *out)
{
  for (unsigned i = 0; i < sl_curve_files_count (self->files); i++)
    g_string_append_printf (out, "%s%s", out->len > 0 ? " · " : "",
                            sl_curve_files_get (self->files, i)->title);
}

/* Lab, data and how many runs: what the reader of a paper would ask. */
static char *
caption_of (SlRunsPage *self)
{
  const SlRunSet *set = &self->set;
  GString        *out = g_string_new (NULL);

  if (set->lab != NULL && !is_of_files (self))
    {
      const char *data = sl_run_item_run (g_ptr_array_index (set->items, 0))->data;

      g_string_append (out, set->lab->title);
      if (data[0] != '\0')
        g_string_append_printf (out, " · %s", data);
      g_string_append_printf (out, set->items->len == 1 ? " · %u run" : " · %u runs",
                              set->items->len);
      for (unsigned i = 0; i < set->trade.n_varies; i++)
        g_string_append_printf (out, "%s%s", i == 0 ? " · varied: " : ", ",
                                set->lab->params[set->trade.varies[i]].id);
      if (set->trade.grouped)
        g_string_append_printf (out, " · grouped by %s", set->trade.field.id);
    }
  if (g_str_equal (view_of (self), "curves"))
    name_files (self, out);
  return g_string_free (out, out->len == 0);
}

/* Of several runs, that of the first: dropped on the window, the figure brings back one of them.  Free with g_free();
 * NULL: there is none.  */
static char *
recipe_of (SlRunsPage *self)
{
  if (self->set.items->len == 0 || is_of_files (self))
    return NULL;
  return sl_store_recipe (self->store,
                          sl_run_item_run (g_ptr_array_index (self->set.items, 0))->uuid, NULL);
}

/* The page of `n` figures; the texts must outlive it. */
static SlExportOptions
options_of (SlFigure *const *figures, unsigned n, const char *caption, const char *recipe)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, n);

  options.caption = caption;
  sl_export_fit (&options, SL_PRESET_SCREEN, figures, n);
  options.recipe = recipe;
  options.title = figures[0]->title;
  return options;
}

static GBytes *
make (SlRunsPage *self, SlExportFormat format, GError **error)
{
  SlFigure        *figures[SL_MULTIPLES_MAX];
  unsigned         n = figures_of (self, figures);
  g_autofree char *caption = caption_of (self), *recipe = recipe_of (self);
  SlExportOptions  options = options_of (figures, n, caption, recipe);

  return sl_export_page (figures, n, &options, format, error);
}

/* The place of legends on pages that are saved: chosen here or for the plots of a run. */
static SlLegendPlace
legend_of (void)
{
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  g_autofree char *legend = sl_prefs_get_string (prefs, "export-legend");

  return (SlLegendPlace) MAX (sl_export_legend_find (legend), 0);
}

static gboolean
save_charts (SlRunsPage *self, const char *path, GError **error)
{
  SlFigure        *figures[SL_MULTIPLES_MAX];
  unsigned         n = figures_of (self, figures);
  g_autofree char *caption = caption_of (self), *recipe = recipe_of (self);
  SlExportOptions  options = options_of (figures, n, caption, recipe);
  int              format = sl_export_format_for (path);

  options.legend = legend_of ();
  return sl_export_save (figures, n, &options,
                         format >= 0 ? (SlExportFormat) format : SL_EXPORT_PNG, path, error);
}

/* The rows as they are filtered and sorted. */
static gboolean
save_table (SlRunsPage *self, const char *path, GError **error)
{
  g_autoptr (GPtrArray) items = sl_run_table_get_shown (self->table);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (runs, (gpointer) sl_run_item_run (g_ptr_array_index (items, i)));
  text = sl_store_table_csv (runs);
  return sl_save (path, text, strlen (text), error);
}

static char *
saved_text (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  /* Translators: the name of a file. */
  return g_strdup_printf (_ ("Saved %s"), name);
}

void
sl_runs_page_export_to (SlRunsPage *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;

  sl_runs_page_update (self);
  if (g_str_has_suffix (path, ".csv") ? save_table (self, path, &error)
                                      : save_charts (self, path, &error))
    sentence = saved_text (path);
  sl_runs_page_notify (self, sentence != NULL ? sentence : error->message);
}

static void
ask_for_place (SlRunsPage *self, const SlFileQuestion *question, SlFileChosen chosen)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    sl_file_dialog_open (&self->chooser, GTK_WINDOW (root), question, chosen,
                         (SlFileChosen) sl_runs_page_notify, self);
}

/* ---- the charts in view as a source of the dialog ---- */

static const char *
chart_title (gpointer page, unsigned chart)
{
  SlFigure *figures[SL_MULTIPLES_MAX];

  return chart < figures_of (page, figures) ? figures[chart]->title : "";
}

/* The chart may have gone with its runs since the dialog was opened. */
static gboolean
chart_has_data (gpointer page, unsigned chart)
{
  SlFigure *figures[SL_MULTIPLES_MAX];

  return chart < figures_of (page, figures) && !sl_figure_empty (figures[chart]);
}

/* The chosen figures that have data, in their order; returns how many. */
static unsigned
chosen_charts (SlRunsPage *self, const SlExportPanels *charts, SlFigure *chosen[SL_MULTIPLES_MAX])
{
  SlFigure *figures[SL_MULTIPLES_MAX];
  unsigned  n = 0, there = figures_of (self, figures);

  for (unsigned i = 0; i < (charts->n > 0 ? charts->n : there) && n < SL_MULTIPLES_MAX; i++)
    {
      unsigned chart = charts->n > 0 ? charts->panel[i] : i;

      if (chart < there && !sl_figure_empty (figures[chart]))
        chosen[n++] = figures[chart];
    }
  return n;
}

static gboolean
chart_is_zoomed (gpointer page, const SlExportPanels *charts)
{
  SlFigure *figures[SL_MULTIPLES_MAX];
  unsigned  n = chosen_charts (page, charts, figures);
  gboolean  zoomed = FALSE;

  for (unsigned i = 0; i < n; i++)
    zoomed = zoomed || figures[i]->view.zoomed;
  return zoomed;
}

/* As high as a table of pictures needs. */
static void
fit_chart (gpointer page, const SlExportPanels *charts, SlExportChoice *choice)
{
  g_autofree char *caption = choice->caption ? caption_of (page) : NULL;
  SlFigure        *figures[SL_MULTIPLES_MAX];

  choice->page.caption = caption;
  sl_export_fit (&choice->page, choice->preset, figures, chosen_charts (page, charts, figures));
  choice->page.caption = NULL;
}

static char *
chart_name (gpointer page, const SlExportPanels *charts, const SlExportChoice *choice)
{
  SlRunsPage *self = page;

  return g_strdup_printf ("%s-%s.%s", self->set.lab != NULL ? self->set.lab->id : "runs",
                          view_of (self), sl_export_kind_id (choice->format));
}

static GBytes *
make_charts (gpointer page, const SlExportPanels *charts, const SlExportChoice *choice,
             GError **error)
{
  SlFigure        *figures[SL_MULTIPLES_MAX];
  unsigned         n = chosen_charts (page, charts, figures);
  g_autofree char *caption = caption_of (page), *recipe = recipe_of (page);

  return sl_export_drawn_make (&(SlExportDrawn) { figures, n, caption, recipe }, choice, error);
}

static gboolean
write_charts (gpointer page, const SlExportPanels *charts, const SlExportChoice *choice,
              const char *path, GError **error)
{
  SlFigure        *figures[SL_MULTIPLES_MAX];
  unsigned         n = chosen_charts (page, charts, figures);
  g_autofree char *caption = caption_of (page), *recipe = recipe_of (page);

  return sl_export_drawn_save (&(SlExportDrawn) { figures, n, caption, recipe }, choice, path,
                               error);
}

static void
on_written (gpointer page, const SlExportChoice *choice, const SlExportPanels *charts,
            const char *path, gboolean named)
{
  g_autofree char *sentence = saved_text (path);

  sl_runs_page_notify (page, sentence);
}

void
sl_runs_page_export (SlRunsPage *self)
{
  g_autoptr (SlPrefs) prefs = sl_prefs_new ();
  GtkRoot  *root = gtk_widget_get_root (GTK_WIDGET (self));
  SlFigure *figures[SL_MULTIPLES_MAX];
  unsigned  n, all = 0;

  sl_runs_page_update (self);
  n = figures_of (self, figures);
  for (unsigned i = 0; i < n; i++)
    all += !sl_figure_empty (figures[i]);
  if (all == 0)
    sl_runs_page_notify (self, _ ("There is nothing to export yet"));
  else if (GTK_IS_WINDOW (root))
    sl_export_dialog_open (
      GTK_WINDOW (root),
      (SlExportSource) { .data = g_object_ref (self),
                         .free = g_object_unref,
                         .n = n,
                         .kinds = sl_export_has_values (figures[0]) ? SL_KIND_CSV + 1 : SL_KIND_CSV,
                         .title = chart_title,
                         .has_data = chart_has_data,
                         .is_zoomed = chart_is_zoomed,
                         .fit = fit_chart,
                         .name = chart_name,
                         .make = make_charts,
                         .save = write_charts },
      prefs, -1, on_written, self);
}

void
sl_runs_page_export_table (SlRunsPage *self)
{
  ask_for_place (
    self,
    &(SlFileQuestion) {
      .title = _ ("Save the table as CSV"), .name = "runs.csv", .kind = "CSV", .pattern = "*.csv" },
    (SlFileChosen) sl_runs_page_export_to);
}

/* Curves on their way into files. */
typedef struct
{
  SlStore *store;
  char   **uuids;
  char    *path;
  gboolean events; /* a folder of event files; else a table */
} Curves;

static void
curves_free (gpointer data)
{
  Curves *curves = data;

  g_object_unref (curves->store);
  g_strfreev (curves->uuids);
  g_free (curves->path);
  g_free (curves);
}

static gboolean
write_curves (gpointer data, GError **error)
{
  Curves            *curves = data;
  const char *const *uuids = (const char *const *) curves->uuids;
  g_autofree char   *wide = NULL;

  if (curves->events)
    return sl_stored_events (curves->store, uuids, curves->path, error);
  wide = sl_stored_wide (curves->store, uuids, error);
  return wide != NULL && sl_save (curves->path, wide, strlen (wide), error);
}

static void
on_curves_written (gpointer page, gpointer data, const GError *error)
{
  g_autoptr (SlRunsPage) self = page;
  g_autofree char *sentence = error == NULL ? saved_text (((Curves *) data)->path) : NULL;

  sl_runs_page_notify (self, sentence != NULL ? sentence : error->message);
}

/* The runs that are selected, or all that are shown. */
static char **
chosen_runs (SlRunsPage *self)
{
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (self->table);
  g_autoptr (GPtrArray) items
    = selected->len > 0 ? g_ptr_array_ref (selected) : sl_run_table_get_shown (self->table);
  g_autoptr (GStrvBuilder) uuids = g_strv_builder_new ();

  for (guint i = 0; i < items->len; i++)
    g_strv_builder_add (uuids, sl_run_item_run (g_ptr_array_index (items, i))->uuid);
  return g_strv_builder_end (uuids);
}

void
sl_runs_page_export_curves_to (SlRunsPage *self, const char *path, gboolean events)
{
  Curves *curves;

  g_return_if_fail (SL_IS_RUNS_PAGE (self) && path != NULL);
  if (self->store == NULL)
    return;
  curves = g_new (Curves, 1);
  *curves = (Curves) { g_object_ref (self->store), chosen_runs (self), g_strdup (path), events };
  sl_background_run (write_curves, on_curves_written, g_object_ref (self), NULL, curves,
                     curves_free);
}

static void
on_wide_chosen (gpointer page, const char *path)
{
  sl_runs_page_export_curves_to (page, path, FALSE);
}

static void
on_events_chosen (gpointer page, const char *path)
{
  sl_runs_page_export_curves_to (page, path, TRUE);
}

void
sl_runs_page_export_curves (SlRunsPage *self, gboolean events)
{
  if (events)
    ask_for_place (
      self, &(SlFileQuestion) { .title = _ ("A folder for the event files"), .name = "events" },
      on_events_chosen);
  else
    ask_for_place (self,
                   &(SlFileQuestion) { .title = _ ("Save the curves as CSV"),
                                       .name = "curves.csv",
                                       .kind = "CSV",
                                       .pattern = "*.csv" },
                   on_wide_chosen);
}

void
sl_runs_page_copy (SlRunsPage *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) png = make (self, SL_EXPORT_PNG, &error);
  g_autoptr (GBytes) svg = png != NULL ? make (self, SL_EXPORT_SVG, &error) : NULL;

  if (svg == NULL)
    {
      sl_runs_page_notify (self, error->message);
      return;
    }
  sl_clipboard_set (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                    (SlClipboardForm[]) { { "image/png", png }, { "image/svg+xml", svg } }, 2);
  sl_runs_page_notify (self, _ ("Copied as PNG and SVG"));
}
