/* SPDX-License-Identifier: MIT
 *
 * Checkpoints of every lab with changed bytes, and a few steps after what was let in.  The first byte
 * chooses lab and trial; then come changes: three bytes where, one how many bytes, and those.  Numbers
 * that are no index or count may be anything.  */
#include <stdlib.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/train/trainer.h"
#include "tests/fuzz/error.h"

enum { TRIALS_MOST = 160, STEPS = 2, CHANGES_MOST = 16 };

typedef struct
{
  const SlLab *lab;
  SlSettings   settings;
  SlDataset   *dataset;
  SlCheckpoint good;
} Trial;

static void
take (SlSink *sink, const SlSample *sample)
{
}

static SlSink sink = { .take = take };

static void
require_ok (SlStatus status)
{
  fuzz_require (sl_ok (&status));
}

static SlTrainer *
new_trainer (const Trial *trial)
{
  SlTrainer *trainer;

  require_ok (sl_trainer_new (&trainer, trial->lab, &trial->settings, trial->dataset, 3));
  return trainer;
}

static void
make (Trial *trial, const SlLab *lab, const SlTrial *words)
{
  SlTrainer *trainer;

  trial->lab = lab;
  if (words->data != NULL)
    require_ok (sl_source_open (words->data, &trial->dataset));
  sl_settings_default (&trial->settings, lab->params, lab->n_params);
  require_ok (
    sl_settings_set_words (&trial->settings, lab->params, lab->n_params, words->settings));
  trainer = new_trainer (trial);
  for (unsigned i = 0; i < STEPS; i++)
    require_ok (sl_trainer_step (trainer, &sink));
  require_ok (sl_trainer_save (trainer, &trial->good));
  sl_trainer_free (trainer);
}

/* Made when it is asked for first, and kept. */
static const Trial *
choose (unsigned number)
{
  static Trial trials[TRIALS_MOST];
  unsigned     all = 0, one = 0;

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    all += sl_lab_n_trials (*lab);
  fuzz_require (all <= TRIALS_MOST);
  number %= all;
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      if (number < one + sl_lab_n_trials (*lab) && trials[number].lab == NULL)
        make (&trials[number], *lab, &(*lab)->trials[number - one]);
      if (number < one + sl_lab_n_trials (*lab))
        break;
      one += sl_lab_n_trials (*lab);
    }
  return &trials[number];
}

static void
change (SlCheckpoint *checkpoint, const uint8_t **data, size_t *size)
{
  size_t at = (size_t) (*data)[0] | (size_t) (*data)[1] << 8 | (size_t) (*data)[2] << 16;
  size_t n = MIN ((size_t) (*data)[3] % 16 + 1, *size - 4);

  /* From either end: counts like to be there. */
  if ((*data)[3] >= 128)
    at = checkpoint->bytes - 1 - at % checkpoint->bytes;
  at %= checkpoint->bytes;
  memcpy (checkpoint->data + at, *data + 4, MIN (n, checkpoint->bytes - at));
  *data += 4 + n;
  *size -= 4 + n;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const Trial *trial;
  SlCheckpoint bad;
  SlTrainer   *trainer;
  SlStatus     status;

  if (size == 0)
    return 0;
  trial = choose (data[0]);
  bad = trial->good;
  bad.data = g_memdup2 (trial->good.data, trial->good.bytes);
  data++;
  size--;
  for (unsigned i = 0; i < CHANGES_MOST && size > 4; i++)
    change (&bad, &data, &size);
  trainer = new_trainer (trial);
  status = sl_trainer_restore (trainer, &bad);
  for (unsigned i = 0; i < STEPS && sl_ok (&status); i++)
    status = sl_trainer_step (trainer, &sink);
  fuzz_require (sl_ok (&status) || status.code == SL_EFORMAT || status.code == SL_EUNSUPPORTED
                || status.code == SL_EDIVERGED);
  sl_trainer_free (trainer);
  g_free (bad.data);
  return 0;
}
