/* SPDX-License-Identifier: MIT */
#include "core/run/frames/frames.h"

#include <stdlib.h>

#include "core/run/own/strip.h"

typedef struct
{
  unsigned    panel, number; /* of the panel's views */
  unsigned    example;
  SlSnapshot *shot[SL_FRAMES_MAX]; /* (count) each NULL or owned */
} View;

struct SlFrames
{
  unsigned most, count;
  uint64_t step[SL_FRAMES_MAX];
  View    *view; /* (n_views) */
  unsigned n_views;
};

/* Takes the one panel that is probed. */
typedef struct
{
  SlSink      sink; /* first */
  SlSnapshot *shot;
  unsigned    panel;
  bool        published;
} ShotSink;

unsigned
sl_frames_choose (const SlDataset *dataset, uint64_t seed, unsigned examples[SL_FRAMES_EXAMPLES])
{
  SlStripExample strip[SL_STRIP];
  unsigned       n = 0;

  _Static_assert((int) SL_STRIP <= (int) SL_FRAMES_EXAMPLES, "a strip has as many examples");
  if (dataset != NULL && dataset->label != NULL)
    n = sl_strip_choose (dataset, NULL, seed, strip);
  for (unsigned i = 0; i < n; i++)
    examples[i] = strip[i].example;
  if (n == 0)
    examples[n++] = 0;
  return n;
}

static unsigned
clamp (unsigned x, unsigned lo, unsigned hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}

static void
add_views (SlFrames *self, unsigned panel, const unsigned *examples, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    self->view[self->n_views++] = (View) { .panel = panel, .number = i, .example = examples[i] };
}

SlFrames *
sl_frames_new (const SlLab *lab, const bool *wanted, unsigned most, const unsigned *examples,
               unsigned n)
{
  SlFrames *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->most = clamp (most, 2, SL_FRAMES_MAX);
  n = clamp (n, 1, SL_FRAMES_EXAMPLES);
  self->view = calloc ((size_t) lab->n_panels * n + 1, sizeof *self->view);
  for (unsigned p = 0; self->view != NULL && p < lab->n_panels; p++)
    if (wanted[p] && !sl_panel_is_series (lab->panels[p].kind))
      add_views (self, p, examples, lab->panels[p].kind == SL_ALIVE ? n : 1);
  if (self->view != NULL)
    return self;
  sl_frames_free (self);
  return NULL;
}

static void
free_shot (SlSnapshot *shot)
{
  if (shot != NULL)
    sl_snapshot_clear (shot);
  free (shot);
}

void
sl_frames_free (SlFrames *frames)
{
  if (frames == NULL)
    return;
  for (unsigned v = 0; v < frames->n_views; v++)
    for (unsigned i = 0; i < SL_FRAMES_MAX; i++)
      free_shot (frames->view[v].shot[i]);
  free (frames->view);
  free (frames);
}

static SlSnapshot *
open_shot (SlSink *sink, unsigned panel)
{
  ShotSink *self = (ShotSink *) sink;

  if (panel != self->panel)
    return NULL;
  sl_snapshot_reset (self->shot);
  self->shot->step = sink->step;
  self->shot->generation = sink->generation;
  self->shot->panel = panel;
  return self->shot;
}

static void
publish_shot (SlSink *sink, SlSnapshot *snapshot)
{
  (void) snapshot;
  ((ShotSink *) sink)->published = true;
}

static SlStatus
take_view (View *view, unsigned i, SlTrainer *trainer)
{
  SlSubject subject = { .example = view->example };
  ShotSink  sink = { .sink = { .layout = sl_trainer_layout (trainer),
                               .step = sl_trainer_steps (trainer),
                               .generation = 1,
                               .subject = &subject,
                               .open = open_shot,
                               .publish = publish_shot,
                               .idle = true },
                     .shot = calloc (1, sizeof *sink.shot),
                     .panel = view->panel };
  SlStatus  status;

  if (sink.shot == NULL)
    return sl_status_no_memory (SL_MARK ("the moments of the run"));
  status = sl_trainer_probe (trainer, view->panel, &sink.sink);
  free_shot (view->shot[i]); /* of a moment that failed halfway */
  view->shot[i] = sl_ok (&status) && sink.published ? sink.shot : NULL;
  if (view->shot[i] == NULL)
    free_shot (sink.shot);
  return status;
}

/* A moment is there with all its views or not at all. */
static SlStatus
take (SlFrames *self, SlTrainer *trainer)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned v = 0; v < self->n_views && sl_ok (&status); v++)
    status = take_view (&self->view[v], self->count, trainer);
  if (sl_ok (&status))
    self->step[self->count++] = sl_trainer_steps (trainer);
  return status;
}

static bool
has_step (const SlFrames *self, uint64_t step)
{
  return self->count > 0 && self->step[self->count - 1] >= step;
}

SlStatus
sl_frames_offer (SlFrames *frames, SlTrainer *trainer, double done)
{
  static const double rounding = 1e-9; /* of a share that is exactly the next moment's */

  /* The last place is that of the end. */
  if (frames->count + 1 >= frames->most || has_step (frames, sl_trainer_steps (trainer))
      || (done + rounding) * (frames->most - 1) < frames->count)
    return SL_SUCCESS;
  return take (frames, trainer);
}

SlStatus
sl_frames_end (SlFrames *frames, SlTrainer *trainer)
{
  return has_step (frames, sl_trainer_steps (trainer)) ? SL_SUCCESS : take (frames, trainer);
}

static View *
find_view (const SlFrames *self, unsigned panel, unsigned number)
{
  for (unsigned v = 0; v < self->n_views; v++)
    if (self->view[v].panel == panel && self->view[v].number == number)
      return &self->view[v];
  return NULL;
}

SlStatus
sl_frames_keep (SlFrames *frames, unsigned panel, const SlSnapshot *snapshot)
{
  View       *view = find_view (frames, panel, 0);
  SlSnapshot *copy;
  SlStatus    status;

  if (view == NULL || frames->count >= frames->most || has_step (frames, snapshot->step))
    return sl_status_new (SL_EINVAL, SL_MARK ("the moments of the run"), SL_NO_MESSAGE,
                          SL_NO_MESSAGE);
  copy = calloc (1, sizeof *copy);
  if (copy == NULL)
    return sl_status_no_memory (SL_MARK ("the moments of the run"));
  status = sl_snapshot_copy (copy, snapshot);
  if (!sl_ok (&status))
    {
      free_shot (copy);
      return status;
    }
  copy->panel = panel;
  copy->generation = 1;
  view->shot[frames->count] = copy;
  frames->step[frames->count++] = snapshot->step;
  return SL_SUCCESS;
}

unsigned
sl_frames_count (const SlFrames *frames)
{
  return frames->count;
}

uint64_t
sl_frames_step (const SlFrames *frames, unsigned i)
{
  return i < frames->count ? frames->step[i] : 0;
}

unsigned
sl_frames_views (const SlFrames *frames, unsigned panel)
{
  unsigned n = 0;

  for (unsigned v = 0; v < frames->n_views; v++)
    n += frames->view[v].panel == panel;
  return n;
}

const SlSnapshot *
sl_frames_at (const SlFrames *frames, unsigned i, unsigned panel, unsigned view)
{
  const View *of = i < frames->count ? find_view (frames, panel, view) : NULL;

  return of != NULL ? of->shot[i] : NULL;
}
