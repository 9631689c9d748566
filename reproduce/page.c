/* SPDX-License-Identifier: MIT
 *
 * All tables on one page; see reproduce.h.  */
#include <stdlib.h>
#include <string.h>

#include "app/cli/duration.h"
#include "app/cli/show/outputs.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/reproduce.h"

void
sl_page_init (SlReproductionPage *page)
{
  *page = (SlReproductionPage) { .lines = g_string_new (NULL), .tables = g_string_new (NULL) };
}

void
sl_page_clear (SlReproductionPage *page)
{
  g_string_free (page->lines, TRUE);
  g_string_free (page->tables, TRUE);
}

/* "3 number, 2 shape, 1 differs", of those that were published. */
static char *
count_verdicts (const SlReproduction *r)
{
  static const char *const verdicts[]
    = { "number", "faster", "shape", "not decided here", "not at this scale", "differs" };
  unsigned n[G_N_ELEMENTS (verdicts)] = { 0 };
  GString *text = g_string_new (NULL);

  for (unsigned row = 0; row < r->table->n_rows; row++)
    for (unsigned c = 0; c < r->table->n_columns; c++)
      for (unsigned v = 0; v < G_N_ELEMENTS (verdicts); v++)
        n[v] += r->table->row[row].published[c].text != NULL
                && strcmp (sl_cells_verdict (r->cells, row, c), verdicts[v]) == 0;
  for (unsigned v = 0; v < G_N_ELEMENTS (verdicts); v++)
    if (n[v] > 0)
      g_string_append_printf (text, "%s%u %s", text->len > 0 ? ", " : "", n[v], verdicts[v]);
  return g_string_free (text, FALSE);
}

static unsigned
count_held (const SlReproduction *r)
{
  unsigned held = 0;

  for (guint i = 0; i < r->cells->claims->len; i++)
    held += ((SlTableClaim *) r->cells->claims->pdata[i])->judged == SL_JUDGED_HOLDS;
  return held;
}

void
sl_page_add (SlReproductionPage *page, const SlReproduction *r)
{
  g_autofree char *verdicts = count_verdicts (r), *took = sl_duration_words (r->seconds);
  g_autofree char *processor = sl_duration_words (r->processor);
  char            *text = NULL;
  size_t           size = 0;
  FILE            *stream = open_memstream (&text, &size);

  g_string_append_printf (page->lines, "| %s | %s | %s | %u of %u | %s | %s |\n", r->table->id,
                          r->table->source, verdicts, count_held (r), r->cells->claims->len, took,
                          processor);
  if (stream == NULL)
    return;
  sl_reproduction_markdown (r, stream);
  if (fclose (stream) == 0)
    g_string_append (page->tables, text);
  free (text);
}

void
sl_page_pass_over (SlReproductionPage *page, const SlPaperTable *table, const char *why)
{
  g_string_append_printf (page->lines, "| %s | %s | %s | | | |\n", table->id, table->source, why);
}

bool
sl_page_write (const SlReproductionPage *page, const char *path)
{
  return sl_outputs_save_text (
    g_strdup_printf ("# Published tables, made again\n\nsluice-reproduce %s, %s, %u threads.\n\n"
                     "| Table | Source | Verdicts | Statements that hold | Took | Of processors |\n"
                     "| --- | --- | --- | --- | --- | --- |\n%s\n%s",
                     SL_VERSION, sl_blas_kernel (), sl_blas_cores (), page->lines->str,
                     page->tables->str),
    path);
}
