/* SPDX-License-Identifier: MIT
 *
 * Looking at a run: curves, panels, the map, scores, times; see sluice.h.  */
#include "lib/run-private.h"

#include <math.h>

#include "core/lab/alive.h"
#include "core/lab/kit/state.h"
#include "core/run/base/json.h"
#include "plot/figure/figure.h"

/* ---- curves ---- */

SluiceCode
sluice_run_series (const SluiceRun *run, const char *channel, SluiceSeries *series)
{
  unsigned   found;
  SluiceCode code;

  *series = (SluiceSeries) { 0 };
  SL_LIB_ENTER ();
  code = sl_lib_channel (run, channel, &found);
  if (code != SLUICE_FINE)
    return code;
  if (!run->run.record.layout.channel[found].series)
    return sl_lib_refuse (SLUICE_UNSUPPORTED,
                          "%s is of a panel that is measured when it is looked at", channel);
  series->n = run->run.record.series[found].n;
  series->update = run->run.record.series[found].step;
  series->value = run->run.record.series[found].value;
  return SLUICE_FINE;
}

/* ---- a panel ---- */

static void
add_title (SlJsonWriter *w, const SlLab *lab, const SlChannel *channel)
{
  SlMessage title = sl_channel_title (lab, channel);
  char      text[SL_MESSAGE_SIZE];

  sl_json_add_text (w, "title", sl_message_show (title.packed, NULL, text, sizeof text));
}

/* The lines of names, each ended by '\n'. */
static void
add_names (SlJsonWriter *w, const char *key, const char *names)
{
  sl_json_open (w, key, '[', SL_JSON_TIGHT);
  for (unsigned i = 0;; i++)
    {
      size_t           length;
      const char      *line = sl_figure_line (names, i, &length);
      g_autofree char *packed = line != NULL ? g_strndup (line, length) : NULL;
      char             text[SL_MESSAGE_SIZE];

      if (line == NULL)
        break;
      sl_json_add_text (w, NULL, sl_message_show (packed, NULL, text, sizeof text));
    }
  sl_json_close (w);
}

static void
add_axis (SlJsonWriter *w, const char *key, const SlAxis *axis)
{
  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "label", axis->label);
  sl_json_add_text (w, "unit", axis->unit);
  sl_json_close (w);
}

/* Each curve with the place of its numbers: x, then y, then perhaps the half widths of error bars. */
static void
add_curves (SlJsonWriter *w, const SluiceRun *run, const SlSnapshot *snapshot)
{
  sl_json_open (w, "curves", '[', SL_JSON_TIGHT);
  for (unsigned i = 0; i < snapshot->n_curves; i++)
    {
      const SlSnapshotCurve *curve = &snapshot->curve[i];
      const SlChannel       *channel = &run->run.record.layout.channel[curve->channel];

      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "id", channel->id);
      add_title (w, run->plan.lab, channel);
      sl_json_add_whole (w, "at", curve->offset);
      sl_json_add_whole (w, "n", curve->n);
      sl_json_add_truth (w, "spread", curve->has_spread);
      sl_json_close (w);
    }
  sl_json_close (w);
}

/* Groups of units, classes and edges as places of their rows (alive.h). */
static void
add_alive (SlJsonWriter *w, const SlAlive *alive, const double *matrix, const SlSnapshot *snapshot)
{
  sl_json_open (w, "alive", '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "width", alive->width);
  sl_json_add_whole (w, "height", alive->height);
  sl_json_open (w, "groups", '[', SL_JSON_TIGHT);
  for (unsigned g = 0; g < alive->n_groups; g++)
    {
      size_t           length = 0;
      const char      *name = sl_figure_line (snapshot->names, g, &length);
      g_autofree char *packed = g_strndup (name != NULL ? name : "", length);
      char             text[SL_MESSAGE_SIZE];

      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "title", sl_message_show (packed, NULL, text, sizeof text));
      sl_json_add_whole (w, "units", alive->group[g].units);
      sl_json_add_whole (w, "row", alive->group[g].first);
      sl_json_add_whole (w, "n", alive->group[g].n);
      sl_json_close (w);
    }
  sl_json_close (w);
  sl_json_open (w, "states", '[', SL_JSON_TIGHT);
  for (unsigned s = 0; s < SL_N_ALIVE_STATES; s++)
    sl_json_add_text (w, NULL, sl_alive_word ((SlAliveState) s));
  sl_json_close (w);
  sl_json_add_whole (
    w, "class_row", alive->n_classes > 0 ? (size_t) (alive->class - matrix) / SL_ALIVE_COLUMNS : 0);
  sl_json_add_whole (w, "classes", alive->n_classes);
  sl_json_close (w);
}

static void
add_matrix (SlJsonWriter *w, const SlSnapshot *snapshot)
{
  sl_json_open (w, "matrix", '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "tiles", snapshot->tiles);
  sl_json_add_whole (w, "depth", snapshot->depth);
  sl_json_add_whole (w, "rows", snapshot->rows);
  sl_json_add_whole (w, "columns", snapshot->columns);
  add_names (w, "names", snapshot->names);
  add_names (w, "row_names", snapshot->row_names);
  sl_json_close (w);
}

/* What the numbers of a snapshot are; those of a matrix come first. */
static char *
describe (const SluiceRun *run, const SlSnapshot *snapshot)
{
  const SlLab   *lab = run->plan.lab;
  const SlPanel *panel = &lab->panels[snapshot->panel];
  SlAxes         axes = sl_panel_axes (lab, panel);
  SlJsonWriter   w;
  SlAlive        alive;
  char           note[SL_MESSAGE_SIZE];

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "id", panel->id);
  sl_json_add_text (&w, "title", panel->title);
  sl_json_add_whole (&w, "update", snapshot->step);
  sl_json_add_text (&w, "note", sl_message_show (snapshot->note.packed, NULL, note, sizeof note));
  add_axis (&w, "x", &axes.x);
  add_axis (&w, "y", &axes.y);
  add_axis (&w, "z", &axes.z);
  add_curves (&w, run, snapshot);
  if (sl_snapshot_cells (snapshot) > 0)
    add_matrix (&w, snapshot);
  if (panel->kind == SL_ALIVE
      && sl_alive_read (&alive, snapshot->data, snapshot->rows, snapshot->columns))
    add_alive (&w, &alive, snapshot->data, snapshot);
  for (unsigned i = 0; panel->categories != NULL && panel->categories[i] != NULL; i++)
    {
      if (i == 0)
        sl_json_open (&w, "categories", '[', SL_JSON_TIGHT);
      sl_json_add_text (&w, NULL, panel->categories[i]);
      if (panel->categories[i + 1] == NULL)
        sl_json_close (&w);
    }
  return sl_json_writer_end (&w, FALSE);
}

/* Measures a panel, unless the run is only looked at. */
SluiceCode
sl_lib_probe (SluiceRun *run, unsigned panel)
{
  SlStatus status = SL_SUCCESS;
  unsigned before;

  if (run->run.trainer == NULL || sl_panel_is_series (run->plan.lab->panels[panel].kind))
    return SLUICE_FINE;
  sl_lib_begin_turn (run, &before);
  status = sl_headless_probe (&run->run, panel, NULL, NULL);
  sl_lib_end_turn (run, before);
  return sl_lib_fail (&status);
}

SluiceCode
sluice_run_panel (SluiceRun *run, const char *panel, char **json, double **numbers, size_t *n)
{
  const SlSnapshot *snapshot;
  unsigned          index;
  SluiceCode        code;

  *json = NULL;
  *numbers = NULL;
  *n = 0;
  SL_LIB_ENTER ();
  code = sl_lib_panel (run, panel, &index);
  if (code != SLUICE_FINE)
    return code;
  if (sl_panel_is_series (run->plan.lab->panels[index].kind))
    return sl_lib_refuse (SLUICE_UNSUPPORTED,
                          "the panel %s is made of series, which are read by their ids", panel);
  code = sl_lib_probe (run, index);
  if (code != SLUICE_FINE)
    return code;
  snapshot = &run->run.record.snapshot[index];
  if (!run->run.record.has_snapshot[index])
    return sl_lib_refuse (SLUICE_UNSUPPORTED,
                          "the panel %s has nothing to show under these settings", panel);
  *json = describe (run, snapshot);
  *numbers = g_memdup2 (snapshot->data, snapshot->n_data * sizeof *snapshot->data);
  *n = snapshot->n_data;
  return SLUICE_FINE;
}

/* ---- inputs of one's own ---- */

SluiceCode
sluice_run_look_at (SluiceRun *run, const float *input, size_t n, unsigned example)
{
  SluiceCode code;

  SL_LIB_ENTER ();
  code = sl_lib_live (run);
  if (code != SLUICE_FINE)
    return code;
  if (n > 0)
    {
      const SlDataset *data = run->run.dataset;

      if (data == NULL || !sl_dataset_takes_own (data))
        return sl_lib_refuse (SLUICE_UNSUPPORTED,
                              "inputs of one's own are grey pictures and points of a "
                              "plane; these data are something else");
      if (n != data->features || n > SL_SUBJECT_NUMBERS)
        return sl_lib_refuse (SLUICE_INVALID, "found an input of %zu numbers, expected %u", n,
                              data->features);
    }
  if (run->subject == NULL)
    run->subject = g_new0 (SlSubject, 1);
  run->subject->example = example;
  run->subject->n_own = (unsigned) n;
  for (size_t i = 0; i < n; i++)
    run->subject->own[i] = isfinite (input[i]) ? input[i] : 0;
  run->run.sink.sink.subject = run->subject;
  return SLUICE_FINE;
}

static SluiceCell
cell_of (const SlCell *cell)
{
  return (SluiceCell) { .pattern = cell->pattern,
                        .top = cell->top,
                        .active = cell->active,
                        .label = cell->label,
                        .confidence = cell->confidence,
                        .margin = cell->margin,
                        .cost = cell->cost,
                        .misjudged = cell->misjudged };
}

/* The cells of some points, in pieces that a lab takes. */
static SlStatus
map_points (SlLabState *state, const float *points, size_t n, SluiceCell *cells)
{
  const SlDataset    *data = state->dataset;
  g_autofree sl_real *input = g_new (sl_real, MIN (n, SL_MAP_BATCH) * data->features);
  SlStatus            status = SL_SUCCESS;
  SlCell              cell[SL_MAP_BATCH];

  for (size_t at = 0; at < n && sl_ok (&status); at += SL_MAP_BATCH)
    {
      size_t some = MIN (n - at, SL_MAP_BATCH);

      sl_dataset_convert (data, points + at * data->features, some, input);
      status = sl_state_map (state, input, some, cell);
      for (size_t i = 0; i < some && sl_ok (&status); i++)
        cells[at + i] = cell_of (&cell[i]);
    }
  return status;
}

SluiceCode
sluice_run_map (SluiceRun *run, const float *points, size_t n, size_t features, SluiceCell *cells)
{
  const SlLab *lab = run->plan.lab;
  SlStatus     status;
  unsigned     before;
  SluiceCode   code;

  SL_LIB_ENTER ();
  code = sl_lib_live (run);
  if (code != SLUICE_FINE)
    return code;
  if (lab->map == NULL || run->run.dataset == NULL)
    return sl_lib_refuse (SLUICE_UNSUPPORTED, "%s has no map of its inputs", lab->id);
  if (features != run->run.dataset->features)
    return sl_lib_refuse (SLUICE_INVALID,
                          "found points of %zu features, expected %u as the data have", features,
                          run->run.dataset->features);
  sl_lib_begin_turn (run, &before);
  status = map_points (sl_trainer_state (run->run.trainer), points, n, cells);
  sl_lib_end_turn (run, before);
  return sl_lib_fail (&status);
}

/* ---- figures of the whole run ---- */

static const char *const splits[SL_N_SPLITS] = { "train", "validation", "test" };

SluiceCode
sl_lib_score (SluiceRun *run, SlSplit split, SlScore *score, unsigned *n)
{
  SlStatus status;
  unsigned before;

  *n = 0;
  sl_lib_begin_turn (run, &before);
  status = sl_trainer_score (run->run.trainer, split, score, n);
  sl_lib_end_turn (run, before);
  return sl_lib_fail (&status);
}

/* The figures of a split as a member. */
static SluiceCode
add_scores (SlJsonWriter *w, SluiceRun *run, SlSplit split)
{
  SlScore    score[SL_SCORES_MAX];
  unsigned   n;
  SluiceCode code = sl_lib_score (run, split, score, &n);

  if (code != SLUICE_FINE)
    return code;
  sl_json_open (w, splits[split], '[', SL_JSON_LINES);
  for (unsigned i = 0; i < n; i++)
    {
      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "id", score[i].id);
      sl_json_add_text (w, "title", score[i].title);
      sl_json_add_text (w, "unit", score[i].unit);
      sl_json_add_number (w, "value", score[i].value);
      sl_json_close (w);
    }
  sl_json_close (w);
  return SLUICE_FINE;
}

SluiceCode
sluice_run_scores (SluiceRun *run, char **json)
{
  static const SlSplit asked[] = { SL_TEST, SL_VALID };
  SlJsonWriter         w;
  SluiceCode           code;

  *json = NULL;
  SL_LIB_ENTER ();
  code = sl_lib_live (run);
  if (code != SLUICE_FINE)
    return code;
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  for (size_t i = 0; i < G_N_ELEMENTS (asked) && code == SLUICE_FINE; i++)
    if (sl_dataset_scores (run->run.dataset, asked[i]))
      code = add_scores (&w, run, asked[i]);
  *json = sl_json_writer_end (&w, FALSE);
  if (code != SLUICE_FINE)
    g_clear_pointer (json, g_free);
  return code;
}

SluiceCode
sluice_run_time (SluiceRun *run, char **json)
{
  const SlTimes *times = &run->run.record.times;
  SlJsonWriter   w;
  SlStatus       status;
  unsigned       before;
  SluiceCode     code;

  *json = NULL;
  SL_LIB_ENTER ();
  code = sl_lib_live (run);
  if (code != SLUICE_FINE)
    return code;
  g_atomic_int_set (&run->gate.failed, 0);
  sl_lib_begin_turn (run, &before);
  status = sl_headless_time (&run->run, NULL, NULL);
  sl_lib_end_turn (run, before);
  if (!sl_ok (&status))
    return sl_lib_fail (&status);
  if (g_atomic_int_get (&run->gate.failed))
    return sl_lib_refuse (SLUICE_GATE, "the gate failed to choose");
  sl_json_writer_init (&w);
  if (times->batch == 0)
    sl_json_add_json (&w, NULL, "null");
  else if (isnan (times->share[1].value))
    sl_json_add_text (&w, NULL, "busy");
  else
    {
      sl_json_open (&w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_number (&w, "percent", 100 * times->share[1].value);
      sl_json_add_number (&w, "spread", 100 * times->share[1].spread);
      sl_json_add_whole (&w, "batch", times->batch);
    }
  *json = sl_json_writer_end (&w, FALSE);
  return SLUICE_FINE;
}

SluiceCode
sluice_run_weights (SluiceRun *run, const float **weights, size_t *n)
{
  SluiceCode code;
  SlSpan     span;

  *weights = NULL;
  *n = 0;
  SL_LIB_ENTER ();
  code = sl_lib_live (run);
  if (code != SLUICE_FINE)
    return code;
  span = sl_trainer_weights (run->run.trainer);
  *weights = span.data;
  *n = span.n;
  return SLUICE_FINE;
}
