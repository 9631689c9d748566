/* SPDX-License-Identifier: MIT
 *
 * The program's own lessons, as a class needs them: each has a goal, a duration, a misconception, notes for
 * the teacher and questions of three levels; together they cover all labs; no step makes a class wait
 * long; and what lessons and the help of presets claim is so with several seeds.  Arguments: how many seeds, and the
 * lessons that are taken, else all of them and all presets.  */
#include <math.h>
#include <string.h>
#include <time.h>

#include "core/labs/registry.h"
#include "core/run/lesson/tally.h"
#include "core/run/state/state.h"

/* Seconds that a class waits for a step, at most.  Two cores are not slower than the one here; a class has
 * no sanitizers, which take several times as long.  */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define PATIENCE HUGE_VAL
#else
#define PATIENCE 20.0
#endif

static SlLesson *
load (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = sl_lesson_file (name);
  SlLesson *lesson = sl_lesson_load (file, &error);

  g_assert_no_error (error);
  return lesson;
}

static gboolean
has_level (const SlLesson *lesson, SlLevel level)
{
  for (unsigned i = 0; i < lesson->steps->len; i++)
    if (sl_lesson_step (lesson, i)->level == level)
      return TRUE;
  return FALSE;
}

/* Only what earlier steps kept. */
static gboolean
is_kept (const char *name, double at, double *value, gpointer kept)
{
  *value = 0.0;
  return g_hash_table_contains (kept, name);
}

/* What stands beside a question reads the same before and after the answer. */
static void
check_asked (const SlLesson *lesson)
{
  g_autoptr (GHashTable) kept = g_hash_table_new (g_str_hash, g_str_equal);

  for (unsigned i = 0; i < lesson->steps->len; i++)
    {
      const SlLessonStep *step = sl_lesson_step (lesson, i);
      g_autoptr (GError) error = NULL;

      g_free (sl_formula_fill (step->text, is_kept, kept, &error));
      if (step->question.kind != SL_ASK_NOTHING)
        g_assert_no_error (error);
      for (guint k = 0; k < step->keep->len; k++)
        g_hash_table_add (kept, ((SlLessonKept *) g_ptr_array_index (step->keep, k))->name);
    }
}

static void
check_taught (const char *name, GHashTable *labs)
{
  g_autoptr (SlLesson) lesson = load (name);

  g_test_message ("%s: %u minutes", name, lesson->minutes);
  g_assert_cmpstr (lesson->goal, !=, "");
  g_assert_cmpstr (lesson->misconception, !=, "");
  g_assert_cmpuint (strlen (lesson->notes), >, 100);
  g_assert_cmpuint (lesson->minutes, >=, 10);
  g_assert_cmpuint (lesson->minutes, <=, 45);
  g_assert_cmpint (lesson->level, !=, SL_LEVEL_NONE);
  check_asked (lesson);
  for (SlLevel level = SL_LEVEL_WHAT; level < SL_N_LEVELS; level++)
    g_assert_true (has_level (lesson, level));
  for (unsigned i = 0; i < lesson->steps->len; i++)
    if (sl_lesson_step (lesson, i)->lab != NULL)
      g_hash_table_add (labs, (gpointer) sl_lesson_step (lesson, i)->lab);
}

static void
test_taught (void)
{
  g_auto (GStrv) names = sl_lesson_names ();
  g_autoptr (GHashTable) labs = g_hash_table_new (NULL, NULL);

  g_assert_cmpuint (g_strv_length (names), >=, 12);
  for (char **name = names; *name != NULL; name++)
    check_taught (*name, labs);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    if (!g_hash_table_contains (labs, sl_labs[i]))
      g_error ("no lesson has the lab %s", sl_labs[i]->id);
}

/* What a step begins from fits the line on a board, and comes back from it.  FALSE: the start page has no such
 * line.  */
static gboolean
comes_back (const SlLesson *lesson, unsigned step)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  SlLessonState    at;
  SlStatus         status = sl_lesson_state (lesson, step, &at);
  SlState          state = { .lab = at.lab, .settings = at.settings, .seed = at.seed, .panel = -1 };
  SlState          back;

  g_assert_true (sl_ok (&status));
  if (at.lab == NULL)
    {
      g_free (at.data);
      return FALSE;
    }
  g_strlcpy (state.data, at.data != NULL ? at.data : "", sizeof state.data);
  g_free (at.data);
  line = sl_state_write (&state, &error);
  if (line == NULL)
    g_error ("%s, step %u: %s", lesson->title, step + 1, error->message);
  g_assert_cmpuint (strlen (line), <=, SL_STATE_MAX);
  sl_state_read (line, &back, &error);
  g_assert_no_error (error);
  g_assert_true (sl_settings_same (&back.settings, &state.settings, state.lab->n_params));
  g_assert_cmpuint (back.seed, ==, state.seed);
  return TRUE;
}

static void
test_states (void)
{
  g_auto (GStrv) names = sl_lesson_names ();
  unsigned lines = 0;

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (SlLesson) lesson = load (*name);

      for (unsigned i = 0; i < lesson->steps->len; i++)
        lines += comes_back (lesson, i);
    }
  g_assert_cmpuint (lines, >, 40);
}

/* ---- what their claims came to ---- */

/* "ok   10 of 10  step 1  cv.load > 1  (1.2 to 3 against 1)" */
static gboolean
is_of_claim (const char *line, const SlClaimTally *tally)
{
  g_autofree char *words
    = g_strdup_printf (" of 10  step %u  %s  (", tally->step + 1, tally->claim->text);

  return g_str_has_prefix (line, "ok ") && strstr (line, words) != NULL;
}

/* The output committed beside a lesson (tests/renew-claims) is of the claims that it makes now, and all held. */
static void
check_output (const char *name)
{
  g_autoptr (SlLesson) lesson = load (name);
  g_autoptr (GArray) tallies = sl_claim_tallies_new (lesson);
  g_autofree char *file = g_strconcat (strchr (name, '-') + 1, ".claims.txt", NULL);
  g_autofree char *path
    = g_build_filename (g_getenv ("SLUICE_SOURCE"), "core", "labs",
                        sl_lesson_step (lesson, 0)->lab->id, "lessons", file, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (tallies->len, >, 0);
  if (g_strv_length (lines) != tallies->len)
    g_error ("%s: %u lines for %u claims", path, g_strv_length (lines), tallies->len);
  for (guint i = 0; i < tallies->len; i++)
    if (!is_of_claim (lines[i], &g_array_index (tallies, SlClaimTally, i)))
      g_error ("%s, line %u: not of claim %u, or it did not hold: run tests/renew-claims", path,
               i + 1, i + 1);
}

static void
test_outputs (void)
{
  g_auto (GStrv) names = sl_lesson_names ();

  for (char **name = names; *name != NULL; name++)
    check_output (*name);
}

/* ---- time ---- */

static double
processor_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* With which claims are checked. */
static unsigned n_seeds = 1;

typedef struct
{
  const char *name;
  double      begun, longest;
  GArray     *tallies; /* of its claims */
} Watch;

static void
tell (const SlLessonResult *result, gpointer data)
{
  Watch *watch = data;
  double taken = processor_time () - watch->begun;

  g_test_message ("%s, step %u: %.1f s", watch->name, result->number + 1, taken);
  if (!(taken <= PATIENCE))
    g_error ("%s: step %u takes %.1f s of processor time", watch->name, result->number + 1, taken);
  watch->longest = MAX (watch->longest, taken);
  sl_claim_tallies_add (watch->tallies, result);
  watch->begun = processor_time ();
}

static void
check_claims (const Watch *watch)
{
  for (guint i = 0; i < watch->tallies->len; i++)
    {
      const SlClaimTally *tally = &g_array_index (watch->tallies, SlClaimTally, i);

      g_test_message ("%s: \"%s\" in %u of %u, %g to %g", watch->name, tally->claim->text,
                      tally->held, tally->seeds, tally->lo, tally->hi);
      g_assert_cmpuint (tally->seeds, ==, n_seeds);
      if (!sl_claim_tally_holds (tally))
        g_error ("%s, step %u: \"%s\" in %u of %u seeds, %g to %g", watch->name, tally->step + 1,
                 tally->claim->text, tally->held, tally->seeds, tally->lo, tally->hi);
    }
}

/* Processor time of training and of the panels shown, so that a busy machine fails nothing. */
static void
take (const SlLesson *lesson, const char *name)
{
  g_autoptr (GArray) tallies = sl_claim_tallies_new (lesson);
  Watch watch = { .name = name, .begun = processor_time (), .tallies = tallies };

  for (unsigned turn = 0; turn < n_seeds; turn++)
    {
      SlStatus status = sl_lesson_walk (lesson, turn, tell, &watch);

      g_assert_true (sl_ok (&status));
    }
  check_claims (&watch);
  g_test_message ("%s: %.1f s at most", watch.name, watch.longest);
}

static void
test_runs (gconstpointer name)
{
  g_autoptr (SlLesson) lesson = load (name);

  take (lesson, name);
}

/* The example for teachers. */
static void
test_example (void)
{
  static const char begins[] = "```json\n", ends[] = "\n```";
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("SLUICE_SOURCE"), "docs", "lessons.md", NULL);
  g_autofree char *text = NULL;
  g_autoptr (SlLesson) lesson = NULL;
  const char *from;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  from = strstr (text, begins) + strlen (begins);
  lesson
    = sl_lesson_parse (from, (gsize) (strstr (from, ends) - from), "docs/lessons.md", NULL, &error);
  g_assert_no_error (error);
  take (lesson, "docs/lessons.md");
}

/* ---- presets ---- */

/* "bias-rule=sign 250" */
static SlLessonStep *
add_updates (SlLesson *lesson, const char *words)
{
  SlLessonStep *step = sl_lesson_add (lesson);
  g_auto (GStrv) word = g_strsplit (words, " ", -1);

  for (char **at = word; *at != NULL; at++)
    {
      SlLessonSetting *setting;
      char            *equals = strchr (*at, '=');

      if (equals == NULL)
        {
          step->updates = g_ascii_strtoull (*at, NULL, 10);
          continue;
        }
      setting = g_new0 (SlLessonSetting, 1);
      setting->id = g_strndup (*at, (gsize) (equals - *at));
      setting->value = g_strdup (equals + 1);
      g_ptr_array_add (step->settings, setting);
    }
  step->go = SL_GO_UNTIL;
  return step;
}

static gboolean
is_channel (const char *name, double at, double *value, gpointer data)
{
  return sl_layout_find (data, name) >= 0;
}

static void
add_claim (SlLesson *lesson, const char *text)
{
  g_autoptr (GError) error = NULL;
  SlLessonState state;
  SlLayout      layout;
  SlStatus      status = sl_lesson_state (lesson, lesson->steps->len - 1, &state);
  SlClaim      *claim;

  g_assert_true (sl_ok (&status));
  sl_layout_init (&layout, state.lab, &state.settings);
  claim = sl_claim_read (text, is_channel, &layout, &error);
  g_assert_no_error (error);
  g_ptr_array_add (sl_lesson_step (lesson, lesson->steps->len - 1)->holds, claim);
  g_free (state.data);
}

/* What the preset claims (core/lab/lab.h), as a lesson on little data. */
static SlLesson *
lesson_of (const SlLab *lab, const SlPreset *preset)
{
  SlLesson        *lesson = sl_lesson_new (preset->title, preset->help);
  g_autofree char *first = g_strjoin (" ", preset->settings, preset->holds[0], NULL);
  SlLessonStep    *step = add_updates (lesson, first);

  step->lab = lab;
  step->data = lab->data == SL_NEEDS_LABELS ? g_strdup ("digits:images=2000") : NULL;
  for (const char *const *word = preset->holds + 1; *word != NULL; word++)
    if (strpbrk (*word, "<>") != NULL)
      add_claim (lesson, *word);
    else
      add_updates (lesson, *word);
  return lesson;
}

typedef struct
{
  const SlLab    *lab;
  const SlPreset *preset;
} Named;

static void
test_preset (gconstpointer data)
{
  const Named *named = data;
  g_autoptr (SlLesson) lesson = lesson_of (named->lab, named->preset);

  take (lesson, named->preset->id);
}

static void
add_presets (void)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    for (unsigned p = 0; p < sl_lab_n_presets (sl_labs[i]); p++)
      {
        Named            named = { sl_labs[i], &sl_labs[i]->presets[p] };
        g_autofree char *path = g_strdup_printf ("/presets/%s/%s", named.lab->id, named.preset->id);

        if (named.preset->holds != NULL)
          g_test_add_data_func_full (path, g_memdup2 (&named, sizeof named), test_preset, g_free);
      }
}

int
main (int argc, char **argv)
{
  g_auto (GStrv) names = NULL;
  int first = 1;

  g_test_init (&argc, &argv, NULL);
  if (argc > 1 && g_ascii_isdigit (argv[1][0]) && strchr (argv[1], '-') == NULL)
    n_seeds = (unsigned) g_ascii_strtoull (argv[first++], NULL, 10);
  names = argc > first ? g_strdupv (argv + first) : sl_lesson_names ();
  g_test_add_func ("/lessons/taught", test_taught);
  g_test_add_func ("/lessons/states", test_states);
  g_test_add_func ("/lessons/outputs", test_outputs);
  for (char **name = names; *name != NULL; name++)
    {
      g_autofree char *path = g_strconcat ("/lessons/runs/", *name, NULL);

      g_test_add_data_func (path, *name, test_runs);
    }
  if (argc == first)
    {
      g_test_add_func ("/lessons/example", test_example);
      add_presets ();
    }
  return g_test_run ();
}
