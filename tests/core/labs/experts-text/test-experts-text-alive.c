/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `experts-text` against the passes of an evaluation, gates by plain loops, and the panel of
 * costs.  */
#include <glib/gstdio.h>

#include "core/labs/experts-text/lab.h"
#include "tests/core/labs/alive.h"

enum { SHOWN = 2 * STRETCH, EXPERTS = 12, KINDS = 60, UNITS = 10 };

enum { SCORES, BOXES, SUM };

/* As many words that a reader of an evaluation gets as a picture shows, and the last one's inputs and outputs. */
typedef struct
{
  unsigned strongest[READERS][SHOWN];
  double   x[READERS][UNITS]; /* what the gate sees */
  double   p[READERS][KINDS]; /* what comes next */
} Evaluation;

static unsigned
find_strongest (const SlDispatch *dispatch, size_t row)
{
  unsigned best = 0;
  sl_real  most = 0;

  for (unsigned i = dispatch->first[row]; i < dispatch->first[row + 1]; i++)
    for (unsigned e = 0; e < dispatch->experts; e++)
      if (dispatch->slot[i] >= dispatch->start[e] && dispatch->slot[i] < dispatch->start[e + 1]
          && dispatch->weight[dispatch->slot[i]] > most)
        {
          most = dispatch->weight[dispatch->slot[i]];
          best = e;
        }
  return best;
}

static bool
keep_stretch (SlExpertsTextLab *s, const SlExpertsTextPlace *place, void *data)
{
  Evaluation *evaluation = data;
  size_t      done = place->first - sl_words_first (&s->words, SL_VALID);
  size_t      last = (place->steps - 1) * s->readers;

  for (size_t e = 0; e < s->readers; e++)
    {
      double sum = 0.0;

      for (size_t t = 0; t < place->steps; t++)
        evaluation->strongest[e][done + t]
          = find_strongest (&s->net.model.moe.dispatch, t * s->readers + e);
      for (size_t i = 0; i < UNITS; i++)
        evaluation->x[e][i] = (double) s->net.read.x[1][(last + e) * UNITS + i];
      for (size_t i = 0; i < s->words.kinds; i++)
        sum += evaluation->p[e][i] = (double) s->net.read.logits[(last + e) * s->words.kinds + i];
      for (size_t i = 0; i < s->words.kinds; i++)
        evaluation->p[e][i] /= sum;
    }
  return true;
}

/* The weights that noisy top-k gives without noise, but to one expert. */
static void
choose (const SlMoe *moe, const double *x, size_t k, int without, double *weight)
{
  double c[EXPERTS], sum = 0.0;

  for (size_t i = 0; i < EXPERTS; i++)
    {
      c[i] = (int) i == without ? -HUGE_VAL : 0.0;
      for (size_t j = 0; j < UNITS; j++)
        c[i] += x[j] * (double) moe->gates[0].weights[j * 2 * EXPERTS + i];
    }
  for (size_t i = 0; i < EXPERTS; i++)
    {
      size_t before = 0;

      for (size_t j = 0; j < EXPERTS; j++)
        before += c[j] > c[i] || (c[j] == c[i] && j < i);
      weight[i] = before < k ? exp (c[i]) : 0.0;
      sum += weight[i];
    }
  for (size_t i = 0; i < EXPERTS; i++)
    weight[i] /= sum;
}

static void
check_boxes (const SlAlive *alive, const double *weight)
{
  unsigned edge = 0;

  for (size_t i = 0; i < EXPERTS; i++)
    {
      const double *box = alive_cell (alive, BOXES, i);

      g_assert_cmpuint (sl_alive_state (box) == SL_ALIVE_USED, ==, weight[i] > 0.0);
      g_assert_cmpuint (sl_alive_state (alive_cell (alive, SCORES, i)), ==, sl_alive_state (box));
      sl_assert_near (sl_alive_value (box), weight[i], 1e-9, 1e-9);
      if (weight[i] > 0.0)
        sl_assert_near (alive->edge[(size_t) edge++ * SL_ALIVE_COLUMNS + 3], weight[i], 1e-9, 1e-9);
    }
  g_assert_cmpuint (alive->n_edges, ==, edge);
}

static void
check_next (const SlAlive *alive, const double *p, unsigned right)
{
  double before = 1.0;
  bool   found = false;

  for (unsigned i = 0; i < alive->n_classes; i++)
    {
      const double *class = alive->class + (size_t) i * SL_ALIVE_COLUMNS;

      sl_assert_near (class[1], p[(size_t) class[4]], 1e-9, 1e-9);
      g_assert_cmpint (class[2] > 0.0, ==, class[4] == right);
      g_assert_cmpfloat (class[1], <=, before + 1e-12);
      before = class[1];
      found |= class[4] == right;
    }
  g_assert_true (found);
  for (unsigned i = 0; i < KINDS; i++)
    g_assert_cmpfloat (p[i], <=, alive->class[1] + 1e-9);
}

/* The text of each picture is one reader's piece of an evaluation. */
static void
test_evaluation (void)
{
  for (unsigned k = 1; k <= 3; k++)
    {
      g_autofree char *words = g_strdup_printf (
        "units=%d hidden=8 batch=8 length=10 vocabulary=%d experts=%d k=%u learning-rate=0.01",
        UNITS, KINDS, EXPERTS, k);
      g_autofree Evaluation *evaluation = g_new0 (Evaluation, 1);
      SlExpertsTextFindings  found;
      SlExpertsTextLab      *s;
      Run                    run;
      size_t                 first;

      assert_ok (lab_run_try (&run, "experts-text", "grammar:length=20000,valid=0.4", words));
      run_steps (&run, 60);
      s = sl_experts_text_lab (sl_trainer_state (run.trainer));
      first = sl_words_first (&s->words, SL_VALID);
      sl_experts_text_read (s, &s->net, first, READERS * SHOWN, &found, keep_stretch, evaluation);
      for (unsigned e = 0; e < READERS; e++)
        {
          unsigned example = e * SHOWN + SHOWN - 1;
          SlAlive  alive = alive_of (&run, example);
          double   weight[EXPERTS];

          g_auto (GStrv) name = g_strsplit (run.snapshot.row_names, "\n", -1);

          g_assert_cmpuint (alive.n_points, ==, SHOWN);
          for (unsigned t = 0; t < SHOWN; t++)
            {
              const double *token = alive.pixel + (size_t) t * SL_ALIVE_COLUMNS;

              g_assert_cmpfloat (token[1], ==, evaluation->strongest[e][t] + 1.0);
              g_assert_cmpint (token[2] > 0.0, ==, t == SHOWN - 1);
              g_assert_nonnull (
                strstr (name[t + 1], s->words.title[s->words.symbol[first + e * SHOWN + t]]));
            }
          choose (&s->net.model.moe, evaluation->x[e], k, -1, weight);
          check_boxes (&alive, weight);
          check_next (&alive, evaluation->p[e], s->words.symbol[first + example + 1]);
        }
      run_clear (&run);
    }
}

/* What is computed is what the panel of costs says of every word, in parts of all experts. */
static void
test_panels (void)
{
  static const char *const words[]
    = { "experts=12 k=3", "experts=12 k=2 groups=3 k-groups=2", "experts=20 k=4 gate=balanced" };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *all = g_strdup_printf (
        "%s units=10 hidden=8 batch=8 length=20 vocabulary=60 report-every=1", words[i]);
      double number[3];
      Run    run;

      assert_ok (lab_run_try (&run, "experts-text", "grammar:length=20000", all));
      run_steps (&run, 20);
      alive_of (&run, 5);
      g_assert_cmpuint (alive_numbers (&run, number, 3), ==, 3);
      if (i < 2) /* a balanced gate decides about each word by thresholds */
        sl_assert_near (number[2], 100.0 * now (&run, "cost.executed") / now (&run, "cost.dense"),
                        6e-3, 0);
      g_assert_cmpfloat (number[0], <=, number[1]);
      run_clear (&run);
    }
}

/* One weight of the gate, or of the layer below it, is set to zero: the scores change. */
static void
test_weight (void)
{
  for (unsigned i = 0; i < 2; i++)
    {
      Run               run;
      SlExpertsTextLab *s;
      SlAlive           alive;
      double            before;

      assert_ok (lab_run_try (&run, "experts-text", "grammar:length=20000",
                              "units=10 hidden=8 batch=8 length=10 vocabulary=60 experts=8 k=2"));
      run_steps (&run, 20);
      s = sl_experts_text_lab (sl_trainer_state (run.trainer));
      alive = alive_of (&run, 30);
      before = sl_alive_value (alive_cell (&alive, SCORES, 4));
      if (i == 0)
        s->net.model.moe.weights[4] = 0;
      else
        s->net.model.weights[s->net.model.at[0] + 7] = 0;
      alive = alive_of (&run, 30);
      g_assert_cmpfloat (fabs (sl_alive_value (alive_cell (&alive, SCORES, 4)) - before), >, 1e-9);
      run_clear (&run);
    }
}

/* An expert that is switched off gets no word, and the others what a gate without it gives them; after it all is as
 * it was.  */
static void
test_closed (void)
{
  static SlSubject subject;
  Run              run;
  double          *before;
  SlAlive          alive;
  unsigned         expert = 0, shown = 0;

  assert_ok (lab_run_try (&run, "experts-text", "grammar:length=20000",
                          "units=10 hidden=8 batch=8 length=10 vocabulary=60 experts=12 k=2"));
  run_steps (&run, 40);
  alive = alive_of (&run, 60);
  before = g_memdup2 (run.snapshot.data, run.snapshot.n_data * sizeof *before);
  while (sl_alive_state (alive_cell (&alive, BOXES, expert)) != SL_ALIVE_USED)
    expert++;
  subject = (SlSubject) { .example = 60, .n_closed = 1, .closed[0] = { 0, expert } };
  run.sink.subject = &subject;
  run_probe (&run, "alive");
  g_assert_true (
    sl_alive_read (&alive, run.snapshot.data, run.snapshot.rows, run.snapshot.columns));
  for (unsigned i = 0; i < 12; i++)
    {
      SlAliveState state = sl_alive_state (alive_cell (&alive, BOXES, i));

      g_assert_cmpint (state == SL_ALIVE_CLOSED, ==, i == expert);
      shown += state == SL_ALIVE_USED;
    }
  g_assert_cmpuint (shown, ==, 2);
  for (unsigned t = 0; t < alive.n_points; t++)
    g_assert_cmpfloat (alive.pixel[(size_t) t * SL_ALIVE_COLUMNS + 1], !=, expert + 1.0);
  alive_of (&run, 60);
  g_assert_cmpmem (run.snapshot.data, run.snapshot.n_data * sizeof *before, before,
                   run.snapshot.n_data * sizeof *before);
  g_free (before);
  run_clear (&run);
}

/* Nothing of a file that sets a direction or is no letter comes through, in names, sentence or classes. */
static void
check_plain (const char *text)
{
  g_assert_true (g_utf8_validate (text, -1, NULL));
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      g_assert_false ((c >= 0x202a && c <= 0x202e) || c == 0x200f || c == 0x2028
                      || (c >= 0x80 && c < 0xa0));
    }
}

static void
check_hostile (const char *data, const char *symbols, const char *expected)
{
  g_autofree char *words = g_strdup_printf (
    "symbols=%s units=10 hidden=8 batch=4 length=5 vocabulary=60 experts=4 k=1", symbols);
  bool found = false;
  Run  run;

  assert_ok (lab_run_try (&run, "experts-text", data, words));
  run_steps (&run, 3);
  for (unsigned e = 0; e < 100; e += 7)
    {
      char shown[SL_SNAPSHOT_NAMES];

      alive_of (&run, e);
      check_plain (sl_message_show (run.snapshot.note.packed, NULL, shown, sizeof shown));
      check_plain (sl_message_show (run.snapshot.names, NULL, shown, sizeof shown));
      check_plain (sl_message_show (run.snapshot.row_names, NULL, shown, sizeof shown));
      found |= strstr (shown, expected) != NULL;
    }
  g_assert_true (found);
  run_clear (&run);
}

static void
test_hostile (void)
{
  static const char *const word[]
    = { "\u202eevil", "be\u2028gin", "x\xc2\x85y", "plain", "\u200fשלום", "e\033[31m" };
  g_autofree char *folder = g_dir_make_tmp ("sluice-alive-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "hostile.txt", NULL);
  g_autofree char *own = g_strdup_printf ("%s:text=own", path);
  g_autofree char *bytes = g_strdup_printf ("%s:text=bytes", path);
  g_autoptr (GString) text = g_string_new (NULL);

  for (unsigned i = 0; i < 4000; i++)
    g_string_append_printf (text, "%s ", word[i * i % 31 % G_N_ELEMENTS (word)]);
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  check_hostile (own, "words", "\\u202e");
  check_hostile (own, "letters", "\\u202e");
  check_hostile (bytes, "letters", "\\x85");
  g_unlink (path);
  g_rmdir (folder);
}

/* Without experts there is no picture, and a sentence says so; the first words of a text have few before them. */
static void
test_edges (void)
{
  Run run;

  assert_ok (lab_run_try (&run, "experts-text", "grammar:length=3000",
                          "layer=wide units=10 hidden=8 batch=8 length=10 vocabulary=60"));
  run_probe (&run, "alive");
  g_assert_cmpuint (run.snapshot.rows, ==, 0);
  g_assert_true (run.snapshot.note.packed[0] != '\0');
  run_clear (&run);
  assert_ok (lab_run_try (&run, "experts-text", "grammar:length=1000,valid=0.4,test=0.4",
                          "units=10 hidden=8 batch=2 length=4 vocabulary=60 experts=4 k=1"));
  for (unsigned e = 0; e < 4; e++)
    {
      SlAlive alive = alive_of (&run, e);

      g_assert_cmpuint (alive.n_points, >, 0);
      g_assert_cmpfloat (alive.pixel[(alive.n_points - 1) * SL_ALIVE_COLUMNS + 2], ==, 1.0);
    }
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-text-alive/evaluation", test_evaluation);
  g_test_add_func ("/experts-text-alive/panels", test_panels);
  g_test_add_func ("/experts-text-alive/weight", test_weight);
  g_test_add_func ("/experts-text-alive/closed", test_closed);
  g_test_add_func ("/experts-text-alive/edges", test_edges);
  g_test_add_func ("/experts-text-alive/hostile", test_hostile);
  return g_test_run ();
}
