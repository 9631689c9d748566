/* SPDX-License-Identifier: MIT
 *
 * From a panel's descriptor, its channels and its latest snapshot to a figure; see panel.h.  */
#include "ui/plot/panel.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* Colours follow the instances (layers) where one measured trace has them, so that what belongs
 * to a layer (its target, its reference) shares its colour.  Otherwise every curve gets the next
 * one.  */
static unsigned
slot_of (const SlPanel *panel, const SlLayout *layout, const SlChannel *channel)
{
  unsigned spread = 0, families = 0, slot = 0;

  for (unsigned c = 0; c < layout->n; c++)
    if (layout->channel[c].panel == channel->panel)
      spread = MAX (spread, layout->channel[c].instance + 1U);
  for (unsigned t = 0; t < panel->n_traces; t++)
    families += panel->traces[t].each != NULL && panel->traces[t].style == SL_MEASURED;
  if (panel->traces[channel->trace].each != NULL && families == 1)
    return channel->instance;
  if (families == 1)
    slot = spread;
  for (unsigned c = 0; c < layout->n && &layout->channel[c] != channel; c++)
    if (layout->channel[c].panel == channel->panel
        && (families != 1 || panel->traces[layout->channel[c].trace].each == NULL))
      slot++;
  return slot;
}

/* The curve of a channel, with everything but its data. */
static SlCurve *
add_curve (SlFigure *figure, const SlRecord *record, unsigned c, const char *id, const char *ghost)
{
  const SlChannel *channel = &record->layout.channel[c];
  const SlPanel *panel = &record->lab->panels[channel->panel];
  const SlTrace *trace = &panel->traces[channel->trace];
  SlCurve *curve = sl_figure_curve (figure, id);

  if (curve == NULL)
    return NULL;
  if (ghost != NULL)
    g_snprintf (curve->title, sizeof curve->title, "%s (%s)", channel->title, ghost);
  else
    g_strlcpy (curve->title, channel->title, sizeof curve->title);
  g_strlcpy (curve->unit, trace->unit != NULL ? trace->unit : "", sizeof curve->unit);
  curve->style = trace->style;
  curve->slot = slot_of (panel, &record->layout, channel);
  curve->ghost = ghost != NULL;
  return curve;
}

/* A curve that follows another series than before begins its upkeep anew. */
static void
follow (SlCurve *curve, const SlSeries *series)
{
  curve->x = curve->y = curve->spread = NULL;
  curve->n = 0;
  if (curve->series == series)
    return;
  curve->series = series;
  curve->scanned = 0;
  curve->n_holes = 0;
  curve->half_life = -1.0;
}

/* Only what was measured is worth a ghost; targets and theories would just be doubled. */
static bool
measured (const SlRecord *record, unsigned c)
{
  const SlChannel *channel = &record->layout.channel[c];

  return record->lab->panels[channel->panel].traces[channel->trace].style == SL_MEASURED;
}

static void
add_series (SlFigure *figure, const SlRecord *record, unsigned panel, unsigned ghost,
            const char *title)
{
  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlChannel *channel = &record->layout.channel[c];
      char id[80];
      SlCurve *curve;

      if (channel->panel != panel || (ghost > 0 && !measured (record, c)))
        continue;
      /* What this run does not measure (a twin that is off) has no place in the legend. */
      if (record->series[c].n == 0)
        continue;
      if (ghost > 0)
        g_snprintf (id, sizeof id, "ghost-%u.%s", ghost, channel->id);
      else
        g_strlcpy (id, channel->id, sizeof id);
      curve = add_curve (figure, record, c, id, title);
      if (curve != NULL)
        follow (curve, &record->series[c]);
    }
}

static void
add_snapshot_curves (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot,
                     unsigned ghost, const char *title)
{
  for (unsigned i = 0; i < snapshot->n_curves; i++)
    {
      const SlSnapshotCurve *from = &snapshot->curve[i];
      const double *data = snapshot->data + from->offset;
      char id[80];
      SlCurve *curve;

      if (from->channel >= record->layout.n || (ghost > 0 && !measured (record, from->channel)))
        continue;
      if (ghost > 0)
        g_snprintf (id, sizeof id, "ghost-%u.%s", ghost, record->layout.channel[from->channel].id);
      else
        g_strlcpy (id, record->layout.channel[from->channel].id, sizeof id);
      curve = add_curve (figure, record, from->channel, id, title);
      if (curve == NULL)
        continue;
      follow (curve, NULL);
      curve->x = data;
      curve->y = data + from->n;
      curve->spread = from->has_spread ? data + 2 * from->n : NULL;
      curve->n = from->n;
      /* A line needs its points in order. */
      curve->scatter = false;
      for (size_t k = 1; k < curve->n && !curve->scatter; k++)
        curve->scatter = !(curve->x[k] >= curve->x[k - 1]);
    }
}

static void
add_snapshot (SlFigure *figure, const SlRecord *record, unsigned panel)
{
  const SlSnapshot *snapshot = &record->snapshot[panel];

  if (!record->has_snapshot[panel])
    return;
  g_strlcpy (figure->note, snapshot->note, sizeof figure->note);
  if (figure->kind == SL_HEATMAP || figure->kind == SL_IMAGE)
    {
      figure->tiles = snapshot->tiles;
      figure->rows = snapshot->rows;
      figure->columns = snapshot->columns;
      figure->lo = snapshot->lo;
      figure->hi = snapshot->hi;
      if ((size_t) snapshot->tiles * snapshot->rows * snapshot->columns <= snapshot->n_data
          && snapshot->n_data > 0)
        figure->matrix = snapshot->data;
      return;
    }
  figure->mark = snapshot->mark;
  add_snapshot_curves (figure, record, snapshot, 0, NULL);
  for (unsigned c = 0; c < figure->placed && figure->categories == NULL; c++)
    figure->n_categories = MAX (figure->n_categories, (unsigned) figure->curve[c].n);
}

static void
add_ghosts (SlFigure *figure, const SlLab *lab, unsigned panel, const SlGhost *ghosts,
            unsigned n_ghosts)
{
  for (unsigned g = 0; g < n_ghosts; g++)
    {
      const SlRecord *record = ghosts[g].record;

      if (record == NULL || record->lab != lab)
        continue;
      if (figure->kind == SL_SERIES)
        add_series (figure, record, panel, g + 1, ghosts[g].title);
      else if (figure->kind == SL_PROFILE && record->has_snapshot[panel])
        add_snapshot_curves (figure, record, &record->snapshot[panel], g + 1, ghosts[g].title);
    }
}

/* A number that changes with everything that the figure shows of a record. */
static uint64_t
stamp_of (const SlRecord *record, unsigned panel)
{
  uint64_t stamp = record->generation * 0x9e3779b97f4a7c15U + record->n_flags;

  if (record->lab->panels[panel].kind != SL_SERIES)
    return stamp * 31 + record->snapshot_version[panel];
  for (unsigned c = 0; c < record->layout.n; c++)
    if (record->layout.channel[c].panel == panel)
      stamp = stamp * 0x100000001b3U + record->series[c].version;
  return stamp;
}

/* What the panel's descriptor says. */
static void
describe (SlFigure *figure, const SlPanel *panel)
{
  g_strlcpy (figure->title, panel->title, sizeof figure->title);
  figure->kind = panel->kind;
  figure->x = panel->x;
  figure->y = panel->y;
  figure->integer_x = panel->kind == SL_SERIES;
  figure->categories = panel->categories;
  figure->n_categories = 0;
  while (panel->kind == SL_BARS && panel->categories != NULL
         && panel->categories[figure->n_categories] != NULL)
    figure->n_categories++;
}

bool
sl_panel_update (SlFigure *figure, const SlRecord *record, unsigned panel, const SlGhost *ghosts,
                 unsigned n_ghosts)
{
  const SlLab *lab = record != NULL ? record->lab : NULL;
  uint64_t stamp = 0, before = figure->version;
  bool other;

  if (lab == NULL || panel >= lab->n_panels)
    {
      SlFigure empty = { .version = figure->version + (figure->record != NULL), .mark = NAN };

      sl_figure_clear (figure);
      *figure = empty;
      return figure->version != before;
    }
  other = figure->record != record || figure->panel != panel
          || figure->generation != record->generation;
  stamp = stamp_of (record, panel);
  for (unsigned g = 0; g < n_ghosts; g++)
    if (ghosts[g].record != NULL && ghosts[g].record->lab == lab)
      stamp = stamp * 31 + stamp_of (ghosts[g].record, panel) + (uintptr_t) ghosts[g].record;
  if (!other && stamp == figure->stamp)
    return false;

  if (!figure->view_set || figure->panel != panel)
    {
      figure->view = (SlView) { .log_x = lab->panels[panel].x.logarithmic,
                                .log_y = lab->panels[panel].y.logarithmic };
      figure->view_set = true;
    }
  if (other)
    {
      figure->fitted = false;
      for (unsigned c = 0; c < figure->curves_capacity; c++)
        figure->curve[c].series = NULL;
    }
  describe (figure, &lab->panels[panel]);
  figure->note[0] = '\0';
  figure->matrix = NULL;
  figure->tiles = figure->rows = figure->columns = 0;
  figure->mark = NAN;
  figure->flag = record->flag;
  figure->n_flags = figure->kind == SL_SERIES ? record->n_flags : 0;
  sl_figure_begin (figure);
  if (figure->kind == SL_SERIES)
    add_series (figure, record, panel, 0, NULL);
  else
    add_snapshot (figure, record, panel);
  add_ghosts (figure, lab, panel, ghosts, n_ghosts);
  sl_figure_end (figure);
  figure->record = record;
  figure->panel = panel;
  figure->generation = record->generation;
  figure->stamp = stamp;
  figure->version++;
  sl_figure_refresh (figure);
  return true;
}
