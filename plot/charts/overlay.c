/* SPDX-License-Identifier: MIT
 *
 * Curves of several runs in one figure; see overlay.h.  */
#include "plot/charts/overlay.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/base/theme.h"
#include "plot/figure/panel.h"

/* Most runs whose curves carry markers, and whose lines are of the usual width; dashes that there are. */
enum { FEW_RUNS = 6, USUAL_RUNS = 30, DASHES = 3 };

void
sl_overlay_begin (SlFigure *figure, const SlLab *lab, unsigned panel)
{
  bool other = !figure->view_set || strcmp (figure->title, lab->panels[panel].title) != 0;

  sl_panel_describe (figure, lab, panel);
  if (other)
    {
      figure->view = (SlView) { .log_x = figure->x.logarithmic, .log_y = figure->y.logarithmic };
      figure->view_set = true;
      figure->fitted = false;
    }
  /* Histories and shares of several runs are compared as curves. */
  if (sl_figure_kind (figure)->steps)
    figure->kind = SL_SERIES;
  figure->panel = panel;
  figure->mark = NAN;
  figure->note[0] = '\0';
  /* A series may have moved, or another one be where it was. */
  for (unsigned c = 0; c < figure->n_curves; c++)
    figure->curve[c].series = NULL;
  sl_figure_begin (figure);
}

void
sl_overlay_begin_curves (SlFigure *figure, const char *title, const char *steps)
{
  /* A figure that the user looks at begins anew with other curves. */
  if (figure->view_set && strcmp (figure->title, title) != 0)
    {
      figure->view = (SlView) { 0 };
      figure->fitted = false;
    }
  g_strlcpy (figure->title, title, sizeof figure->title);
  figure->kind = SL_SERIES;
  figure->x = (SlAxis) { .label = steps, .unit = "" };
  figure->y = (SlAxis) { .label = figure->title, .unit = "" };
  figure->z = (SlAxis) { .label = "", .unit = "" };
  figure->integer_x = true;
  figure->view_set = true;
  figure->mark = NAN;
  figure->note[0] = '\0';
  for (unsigned c = 0; c < figure->n_curves; c++)
    figure->curve[c].series = NULL;
  sl_figure_begin (figure);
}

static SlCurve *
add (SlFigure *figure, const SlOverlayRun *run, const SlOverlayTrace *trace)
{
  char     id[sizeof ((SlCurve *) NULL)->id];
  SlCurve *curve;

  g_snprintf (id, sizeof id, "run-%u.%s", run->number, trace->id);
  curve = sl_figure_curve (figure, id);
  if (curve == NULL)
    return NULL;
  if (trace->title != NULL)
    g_snprintf (curve->title, sizeof curve->title, "%s, %s", run->title, trace->title);
  else
    g_strlcpy (curve->title, run->title, sizeof curve->title);
  g_strlcpy (curve->unit, trace->unit != NULL ? trace->unit : "", sizeof curve->unit);
  g_strlcpy (curve->group_title, run->title, sizeof curve->group_title);
  curve->group = run->number;
  curve->style = SL_MEASURED;
  curve->slot = run->slot % SL_THEME_COLOURS + SL_THEME_COLOURS * (trace->place % DASHES);
  curve->ghost = run->ghost;
  curve->scatter = false;
  curve->low = curve->high = NULL;
  return curve;
}

bool
sl_overlay_series (SlFigure *figure, const SlOverlayRun *run, const SlOverlayTrace *trace,
                   const SlSeries *series)
{
  SlCurve *curve = add (figure, run, trace);

  if (curve != NULL)
    sl_figure_follow (curve, series);
  return curve != NULL;
}

bool
sl_overlay_band (SlFigure *figure, const SlOverlayRun *run, const SlOverlayTrace *trace,
                 const SlBand *band)
{
  SlCurve *curve = add (figure, run, trace);

  if (curve == NULL)
    return false;
  sl_figure_follow (curve, &band->mean);
  curve->low = band->n > 1 ? &band->low : NULL;
  curve->high = band->n > 1 ? &band->high : NULL;
  return true;
}

/* Whether a channel is one of those that are compared: measured, with something to show. */
static bool
is_compared (const SlRecord *record, unsigned channel, unsigned panel)
{
  const SlChannel *of = &record->layout.channel[channel];

  return of->panel == panel && record->series[channel].n > 0
         && record->lab->panels[panel].traces[of->trace].style == SL_MEASURED;
}

static bool
add_channels (SlFigure *figure, const SlOverlayRun *run, const SlRecord *record, unsigned panel)
{
  unsigned n = 0, place = 0;
  bool     all = true;

  for (unsigned c = 0; c < record->layout.n; c++)
    n += is_compared (record, c, panel);
  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlChannel *channel = &record->layout.channel[c];
      const SlTrace   *trace = &record->lab->panels[panel].traces[channel->trace];

      if (is_compared (record, c, panel))
        all = sl_overlay_series (
                figure, run,
                &(SlOverlayTrace) { channel->id,
                                    n > 1 ? sl_channel_title (record->lab, channel).packed : NULL,
                                    trace->unit, place++ },
                &record->series[c])
              && all;
    }
  return all;
}

static bool
add_snapshot (SlFigure *figure, const SlOverlayRun *run, const SlRecord *record, unsigned panel)
{
  const SlSnapshot *snapshot = &record->snapshot[panel];
  unsigned          place = 0;

  for (unsigned i = 0; i < snapshot->n_curves; i++)
    {
      const SlSnapshotCurve *from = &snapshot->curve[i];
      const SlChannel       *channel;
      const SlTrace         *trace;
      SlCurve               *curve;

      if (from->channel >= record->layout.n)
        continue;
      channel = &record->layout.channel[from->channel];
      trace = &record->lab->panels[panel].traces[channel->trace];
      if (trace->style != SL_MEASURED)
        continue;
      curve = add (figure, run,
                   &(SlOverlayTrace) { channel->id, sl_channel_title (record->lab, channel).packed,
                                       trace->unit, place++ });
      if (curve == NULL)
        return false;
      sl_figure_take_points (curve, snapshot, from);
    }
  return true;
}

bool
sl_overlay_record (SlFigure *figure, const SlOverlayRun *run, const SlRecord *record)
{
  unsigned panel = figure->panel;

  if (record->lab == NULL || panel >= record->lab->n_panels
      || strcmp (record->lab->panels[panel].title, figure->title) != 0)
    return true;
  if (!sl_figure_kind (figure)->lines)
    return true;
  if (!sl_figure_kind (figure)->steps)
    return !record->has_snapshot[panel] || add_snapshot (figure, run, record, panel);
  return add_channels (figure, run, record, sl_lab_panel_source (record->lab, panel));
}

/* What the curves of one run are, as "layer 1, layer 2 (long dashes)". */
static void
tell_dashes (SlFigure *figure)
{
  static const char *const dashes[DASHES]
    = { "", SL_MARK (" (long dashes)"), SL_MARK (" (dashes and dots)") };
  size_t   skip = strlen (figure->curve[0].group_title) + 2;
  unsigned n = 0;

  g_strlcpy (figure->note, sl_message_word (SL_MARK ("Lines: ")).packed, sizeof figure->note);

  for (unsigned c = 0; c < figure->n_curves && n < DASHES; c++)
    {
      const SlCurve *curve = &figure->curve[c];

      if (curve->group != figure->curve[0].group || strlen (curve->title) <= skip)
        continue;
      g_strlcat (figure->note, n > 0 ? " \302\267 " : "", sizeof figure->note);
      g_strlcat (figure->note, curve->title + skip, sizeof figure->note);
      g_strlcat (figure->note, sl_message_word (dashes[n++]).packed, sizeof figure->note);
    }
  if (n < 2)
    figure->note[0] = '\0';
}

void
sl_overlay_end (SlFigure *figure)
{
  unsigned runs = 0;

  sl_figure_end (figure);
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      bool first = true;

      for (unsigned i = 0; i < c && first; i++)
        first = figure->curve[i].group != figure->curve[c].group;
      runs += first;
    }
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      figure->curve[c].bare = runs > FEW_RUNS;
      figure->curve[c].thin = runs > USUAL_RUNS;
    }
  if (figure->n_curves > 0)
    tell_dashes (figure);
  figure->version++;
  sl_figure_refresh (figure);
}
