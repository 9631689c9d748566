/* SPDX-License-Identifier: MIT */
#include "ui/export/page.h"

#include <glib/gi18n.h>

#include "core/run/base/language.h"
#include "plot/figure/panel.h"

enum { ACROSS = 4, MOST = 16, WIDTH = 260, ROW = 64 /* mm */, PAPER = 180, TITLE_SIZE = 96 };

static const double TYPE = 8.0, PAPER_TYPE = 6.5; /* pt */

typedef struct
{
  SlFigure  input; /* its own */
  SlFigure *figure[MOST];
  char      title[MOST][TITLE_SIZE]; /* that they have on the screen */
  unsigned  n, pictures;
} Page;

/* On paper they have the names that are above them on the screen, and pictures their sentence. */
static void
add (Page *page, SlPlotView *view, const char *title)
{
  SlFigure *figure = sl_plot_view_get_figure (view);

  g_strlcpy (page->title[page->n], figure->title, sizeof page->title[page->n]);
  g_strlcpy (figure->title, title, sizeof figure->title);
  figure->view.wordless = false;
  page->figure[page->n++] = figure;
}

static void
take_input (SlFigure *figure, const SlRecord *record, unsigned panel)
{
  figure->translated = TRUE;
  sl_panel_update (figure, record, panel, NULL, 0);
  figure->view.input = figure->view.wordless = true;
  g_strlcpy (figure->title, _ ("Input"), sizeof figure->title);
}

static void
page_init (Page *page, SlOverview *self)
{
  SlOverviewBand *band = sl_overview_get_band (self);
  SlGroup        *group = sl_overview_get_group (self);

  *page = (Page) { 0 };
  for (unsigned i = 0; i < sl_overview_band_get_n_pictures (band) && page->n < MOST; i++)
    {
      SlOverviewPicture *picture = sl_overview_band_get_picture (band, i);
      SlPlotView        *view = sl_overview_picture_get_view (picture);
      SlSession         *session = sl_overview_picture_get_session (picture);

      if (sl_figure_empty (sl_plot_view_get_figure (view)))
        continue;
      if (page->n == 0)
        {
          take_input (&page->input, sl_session_record (session),
                      (unsigned) sl_overview_picture_panel (sl_session_lab (session)));
          page->figure[page->n++] = &page->input;
        }
      add (page, view, sl_words (sl_session_lab (session)->title));
    }
  page->pictures = page->n;
  for (unsigned i = 0; i < sl_overview_get_n_cards (self) && page->n < MOST; i++)
    add (page, sl_overview_card_get_view (sl_overview_get_card (self, i)),
         sl_words (sl_group_lab (group, i)->overview->idea));
}

static void
page_clear (Page *page)
{
  for (unsigned i = 0; i < page->n; i++)
    if (page->figure[i] != &page->input)
      {
        g_strlcpy (page->figure[i]->title, page->title[i], sizeof page->figure[i]->title);
        page->figure[i]->view.wordless = i < page->pictures;
      }
  sl_figure_clear (&page->input);
}

/* "s 0.1 · r 16 · k 2 · fashion-mnist · seed 1 · update 600" */
static char *
caption_of (SlOverview *self)
{
  SlGroup   *group = sl_overview_get_group (self);
  SlSession *first = sl_group_session (group, 0);
  GString   *text = g_string_new (NULL);

  for (SlHeadline h = SL_HEADLINE_NONE + 1; h < SL_N_HEADLINES; h++)
    {
      SlHeadlineRange range;

      if (sl_group_headline (group, h, &range))
        g_string_append_printf (text, "%s %g · ", sl_headline_symbol (h), range.value);
    }
  if (sl_session_spec (first) != NULL)
    g_string_append_printf (text, "%s · ", sl_session_spec (first));
  g_string_append_printf (text, "seed %" G_GUINT64_FORMAT " · update %" G_GUINT64_FORMAT,
                          sl_group_seed (group), sl_session_info (first)->step);
  return g_string_free (text, FALSE);
}

static SlExportOptions
options_of (const Page *page, double width, double type)
{
  SlExportOptions options = sl_export_options (SL_PRESET_SCREEN, page->n);
  unsigned        rows = (page->n + ACROSS - 1) / ACROSS;

  options.across = MIN (page->n, ACROSS);
  options.width = width;
  options.height = width * ROW * MAX (rows, 1) / WIDTH;
  options.type = type;
  options.letters = false;
  options.title = "Sluice";
  return options;
}

gboolean
sl_overview_save (SlOverview *self, const char *path, GError **error)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self) && sl_overview_get_group (self) != NULL, FALSE);

  g_autofree char *caption = caption_of (self);
  int              format = sl_export_format_for (path);
  SlExportOptions  options;
  gboolean         saved;
  Page             page;

  page_init (&page, self);
  options = options_of (&page, WIDTH, TYPE);
  options.caption = caption;
  saved = sl_export_save (page.figure, page.n, &options,
                          format >= 0 ? (SlExportFormat) format : SL_EXPORT_PNG, path, error);
  page_clear (&page);
  return saved;
}

cairo_surface_t *
sl_overview_print (SlOverview *self)
{
  g_return_val_if_fail (SL_IS_OVERVIEW (self) && sl_overview_get_group (self) != NULL, NULL);

  g_autofree char *caption = caption_of (self);
  cairo_surface_t *surface;
  SlExportOptions  options;
  Page             page;

  page_init (&page, self);
  options = options_of (&page, PAPER, PAPER_TYPE);
  options.caption = caption;
  surface = sl_export_record (page.figure, page.n, &options);
  page_clear (&page);
  return surface;
}
