/* SPDX-License-Identifier: MIT
 *
 * Digits drawn by hand, kept as strokes, get their class from the networks of the start page.
 *
 * test-drawn DRAWN-DIGITS.TXT  */
#include <string.h>

#include "core/data/source/source.h"
#include "core/lab/alive.h"
#include "core/lab/subject.h"
#include "core/labs/registry.h"
#include "core/run/record/record.h"
#include "core/train/trainer.h"
#include "tests/support/drawn-digits.h"

enum { UPDATES = 400, OF_A_HUNDRED = 70 };

static const char *golden;

typedef struct
{
  SlDataset   *dataset;
  SlTrainer   *trainer;
  SlRecord     record;
  SlRecordSink sink;
  SlSubject    subject;
  unsigned     panel;
} Run;

static void
assert_fine (SlStatus status)
{
  char text[1024];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static void
train (Run *run, const SlLab *lab)
{
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  assert_fine (sl_source_open ("digits", &run->dataset));
  assert_fine (sl_trainer_new (&run->trainer, lab, &settings, run->dataset, 1));
  assert_fine (sl_record_init (&run->record, lab, &settings, 1));
  sl_record_sink_init (&run->sink, &run->record);
  run->sink.sink.subject = &run->subject;
  run->panel = (unsigned) sl_lab_panel (lab, "alive");
  for (unsigned i = 0; i < UPDATES; i++)
    assert_fine (sl_trainer_step (run->trainer, &run->sink.sink));
}

static void
take (Run *run, const SlDrawnDigit *drawn)
{
  SlInk ink;

  sl_ink_begin (&ink, sl_ink_style (run->dataset));
  sl_drawn_digit_play (drawn, sl_drawn_put_ink, &ink);
  sl_ink_settle (&ink);
  run->subject.n_own = run->dataset->features;
  sl_ink_render (&ink, run->dataset->width, run->dataset->height, run->subject.own);
}

/* The class that the picture of the network says. */
static unsigned
answer (Run *run)
{
  const SlSnapshot *shown;
  SlAlive           alive;
  unsigned class = 0;

  assert_fine (sl_trainer_probe (run->trainer, run->panel, &run->sink.sink));
  shown = &run->record.snapshot[run->panel];
  g_assert_true (sl_alive_read (&alive, shown->data, shown->rows, shown->columns));
  g_assert_cmpuint (alive.n_classes, ==, run->dataset->classes);
  for (unsigned c = 1; c < alive.n_classes; c++)
    if (alive.class[c * SL_ALIVE_COLUMNS + 1] > alive.class[class * SL_ALIVE_COLUMNS + 1])
      class = c;
  return (unsigned) alive.class[class * SL_ALIVE_COLUMNS + 4];
}

static void
test_lab (gconstpointer id)
{
  const SlDrawnDigit *drawn = sl_drawn_digits (golden);
  Run                *run = g_new0 (Run, 1);
  unsigned            right = 0;

  train (run, sl_lab_find (id));
  for (unsigned i = 0; i < SL_DRAWN_DIGITS; i++)
    {
      unsigned said;

      take (run, &drawn[i]);
      said = answer (run);
      right += said == drawn[i].digit;
      if (said != drawn[i].digit)
        g_test_message ("drawing %u, a %u: %u", i + 1, drawn[i].digit, said);
    }
  g_test_message ("%s: %u of %d right", (const char *) id, right, SL_DRAWN_DIGITS);
  g_assert_cmpuint (100 * right, >=, OF_A_HUNDRED * SL_DRAWN_DIGITS);
  sl_trainer_free (run->trainer);
  sl_record_sink_clear (&run->sink);
  sl_record_clear (&run->record);
  sl_dataset_free (run->dataset);
  g_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  golden = argv[1];
  g_test_add_data_func ("/drawn/sign-estimator", "sign-estimator", test_lab);
  g_test_add_data_func ("/drawn/experts", "experts", test_lab);
  g_test_add_data_func ("/drawn/stochastic-gates", "stochastic-gates", test_lab);
  return g_test_run ();
}
