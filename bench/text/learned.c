/* SPDX-License-Identifier: MIT
 *
 * Tables 4.2 and 4.4 of Davis 2016 with the densities that a network of 1024 units arrives at by
 * itself after a few updates on text, where `recurrence` forces those of a normal distribution.
 */
#include "bench/bench.h"
#include "bench/run.h"
#include "core/data/source/source.h"

static const double offsets[] = { 0, -0.25, -0.5, -0.75 };
static const int    gate_counts[] = { 16, 32, 64 };

enum { UPDATES = 25 };

/* Trains on under this s and times the network against its dense twin. */
static SlExit
measure_cell (SlBench *bench, SlHeadlessRun *run, double offset, int gates, bool blocks)
{
  const SlLab      *lab = run->record.lab;
  unsigned          panel = (unsigned) sl_lab_panel (lab, "speed");
  unsigned          param = (unsigned) sl_param_find (lab->params, lab->n_params, "s");
  SlStatus          status = sl_trainer_set (run->trainer, param, &(SlValue) { 1, { offset } });
  SlExit            code = sl_ok (&status) ? sl_bench_train (run, UPDATES) : sl_cli_fail (&status);
  const SlSnapshot *snapshot = &run->record.snapshot[panel];
  const double     *bars;
  g_autofree char  *name = NULL, *share = NULL, *note = NULL;
  char              said[SL_SNAPSHOT_NOTE];

  if (code == SL_EXIT_FINE)
    code = sl_bench_probe (run, panel);
  if (code != SL_EXIT_FINE)
    return code;
  bars = snapshot->data + snapshot->curve[0].offset + snapshot->curve[0].n;
  name = blocks ? g_strdup_printf ("learned.%d/%d.s%g", 1024 / gates, gates, offset)
                : g_strdup_printf ("learned.g%d.s%g", gates, offset);
  share = g_strdup_printf ("%s.share", name);
  note = g_strdup_printf ("batch %d, bound %.2f. %s", blocks ? 64 : 1, bars[2],
                          sl_message_show (snapshot->note.packed, NULL, said, sizeof said));
  sl_bench_result (bench, name, bars[blocks], "x dense", SL_BAR_LEAST, bars[3], note);
  sl_bench_result (bench, share, bars[blocks] / bars[2], "of bound", SL_BAR_NONE, 0, "");
  return SL_EXIT_FINE;
}

static SlExit
bench_learned (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (int blocks = 0; blocks <= 1; blocks++)
    for (size_t g = 0; g < G_N_ELEMENTS (gate_counts) && code == SL_EXIT_FINE; g++)
      {
        g_autofree char *settings
          = g_strdup_printf ("units=1024 layers=2 gating=%s gates=%d batch=32 length=8 "
                             "evaluate-every=1000000",
                             blocks ? "blocks" : "units", gate_counts[g]);
        SlHeadlessRun run;

        code = sl_bench_open (&run, "gated-recurrence", sl_source_default_for (SL_NEEDS_TEXT),
                              settings, 1);
        if (code != SL_EXIT_FINE)
          return code;
        for (size_t i = 0; i < G_N_ELEMENTS (offsets) && code == SL_EXIT_FINE; i++)
          code = measure_cell (bench, &run, offsets[i], gate_counts[g], blocks != 0);
        sl_headless_clear (&run);
      }
  return code;
}

const SlBenchGroup sl_bench_learned
  = { "learned", "the same with the densities that a network learns", true, bench_learned };
