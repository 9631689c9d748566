/* SPDX-License-Identifier: MIT */
#include "core/train/trainer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/probe.h"
#include "core/lab/kit/state.h"

struct SlTrainer
{
  const SlLab *lab;
  SlLabState  *state;
  SlSettings   settings;
  SlLayout     layout;
  SlMap       *map; /* where the lab has map() and a panel for it */
  uint64_t     step;
};

/* Index of the panel for the map, or -1. */
static int
map_panel (const SlLab *lab)
{
  for (unsigned p = 0; p < lab->n_panels && lab->map != NULL; p++)
    if (lab->panels[p].kind == SL_MAP)
      return (int) p;
  return -1;
}

SlStatus
sl_trainer_new (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                const SlDataset *dataset, uint64_t seed)
{
  return sl_trainer_new_own (trainer, lab, settings, dataset, seed, NULL);
}

SlStatus
sl_trainer_new_own (SlTrainer **trainer, const SlLab *lab, const SlSettings *settings,
                    const SlDataset *dataset, uint64_t seed, const SlOwnGate *own)
{
  SlTrainer *t;
  SlStatus   status = SL_SUCCESS;

  *trainer = NULL;
  if (dataset != NULL && !sl_data_serves (sl_dataset_kind (dataset), lab->data))
    return sl_status_new (SL_EUNSUPPORTED, dataset->title,
                          sl_message_word (sl_data_title (sl_dataset_kind (dataset))),
                          sl_message_word (sl_data_title (lab->data)));
  t = calloc (1, sizeof *t);
  if (t == NULL)
    return sl_status_no_memory ("trainer");
  t->lab = lab;
  t->settings = *settings;
  sl_settings_settle (&t->settings, lab->params, lab->n_params);
  for (unsigned i = 0; i < lab->n_params && sl_ok (&status); i++)
    status = sl_param_check (&lab->params[i], &t->settings.value[i]);
  if (sl_ok (&status))
    {
      sl_layout_init (&t->layout, lab, &t->settings);
      status = sl_state_new (&t->state, lab, &t->settings, dataset, seed, own);
    }
  if (sl_ok (&status) && map_panel (lab) >= 0)
    status = sl_map_new (&t->map, lab, dataset);
  if (sl_ok (&status))
    *trainer = t;
  else
    sl_trainer_free (t);
  return status;
}

void
sl_trainer_free (SlTrainer *trainer)
{
  if (trainer == NULL)
    return;
  sl_map_free (trainer->map);
  sl_state_free (trainer->state);
  free (trainer);
}

size_t
sl_trainer_bytes (const SlTrainer *trainer)
{
  return trainer->state->kept.used + trainer->state->scratch.used;
}

SlStatus
sl_trainer_step (SlTrainer *trainer, SlSink *sink)
{
  SlStatus status;

  if (sl_trainer_ended (trainer, NULL))
    return sl_status_at (SL_EINVAL, trainer->lab->id, SL_STEP, trainer->step,
                         sl_message ("one more update of a run that has ended"), SL_NO_MESSAGE);
  sink->layout = &trainer->layout;
  sink->step = ++trainer->step;
  status = trainer->lab->step (trainer->state, sink);
  if (!sl_ok (&status) && status.place == SL_NOWHERE)
    {
      status.place = SL_STEP;
      status.position = trainer->step;
    }
  if (status.code == SL_EGATE && trainer->state->now.t < trainer->step)
    trainer->step--;
  return status;
}

bool
sl_trainer_ended (const SlTrainer *trainer, SlMessage *why)
{
  SlMessage message = SL_NO_MESSAGE;

  if (trainer->lab->ended != NULL)
    message = trainer->lab->ended (trainer->state);
  if (why != NULL)
    *why = message;
  return message.packed[0] != '\0';
}

SlStatus
sl_trainer_set (SlTrainer *trainer, unsigned param, const SlValue *value)
{
  const SlParam *descriptor = &trainer->lab->params[param];
  SlStatus       status;

  assert (param < trainer->lab->n_params);
  status = sl_param_check (descriptor, value);
  if (sl_ok (&status) && descriptor->effect != SL_LIVE)
    return sl_status_new (SL_EINVAL, descriptor->id, sl_message ("a change while running"),
                          sl_message ("a new run: this parameter needs new weights"));
  if (sl_ok (&status) && descriptor->each != NULL && value->n != trainer->settings.value[param].n)
    return sl_status_new (SL_EINVAL, descriptor->id, sl_message ("another number of values"),
                          sl_message ("one per layer"));
  if (sl_ok (&status))
    status = sl_state_set (trainer->state, param, value);
  if (sl_ok (&status))
    trainer->settings.value[param] = *value;
  return status;
}

SlStatus
sl_trainer_probe (SlTrainer *trainer, unsigned panel, SlSink *sink)
{
  SlPanelKind kind = trainer->lab->panels[panel].kind;

  sink->layout = &trainer->layout;
  sink->step = trainer->step;
  if (kind == SL_MAP && trainer->map != NULL)
    return sl_map_probe (trainer->map, trainer->state, panel, sink);
  if (trainer->lab->probes == NULL || kind == SL_MAP || sl_panel_is_series (kind))
    return SL_SUCCESS;
  return sl_probe_panel (trainer->state, panel, sink);
}

void
sl_trainer_set_view (SlTrainer *trainer, const SlMapView *view)
{
  if (trainer->map != NULL)
    sl_map_set_view (trainer->map, view);
}

SlStatus
sl_trainer_score (SlTrainer *trainer, SlSplit split, SlScore *scores, unsigned *n)
{
  SlStatus status;

  *n = 0;
  if (trainer->lab->score != NULL
      && (trainer->lab->data != SL_NEEDS_LABELS || trainer->state->dataset->n[split] > 0))
    trainer->lab->score (trainer->state, split, scores, n);
  status = sl_own_take (&trainer->state->own);
  if (!sl_ok (&status))
    *n = 0;
  return status;
}

SlStatus
sl_trainer_picture (SlTrainer *trainer, SlBitmap *picture)
{
  *picture = (SlBitmap) { 0 };
  if (trainer->lab->picture == NULL)
    return sl_status_new (SL_EUNSUPPORTED, trainer->lab->id,
                          sl_message ("a lab that makes no picture"), SL_NO_MESSAGE);
  return trainer->lab->picture (trainer->state, picture);
}

SlStatus
sl_trainer_recording (SlTrainer *trainer, struct SlRouting **routing)
{
  *routing = NULL;
  if (trainer->lab->recording == NULL)
    return sl_status_new (SL_EUNSUPPORTED, trainer->lab->id,
                          sl_message ("a lab that routes nothing"), SL_NO_MESSAGE);
  return trainer->lab->recording (trainer->state, routing);
}

SlStatus
sl_trainer_save (SlTrainer *trainer, SlCheckpoint *checkpoint)
{
  SlBlob   piece[SL_BLOBS_MAX];
  unsigned n = sl_state_blobs (trainer->state, piece);
  SlStatus status = sl_checkpoint_pack (checkpoint, trainer->lab, piece, n);

  if (!sl_ok (&status))
    return status;
  checkpoint->step = trainer->step;
  checkpoint->settings = trainer->settings;
  return SL_SUCCESS;
}

/* Whether the state was made for these settings, which differ in live parameters at most. */
static SlStatus
check_settings (const SlTrainer *trainer, const SlSettings *settings)
{
  const SlLab *lab = trainer->lab;

  for (unsigned i = 0; i < lab->n_params; i++)
    {
      const SlValue *value = &settings->value[i], *made = &trainer->settings.value[i];
      SlStatus       status = sl_param_check (&lab->params[i], value);

      if (!sl_ok (&status))
        return status;
      if (value->n != made->n
          || (lab->params[i].effect != SL_LIVE
              && memcmp (value->v, made->v, value->n * sizeof *value->v) != 0))
        return sl_status_new (SL_EINVAL, lab->params[i].id,
                              sl_message ("a checkpoint of other settings"), SL_NO_MESSAGE);
    }
  return SL_SUCCESS;
}

SlStatus
sl_trainer_restore (SlTrainer *trainer, const SlCheckpoint *checkpoint)
{
  SlBlob     piece[SL_BLOBS_MAX];
  unsigned   n = sl_state_blobs (trainer->state, piece);
  SlSettings settings = checkpoint->settings;
  SlStatus   status;

  sl_settings_settle (&settings, trainer->lab->params, trainer->lab->n_params);
  status = check_settings (trainer, &settings);
  if (sl_ok (&status))
    status = sl_checkpoint_unpack (checkpoint, trainer->lab, piece, n);
  if (sl_ok (&status))
    status = sl_state_restored (trainer->state, &settings);
  if (!sl_ok (&status))
    return status;
  trainer->step = checkpoint->step;
  trainer->settings = settings;
  return SL_SUCCESS;
}

SlClockAnswer
sl_trainer_time (SlTrainer *trainer, SlClockRounds *rounds, double seconds, SlSink *sink)
{
  SlClockAnswer answer = sl_clock_go (trainer->state, rounds, seconds, sink);
  SlCheckpoint  first = { 0 };
  SlSink        mute = { 0 };
  SlStatus      status;

  if (answer != SL_CLOCK_UNREADY)
    return answer;
  status = sl_trainer_save (trainer, &first);
  if (!sl_ok (&status))
    return SL_CLOCK_NOTHING;
  status = sl_trainer_step (trainer, &mute);
  answer = sl_ok (&status) ? sl_clock_go (trainer->state, rounds, seconds, sink) : SL_CLOCK_NOTHING;
  status = sl_trainer_restore (trainer, &first);
  assert (sl_ok (&status));
  sl_checkpoint_clear (&first);
  return answer;
}

uint64_t
sl_trainer_steps (const SlTrainer *trainer)
{
  return trainer->step;
}

const SlSettings *
sl_trainer_settings (const SlTrainer *trainer)
{
  return &trainer->settings;
}

const SlLayout *
sl_trainer_layout (const SlTrainer *trainer)
{
  return &trainer->layout;
}

SlSpan
sl_trainer_weights (SlTrainer *trainer)
{
  return trainer->state->weights;
}

SlLabState *
sl_trainer_state (SlTrainer *trainer)
{
  return trainer->state;
}

void
sl_trainer_progress (const SlTrainer *trainer, SlProgress *progress)
{
  sl_state_progress (trainer->state, progress);
}
