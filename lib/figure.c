/* SPDX-License-Identifier: MIT
 *
 * Figures and pages of a run; see sluice.h.  */
#include <string.h>

#include "lib/run-private.h"
#include "plot/export/looks.h"
#include "plot/export/values.h"
#include "plot/figure/panel.h"
#include "plot/page/page.h"

/* What was drawn of one run, which keeps that, so that the run can go on; figures that are joined share it. */
typedef struct
{
  gatomicrefcount references;
  SlRecord        record;
  SlFigure       *figure; /* (n) */
  unsigned        n;
} Part;

struct SluiceFigure
{
  GPtrArray *parts;
  GPtrArray *page; /* of SlFigure, of the parts: those that have something to show */
  SlLooks    looks;
  char      *recipe; /* of the first part */
};

static SlFigure **
page_of (const SluiceFigure *figure)
{
  return (SlFigure **) figure->page->pdata;
}

static void
drop_part (gpointer data)
{
  Part *part = data;

  if (!g_atomic_ref_count_dec (&part->references))
    return;
  for (unsigned i = 0; i < part->n; i++)
    sl_figure_clear (&part->figure[i]);
  if (part->record.lab != NULL)
    sl_record_clear (&part->record);
  g_free (part->figure);
  g_free (part);
}

/* ---- what is drawn ---- */

/* Panels, with the one curve that is drawn alone, or -1. */
typedef struct
{
  unsigned panel;
  int      channel;
} Chosen;

static GArray *
choose_front (const SluiceRun *run)
{
  GArray    *chosen = g_array_new (FALSE, FALSE, sizeof (Chosen));
  SlSettings settings = sl_lib_settings (run);
  unsigned   panel[1 + SL_FRONT_PLOTS];
  unsigned   n = sl_page_front (run->plan.lab, &settings, run->run.dataset, panel);

  for (unsigned i = 0; i < n; i++)
    g_array_append_vals (chosen, &(Chosen) { panel[i], -1 }, 1);
  return chosen;
}

/* One word: a panel or a curve. */
static SluiceCode
choose_one (const SluiceRun *run, const char *word, Chosen *chosen)
{
  unsigned channel;

  chosen->channel = -1;
  if (strchr (word, '.') == NULL)
    return sl_lib_panel (run, word, &chosen->panel);

  SluiceCode code = sl_lib_channel (run, word, &channel);

  if (code == SLUICE_FINE)
    *chosen = (Chosen) { run->run.record.layout.channel[channel].panel, (int) channel };
  return code;
}

/* The panels and curves of words with spaces between them; free with g_array_unref(), also after a failure. */
static SluiceCode
choose (const SluiceRun *run, const char *panels, GArray **chosen)
{
  g_auto (GStrv) word = panels != NULL ? g_strsplit (panels, " ", -1) : NULL;
  SluiceCode code = SLUICE_FINE;

  if (panels == NULL)
    {
      *chosen = choose_front (run);
      return SLUICE_FINE;
    }
  *chosen = g_array_new (FALSE, FALSE, sizeof (Chosen));
  for (char **w = word; *w != NULL && code == SLUICE_FINE; w++)
    {
      Chosen one;

      if (**w == '\0')
        continue;
      code = choose_one (run, *w, &one);
      if (code == SLUICE_FINE)
        g_array_append_val (*chosen, one);
    }
  if (code == SLUICE_FINE && (*chosen)->len == 0)
    code = sl_lib_refuse (SLUICE_INVALID, "no panel is named; the front page is drawn without any "
                                          "names");
  return code;
}

/* Measures those that are measured when they are looked at. */
static SluiceCode
probe_chosen (SluiceRun *run, const GArray *chosen)
{
  SluiceCode code = SLUICE_FINE;

  for (guint i = 0; i < chosen->len && code == SLUICE_FINE; i++)
    code = sl_lib_probe (run, g_array_index (chosen, Chosen, i).panel);
  return code;
}

/* Switches off all curves but one. */
static void
leave_alone (SlFigure *figure, const char *id)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (strcmp (figure->curve[c].id, id) != 0)
      figure->curve[c].hidden = true;
}

/* ---- looks ---- */

static SluiceCode
read_number (const char *key, const char *text, double *number)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0'
           ? SLUICE_FINE
           : sl_lib_refuse (SLUICE_INVALID, "%s: found “%.40s”, expected a number", key, text);
}

/* One line "key=value". */
static SluiceCode
read_look (SlLooks *looks, const char *key, const char *value)
{
  const struct
  {
    const char *key;
    char      **text;
    double     *number;
  } keys[] = {
    { "page", &looks->page, NULL },     { "style", &looks->style, NULL },
    { "size", &looks->size, NULL },     { "theme", &looks->theme, NULL },
    { "legend", &looks->legend, NULL }, { "palette", &looks->palette, NULL },
    { "inset", &looks->inset, NULL },   { "caption", &looks->caption, NULL },
    { "dpi", NULL, &looks->dpi },       { "type", NULL, &looks->type },
    { "line", NULL, &looks->line },
  };
  double number;

  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (key, keys[i].key) == 0)
      {
        if (keys[i].number != NULL)
          return read_number (key, value, keys[i].number);
        g_free (*keys[i].text);
        *keys[i].text = g_strdup (value);
        return SLUICE_FINE;
      }
  if (strcmp (key, "across") == 0)
    {
      SluiceCode code = read_number (key, value, &number);

      looks->across = number > 0 ? (int) MIN (number, 64) : 0; /* not-a-number is none */
      return code;
    }
  return sl_lib_refuse (SLUICE_INVALID,
                        "a figure has no “%.40s”; there are page, style, size, dpi, type, line, "
                        "theme, palette, legend, across, inset and caption",
                        key);
}

static SluiceCode
read_looks (SlLooks *looks, const char *text)
{
  g_auto (GStrv) line = g_strsplit (text != NULL ? text : "", "\n", -1);
  SluiceCode code = SLUICE_FINE;

  sl_looks_init (looks);
  for (char **l = line; *l != NULL && code == SLUICE_FINE; l++)
    {
      char *equals = strchr (*l, '=');

      if (**l == '\0')
        continue;
      if (equals != NULL)
        *equals = '\0';
      code = read_look (looks, *l, equals != NULL ? equals + 1 : "");
    }
  return code;
}

/* ---- figures ---- */

/* One without parts, of these looks; to be freed also after a failure. */
static SluiceCode
begin (SluiceFigure **figure, const char *looks)
{
  *figure = g_new0 (SluiceFigure, 1);
  (*figure)->parts = g_ptr_array_new_with_free_func (drop_part);
  (*figure)->page = g_ptr_array_new ();
  return read_looks (&(*figure)->looks, looks);
}

/* An inset that no curve has is refused, where a command line, which may have trained for hours, leaves it out. */
static SluiceCode
check_inset (const SluiceFigure *figure)
{
  g_autofree char *note = NULL;
  GError          *error = NULL;

  if (!sl_looks_add_insets (&figure->looks, page_of (figure), figure->page->len, &note, &error))
    return sl_lib_fail_error (error);
  return note == NULL ? SLUICE_FINE : sl_lib_refuse (SLUICE_INVALID, "%s", note);
}

/* Whether it can be drawn; else frees it. */
static SluiceCode
finish (SluiceFigure **figure, SluiceCode code)
{
  GError *error = NULL;

  if (code == SLUICE_FINE
      && !sl_looks_possible (&(*figure)->looks, (*figure)->page->len, SL_EXPORT_SVG, &error))
    code = sl_lib_fail_error (error);
  if (code == SLUICE_FINE)
    code = check_inset (*figure);
  if (code != SLUICE_FINE)
    g_clear_pointer (figure, sluice_figure_free);
  return code;
}

/* Draws what the run has now. */
static SluiceCode
draw (SluiceFigure *figure, const SluiceRun *run, const GArray *chosen)
{
  SlSettings settings = sl_lib_settings (run);
  Part      *part = g_new0 (Part, 1);

  g_atomic_ref_count_init (&part->references);
  g_ptr_array_add (figure->parts, part);
  if (!sl_record_copy (&part->record, &run->run.record, &settings))
    return sl_lib_refuse (SLUICE_MEMORY, "there is not enough memory for a copy of the run");
  part->n = chosen->len;
  part->figure = g_new0 (SlFigure, part->n);
  for (unsigned i = 0; i < part->n; i++)
    {
      const Chosen *one = &g_array_index (chosen, Chosen, i);
      SlFigure     *f = &part->figure[i];

      sl_panel_update (f, &part->record, one->panel, NULL, 0);
      if (one->channel >= 0)
        leave_alone (f, run->run.record.layout.channel[one->channel].id);
      if (!sl_figure_empty (f))
        g_ptr_array_add (figure->page, f);
    }
  return figure->page->len > 0
           ? SLUICE_FINE
           : sl_lib_refuse (SLUICE_UNSUPPORTED,
                            "there is nothing to draw yet; train the run first");
}

SluiceCode
sluice_figure_new (SluiceRun *run, const char *panels, const char *looks, SluiceFigure **figure)
{
  g_autoptr (GArray) chosen = NULL;
  SluiceCode code;

  *figure = NULL;
  SL_LIB_ENTER ();
  code = choose (run, panels, &chosen);
  if (code == SLUICE_FINE)
    code = probe_chosen (run, chosen);
  if (code != SLUICE_FINE)
    return code;
  code = begin (figure, looks);
  if (code == SLUICE_FINE)
    code = draw (*figure, run, chosen);
  if (code == SLUICE_FINE)
    code = sluice_run_recipe (run, &(*figure)->recipe);
  return finish (figure, code);
}

SluiceCode
sluice_figure_join (SluiceFigure *const *figures, unsigned n, const char *looks,
                    SluiceFigure **figure)
{
  SluiceCode code;

  *figure = NULL;
  SL_LIB_ENTER ();
  if (n == 0)
    return sl_lib_refuse (SLUICE_INVALID, "found no figure to join, expected one or more");
  code = begin (figure, looks);
  (*figure)->recipe = g_strdup (figures[0]->recipe);
  for (unsigned i = 0; i < n; i++)
    {
      for (guint p = 0; p < figures[i]->parts->len; p++)
        {
          Part *part = g_ptr_array_index (figures[i]->parts, p);

          g_atomic_ref_count_inc (&part->references);
          g_ptr_array_add ((*figure)->parts, part);
        }
      g_ptr_array_extend ((*figure)->page, figures[i]->page, NULL, NULL);
    }
  return finish (figure, code);
}

/* The format of an ending without its dot, or -1. */
static int
format_of (const char *ending)
{
  g_autofree char *name = g_strconcat ("figure.", ending, NULL);

  return sl_export_format_for (name);
}

SluiceCode
sluice_figure_bytes (const SluiceFigure *figure, const char *format, void **bytes, size_t *n)
{
  GError          *error = NULL;
  g_autofree char *note = NULL;
  g_autoptr (GBytes) page = NULL;

  *bytes = NULL;
  *n = 0;
  SL_LIB_ENTER ();
  if (format_of (format) < 0)
    return sl_lib_refuse (SLUICE_INVALID,
                          "there is no format “%.20s”; there are svg, png, pdf, tex, py and csv",
                          format);
  page = sl_looks_bytes (&figure->looks, page_of (figure), figure->page->len, figure->recipe,
                         (SlExportFormat) format_of (format), &note, &error);
  if (page == NULL)
    return sl_lib_fail_error (error);
  *bytes = g_memdup2 (g_bytes_get_data (page, n), g_bytes_get_size (page));
  return SLUICE_FINE;
}

SluiceCode
sluice_figure_save (const SluiceFigure *figure, const char *path)
{
  GError          *error = NULL;
  g_autofree char *note = NULL;

  SL_LIB_ENTER ();
  if (sl_export_format_for (path) < 0)
    return sl_lib_refuse (SLUICE_INVALID,
                          "%s: what kind of a figure it is to be is not clear; the name ends in "
                          ".svg, .png, .pdf, .tex, .py or .csv",
                          path);
  return sl_looks_save (&figure->looks, page_of (figure), figure->page->len, figure->recipe, path,
                        &note, &error)
           ? SLUICE_FINE
           : sl_lib_fail_error (error);
}

void
sluice_figure_free (SluiceFigure *figure)
{
  if (figure == NULL)
    return;
  g_ptr_array_unref (figure->page);
  g_ptr_array_unref (figure->parts);
  sl_looks_clear (&figure->looks);
  g_free (figure->recipe);
  g_free (figure);
}

/* ---- a page ---- */

static SluiceCode
write_page (const SluiceRun *run, const GArray *chosen, const char *path)
{
  g_autofree unsigned *panel = g_new (unsigned, chosen->len);
  SlRecipe             recipe = run->run.recipe;
  SlExportOptions      options = sl_export_options (SL_PRESET_SCREEN, 1);
  GError              *error = NULL;
  g_autoptr (GBytes) page = NULL;

  for (guint i = 0; i < chosen->len; i++)
    panel[i] = g_array_index (chosen, Chosen, i).panel;
  recipe.step = sluice_run_updates (run);
  page = sl_page_run (
    &(SlPageRun) {
      .record = &run->run.record, .recipe = &recipe, .panel = panel, .n_panels = chosen->len },
    &error);
  if (page == NULL
      || !sl_export_save_bytes (g_bytes_get_data (page, NULL), g_bytes_get_size (page), &options,
                                path, &error))
    return sl_lib_fail_error (error);
  return SLUICE_FINE;
}

SluiceCode
sluice_run_page (SluiceRun *run, const char *panels, const char *path)
{
  g_autoptr (GArray) chosen = NULL;
  SluiceCode code;

  SL_LIB_ENTER ();
  code = choose (run, panels, &chosen);
  if (code == SLUICE_FINE)
    code = probe_chosen (run, chosen);
  return code == SLUICE_FINE ? write_page (run, chosen, path) : code;
}
