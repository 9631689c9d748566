/* SPDX-License-Identifier: MIT
 *
 * From a panel's descriptor, its channels and its latest snapshot to a figure; see panel.h.  */
#include "plot/figure/panel.h"

#include <glib.h>
#include <math.h>

#include "core/run/record/coming.h"
#include "plot/base/theme.h"
#include "plot/figure/smooth.h"

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
  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
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

/* The curve of a channel, with everything but its data; of ghost number `ghost`, from 1, or of the run
 * itself.  */
static SlCurve *
add_curve (SlFigure *figure, const SlRecord *record, unsigned c, unsigned ghost, const char *title)
{
  const SlChannel *channel = &record->layout.channel[c];
  const SlPanel   *panel = &record->lab->panels[channel->panel];
  const SlTrace   *trace = &panel->traces[channel->trace];
  SlMessage        name = sl_channel_title (record->lab, channel);
  SlCurve         *curve;
  char             id[80];

  if (ghost > 0)
    g_snprintf (id, sizeof id, "ghost-%u.%s", ghost, channel->id);
  else
    g_strlcpy (id, channel->id, sizeof id);
  curve = sl_figure_curve (figure, id);
  if (curve == NULL)
    return NULL;
  if (ghost > 0)
    g_snprintf (curve->title, sizeof curve->title, "%s (%s)", name.packed, title);
  else
    g_strlcpy (curve->title, name.packed, sizeof curve->title);
  g_strlcpy (curve->unit, trace->unit != NULL ? trace->unit : "", sizeof curve->unit);
  curve->style = trace->style;
  curve->slot = slot_of (panel, &record->layout, channel);
  if (figure->view.tint > 0)
    curve->slot = sl_theme_slot (figure->view.tint - 1, curve->slot);
  curve->ghost = ghost > 0;
  g_strlcpy (curve->group_title, ghost > 0 ? title : "", sizeof curve->group_title);
  return curve;
}

/* Only measured curves have ghosts; targets and theories would be drawn twice. */
static bool
measured (const SlRecord *record, unsigned c)
{
  const SlChannel *channel = &record->layout.channel[c];

  return record->lab->panels[channel->panel].traces[channel->trace].style == SL_MEASURED;
}

/* Rows and bands are what was measured: of the traces that have one instance per element, or of all
 * that this run has values of where none has.  */
static bool
has_row (const SlRecord *record, unsigned c)
{
  const SlChannel *channel = &record->layout.channel[c];
  const SlPanel   *panel = &record->lab->panels[channel->panel];
  bool             several = false;

  for (unsigned t = 0; t < sl_panel_n_traces (panel); t++)
    several = several || (panel->traces[t].style == SL_MEASURED && panel->traces[t].each != NULL);
  return measured (record, c)
         && (several ? panel->traces[channel->trace].each != NULL : record->series[c].n > 0);
}

static bool
any_sample (const SlRecord *record, unsigned panel)
{
  for (unsigned c = 0; c < record->layout.n; c++)
    if (record->layout.channel[c].panel == panel && record->series[c].n > 0)
      return true;
  return false;
}

static void
add_series (SlFigure *figure, const SlRecord *record, unsigned panel, unsigned ghost,
            const char *title)
{
  bool rows = sl_figure_kind (figure)->rows, any;

  panel = sl_lab_panel_source (record->lab, panel);
  any = any_sample (record, panel);
  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlChannel *channel = &record->layout.channel[c];
      SlCurve         *curve;

      if (channel->panel != panel || (ghost > 0 && !measured (record, c)))
        continue;
      if (rows && (!any || !has_row (record, c)))
        continue;
      /* What this run does not measure (a twin that is off) has no place in the legend. */
      if (!rows && record->series[c].n == 0)
        continue;
      if (rows && channel->instance == 0)
        figure->picks.span = 1U + channel->to - channel->from;
      curve = add_curve (figure, record, c, ghost, title);
      if (curve != NULL)
        sl_figure_follow (curve, &record->series[c]);
    }
}

static void
add_snapshot_curves (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot,
                     unsigned ghost, const char *title)
{
  for (unsigned i = 0; i < snapshot->n_curves; i++)
    {
      const SlSnapshotCurve *from = &snapshot->curve[i];
      SlCurve               *curve;

      if (from->channel >= record->layout.n || (ghost > 0 && !measured (record, from->channel)))
        continue;
      curve = add_curve (figure, record, from->channel, ghost, title);
      if (curve != NULL)
        sl_figure_take_points (curve, snapshot, from);
    }
}

void
sl_panel_take_curves (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot)
{
  figure->mark = snapshot->mark;
  add_snapshot_curves (figure, record, snapshot, 0, NULL);
  for (unsigned c = 0; c < figure->placed && figure->categories.name == NULL; c++)
    figure->categories.n = MAX (figure->categories.n, (unsigned) figure->curve[c].n);
}

void
sl_panel_take_matrix (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot)
{
  bool whole = sl_snapshot_cells (snapshot) <= snapshot->n_data && snapshot->n_data > 0;

  figure->matrix = (SlMatrix) { .cell = whole ? snapshot->data : NULL,
                                .tiles = snapshot->tiles,
                                .depth = snapshot->depth,
                                .rows = snapshot->rows,
                                .columns = snapshot->columns,
                                .names = snapshot->names,
                                .row_names = snapshot->row_names };
  figure->picks.span = MAX (snapshot->span, 1);
  figure->colours.lo = snapshot->lo;
  figure->colours.hi = snapshot->hi;
}

/* The note of a figure: the caption of all figures of the run, then the note of the snapshot. */
static void
note_snapshot (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot)
{
  SlMessage note = record->caption;

  if (note.packed[0] == '\0')
    note = snapshot->note;
  else if (snapshot->note.packed[0] != '\0')
    sl_message_add (&note, " %s", snapshot->note.packed);
  g_strlcpy (figure->note, note.packed, sizeof figure->note);
}

/* A panel without values says when they come; what a snapshot of no update said is true no more. */
static void
note_coming (SlFigure *figure, const SlRecord *record, unsigned panel)
{
  const SlSnapshot *snapshot = &record->snapshot[panel];
  bool              said = record->has_snapshot[panel] && snapshot->note.packed[0] != '\0'
              && (snapshot->step > 0 || sl_record_step (record) == 0.0);

  figure->coming = 0.0;
  if (!sl_figure_empty (figure))
    return;
  figure->coming = sl_record_next (record, panel);
  if (!said)
    g_strlcpy (figure->note, sl_record_coming (record, panel).packed, sizeof figure->note);
}

/* Whether another update than before is the next that a panel without values waits for. */
static bool
waits_anew (const SlFigure *figure, const SlRecord *record, unsigned panel)
{
  double next;

  if (!sl_figure_empty (figure))
    return false;
  next = sl_record_next (record, panel);
  return next != figure->coming && !(isnan (next) && isnan (figure->coming));
}

static void
add_snapshot (SlFigure *figure, const SlRecord *record, unsigned panel)
{
  const SlSnapshot *snapshot = &record->snapshot[panel];

  if (!record->has_snapshot[panel])
    return;
  note_snapshot (figure, record, snapshot);
  sl_figure_kind (figure)->take (figure, record, snapshot);
}

/* Values of other data would say nothing here, and stretch the axes. */
static bool
is_comparable (const SlRecord *record, const SlRecord *ghost)
{
  return ghost != NULL && ghost->lab == record->lab
         && (ghost->data == record->data || ghost->data == 0 || record->data == 0);
}

/* A panel that has nothing to show of its own run does not show another one's as if it were that. */
static bool
has_none (const SlFigure *figure, const SlRecord *record, unsigned panel)
{
  return figure->placed == 0
         && (sl_figure_kind (figure)->steps ? isnan (sl_record_next (record, panel))
                                            : record->has_snapshot[panel]);
}

/* Whether two runs have the same curves in a panel, as of data that both of them only look at. */
static bool
are_same_curves (const SlRecord *a, const SlRecord *b, unsigned panel)
{
  const SlSnapshot *one = &a->snapshot[panel], *other = &b->snapshot[panel];

  if (!a->has_snapshot[panel] || one->n_curves != other->n_curves || one->n_data != other->n_data)
    return false;
  for (unsigned i = 0; i < one->n_curves; i++)
    if (one->curve[i].channel != other->curve[i].channel || one->curve[i].n != other->curve[i].n)
      return false;
  return one->n_data == 0 || memcmp (one->data, other->data, one->n_data * sizeof *one->data) == 0;
}

static void
add_ghosts (SlFigure *figure, const SlRecord *of, unsigned panel, const SlGhost *ghosts,
            unsigned n_ghosts)
{
  const SlFigureKind *kind = sl_figure_kind (figure);

  for (unsigned g = 0; g < n_ghosts; g++)
    {
      const SlRecord *record = ghosts[g].record;

      if (!is_comparable (of, record))
        continue;
      if (kind->lines && kind->steps)
        add_series (figure, record, panel, g + 1, ghosts[g].title);
      else if (kind->lines && record->has_snapshot[panel] && !are_same_curves (of, record, panel))
        add_snapshot_curves (figure, record, &record->snapshot[panel], g + 1, ghosts[g].title);
    }
}

/* A number that changes with everything that the figure shows of a record. */
static uint64_t
stamp_of (const SlRecord *record, unsigned panel)
{
  uint64_t stamp = record->generation * 0x9e3779b97f4a7c15U + record->n_flags;

  if (!sl_figure_kinds[record->lab->panels[panel].kind]->steps)
    return stamp * 31 + record->snapshot_version[panel];
  panel = sl_lab_panel_source (record->lab, panel);
  for (unsigned c = 0; c < record->layout.n; c++)
    if (record->layout.channel[c].panel == panel)
      stamp = stamp * 0x100000001b3U + record->series[c].version;
  return stamp;
}

/* Whether the rows are the instances of one trace, so that their numbers say everything. */
static bool
is_counted (const SlLab *lab, unsigned panel)
{
  const SlPanel *source = &lab->panels[sl_lab_panel_source (lab, panel)];
  unsigned       families = 0;

  for (unsigned t = 0; t < sl_panel_n_traces (source); t++)
    families += source->traces[t].style == SL_MEASURED && source->traces[t].each != NULL;
  return families == 1;
}

void
sl_panel_describe (SlFigure *figure, const SlLab *lab, unsigned p)
{
  const SlPanel      *panel = &lab->panels[p];
  const SlFigureKind *kind = sl_figure_kinds[panel->kind];
  SlAxes              axes = sl_panel_axes (lab, panel);

  g_strlcpy (figure->title, panel->title, sizeof figure->title);
  figure->kind = panel->kind;
  figure->x = axes.x;
  figure->y = axes.y;
  figure->z = axes.z;
  figure->colours.centre = panel->centre;
  figure->colours.zero = panel->zero;
  figure->picks.possible = panel->picks != NULL;
  figure->draggable = panel->drags != NULL;
  figure->categories.stacked = panel->stacked;
  figure->rows.counted = is_counted (lab, p);
  figure->integer_x = kind->steps || panel->x.whole;
  if (kind->unit != NULL && figure->y.unit[0] == '\0')
    figure->y.unit = kind->unit;
  figure->categories.name = panel->categories;
  figure->categories.n = 0;
  while (panel->categories != NULL && panel->categories[figure->categories.n] != NULL)
    figure->categories.n++;
}

SlView
sl_panel_view (const SlLab *lab, unsigned panel)
{
  const SlPanel *what = &lab->panels[panel];
  bool           coloured = sl_figure_kinds[what->kind]->log_tint;

  return (SlView) { .smooth = what->kind == SL_SERIES ? SL_SMOOTH_USUAL : 0.0,
                    .log_x = what->x.logarithmic,
                    .log_y = coloured ? what->z.logarithmic : what->y.logarithmic,
                    .plane = what->many ? SL_PLANE_ACTIVE : SL_PLANE_PATTERN };
}

/* As the panel's descriptor says, without what an earlier snapshot or record has left. */
static void
forget (SlFigure *figure, const SlRecord *record, unsigned panel, bool other)
{
  sl_panel_describe (figure, record->lab, panel);
  g_strlcpy (figure->note, record->caption.packed, sizeof figure->note);
  figure->matrix = (SlMatrix) { 0 };
  figure->colours.lo = figure->colours.hi = 0.0;
  figure->plane = (SlPlane) { 0 };
  figure->picks.span = 1;
  figure->mark = NAN;
  figure->flags = (SlFlags) { record->flag, sl_figure_kind (figure)->steps ? record->n_flags : 0 };
  if (other || !sl_figure_kind (figure)->rows)
    figure->rows.n = 0;
}

bool
sl_panel_update (SlFigure *figure, const SlRecord *record, unsigned panel, const SlGhost *ghosts,
                 unsigned n_ghosts)
{
  const SlLab *lab = record != NULL ? record->lab : NULL;
  uint64_t     stamp = 0, before = figure->version;
  bool         other;

  if (lab == NULL || panel >= lab->n_panels)
    {
      SlFigure empty = { .version = figure->version + (figure->record != NULL),
                         .mark = NAN,
                         .translated = figure->translated };

      sl_figure_clear (figure);
      *figure = empty;
      return figure->version != before;
    }
  other = figure->record != record || figure->panel != panel
          || figure->generation != record->generation;
  stamp = stamp_of (record, panel);
  for (unsigned g = 0; g < n_ghosts; g++)
    if (is_comparable (record, ghosts[g].record))
      stamp = stamp * 31 + stamp_of (ghosts[g].record, panel) + (uintptr_t) ghosts[g].record;
  if (!other && stamp == figure->stamp && !waits_anew (figure, record, panel))
    return false;

  if (!figure->view_set || figure->panel != panel)
    {
      figure->view = sl_panel_view (lab, panel);
      figure->view_set = true;
    }
  if (other)
    {
      figure->fitted = false;
      figure->view.alone = 0;
      for (unsigned c = 0; c < figure->curves_capacity; c++)
        figure->curve[c].series = NULL;
    }
  forget (figure, record, panel, other);
  sl_figure_begin (figure);
  if (sl_figure_kind (figure)->steps)
    add_series (figure, record, panel, 0, NULL);
  else
    add_snapshot (figure, record, panel);
  if (!has_none (figure, record, panel))
    add_ghosts (figure, record, panel, ghosts, n_ghosts);
  sl_figure_end (figure);
  note_coming (figure, record, panel);
  sl_figure_show_messages (figure);
  figure->record = record;
  figure->lab = lab;
  figure->panel = panel;
  figure->generation = record->generation;
  figure->stamp = stamp;
  figure->version++;
  sl_figure_refresh (figure);
  return true;
}
