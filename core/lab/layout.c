/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/message.h"
#include "core/lab/lab.h"

int
sl_trace_factor (const SlLab *lab, const SlTrace *trace, unsigned i)
{
  const char *at = trace->each;
  char        id[64];

  for (; i > 0 && at != NULL; i--)
    {
      at = strchr (at, '*');
      at = at != NULL ? at + 1 : NULL;
    }
  if (at == NULL)
    return -1;
  snprintf (id, sizeof id, "%.*s", (int) strcspn (at, "*"), at);
  return sl_param_find (lab->params, lab->n_params, id);
}

/* Elements that a trace has values of. */
static unsigned
count_elements (const SlLab *lab, const SlTrace *trace, const SlSettings *settings)
{
  unsigned n = 1;
  int      param;

  for (unsigned i = 0; (param = sl_trace_factor (lab, trace, i)) >= 0; i++)
    n *= lab->params[param].kind == SL_LIST ? settings->value[param].n
                                            : (unsigned) settings->value[param].v[0];
  return n;
}

unsigned
sl_layout_span (unsigned n, unsigned rows)
{
  unsigned least = rows > 0 && n > rows ? (n + rows - 1) / rows : 1;

  for (unsigned span = least; span < 2 * least; span++)
    if (n % span == 0)
      return span;
  return least;
}

const char *
sl_lab_group_title (const SlLab *lab, SlPanelGroup group)
{
  static const char *const titles[SL_N_PANEL_GROUPS] = {
    [SL_SHOWS_NOTHING] = "",
    [SL_SHOWS_WORK] = SL_MARK ("Behaviour"),
    [SL_SHOWS_QUALITY] = SL_MARK ("Error"),
    [SL_SHOWS_COST] = SL_MARK ("Cost"),
    [SL_SHOWS_GATE] = SL_MARK ("Gate"),
  };

  return lab != NULL && lab->questions != NULL && group > SL_SHOWS_NOTHING
           ? lab->questions[group - 1]
           : titles[group];
}

unsigned
sl_panel_n_traces (const SlPanel *panel)
{
  unsigned n = 0;

  while (panel->traces != NULL && panel->traces[n].id != NULL)
    n++;
  return n;
}

unsigned
sl_lab_n_sweeps (const SlLab *lab)
{
  unsigned n = 0;

  while (lab->sweeps != NULL && lab->sweeps[n].id != NULL)
    n++;
  return n;
}

static unsigned
count (const SlPreset *presets)
{
  unsigned n = 0;

  while (presets != NULL && presets[n].id != NULL)
    n++;
  return n;
}

unsigned
sl_lab_n_presets (const SlLab *lab)
{
  return count (lab->presets);
}

unsigned
sl_lab_n_named (const SlLab *lab)
{
  return count (lab->presets) + count (lab->rows);
}

const SlPreset *
sl_lab_named (const SlLab *lab, unsigned i)
{
  unsigned n = count (lab->presets);

  return i < n ? &lab->presets[i] : &lab->rows[i - n];
}

const SlPreset *
sl_lab_preset (const SlLab *lab, const char *id)
{
  for (unsigned i = 0; i < sl_lab_n_named (lab); i++)
    if (strcmp (sl_lab_named (lab, i)->id, id) == 0)
      return sl_lab_named (lab, i);
  return NULL;
}

SlStatus
sl_preset_settings (const SlLab *lab, const SlPreset *preset, SlSettings *settings)
{
  sl_settings_default (settings, lab->params, lab->n_params);
  return sl_settings_set_words (settings, lab->params, lab->n_params,
                                preset != NULL ? preset->settings : NULL);
}

unsigned
sl_lab_n_settings (const SlLab *lab)
{
  unsigned n = 0;

  while (n < lab->n_params && !lab->params[n].view)
    n++;
  return n;
}

bool
sl_lab_trains_same (const SlLab *lab, const SlSettings *a, const SlSettings *b)
{
  return sl_settings_same (a, b, sl_lab_n_settings (lab));
}

bool
sl_lab_had (const SlLab *lab, const char *id)
{
  for (const char *const *gone = lab->gone; gone != NULL && *gone != NULL; gone++)
    if (strcmp (*gone, id) == 0)
      return true;
  return false;
}

unsigned
sl_lab_n_trials (const SlLab *lab)
{
  unsigned n = 0;

  while (lab->trials != NULL && lab->trials[n].settings != NULL)
    n++;
  return n;
}

void
sl_axis_bounds (const SlAxis *axis, double *least, double *most)
{
  bool share = axis->unit != NULL && strcmp (axis->unit, "%") == 0;

  if (axis->least < axis->most)
    {
      *least = axis->least;
      *most = axis->most;
      return;
    }
  *least = share ? 0.0 : -HUGE_VAL;
  *most = share ? 100.0 : HUGE_VAL;
}

static SlAxis
axis_with_texts (SlAxis axis)
{
  axis.label = sl_given (axis.label);
  axis.unit = sl_given (axis.unit);
  return axis;
}

const char *
sl_lab_each_step (const SlLab *lab)
{
  return lab->each_step != NULL ? lab->each_step : SL_MARK ("update");
}

SlOffer
sl_lab_offer (const SlLab *lab, const SlDataset *dataset, const SlSettings *settings)
{
  return lab->offer != NULL && dataset != NULL ? lab->offer (dataset, settings)
                                               : (SlOffer) { .words = SL_NO_MESSAGE };
}

SlAxes
sl_panel_axes (const SlLab *lab, const SlPanel *panel)
{
  SlAxis x = panel->x;

  if (x.label == NULL && sl_panel_is_series (panel->kind))
    x.label = sl_lab_each_step (lab);
  return (SlAxes) { axis_with_texts (x), axis_with_texts (panel->y), axis_with_texts (panel->z) };
}

SlAxis
sl_lab_error_axis (const SlLab *lab)
{
  SlAxis axis = { .label = "error", .unit = "%" };
  bool   shared = lab == NULL || lab->error == NULL || strcmp (lab->error, axis.label) == 0;
  int    panel = shared ? -1 : sl_lab_panel (lab, lab->error);

  if (!shared && lab->error_axis != NULL)
    axis = *lab->error_axis;
  else if (panel >= 0)
    axis = sl_panel_axes (lab, &lab->panels[panel]).y;
  return (SlAxis) { .label = axis.label, .unit = axis.unit };
}

/* "layer" */
static const char *
name_of_one (const SlLab *lab, const SlTrace *trace)
{
  int param = sl_trace_factor (lab, trace, 0);

  return param >= 0 && lab->params[param].one != NULL ? lab->params[param].one : "no.";
}

SlMessage
sl_channel_title (const SlLab *lab, const SlChannel *channel)
{
  const SlTrace *trace = &lab->panels[channel->panel].traces[channel->trace];

  if (trace->each == NULL)
    return sl_message_word (trace->title);
  if (channel->from < channel->to)
    /* Translators: a curve, "load, expert 17–32". */
    return sl_message ("%s, %s %u–%u", sl_message_word (trace->title).packed,
                       sl_message_word (name_of_one (lab, trace)).packed, channel->from,
                       channel->to);
  /* Translators: a curve, "recall, layer 2". */
  return sl_message ("%s, %s %u", sl_message_word (trace->title).packed,
                     sl_message_word (name_of_one (lab, trace)).packed, channel->instance + 1U);
}

void
sl_layout_init (SlLayout *layout, const SlLab *lab, const SlSettings *settings)
{
  memset (layout, 0, sizeof *layout);
  for (unsigned p = 0; p < lab->n_panels && p < SL_PANELS_MAX; p++)
    {
      const SlPanel *panel = &lab->panels[p];

      for (unsigned t = 0; t < sl_panel_n_traces (panel) && t < SL_TRACES_MAX; t++)
        {
          const SlTrace *trace = &panel->traces[t];
          unsigned       n = count_elements (lab, trace, settings);
          unsigned       span = sl_layout_span (n, trace->rows), rows = (n + span - 1) / span;

          layout->first[p][t] = (uint16_t) layout->n;
          for (unsigned i = 0; i < rows && layout->n < SL_CHANNELS_MAX; i++)
            {
              SlChannel *channel = &layout->channel[layout->n++];

              channel->panel = (uint16_t) p;
              channel->trace = (uint16_t) t;
              channel->instance = (uint16_t) i;
              channel->from = (uint16_t) (i * span + 1);
              channel->to = (uint16_t) (i + 1 < rows ? (i + 1) * span : n);
              channel->series = sl_panel_is_series (panel->kind);
              if (span > 1)
                snprintf (channel->id, sizeof channel->id, "%s.%s.%u-%u", panel->id, trace->id,
                          channel->from, channel->to);
              else if (trace->each != NULL)
                snprintf (channel->id, sizeof channel->id, "%s.%s.%u", panel->id, trace->id, i + 1);
              else
                snprintf (channel->id, sizeof channel->id, "%s.%s", panel->id, trace->id);
            }
        }
    }
}

int
sl_layout_find (const SlLayout *layout, const char *id)
{
  for (unsigned i = 0; i < layout->n; i++)
    if (strcmp (layout->channel[i].id, id) == 0)
      return (int) i;
  return -1;
}

/* The id that a channel had before, "" where there was none. */
static void
former_id (const SlLab *lab, const SlChannel *channel, char *id, size_t size)
{
  const SlTrace *trace = &lab->panels[channel->panel].traces[channel->trace];

  if (trace->formerly == NULL)
    id[0] = '\0';
  else if (trace->each != NULL)
    snprintf (id, size, "%s.%u", trace->formerly, channel->instance + 1U);
  else
    snprintf (id, size, "%s", trace->formerly);
}

int
sl_layout_find_stored (const SlLayout *layout, const SlLab *lab, const char *id)
{
  int  found = sl_layout_find (layout, id);
  char former[sizeof layout->channel[0].id];

  for (unsigned i = 0; found < 0 && i < layout->n; i++)
    {
      former_id (lab, &layout->channel[i], former, sizeof former);
      if (former[0] != '\0' && strcmp (former, id) == 0)
        found = (int) i;
    }
  return found;
}

bool
sl_lab_only_looks (const SlLab *lab, unsigned param)
{
  if (lab->params[param].view)
    return true;
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (lab->panels[p].picks != NULL && strcmp (lab->panels[p].picks, lab->params[param].id) == 0)
      return true;
  return false;
}

int
sl_lab_panel (const SlLab *lab, const char *id)
{
  for (unsigned p = 0; p < lab->n_panels; p++)
    if (strcmp (lab->panels[p].id, id) == 0)
      return (int) p;
  return -1;
}

unsigned
sl_lab_panel_source (const SlLab *lab, unsigned panel)
{
  int source = lab->panels[panel].of != NULL ? sl_lab_panel (lab, lab->panels[panel].of) : -1;

  return source >= 0 ? (unsigned) source : panel;
}
