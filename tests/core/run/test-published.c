/* SPDX-License-Identifier: MIT
 *
 * Published tables as data: what their files may say, what claims make of made figures, and what is said of cells.  */
#include <math.h>
#include <string.h>

#include "core/run/published/claims.h"
#include "tests/support/close.h"

#define HEAD                                                                                       \
  "[table]\norder=10\ntitle=A table\nsource=A paper\nconditions=Made up.\nseeds=5\n"               \
  "settings=k=2 epochs={epochs}\n"
#define FORMS "[full]\ntime=1 s\nepochs=8\n[quick]\ntime=1 s\nepochs=1\n"
#define COLUMNS                                                                                    \
  "[column error]\nname=error\nunit=%\nkind=number\nread=score.error\n"                            \
  "[column cost]\nname=cost\nkind=shape\n[column speed]\nname=speed\nkind=faster\n"                \
  "[column size]\nname=size\nkind=scale\n"
#define ROWS                                                                                       \
  "[rows]\nsettings=k=1\n[row low]\nlabel=the low one\npublished-error=3.1 ± 0.2\n"               \
  "published-cost=1\npublished-speed=2\npublished-size=7\n"                                        \
  "[row high]\npublished-error=≈ 1.80\npublished-cost=2\nsettings=k=3\n[row other]\nquick=no\n"

static const double low[] = { 3.1, 2.9, 3.4, 3.0, 3.3 }, high[] = { 3.6, 3.3, 3.5, 3.4, 3.9 };
static const double other[] = { 5.0, 5.1, 5.2, 5.1, 5.0 };

static SlPaperTable *
read_table (const char *text)
{
  g_autoptr (GError) error = NULL;
  SlPaperTable *table = sl_table_read ("made", text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_nonnull (table);
  return table;
}

static void
test_read (void)
{
  SlPaperTable    *table = read_table (HEAD FORMS COLUMNS ROWS);
  g_autofree char *filled = sl_table_fill (table, true, sl_table_word (table, "table", "settings"));

  g_assert_cmpuint (table->n_rows, ==, 3);
  g_assert_cmpuint (table->n_columns, ==, 4);
  g_assert_cmpstr (table->row[0].label, ==, "the low one");
  g_assert_cmpstr (table->row[1].label, ==, "high");
  sl_assert_near (table->row[0].published[0].value, 3.1, 0, 1e-15);
  sl_assert_near (table->row[0].published[0].sd, 0.2, 0, 1e-15);
  sl_assert_near (table->row[1].published[0].value, 1.8, 0, 1e-15);
  g_assert_cmpstr (table->row[1].published[0].text, ==, "≈ 1.80");
  g_assert_true (isnan (table->row[1].published[0].sd) && table->row[2].published[0].text == NULL);
  g_assert_true (table->row[2].full_only && !table->row[0].full_only);
  g_assert_cmpstr (filled, ==, "k=2 epochs=1");
  g_assert_cmpstr (sl_table_row_word (table, 0, "settings"), ==, "k=1");
  g_assert_cmpstr (sl_table_row_word (table, 1, "settings"), ==, "k=3");
  g_assert_true (sl_table_row_is (table, 0, "high|l*") && !sl_table_row_is (table, 2, "high|l*"));
  sl_table_free (table);
}

/* What is wrong is named with its file and group, and what may stand there. */
static void
test_refused (void)
{
  static const struct
  {
    const char *text, *of, *what;
  } rows[] = {
    { FORMS, "made.table", "[table]" },
    { "[table]\norder=1\n" FORMS, "made.table", "title" },
    { HEAD FORMS COLUMNS ROWS "[rwo x]\nlabel=x\n", "[rwo x]", "rows, row" },
    { HEAD FORMS COLUMNS ROWS "[row x]\nlable=x\n", "lable", " label " },
    { HEAD FORMS COLUMNS ROWS "[row x]\npublished-eror=1\n", "published-eror", "published-" },
    { HEAD FORMS COLUMNS ROWS "[row x]\npublished-error=1.2.3\n", "[row x]", "1.2.3" },
    { HEAD FORMS "[column c]\nname=c\nkind=shapes\n", "shapes", "number, faster, shape, scale" },
    { HEAD FORMS "[column c]\nname=c\n", "[column c]", "kind" },
    { HEAD FORMS COLUMNS ROWS "[claim c]\ntext=x\n", "[claim c]", "that" },
    { HEAD "needs=nothing\n" FORMS, "nothing", "mnist" },
    { HEAD "[full]\ntime=1\nepochs=8\nepoch=9\n", "epoch", "epochs" },
    { HEAD "words\n", "made.table", "words" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sl_table_read ("made", rows[i].text, strlen (rows[i].text), &error));
      g_assert_nonnull (error);
      if (strstr (error->message, rows[i].of) == NULL
          || strstr (error->message, rows[i].what) == NULL)
        g_error ("row %zu: %s", i, error->message);
    }
}

static SlTableCells *
fill (const SlPaperTable *table)
{
  SlTableCells *cells = sl_cells_new (table);

  for (unsigned s = 0; s < 5; s++)
    {
      for (unsigned c = 0; c < table->n_columns; c++)
        {
          cells->ours[0][c][s] = low[s];
          cells->ours[1][c][s] = high[s];
        }
      cells->ours[2][1][s] = other[s];
    }
  return cells;
}

static SlTableClaim *
make (const SlTableCells *cells, const SlTableStatement *statement)
{
  g_autoptr (GError) error = NULL;
  SlTableClaim *claim = sl_claim_make (cells, statement, &error);

  g_assert_no_error (error);
  return claim;
}

static void
free_claim (SlTableClaim *claim)
{
  g_free (claim->text);
  g_free (claim);
}

/* The chance of each statement; that of the first by numerical integration, as in the test of evidence. */
static void
test_claims (void)
{
  static const struct
  {
    SlTableStatement statement;
    double           holds; /* not-a-number: below 1e-3 */
    const char      *text;
  } rows[] = {
    { { "{error.low:2}, {error.high:1}", "error.low < error.high", NULL },
      0.004384829729162662,
      "3.14, 3.5" },
    { { "x", "error.high > error.low", NULL }, 0.004384829729162662, "x" },
    { { "x", "error.low > error.high", NULL }, 1 - 0.004384829729162662, "x" },
    { { "x", "0 <= error.high - error.low <= 100", NULL }, 0.004384829729162662, "x" },
    { { "x", "rising cost *", NULL }, 0.004384829729162662, "x" },
    { { "x", "falling cost *", NULL }, (double) INFINITY, "x" },
    { { "x", "cost.low < cost.high and cost.high < cost.other", NULL }, 0.004384829729162662, "x" },
    { { "{here}: {kept:0} of {all:0}", "cost.low < cost.here", "high|other" },
      0.004384829729162662,
      "high: 2 of 2" },
    { { "{here}", "cost.other - cost.here > 0", "low|high", .some = true },
      (double) NAN,
      "the low one" },
    { { "{pairs.cost:0}", "pairs.cost > 0.5", NULL }, (double) NAN, "1" },
    { { "{mean.cost.l:2}", "mean.cost.l < cost.high", NULL }, 0.004384829729162662, "3.14" },
    { { "{line.error.cost.l:2}", "error.here > line.error.cost.l", "high" },
      0.004384829729162662,
      "3.14" },
  };
  SlPaperTable *table = read_table (HEAD FORMS COLUMNS ROWS);
  SlTableCells *cells = fill (table);

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      SlTableClaim *claim = make (cells, &rows[i].statement);
      double        holds = claim->evidence.holds;

      if (isnan (rows[i].holds))
        g_assert_true (holds < 1e-3);
      else if (isinf (rows[i].holds))
        g_assert_true (holds > 0.99);
      else
        sl_assert_near (holds, rows[i].holds, 1e-9, 0);
      g_assert_cmpstr (claim->text, ==, rows[i].text);
      free_claim (claim);
    }
  sl_cells_free (cells);
  sl_table_free (table);
}

/* Trials of a clock are not paired; a claim is about the cells that it names. */
static void
test_trials (void)
{
  static const double           holds[] = { 0.004384829729162662, 0.010266017019213352 };
  static const SlTableStatement statement = { "x", "error.low < error.high", NULL };
  SlPaperTable                 *table = read_table (HEAD FORMS COLUMNS ROWS);
  SlTableCells                 *cells = fill (table);

  for (int trials = 0; trials < 2; trials++)
    {
      SlTableClaim *claim;

      table->trials = trials;
      claim = make (cells, &statement);
      sl_assert_near (claim->evidence.holds, holds[trials], 1e-9, 0);
      g_assert_true (claim->about[0][0] && claim->about[1][0] && !claim->about[2][0]
                     && !claim->about[0][1]);
      free_claim (claim);
    }
  sl_cells_free (cells);
  sl_table_free (table);
}

static void
test_unreadable (void)
{
  static const SlTableStatement rows[] = {
    { "x", "error.low", NULL },
    { "x", "error.low < eror.high", NULL },
    { "x", "error.low < error.hi", NULL },
    { "x", "rising", NULL },
    { "x", "rising eror *", NULL },
    { "{error.hi:2}", "error.low < error.high", NULL },
    { "x", "error.here < 2", NULL },
    { "x", "pairs.eror < 2", NULL },
  };
  SlPaperTable *table = read_table (HEAD FORMS COLUMNS ROWS);
  SlTableCells *cells = fill (table);

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sl_claim_make (cells, &rows[i], &error));
      g_assert_nonnull (error);
    }
  sl_cells_free (cells);
  sl_table_free (table);
}

/* What is found before anything is trained: also a claim about rows that no pattern finds. */
static void
test_check (void)
{
  static const char *const rows[]
    = { "rising cost x*", "mean.cost.x < 2", "error.low < 4\neach=x*" };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text
        = g_strconcat (HEAD FORMS COLUMNS ROWS "[claim a]\ntext=x\nthat=", rows[i], "\n", NULL);
      SlPaperTable *table = read_table (text);

      g_assert_false (sl_cells_check (table, &error));
      g_assert_nonnull (strstr (error->message, i < 2 ? rows[i] : "error.low < 4"));
      sl_table_free (table);
    }
}

#define CLAIM(name, that) "[claim " name "]\ntext=x\nthat=" that "\n"

/* A cell is judged by the claims that name it and by no other. */
static void
test_verdicts (void)
{
  SlPaperTable *table = read_table (
    HEAD FORMS COLUMNS ROWS CLAIM ("a", "cost.low < 4") CLAIM ("b", "cost.high > 4")
      CLAIM ("c", "cost.other < 5.1") "[claim d]\ntext=x\nthat=cost.other < 5\nkind=scale\n"
                                      "[claim e]\ntext=x\nthat=cost.low < 3\nkind=ours\n"
                                      "[claim f]\ntext=x\nthat=cost.low < 3.2\nkind=arithmetic\n");
  static const char *const claims[]
    = { "holds",     "differs", "not decided here", "not at this scale", "not decided here",
        "arithmetic" };
  SlTableCells    *cells = fill (table);
  g_autofree char *remark = NULL;
  GError          *error = NULL;

  g_assert_true (sl_cells_check (table, &error) && sl_cells_judge (cells, &error));
  for (guint i = 0; i < G_N_ELEMENTS (claims); i++)
    g_assert_cmpstr (sl_claim_verdict (cells->claims->pdata[i]), ==, claims[i]);
  g_assert_cmpstr (sl_cells_verdict (cells, 0, 0), ==, "number");
  g_assert_cmpstr (sl_cells_verdict (cells, 1, 0), ==, "differs"); /* five seeds far above 1.8 */
  g_assert_cmpstr (sl_cells_verdict (cells, 0, 1), ==, "shape");
  g_assert_cmpstr (sl_cells_verdict (cells, 1, 1), ==, "differs");
  g_assert_cmpstr (sl_cells_verdict (cells, 0, 2), ==, "faster");
  g_assert_cmpstr (sl_cells_verdict (cells, 0, 3), ==, "not at this scale");
  remark = sl_cells_remark (cells);
  g_assert_null (remark);
  /* Of a toy, how many of what is published, which e is not, hold. */
  table->toy = TRUE;
  remark = sl_cells_remark (cells);
  g_assert_nonnull (remark);
  g_assert_nonnull (strstr (remark, " 2 of 5 published"));
  sl_cells_free (cells);
  sl_table_free (table);
}

/* Four seeds decide nothing but a number, whatever they say. */
static void
test_few_seeds (void)
{
  SlPaperTable    *table = read_table (HEAD FORMS COLUMNS ROWS CLAIM ("a", "cost.low < 400")
                                         CLAIM ("b", "cost.high > 400"));
  SlTableCells    *cells = fill (table);
  g_autofree char *remark = NULL;

  cells->seeds = 4;
  g_assert_true (sl_cells_judge (cells, NULL));
  for (guint i = 0; i < 2; i++)
    g_assert_cmpstr (sl_claim_verdict (cells->claims->pdata[i]), ==, "not decided here");
  g_assert_cmpstr (sl_cells_verdict (cells, 0, 0), ==, "number");
  g_assert_cmpstr (sl_cells_verdict (cells, 1, 0), ==, "not decided here");
  g_assert_cmpstr (sl_cells_verdict (cells, 0, 1), ==, "not decided here");
  remark = sl_cells_remark (cells);
  g_assert_nonnull (strstr (remark, "fewer than 5 seeds; these are of 4"));
  sl_cells_free (cells);
  sl_table_free (table);
}

/* --quick has neither a claim of the full form alone nor one whose rows it does not make. */
static void
test_quick (void)
{
  SlPaperTable *table = read_table (HEAD FORMS COLUMNS ROWS CLAIM ("a", "cost.low < 4\nquick=no")
                                      CLAIM ("b", "speed.other < 4") CLAIM ("c", "cost.low < 4"));
  SlTableCells *cells = fill (table);

  cells->quick = true;
  g_assert_true (sl_cells_judge (cells, NULL));
  g_assert_cmpuint (cells->claims->len, ==, 1);
  sl_cells_free (cells);
  sl_table_free (table);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/published/read", test_read);
  g_test_add_func ("/published/refused", test_refused);
  g_test_add_func ("/published/claims", test_claims);
  g_test_add_func ("/published/trials", test_trials);
  g_test_add_func ("/published/unreadable", test_unreadable);
  g_test_add_func ("/published/check", test_check);
  g_test_add_func ("/published/verdicts", test_verdicts);
  g_test_add_func ("/published/few-seeds", test_few_seeds);
  g_test_add_func ("/published/quick", test_quick);
  return g_test_run ();
}
