/* SPDX-License-Identifier: MIT
 *
 * What a run has published, collected from samples and snapshots.  */
#include "core/run/record/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "core/run/record/coming.h"

SlStatus
sl_record_init (SlRecord *record, const SlLab *lab, const SlSettings *settings, unsigned generation)
{
  *record = (SlRecord) { .lab = lab, .generation = generation };
  sl_layout_init (&record->layout, lab, settings);
  sl_record_schedule (record, settings);
  if (lab->caption != NULL)
    record->caption = lab->caption (settings);
  /* One more than needed, so that a lab without channels or panels is no special case. */
  record->series = calloc (record->layout.n + 1, sizeof *record->series);
  record->snapshot = calloc (lab->n_panels + 1, sizeof *record->snapshot);
  record->has_snapshot = calloc (lab->n_panels + 1, sizeof *record->has_snapshot);
  record->snapshot_version = calloc (lab->n_panels + 1, sizeof *record->snapshot_version);
  if (record->series == NULL || record->snapshot == NULL || record->has_snapshot == NULL
      || record->snapshot_version == NULL)
    {
      sl_record_clear (record);
      return sl_status_no_memory ("record");
    }
  return SL_SUCCESS;
}

void
sl_record_clear (SlRecord *record)
{
  for (unsigned c = 0; record->series != NULL && c < record->layout.n; c++)
    sl_series_clear (&record->series[c]);
  for (unsigned p = 0; record->snapshot != NULL && p < record->lab->n_panels; p++)
    sl_snapshot_clear (&record->snapshot[p]);
  free (record->series);
  free (record->snapshot);
  free (record->has_snapshot);
  free (record->snapshot_version);
  free (record->flag);
  *record = (SlRecord) { 0 };
}

bool
sl_record_copy (SlRecord *copy, const SlRecord *record, const SlSettings *settings)
{
  SlStatus status = sl_record_init (copy, record->lab, settings, record->generation);
  bool     whole = sl_ok (&status) && copy->layout.n == record->layout.n;

  copy->data = record->data;
  copy->stored = record->stored;
  copy->caption = record->caption;
  copy->report_every = record->report_every;
  copy->evaluate_every = record->evaluate_every;
  for (unsigned c = 0; whole && c < record->layout.n; c++)
    for (size_t i = 0; whole && i < record->series[c].n; i++)
      whole = sl_series_append (&copy->series[c], record->series[c].step[i],
                                record->series[c].value[i]);
  for (unsigned p = 0; whole && p < record->lab->n_panels; p++)
    if (record->has_snapshot[p])
      whole = sl_record_show (copy, &record->snapshot[p]);
  for (unsigned i = 0; whole && i < record->n_flags; i++)
    whole = sl_record_mark (copy, record->flag[i].step, record->flag[i].text);
  if (whole)
    sl_record_time (copy, &record->times);
  else if (sl_ok (&status))
    sl_record_clear (copy);
  return whole;
}

bool
sl_record_take (SlRecord *record, const SlSample *sample)
{
  if (record->lab == NULL || sample->generation != record->generation
      || sample->channel >= record->layout.n)
    return true;
  return sl_series_append (&record->series[sample->channel], (double) sample->step, sample->value);
}

/* The two bars of the last snapshot that show the time of a pass, or NULL. */
static SlSnapshotCurve *
find_times (SlRecord *record, unsigned *panel)
{
  const SlClock *clock = record->lab->clock;
  int            channel = clock != NULL ? sl_layout_find (&record->layout, clock->channel) : -1;
  SlSnapshot    *snapshot;

  if (channel < 0)
    return NULL;
  *panel = record->layout.channel[channel].panel;
  snapshot = &record->snapshot[*panel];
  for (unsigned c = 0; record->has_snapshot[*panel] && c < snapshot->n_curves; c++)
    {
      SlSnapshotCurve *curve = &snapshot->curve[c];

      if (curve->channel == (uint32_t) channel && curve->has_spread && curve->n >= clock->bar + 2)
        return curve;
    }
  return NULL;
}

/* Bars of times never show those of other settings. */
static void
fill_times (SlRecord *record)
{
  unsigned         panel;
  SlSnapshotCurve *curve = find_times (record, &panel);
  const SlTimes   *times = &record->times;

  for (unsigned i = 0; curve != NULL && i < 2; i++)
    {
      double    *y = record->snapshot[panel].data + curve->offset + curve->n;
      size_t     bar = record->lab->clock->bar + i;
      SlMeasured shown = times->batch > 0 ? times->share[i] : sl_counted ((double) NAN);

      if (record->lab->clock->speed_up)
        shown = sl_measured_inverse (shown, 1);
      y[bar] = shown.value;
      y[curve->n + bar] = shown.spread;
    }
}

void
sl_record_time (SlRecord *record, const SlTimes *times)
{
  unsigned panel;

  if (record->lab == NULL)
    return;
  record->times = *times;
  fill_times (record);
  if (find_times (record, &panel) != NULL)
    record->snapshot_version[panel]++;
}

bool
sl_record_show (SlRecord *record, const SlSnapshot *snapshot)
{
  unsigned panel = snapshot->panel;
  SlStatus status;

  if (record->lab == NULL || snapshot->generation != record->generation
      || panel >= record->lab->n_panels)
    return true;
  status = sl_snapshot_copy (&record->snapshot[panel], snapshot);
  record->has_snapshot[panel] = sl_ok (&status);
  record->snapshot_version[panel]++;
  if (record->times.batch > 0)
    fill_times (record);
  return sl_ok (&status);
}

bool
sl_record_mark (SlRecord *record, double step, const char *text)
{
  SlChangeMarker *flag;

  if (record->n_flags == record->flags_capacity)
    {
      unsigned        capacity = record->flags_capacity > 0 ? 2 * record->flags_capacity : 16;
      SlChangeMarker *larger = realloc (record->flag, capacity * sizeof *larger);

      if (larger == NULL)
        return false;
      record->flag = larger;
      record->flags_capacity = capacity;
    }
  flag = &record->flag[record->n_flags++];
  flag->step = step;
  flag->number = record->n_flags;
  snprintf (flag->text, sizeof flag->text, "%s", text);
  return true;
}

static SlMessage
value_message (const SlParam *param, const SlValue *value)
{
  char exact[512];

  if (param->kind == SL_CHOICE)
    return sl_message_word (param->choices[(unsigned) value->v[0]].title);
  if (param->kind == SL_REAL)
    return sl_message_verbatim (g_ascii_formatd (exact, sizeof exact, "%.4g", value->v[0]));
  return sl_message_verbatim (sl_param_format (param, value, exact, sizeof exact));
}

const char *
sl_change_marker_text (const SlParam *param, const SlValue *from, const SlValue *to,
                       char text[SL_CHANGE_MARKER_TEXT])
{
  sl_message_print (text, SL_CHANGE_MARKER_TEXT, "%s %s → %s",
                    sl_message_word (param->title).packed, value_message (param, from).packed,
                    value_message (param, to).packed);
  return text;
}

void
sl_record_truncate (SlRecord *record, double step)
{
  for (unsigned c = 0; c < record->layout.n; c++)
    sl_series_truncate (&record->series[c], step);
  while (record->n_flags > 0 && record->flag[record->n_flags - 1].step > step)
    record->n_flags--;
}

static void
sink_take (SlSink *sink, const SlSample *sample)
{
  SlRecordSink *self = (SlRecordSink *) sink;

  if (!sl_record_take (self->record, sample))
    self->failed = true;
}

static SlSnapshot *
sink_open (SlSink *sink, unsigned panel)
{
  SlRecordSink *self = (SlRecordSink *) sink;

  sl_snapshot_reset (&self->scratch);
  self->scratch.step = sink->step;
  self->scratch.generation = sink->generation;
  self->scratch.panel = panel;
  return &self->scratch;
}

static void
sink_publish (SlSink *sink, SlSnapshot *snapshot)
{
  SlRecordSink *self = (SlRecordSink *) sink;

  if (!sl_record_show (self->record, snapshot))
    self->failed = true;
}

void
sl_record_sink_init (SlRecordSink *sink, SlRecord *record)
{
  *sink = (SlRecordSink) {
    .sink = { .layout = &record->layout,
              .generation = record->generation,
              .take = sink_take,
              .open = sink_open,
              .publish = sink_publish,
              .idle = true },
    .record = record,
  };
}

void
sl_record_sink_clear (SlRecordSink *sink)
{
  sl_snapshot_clear (&sink->scratch);
}
