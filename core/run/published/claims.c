/* SPDX-License-Identifier: MIT */
#include "core/run/published/claims.h"

#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/lesson/formula.h"

enum { MOST = 128, MEANS = -1, NO_ROW = -1 };

/* Where a formula is computed: on the means or a seed (from 0), and for a row. */
typedef struct
{
  const SlTableCells *cells;
  int                 seed, here;
  unsigned            kept, all;
  SlTableClaim       *claim; /* gets the cells that are named */
} Place;

static double
cell_at (Place *place, unsigned row, unsigned column)
{
  place->claim->about[row][column] = true;
  return place->seed == MEANS ? sl_cells_mean (place->cells, row, column)
                              : place->cells->ours[row][column][place->seed];
}

static double
mean_of (Place *place, unsigned column, const char *prefix)
{
  double   sum = 0;
  unsigned n = 0;

  for (unsigned row = 0; row < place->cells->table->n_rows; row++)
    if (g_str_has_prefix (place->cells->table->row[row].id, prefix))
      {
        sum += cell_at (place, row, column);
        n++;
      }
  return n > 0 ? sum / n : (double) NAN;
}

static double
pairs_of (Place *place, unsigned column)
{
  const SlPaperTable *table = place->cells->table;
  unsigned            kept = 0;

  for (unsigned a = 0; a < table->n_rows; a++)
    for (unsigned b = 0; b < table->n_rows; b++)
      if (table->row[a].published[column].value > table->row[b].published[column].value)
        kept += cell_at (place, a, column) > cell_at (place, b, column);
  return isnan (cell_at (place, 0, column)) ? (double) NAN : kept;
}

/* Along lines between the rows, in their order; beyond the last as it is. */
static double
line_at (Place *place, unsigned y, unsigned x, const char *prefix)
{
  const SlPaperTable *table = place->cells->table;
  double at = cell_at (place, (unsigned) place->here, x), from = (double) NAN, here = from;

  for (unsigned row = 0; row < table->n_rows; row++)
    if (g_str_has_prefix (table->row[row].id, prefix))
      {
        double to = cell_at (place, row, x), there = cell_at (place, row, y);

        if (!isnan (from) && at <= to)
          return here + (there - here) * fmax (0.0, (at - from) / (to - from));
        from = to;
        here = there;
      }
  return here;
}

static gboolean
named (const char *name, double at, double *value, gpointer data)
{
  Place              *place = data;
  const SlPaperTable *table = place->cells->table;
  g_auto (GStrv) word = g_strsplit (name, ".", 4);
  unsigned n = g_strv_length (word);
  int      first = sl_table_find_column (table, word[0]), y, x;

  if (n == 1)
    {
      *value = word[0][0] == 'k' ? place->kept : place->all;
      return strcmp (name, "kept") == 0 || strcmp (name, "all") == 0;
    }
  if (first >= 0)
    {
      const char *id = strchr (name, '.') + 1;
      int         row = strcmp (id, "here") == 0 ? place->here : sl_table_find_row (table, id);

      *value = row >= 0 ? cell_at (place, (unsigned) row, (unsigned) first) : (double) NAN;
      return row >= 0;
    }
  if ((y = sl_table_find_column (table, word[1])) < 0)
    return FALSE;
  if (n == 2 && strcmp (word[0], "pairs") == 0)
    *value = pairs_of (place, (unsigned) y);
  else if (n == 3 && strcmp (word[0], "mean") == 0)
    *value = mean_of (place, (unsigned) y, word[2]);
  else if (n == 4 && strcmp (word[0], "line") == 0 && place->here >= 0
           && (x = sl_table_find_column (table, word[2])) >= 0)
    *value = line_at (place, (unsigned) y, (unsigned) x, word[3]);
  else
    return FALSE;
  return TRUE;
}

/* ---- comparisons ---- */

/* The two sides of every comparison of a statement, "less < more", by seed. */
typedef struct
{
  unsigned n;
  double   less[MOST][SL_TABLE_SEEDS], more[MOST][SL_TABLE_SEEDS];
} Sides;

static void
add_sides (Sides *sides, int seed, double less, double more)
{
  if (sides->n == MOST)
    return;
  sides->less[sides->n][seed] = less;
  sides->more[sides->n++][seed] = more;
}

/* "COLUMN ROWS": each row and the next. */
static gboolean
add_course (Place *place, const char *that, bool rising, Sides *sides, GError **error)
{
  const SlPaperTable *table = place->cells->table;
  g_auto (GStrv) word = g_strsplit (that, " ", 2);
  int column = g_strv_length (word) == 2 ? sl_table_find_column (table, word[0]) : -1, last = -1;

  if (column < 0)
    return sl_fail (error, SL_EFORMAT, table->id, that, "COLUMN ROWS");
  for (unsigned row = 0; row < table->n_rows; row++)
    {
      if (!sl_table_row_is (table, row, word[1]))
        continue;
      if (last >= 0)
        {
          double before = cell_at (place, (unsigned) last, (unsigned) column);
          double here = cell_at (place, row, (unsigned) column);

          add_sides (sides, place->seed, rising ? before : here, rising ? here : before);
        }
      last = (int) row;
    }
  return TRUE;
}

/* A < B <= C; the test is of means, for which it is all the same whether they may be equal. */
static gboolean
add_chain (Place *place, const char *that, Sides *sides, GError **error)
{
  double left = (double) NAN;
  char   sign = '\0';

  for (const char *at = that;;)
    {
      size_t           length = strcspn (at, "<>");
      g_autofree char *formula = g_strstrip (g_strndup (at, length));
      double           right;

      if (!sl_formula_value (formula, named, place, &right, error))
        return FALSE;
      if (sign != '\0')
        add_sides (sides, place->seed, sign == '<' ? left : right, sign == '<' ? right : left);
      if (at[length] == '\0')
        return sign != '\0' || sl_fail (error, SL_EFORMAT, place->cells->table->id, that, "< >");
      left = right;
      sign = at[length];
      at += length + (at[length + 1] == '=' ? 2 : 1);
    }
}

static gboolean
add_that (Place *place, const char *that, Sides *sides, GError **error)
{
  static const char rising[] = "rising ", falling[] = "falling ";

  g_auto (GStrv) part = g_strsplit (that, " and ", -1);
  gboolean good = TRUE;

  for (char **p = part; *p != NULL && good; p++)
    if (g_str_has_prefix (*p, rising))
      good = add_course (place, *p + strlen (rising), true, sides, error);
    else if (g_str_has_prefix (*p, falling))
      good = add_course (place, *p + strlen (falling), false, sides, error);
    else
      good = add_chain (place, *p, sides, error);
  return good;
}

/* ---- evidence ---- */

/* What the seeds say for one row, or without one.  A gain that is not a number: there are no figures. */
static gboolean
weigh (Place *place, const SlTableStatement *statement, SlEvidence *evidence, GError **error)
{
  const SlTableCells *cells = place->cells;
  g_autofree Sides   *sides = g_new0 (Sides, 1);
  SlEvidence          part[MOST] = { 0 };

  for (unsigned s = 0; s < cells->seeds; s++)
    {
      place->seed = (int) s;
      sides->n = 0;
      if (!add_that (place, statement->that, sides, error))
        return FALSE;
    }
  for (unsigned i = 0; i < sides->n; i++)
    part[i]
      = sl_evidence_compare (sides->less[i], sides->more[i], cells->seeds, !cells->table->trials);
  *evidence = sl_evidence_all (part, sides->n);
  return TRUE;
}

/* Every row of the statement for which there are figures; fills `part` and tells which decides. */
static gboolean
weigh_rows (Place *place, const SlTableStatement *statement, SlEvidence *part, unsigned *n,
            GError **error)
{
  const SlPaperTable *table = place->cells->table;
  int                 decider = NO_ROW;
  double              most = 0;

  for (unsigned row = 0; row < table->n_rows; row++)
    {
      double gain;

      if (!sl_table_row_is (table, row, statement->rows))
        continue;
      place->here = (int) row;
      if (!weigh (place, statement, &part[*n], error))
        return FALSE;
      gain = part[*n].gain;
      if (isnan (gain))
        continue;
      place->kept += gain > 0;
      if (decider == NO_ROW || (statement->some ? gain > most : gain < most))
        {
          decider = (int) row;
          most = gain;
        }
      ++*n;
    }
  place->here = decider;
  place->all = *n;
  return TRUE;
}

/* The sentence, with its figures. */
static char *
fill_text (Place *place, const char *text, GError **error)
{
  GString *filled = g_string_new (text);
  char    *sentence;

  place->seed = MEANS;
  if (place->here >= 0)
    g_string_replace (filled, "{here}", place->cells->table->row[place->here].label, 0);
  sentence = sl_formula_fill (filled->str, named, place, error);
  g_string_free (filled, TRUE);
  return sentence;
}

SlTableClaim *
sl_claim_make (const SlTableCells *cells, const SlTableStatement *statement, GError **error)
{
  g_autofree SlTableClaim *claim = g_new0 (SlTableClaim, 1);
  SlTableClaim             named_by_text = { 0 };
  Place                    place = { .cells = cells, .claim = claim, .here = NO_ROW };
  SlEvidence               part[SL_TABLE_ROWS] = { 0 };
  unsigned                 n = 0;

  claim->statement = statement;
  if (statement->rows == NULL ? !weigh (&place, statement, &part[n++], error)
                              : !weigh_rows (&place, statement, part, &n, error))
    return NULL;
  claim->evidence = statement->some ? sl_evidence_any (part, n) : sl_evidence_all (part, n);
  if (isnan (claim->evidence.gain))
    return g_steal_pointer (&claim);
  place.claim = &named_by_text;
  claim->text = fill_text (&place, statement->text, error);
  return claim->text != NULL ? g_steal_pointer (&claim) : NULL;
}
