/* SPDX-License-Identifier: MIT
 *
 * Every published table that this program has: that it can be read and made, and that its numbers are those of the
 * papers.  */
#include <string.h>

#include "app/cli/plan.h"
#include "core/labs/registry.h"
#include "reproduce/measures.h"
#include "reproduce/readings.h"

static GPtrArray *
load (void)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *tables = sl_tables_load (&error);

  g_assert_no_error (error);
  return tables;
}

static const SlPaperTable *
find (const GPtrArray *tables, const char *id)
{
  for (guint i = 0; i < tables->len; i++)
    if (strcmp (((SlPaperTable *) tables->pdata[i])->id, id) == 0)
      return tables->pdata[i];
  g_error ("there is no table %s", id);
}

/* Formulas, claims and measures are known, and labs have the settings of every row in both forms. */
static void
check_table (const SlPaperTable *table)
{
  g_autoptr (GError) error = NULL;
  const char *measure = sl_table_word (table, "table", "measure");
  const char *id = sl_table_word (table, "table", "lab");

  sl_readings_check (table, &error);
  g_assert_no_error (error);
  sl_cells_check (table, &error);
  g_assert_no_error (error);
  g_assert_true (measure == NULL || sl_measure_find (measure) != NULL);
  g_assert_true (id == NULL || sl_lab_find (id) != NULL);
  for (unsigned row = 0; row < 2 * table->n_rows && id != NULL; row++)
    {
      SlReproduction  *r = sl_reproduction_new (table);
      g_autofree char *words = NULL;
      SlPlan           plan;

      r->cells->quick = row % 2 == 1;
      words = sl_reproduction_settings (r, (int) row / 2);
      g_assert_null (strchr (words, '{'));
      sl_plan_init (&plan, sl_lab_find (id));
      g_assert_cmpint (sl_plan_set_words (&plan, words), ==, SL_EXIT_FINE);
      sl_plan_clear (&plan);
      sl_reproduction_free (r);
    }
}

static void
test_tables (void)
{
  g_autoptr (GPtrArray) tables = load ();

  g_assert_cmpuint (tables->len, ==, 28);
  for (guint i = 0; i < tables->len; i++)
    check_table (tables->pdata[i]);
}

static const char made[]
  = "[table]\norder=1\ntitle=t\nsource=s\nconditions=c\nseeds=3\nlab=experts\n[full]\ntime=1 "
    "s\n[quick]\ntime=1 s\n"
    "[column a]\nname=a\nkind=shape\nread=score.a * 2\n[column "
    "b]\nname=b\nkind=shape\nread=score.b\nmissing=7\n"
    "[column c]\nname=c\nkind=shape\nread=seconds\nquick=no\n"
    "[row x]\n[row y]\nread-a=100 - score.way-10\nread-c=\n[row z]\nfrom=x|y\nread-a=score.twin\n";

/* A row reads its own formulas or those of the columns, other rows from it, and what is missing stays empty. */
static void
test_readings (void)
{
  g_autoptr (GError) error = NULL;
  SlPaperTable   *table = sl_table_read ("made", made, sizeof made - 1, &error);
  SlReproduction *r = sl_reproduction_new (table);
  SlSweepResult   result
    = { .job = { .number = 0, .seed = 2 }, .seconds = 4, .n_scores = { [SL_TEST] = 2 } };

  g_assert_true (sl_readings_check (table, &error));
  result.score[SL_TEST][0] = (SlScore) { .id = "a", .value = 21 };
  result.score[SL_TEST][1] = (SlScore) { .id = "way-10+", .value = 30 };
  sl_readings_take (r, &result);
  g_assert_true (r->cells->ours[0][0][1] == 42 && r->cells->ours[0][1][1] == 7
                 && r->cells->ours[0][2][1] == 4);
  g_assert_cmpuint (sl_cells_count (r->cells, 0, 0), ==, 1);
  g_assert_false (sl_cells_have_row (r->cells, 2)); /* it has no score "twin" */
  result.job.number = 1;
  result.score[SL_TEST][0].id = "twin";
  sl_readings_take (r, &result);
  g_assert_true (r->cells->ours[1][0][1] == 70 && sl_cells_count (r->cells, 1, 2) == 0);
  g_assert_true (r->cells->ours[2][0][1] == 21 && sl_cells_count (r->cells, 2, 1) == 0);
  sl_reproduction_free (r);
  sl_table_free (table);
}

static const char lengths[] = "[table]\norder=1\ntitle=t\nsource=s\nconditions=c\nseeds=2\nlab="
                              "prefix-tree\ndata=moons:points=100\n"
                              "settings=hidden=4 units=4 batch=20\n[full]\ntime=1 s\nepochs=1\n"
                              "[column a]\nname=a\nkind=shape\nread=epochs\n"
                              "[row x]\n[row y]\nepochs=3\n[row z]\ndata=spirals:points=100\n";

/* A row is trained as long as the table says, or as it says itself, on the data of the table or its own. */
static void
test_lengths (void)
{
  g_autoptr (GError) error = NULL;
  SlPaperTable   *table = sl_table_read ("lengths", lengths, sizeof lengths - 1, &error);
  SlReproduction *r;

  g_assert_no_error (error);
  r = sl_reproduction_new (table);
  r->quiet = true;
  g_assert_cmpint (sl_reproduction_make (r), ==, SL_EXIT_FINE);
  for (unsigned s = 0; s < 2; s++)
    {
      g_assert_cmpfloat (r->cells->ours[0][0][s], ==, 1);
      g_assert_cmpfloat (r->cells->ours[1][0][s], ==, 3);
      g_assert_cmpfloat (r->cells->ours[2][0][s], ==, 1);
    }
  g_assert_true (g_str_has_prefix (r->recipes->pdata[2], "prefix-tree"));
  g_assert_nonnull (strstr (r->recipes->pdata[2], "spirals"));
  g_assert_null (strstr (r->recipes->pdata[1], "spirals"));
  sl_reproduction_free (r);
  sl_table_free (table);
}

/* A table of a lab that this program is built without is refused, and nothing is run. */
static void
test_no_lab (void)
{
  g_autofree char *text = g_strdup (made);
  SlPaperTable    *table;
  SlReproduction  *r;

  memcpy (strstr (text, "lab=experts"), "lab=nowhere", strlen ("lab=nowhere"));
  table = sl_table_read ("made", text, strlen (text), NULL);
  r = sl_reproduction_new (table);
  g_assert_cmpint (sl_reproduction_make (r), ==, SL_EXIT_FAILED);
  sl_reproduction_free (r);
  sl_table_free (table);
}

/* What code fills has a figure in every cell, under the ids that the file has. */
static void
test_capacity (void)
{
  g_autoptr (GPtrArray) tables = load ();
  SlReproduction *r = sl_reproduction_new (find (tables, "donier"));

  g_assert_cmpint (sl_reproduction_make (r), ==, SL_EXIT_FINE);
  for (unsigned row = 0; row < r->table->n_rows; row++)
    for (unsigned c = 0; c < r->table->n_columns; c++)
      g_assert_cmpuint (sl_cells_count (r->cells, row, c), ==, 1);
  g_assert_cmpuint (r->cells->claims->len, ==, r->table->n_claims);
  for (guint i = 0; i < r->cells->claims->len; i++)
    g_assert_cmpstr (sl_claim_verdict (r->cells->claims->pdata[i]), ==, "arithmetic");
  sl_reproduction_free (r);
}

/* "table; row; column" of a cell. */
static char *
address (const SlPaperTable *table, int row, int column)
{
  return g_strdup_printf ("%s; %s; %s", table->id, table->row[row].id, table->column[column].id);
}

/* A line of the fixture: "table; row; column; number; paper; place".  Where it has a column of a table, it has all of
 * its numbers.  */
static void
check_line (const GPtrArray *tables, const char *line, const char *all)
{
  g_auto (GStrv) word = g_strsplit (line, "; ", -1);
  const SlPaperTable *table;
  int                 row, column;

  g_assert_cmpuint (g_strv_length (word), ==, 6);
  table = find (tables, word[0]);
  row = sl_table_find_row (table, word[1]);
  column = sl_table_find_column (table, word[2]);
  g_assert_true (row >= 0 && column >= 0);
  g_assert_cmpstr (table->row[row].published[column].text, ==, word[3]);
  g_assert_nonnull (strstr (table->source, word[4]));
  for (row = 0; row < (int) table->n_rows; row++)
    {
      g_autofree char *wanted = address (table, row, column);

      if (table->row[row].published[column].text != NULL && strstr (all, wanted) == NULL)
        g_error ("tests/fixtures/published.txt has no %s", wanted);
    }
}

static void
test_published (void)
{
  g_autoptr (GPtrArray) tables = load ();
  g_autofree char *text = NULL, *path = NULL;
  g_auto (GStrv) line = NULL;
  unsigned n = 0;

  path = g_build_filename (g_getenv ("SLUICE_SOURCE"), "tests/fixtures/published.txt", NULL);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = g_strsplit (g_strchomp (text), "\n", -1);
  for (char **l = line; *l != NULL; l++)
    if (**l != '#')
      {
        check_line (tables, *l, text);
        n++;
      }
  g_assert_cmpuint (n, ==, 77);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tables/all", test_tables);
  g_test_add_func ("/tables/readings", test_readings);
  g_test_add_func ("/tables/lengths", test_lengths);
  g_test_add_func ("/tables/no-lab", test_no_lab);
  g_test_add_func ("/tables/capacity", test_capacity);
  g_test_add_func ("/tables/published", test_published);
  return g_test_run ();
}
