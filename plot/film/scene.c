/* SPDX-License-Identifier: MIT */
#include "plot/film/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "plot/export/sheet.h"
#include "plot/figure/panel.h"

/* "1,200", as it is written in English. */
static char *
grouped (uint64_t number)
{
  g_autofree char *digits = g_strdup_printf ("%" PRIu64, number);
  GString         *text = g_string_new (NULL);
  gsize            n = strlen (digits);

  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append_c (text, ',');
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

static void
write_caption (SlScene *self, uint64_t step)
{
  const SlFilm    *film = self->film;
  const char      *more = film->page.caption != NULL ? film->page.caption : "";
  g_autofree char *number = grouped (step);

  g_free (self->caption);
  self->caption = g_strdup_printf ("%s %s%s%s", sl_lab_each_step (film->record->lab), number,
                                   *more != '\0' ? " \302\267 " : "", more);
  self->options.caption = self->caption;
}

/* Begins anew, before the first moment. */
static gboolean
rewind_record (SlScene *self)
{
  const SlFilm *film = self->film;
  SlStatus      status;

  if (self->record.lab != NULL)
    sl_record_clear (&self->record);
  status = sl_record_init (&self->record, film->record->lab, film->settings, ++self->generation);
  if (!sl_ok (&status) || self->record.layout.n != film->record->layout.n)
    return FALSE;
  self->record.data = film->record->data;
  return TRUE;
}

/* Curves that are still to come begin with a gap, so that the legend has them from the first frame on. */
static gboolean
grow_series (SlSeries *series, const SlSeries *whole, double step)
{
  size_t end = sl_series_find (whole, nextafter (step, HUGE_VAL)), from = series->n;
  bool   gap = series->n > 0 && series->step[0] < whole->step[0];

  if (series->n == 0 && whole->n > 0 && end == 0)
    return sl_series_append (series, step, NAN);
  for (size_t i = from - gap; i < end; i++)
    if (!sl_series_append (series, whole->step[i], whole->value[i]))
      return FALSE;
  return TRUE;
}

static gboolean
grow_record (SlScene *self, double step)
{
  const SlRecord *whole = self->film->record;

  for (unsigned c = 0; c < whole->layout.n; c++)
    if (!grow_series (&self->record.series[c], &whole->series[c], step))
      return FALSE;
  for (unsigned f = self->record.n_flags; f < whole->n_flags && whole->flag[f].step <= step; f++)
    if (!sl_record_mark (&self->record, whole->flag[f].step, whole->flag[f].text))
      return FALSE;
  return TRUE;
}

/* The gap that a curve began with is no value that could not be computed. */
static void
drop_first_gaps (const SlScene *self, SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      SlCurve        *curve = &figure->curve[c];
      const SlSeries *whole = NULL;

      for (unsigned k = 0; curve->series != NULL && k < self->record.layout.n; k++)
        if (curve->series == &self->record.series[k])
          whole = &self->film->record->series[k];
      if (whole != NULL && whole->n > 0 && curve->n_holes > 0 && curve->hole[0].last == 0
          && curve->series->step[0] < whole->step[0])
        curve->n_holes = 0;
    }
}

static SlRange
or_given (SlRange range, double lo, double hi)
{
  return range.lo < range.hi ? range : (SlRange) { lo, hi };
}

/* Axes and colours that are as they are to be over all moments. */
static void
fix_ranges (SlFigure *figure, const SlSceneRanges *range)
{
  const SlFigureKind *kind = sl_figure_kind (figure);
  SlRange             x = or_given (range->x, figure->x.lo, figure->x.hi);
  SlRange             y = or_given (range->y, figure->y.lo, figure->y.hi);
  SlRange             colours = or_given (range->colours, figure->colours.lo, figure->colours.hi);

  if (kind->lines || kind->steps)
    {
      figure->x.lo = x.lo;
      figure->x.hi = x.hi;
    }
  if (kind->values && !kind->rows)
    {
      figure->y.lo = y.lo;
      figure->y.hi = y.hi;
    }
  figure->colours.lo = colours.lo;
  figure->colours.hi = colours.hi;
}

static gboolean
take_shot (SlScene *self, unsigned moment, unsigned panel)
{
  const SlFilmMoments *moments = &self->film->moments;
  const SlSnapshot    *shot;
  SlSnapshot           shown;

  if (sl_panel_is_series (self->record.lab->panels[panel].kind))
    return TRUE;
  shot = moments->shot (moments->of, moment, panel);
  if (shot == NULL)
    return TRUE;
  shown = *shot;
  shown.panel = panel;
  shown.generation = self->record.generation;
  return sl_record_show (&self->record, &shown);
}

gboolean
sl_scene_show (SlScene *scene, unsigned moment)
{
  const SlFilmMoments *moments = &scene->film->moments;
  uint64_t             step = moments->step (moments->of, moment);

  if (((moment == 0 || scene->record.lab == NULL) && !rewind_record (scene))
      || !grow_record (scene, (double) step))
    return FALSE;
  /* A pass was timed when the run had ended. */
  if (moment + 1 == moments->n)
    sl_record_time (&scene->record, &scene->film->record->times);
  for (unsigned i = 0; i < scene->film->n; i++)
    {
      SlFigure *figure = &scene->figure[i];

      if (!take_shot (scene, moment, scene->film->panel[i]))
        return FALSE;
      sl_panel_update (figure, &scene->record, scene->film->panel[i], NULL, 0);
      drop_first_gaps (scene, figure);
      if (scene->ranges_known)
        fix_ranges (figure, &scene->range[i]);
    }
  write_caption (scene, step);
  return TRUE;
}

static void
widen (SlRange *range, double lo, double hi)
{
  if (isfinite (lo) && isfinite (hi) && lo < hi)
    *range = range->lo < range->hi ? (SlRange) { MIN (range->lo, lo), MAX (range->hi, hi) }
                                   : (SlRange) { lo, hi };
}

static void
widen_by (SlSceneRanges *range, SlFigure *figure)
{
  sl_figure_fit (figure, HUGE_VAL);
  if (sl_figure_empty (figure))
    return;
  widen (&range->x, figure->x_range.lo, figure->x_range.hi);
  widen (&range->y, figure->y_range.lo, figure->y_range.hi);
  widen (&range->colours, figure->colours.tint.scale.lo, figure->colours.tint.scale.hi);
}

static gboolean
no_memory (GError **error)
{
  return sl_fail (error, SL_ENOMEM, "film", NULL, NULL);
}

/* The ranges of curves are those of the whole run, those of snapshots of all that are shown. */
static gboolean
find_ranges (SlScene *self, GCancellable *cancellable, GError **error)
{
  const SlFilm *film = self->film;

  for (unsigned m = 0; m < film->moments.n; m++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!sl_scene_show (self, m))
        return no_memory (error);
      for (unsigned i = 0; i < film->n; i++)
        if (!sl_figure_kind (&self->figure[i])->steps)
          widen_by (&self->range[i], &self->figure[i]);
    }
  for (unsigned i = 0; i < film->n; i++)
    if (sl_panel_is_series (film->record->lab->panels[film->panel[i]].kind))
      {
        SlFigure whole = { 0 };

        sl_panel_update (&whole, film->record, film->panel[i], NULL, 0);
        widen_by (&self->range[i], &whole);
        sl_figure_clear (&whole);
      }
  self->ranges_known = TRUE;
  return TRUE;
}

/* The most room that a plot leaves around it. */
static gboolean
find_margins (SlScene *self, GCancellable *cancellable, GError **error)
{
  for (unsigned m = 0; m < self->film->moments.n; m++)
    {
      SlPlotSheet sheet;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!sl_scene_show (self, m))
        return no_memory (error);
      sl_plot_sheet_init (&sheet, self->page, self->film->n, &self->options,
                          self->options.dpi / 96.0);
      for (unsigned i = 0; i < self->film->n; i++)
        {
          SlMargins     *margins = &self->margins[i];
          const SlFrame *frame = &sheet.frame[i];

          margins->left = MAX (margins->left, frame->left);
          margins->top = MAX (margins->top, frame->top);
          margins->right = MAX (margins->right, frame->right);
        }
      sl_plot_sheet_clear (&sheet);
    }
  return TRUE;
}

gboolean
sl_scene_init (SlScene *scene, const SlFilm *film, GCancellable *cancellable, GError **error)
{
  *scene = (SlScene) { .film = film, .options = film->page };
  scene->options.margins = scene->margins;
  for (unsigned i = 0; i < film->n; i++)
    scene->page[i] = &scene->figure[i];
  return find_ranges (scene, cancellable, error) && find_margins (scene, cancellable, error);
}

void
sl_scene_clear (SlScene *scene)
{
  for (unsigned i = 0; i < scene->film->n; i++)
    sl_figure_clear (&scene->figure[i]);
  if (scene->record.lab != NULL)
    sl_record_clear (&scene->record);
  g_free (scene->caption);
}

void
sl_film_fit (SlFilm *film, SlExportPreset preset)
{
  SlScene scene = { .film = film, .options = film->page };

  if (film->n == 1 && sl_scene_show (&scene, film->moments.n - 1))
    {
      scene.options.caption = scene.caption;
      sl_export_fit (&scene.options, preset, (SlFigure *[]) { &scene.figure[0] }, 1);
      film->page.height = scene.options.height;
    }
  sl_scene_clear (&scene);
}
