/* SPDX-License-Identifier: MIT
 *
 * See perform.h.  */
#include "app/cli/commands/perform.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/commands/moments.h"
#include "app/cli/commands/recording.h"
#include "app/cli/show/meter.h"
#include "app/cli/stop.h"
#include "app/cli/storing.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/language.h"
#include "core/run/base/threads.h"
#include "core/run/headless/headless.h"
#include "core/run/record/data.h"
#include "core/run/record/health.h"
#include "core/run/record/outcome.h"
#include "core/run/sweep/command-line.h"
#include "plot/base/scale.h"

enum { HEALTH_STEPS = 10 /* updates between two looks */ };

/* The worse of two: what already went wrong is what the caller of this program hears of. */
static SlExit
first_failure (SlExit a, SlExit b)
{
  return a != SL_EXIT_FINE ? a : b;
}

static bool
is_data (const SlHeadlessRun *run, uint64_t hash)
{
  if (hash == 0 || run->dataset->hash == hash)
    return true;
  sl_cli_report ("%s is not what the recipe was made with: its hash is %016" PRIx64
                 ", expected %016" PRIx64,
                 run->dataset->id, run->dataset->hash, hash);
  return false;
}

/* The first sample of two series that is not the same bits, or their length. */
static size_t
first_difference (const SlSeries *a, const SlSeries *b)
{
  size_t n = MIN (a->n, b->n), i = 0;

  while (i < n && memcmp (&a->step[i], &b->step[i], sizeof *a->step) == 0
         && memcmp (&a->value[i], &b->value[i], sizeof *a->value) == 0)
    i++;
  return i;
}

static SlExit
compare (const SlRecord *record, const SlRecord *expected)
{
  size_t samples = 0;

  for (unsigned c = 0; c < record->layout.n; c++)
    {
      const SlSeries *ours = &record->series[c], *theirs = &expected->series[c];
      size_t          same = first_difference (ours, theirs);

      if (same < MAX (ours->n, theirs->n))
        {
          sl_cli_report ("%s differs from what is stored, from its sample %zu on",
                         record->layout.channel[c].id, same + 1);
          return SL_EXIT_FAILED;
        }
      samples += same;
    }
  fprintf (stderr, _ ("samples, the same to the last bit: %zu\n"), samples);
  return SL_EXIT_FINE;
}

/* What is tested between two updates. */
typedef struct
{
  SlMeter         meter;
  const SlHealth *trouble; /* that was reported last, or NULL */
  SlStoring      *storing;
  SlCliMoments   *moments;
} Watch;

static void
report_trouble (const SlHeadlessRun *run, const SlHealth *trouble)
{
  const SlParam     *params = run->record.lab->params;
  unsigned long long step = sl_trainer_steps (run->trainer);
  g_autofree char   *knob = NULL;
  unsigned           param;
  SlValue            value;
  char               text[512];

  if (sl_health_way_back (trouble, &run->recipe, &param, &value))
    knob = g_strdup_printf (_ ("%s, which was %s"), params[param].id,
                            sl_param_format (&params[param], &value, text, sizeof text));
  /* Translators: the number of an update, a sentence on what went wrong, a parameter. */
  sl_cli_report (_ ("update %llu: %s Try another %s."), step, sl_words (trouble->words),
                 knob != NULL ? knob : params[param].id);
}

static void
watch_health (Watch *watch, const SlHeadlessRun *run)
{
  const SlHealth *trouble = sl_health_of (&run->record);

  if (trouble != NULL && trouble != watch->trouble)
    report_trouble (run, trouble);
  if (trouble == NULL && watch->trouble != NULL)
    sl_cli_report (_ ("update %llu: that is over"),
                   (unsigned long long) sl_trainer_steps (run->trainer));
  watch->trouble = trouble;
}

/* Shows how far the run is, now and then, and whether it is in trouble; false after Ctrl+C. */
static bool
ask (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Watch *watch = data;
  bool   stopped = sl_stop_asked ();

  if (sl_meter_due (&watch->meter, done) || stopped || done >= 1)
    sl_meter_show (&watch->meter, sl_trainer_steps (run->trainer), run->budget.steps, done,
                   progress);
  sl_storing_look (watch->storing);
  if (sl_trainer_steps (run->trainer) % HEALTH_STEPS == 0)
    watch_health (watch, run);
  if (!stopped)
    sl_cli_moments_offer (watch->moments, run, done);
  return !stopped;
}

static void
report_data (const SlHeadlessRun *run, const SlPlan *plan)
{
  g_autofree char *note = sl_data_note (plan->lab, &plan->settings, run->dataset);

  if (note != NULL)
    sl_cli_report ("%s", note);
}

/* The recipe of a stored run has the changes to come by update; those by epoch are not in it. */
static void
report_not_kept (const SlHeadlessRun *run)
{
  for (guint i = 0; run->writer != NULL && i < run->waiting->len; i++)
    {
      const SlPlannedChange *change = &g_array_index (run->waiting, SlPlannedChange, i);

      if (change->by_epoch)
        sl_cli_report ("the change of %s at epoch %g is not stored; give it again when you resume",
                       run->record.lab->params[change->param].id, change->when);
    }
}

/* Trains, into the plan's store if it has one; what was measured is in the record. */
static SlExit
train (SlHeadlessRun *run, const SlPlan *plan, SlStoring *storing, SlCliMoments *moments,
       bool quiet)
{
  Watch    watch = { .storing = storing, .moments = moments };
  SlStatus status;
  SlExit   code = SL_EXIT_FINE;

  sl_headless_write_begin (run, plan);
  if (plan->stored.curves_only)
    sl_cli_report (_ ("the stored run has only its curves left: another one begins"));
  if (run->writer != NULL && !quiet)
    sl_cli_report (_ ("this run is %s"), sl_writer_uuid (run->writer));
  if (!quiet)
    report_data (run, plan);
  sl_meter_begin (&watch.meter, quiet);
  status = sl_headless_train (run, ask, &watch);
  sl_meter_end (&watch.meter);
  if (status.code == SL_ECANCELLED)
    {
      code = SL_EXIT_STOPPED;
      sl_cli_report ("stopped at update %" PRIu64 "; writing what was measured so far",
                     run->recipe.step);
    }
  else if (!sl_ok (&status))
    code = sl_cli_fail (&status);
  else if (run->waiting->len > 0)
    sl_cli_report ("the run ended before %u of its changes", run->waiting->len);
  report_not_kept (run);
  sl_headless_write_end (run, code == SL_EXIT_FINE       ? SL_RUN_FINISHED
                              : code == SL_EXIT_DIVERGED ? SL_RUN_DIVERGED
                                                         : SL_RUN_PAUSED);
  return code;
}

static SlExit
probe (SlHeadlessRun *run, unsigned panel)
{
  SlStatus status = sl_headless_probe (run, panel, NULL, NULL);

  if (sl_ok (&status))
    return SL_EXIT_FINE;
  sl_cli_report ("the panel %s was not updated:", run->record.lab->panels[panel].id);
  return sl_cli_fail (&status);
}

/* The name of the run in the plan's store. */
static const char *
stored_name (const SlPlan *plan)
{
  return plan->stored.uuid[0] != '\0' ? plan->stored.uuid : plan->uuid;
}

/* Times a forward pass, keeps the figure with the run, if it is in a store, and says it. */
static SlExit
time_pass (SlHeadlessRun *run, const SlPlan *plan, bool quiet)
{
  SlStatus  status = sl_headless_time (run, NULL, NULL);
  SlOutcome outcome;
  char      text[48];

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_outcome_read (&outcome, &run->record, NULL, 0, NAN);
  if (!isfinite (outcome.timed))
    return SL_EXIT_FINE;
  if (plan->store != NULL)
    sl_store_set_times (plan->store, stored_name (plan), &run->record.times);
  if (!quiet)
    sl_cli_report ("time of a forward pass: %s %% of dense, measured (batch %zu)",
                   sl_spread_text (outcome.timed, outcome.timed_spread, 3, text, sizeof text),
                   run->record.times.batch);
  return SL_EXIT_FINE;
}

/* Fills up with blanks to so many characters, not bytes. */
static void
print_padded (FILE *stream, const char *text, int width)
{
  fprintf (stream, "%s%*s", text, MAX (0, width - (int) g_utf8_strlen (text, -1)), "");
}

/* Evaluates test and validation data, or the run itself where there are none; keeps the scores with the run and
 * prints a table.  */
static SlExit
print_scores (SlHeadlessRun *run, const SlPlan *plan, FILE *stream)
{
  static const struct
  {
    SlSplit     split;
    const char *title;
  } columns[] = { { SL_TEST, N_ ("test") }, { SL_VALID, N_ ("validation") } };
  SlScore  score[G_N_ELEMENTS (columns)][SL_SCORES_MAX];
  unsigned n[G_N_ELEMENTS (columns)] = { 0 }, longest = 0;
  int      width = (int) g_utf8_strlen (run->record.lab->id, -1);

  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    if (sl_dataset_scores (run->dataset, columns[c].split))
      {
        SlStatus status = sl_trainer_score (run->trainer, columns[c].split, score[c], &n[c]);

        if (!sl_ok (&status))
          return sl_cli_fail (&status);
        if (plan->store != NULL)
          sl_store_set_scores (plan->store, stored_name (plan), columns[c].split, score[c], n[c],
                               run->recipe.step);
        longest = n[c] > n[longest] ? (unsigned) c : longest;
      }
  for (unsigned i = 0; i < n[longest]; i++)
    width = MAX (width, (int) g_utf8_strlen (sl_words (score[longest][i].title), -1));
  if (n[longest] > 0)
    {
      print_padded (stream, run->record.lab->id, width);
      for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
        fprintf (stream, "%12s",
                 n[c] == 0                                    ? ""
                 : sl_dataset_scores (run->dataset, SL_VALID) ? gettext (columns[c].title)
                                                              : _ ("value"));
      fputc ('\n', stream);
    }
  for (unsigned i = 0; i < n[longest]; i++)
    {
      print_padded (stream, sl_words (score[longest][i].title), width);
      for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
        if (i < n[c])
          fprintf (stream, "%12.4f", score[c][i].value);
      fprintf (stream, " %s\n", sl_words (score[longest][i].unit));
    }
  return SL_EXIT_FINE;
}

static SlExit
write_picture (SlHeadlessRun *run, const SlOutputs *outputs, const char *recipe)
{
  SlBitmap    picture;
  SlStatus    status = sl_trainer_picture (run->trainer, &picture);
  const char *title = run->dataset != NULL ? run->dataset->title : run->record.lab->title;
  SlExit      code;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  code = sl_outputs_write_picture (outputs, &picture, title, recipe);
  sl_bitmap_clear (&picture);
  return code;
}

static SlExit
write_recording (SlHeadlessRun *run, const char *path)
{
  SlRouting *recording;
  SlStatus   status = sl_trainer_recording (run->trainer, &recording);
  SlExit     code;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  code = sl_cli_write_recording (recording, path);
  sl_routing_free (recording);
  return code;
}

static SlExit
write_network (SlHeadlessRun *run, const char *path)
{
  char    *text;
  SlStatus status = run->recipe.lab->network (run->dataset, &run->recipe.settings, &text);
  bool     done;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  done = sl_outputs_save_text (g_strdup (text), path);
  free (text);
  return done ? SL_EXIT_FINE : SL_EXIT_FAILED;
}

/* What pages and a film show at moments of the run. */
static SlStatus
begin_moments (SlCliMoments *moments, const SlPerform *how, const SlHeadlessRun *run)
{
  const SlLab     *lab = run->record.lab;
  g_autofree bool *wanted = g_new0 (bool, lab->n_panels);
  bool             page = false;
  bool film = sl_film_choice_mark (how->film, lab, sl_trainer_settings (run->trainer), run->dataset,
                                   wanted);

  for (unsigned p = 0; p < lab->n_panels; p++)
    if (sl_outputs_wants_moments (how->outputs, p))
      page = wanted[p] = true;
  if (!page && !film)
    return SL_SUCCESS;
  return sl_cli_moments_begin (moments, run, wanted,
                               how->moments > 0 ? (unsigned) how->moments
                               : film           ? SL_CLI_MOMENTS_FILM
                                                : SL_CLI_MOMENTS_PAGE,
                               page ? SL_FRAMES_EXAMPLES : 1);
}

/* The last one, where the network can still be looked at and the end is not urgent. */
static SlExit
end_moments (SlCliMoments *moments, const SlHeadlessRun *run, SlExit trained)
{
  SlStatus status = moments->status;

  if (trained != SL_EXIT_DIVERGED && !sl_stop_hurries ())
    status = sl_cli_moments_end (moments, run);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
train_and_write (SlHeadlessRun *run, const SlPlan *plan, const SlPerform *how)
{
  SlOutputs       *outputs = how->outputs;
  SlStoring        storing = { .store = plan->store };
  SlCliMoments     moments = { 0 };
  g_autofree char *recipe = NULL;
  SlStatus         status = begin_moments (&moments, how, run);
  SlExit           code;
  bool             stopped;

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  code = train (run, plan, &storing, &moments, how->quiet);
  stopped = code == SL_EXIT_STOPPED;
  recipe = sl_recipe_write (&run->recipe);
  code = first_failure (code, end_moments (&moments, run, code));
  if (how->expected != NULL && (code == SL_EXIT_FINE || code == SL_EXIT_DIVERGED))
    code = first_failure (code, compare (&run->record, how->expected));
  if (code != SL_EXIT_DIVERGED && !sl_stop_hurries ())
    code = first_failure (code, time_pass (run, plan, how->quiet));
  for (unsigned p = 0; p < plan->lab->n_panels; p++)
    if (!sl_panel_is_series (plan->lab->panels[p].kind) && sl_outputs_wants (outputs, p)
        && !sl_stop_hurries ())
      code = first_failure (code, probe (run, p));
  outputs->frames = moments.frames;
  code = first_failure (code, sl_outputs_write (outputs, &run->record, recipe));
  if (code != SL_EXIT_DIVERGED && sl_outputs_wants_picture (outputs, plan->lab))
    code = first_failure (code, write_picture (run, outputs, recipe));
  if (code != SL_EXIT_DIVERGED && outputs->recording != NULL)
    code = first_failure (code, write_recording (run, outputs->recording));
  if (outputs->network != NULL)
    code = first_failure (code, write_network (run, outputs->network));
  if (moments.frames != NULL)
    code = first_failure (code, sl_film_choice_write (how->film, &outputs->looks, &run->record,
                                                      &run->recipe.settings, moments.frames, recipe,
                                                      stopped));
  sl_cli_moments_clear (&moments);
  /* The scores of a network that diverged are not computed. */
  if (code != SL_EXIT_DIVERGED && !sl_stop_hurries ())
    code = first_failure (
      code, print_scores (run, plan, sl_outputs_on_stdout (outputs) ? stderr : stdout));
  return sl_storing_end (&storing, code);
}

/* Prints how to see the curves of a run that cannot be continued, and how to start it again. */
static void
offer (const SlPlan *plan)
{
  g_autofree char *store = sl_command_word (sl_store_path (plan->store));
  g_autofree char *command = sl_command_line_run (&plan->stored.recipe);

  sl_cli_report (_ ("this run cannot be continued.  Its curves:\n  sluice-cli runs %s export %.8s "
                    "--csv -\nTo start it again:\n  %s --store %s"),
                 store, plan->stored.uuid, command, store);
}

SlExit
sl_cli_perform (SlPlan *plan, const SlPerform *how)
{
  SlHeadlessRun run;
  SlStatus      status;
  SlExit        code = sl_outputs_check (how->outputs, plan->lab, &plan->settings);

  if (code == SL_EXIT_FINE)
    code = sl_film_choice_check (how->film, &how->outputs->looks, plan->lab);
  if (code != SL_EXIT_FINE)
    return code;
  if (plan->store != NULL && plan->uuid == NULL && plan->stored.uuid[0] == '\0')
    {
      plan->uuid = g_new (char, SL_UUID);
      sl_store_new_uuid (plan->uuid);
    }
  sl_stop_watch ();
  sl_blas_set_threads (sl_blas_cores ());
  if (plan->threads == 0)
    plan->threads = sl_threads_for (plan->lab->id);
  status = sl_headless_open (&run, plan, NULL);
  if (!sl_ok (&status))
    {
      code = sl_cli_fail (&status);
      if (run.trainer != NULL && plan->stored.recipe.lab != NULL)
        offer (plan);
    }
  else if (!is_data (&run, how->data_hash))
    code = SL_EXIT_FAILED;
  else
    code = train_and_write (&run, plan, how);
  sl_headless_clear (&run);
  return code;
}
