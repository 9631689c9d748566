/* SPDX-License-Identifier: MIT
 *
 * What is said of cells and claims; the rule itself is in core/base/evidence.h.  */
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/published/claims.h"

static const char not_decided[] = "not decided here", not_at_scale[] = "not at this scale";
static const char differs[] = "differs";

/* How far from the published value a cell may be: two standard deviations of the difference, as far as they are
 * known, or 5 % where none is published.  */
static double
tolerance (const SlTableCells *cells, unsigned row, unsigned column)
{
  const SlPublished *published = &cells->table->row[row].published[column];
  double             sd = sl_cells_sd (cells, row, column);
  double far = 2 * hypot (isnan (sd) ? 0 : sd, isnan (published->sd) ? 0 : published->sd);

  return isnan (published->sd) ? fmax (far, 0.05 * fabs (published->value)) : far;
}

/* Whether the column says something of the published value itself, and there is one. */
static bool
is_compared (const SlTableCells *cells, unsigned row, unsigned column)
{
  SlColumnKind kind = cells->table->column[column].kind;

  return cells->table->row[row].published[column].text != NULL
         && (kind == SL_COLUMN_NUMBER || kind == SL_COLUMN_FASTER);
}

/* What seeds say of the statement that a cell is the published value; of a speed, that it is no lower. */
static SlEvidence
weigh_cell (const SlTableCells *cells, unsigned row, unsigned column)
{
  const double *ours = cells->ours[row][column];
  double        value = cells->table->row[row].published[column].value;
  double        far = tolerance (cells, row, column), least[SL_TABLE_SEEDS], most[SL_TABLE_SEEDS];
  SlEvidence    part[2];

  for (unsigned s = 0; s < cells->seeds; s++)
    {
      least[s] = value - far;
      most[s] = value + far;
    }
  part[0] = sl_evidence_compare (least, ours, cells->seeds, false);
  part[1] = sl_evidence_compare (ours, most, cells->seeds, false);
  return sl_evidence_all (part, cells->table->column[column].kind == SL_COLUMN_FASTER ? 1 : 2);
}

static void
judge_cells (SlTableCells *cells)
{
  SlEvidence evidence[SL_JUDGE_MOST] = { 0 };
  SlJudged   judged[SL_JUDGE_MOST], *to[SL_JUDGE_MOST];
  unsigned   n = 0;

  for (unsigned row = 0; row < cells->table->n_rows; row++)
    for (unsigned c = 0; c < cells->table->n_columns; c++)
      if (is_compared (cells, row, c))
        {
          evidence[n] = weigh_cell (cells, row, c);
          to[n++] = &cells->judged[row][c];
        }
  sl_judge (evidence, n, judged);
  for (unsigned i = 0; i < n; i++)
    *to[i] = judged[i];
}

/* Adds what can be said of every statement that has figures. */
static gboolean
make_claims (SlTableCells *cells, GError **error)
{
  for (unsigned i = 0; i < cells->table->n_claims; i++)
    {
      SlTableClaim *claim = sl_claim_make (cells, &cells->table->claim[i], error);

      if (claim == NULL)
        return FALSE;
      if (claim->text == NULL || (cells->quick && claim->statement->full_only))
        {
          g_free (claim->text);
          g_free (claim);
        }
      else
        g_ptr_array_add (cells->claims, claim);
    }
  return TRUE;
}

gboolean
sl_cells_judge (SlTableCells *cells, GError **error)
{
  SlEvidence evidence[SL_TABLE_CLAIMS] = { 0 };
  SlJudged   judged[SL_TABLE_CLAIMS];
  unsigned   n = 0;

  if (!make_claims (cells, error))
    return FALSE;
  for (guint i = 0; i < cells->claims->len; i++)
    {
      const SlTableClaim *claim = cells->claims->pdata[i];

      if (claim->statement->kind != SL_CLAIM_ARITHMETIC)
        evidence[n++] = claim->evidence;
    }
  sl_judge (evidence, n, judged);
  n = 0;
  for (guint i = 0; i < cells->claims->len; i++)
    {
      SlTableClaim *claim = cells->claims->pdata[i];

      if (claim->statement->kind != SL_CLAIM_ARITHMETIC)
        claim->judged = judged[n++];
      else
        claim->judged = claim->evidence.gain >= 0 ? SL_JUDGED_HOLDS : SL_JUDGED_DIFFERS;
    }
  judge_cells (cells);
  return TRUE;
}

const char *
sl_claim_verdict (const SlTableClaim *claim)
{
  if (claim->judged == SL_JUDGED_HOLDS)
    return claim->statement->kind == SL_CLAIM_ARITHMETIC ? "arithmetic" : "holds";
  if (claim->statement->kind == SL_CLAIM_SCALE)
    return not_at_scale;
  return claim->judged == SL_JUDGED_DIFFERS ? differs : not_decided;
}

gboolean
sl_cells_check (const SlPaperTable *table, GError **error)
{
  SlTableCells *cells = sl_cells_new (table);
  gboolean      good;

  for (unsigned row = 0; row < table->n_rows; row++)
    for (unsigned c = 0; c < table->n_columns; c++)
      for (unsigned s = 0; s < cells->seeds; s++)
        cells->ours[row][c][s] = 1;
  good = sl_cells_judge (cells, error);
  /* A claim that is left out has no row. */
  for (unsigned i = 0; good && i < table->n_claims; i++)
    if (i >= cells->claims->len
        || ((SlTableClaim *) cells->claims->pdata[i])->statement != &table->claim[i])
      good = sl_fail (error, SL_EFORMAT, table->id, table->claim[i].that, NULL);
  sl_cells_free (cells);
  return good;
}

/* By the claims of the paper that name the cell, the worst of them. */
static const char *
by_claims (const SlTableCells *cells, unsigned row, unsigned column)
{
  const char *const worst[] = { differs, not_at_scale, not_decided, "holds" };
  size_t            found = G_N_ELEMENTS (worst);

  for (guint i = 0; i < cells->claims->len; i++)
    {
      const SlTableClaim *claim = cells->claims->pdata[i];

      if (claim->about[row][column] && claim->statement->kind != SL_CLAIM_OURS)
        for (size_t w = 0; w < found; w++)
          if (strcmp (sl_claim_verdict (claim), worst[w]) == 0)
            found = w;
    }
  if (found == G_N_ELEMENTS (worst))
    return "";
  return found + 1 == G_N_ELEMENTS (worst) ? "shape" : worst[found];
}

const char *
sl_cells_verdict (const SlTableCells *cells, unsigned row, unsigned column)
{
  SlColumnKind kind = cells->table->column[column].kind;
  double       value = cells->table->row[row].published[column].value;
  double       ours = sl_cells_mean (cells, row, column);
  const char  *claimed = by_claims (cells, row, column);

  if (kind == SL_COLUMN_SCALE)
    return not_at_scale;
  if (isnan (ours))
    return "";
  if (!is_compared (cells, row, column))
    return claimed;
  if (fabs (ours - value) <= tolerance (cells, row, column))
    return "number";
  if (kind == SL_COLUMN_FASTER && ours > value)
    return "faster";
  if (claimed[0] != '\0')
    return claimed;
  return cells->judged[row][column] == SL_JUDGED_DIFFERS ? differs : not_decided;
}

char *
sl_cells_remark (const SlTableCells *cells)
{
  GString *text = g_string_new (NULL);
  unsigned n = 0, shown = 0, tested = 0;

  for (guint i = 0; i < cells->claims->len; i++)
    {
      const SlTableClaim *claim = cells->claims->pdata[i];

      tested += claim->statement->kind != SL_CLAIM_ARITHMETIC;
      n += claim->statement->kind != SL_CLAIM_OURS;
      shown += claim->statement->kind != SL_CLAIM_OURS && claim->judged == SL_JUDGED_HOLDS;
    }
  if (tested > 0 && cells->seeds < SL_JUDGE_SEEDS)
    g_string_append_printf (text, "Nothing is decided by fewer than %d seeds; these are of %u.",
                            SL_JUDGE_SEEDS, cells->seeds);
  if (cells->table->toy && n > 0)
    g_string_append_printf (
      text, "%sThis toy shows %u of %u published orders; that says nothing against the others.",
      text->len > 0 ? " " : "", shown, n);
  return g_string_free (text, text->len == 0);
}
