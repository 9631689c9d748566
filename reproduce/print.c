/* SPDX-License-Identifier: MIT
 *
 * A reproduced table for the terminal, for pages and for programs; see reproduce.h.  */
#include <math.h>
#include <string.h>

#include "app/cli/duration.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/reproduce.h"

enum { NAMES = 36, NUMBERS = 18 }; /* letters of a column */

static const char *
published_text (const SlReproduction *r, unsigned row, unsigned column)
{
  const char *text = r->table->row[row].published[column].text;

  return text != NULL ? text : "";
}

static char *
ours_text (const SlReproduction *r, unsigned row, unsigned column)
{
  double mean = sl_cells_mean (r->cells, row, column), sd = sl_cells_sd (r->cells, row, column);

  if (sl_cells_count (r->cells, row, column) == 0)
    return g_strdup ("");
  return isnan (sd) ? g_strdup_printf ("%.3g", mean) : g_strdup_printf ("%.3g ± %.2g", mean, sd);
}

static const char *
verdict_text (const SlReproduction *r, unsigned row, unsigned column)
{
  return published_text (r, row, column)[0] != '\0' ? sl_cells_verdict (r->cells, row, column) : "";
}

/* Pads to so many letters, which printf would count as bytes. */
static void
print_cell (FILE *stream, const char *text, glong width)
{
  fprintf (stream, "%s%*s", text, (int) MAX (1, width - g_utf8_strlen (text, -1)), "");
}

static void
print_column (const SlReproduction *r, unsigned c, FILE *stream)
{
  const SlTableColumn *column = &r->table->column[c];
  g_autofree char     *head = column->unit[0] != '\0'
                                ? g_strdup_printf ("%s, %s", column->name, column->unit)
                                : g_strdup (column->name);

  fputc ('\n', stream);
  print_cell (stream, head, NAMES);
  print_cell (stream, "published", NUMBERS);
  print_cell (stream, "ours", NUMBERS);
  fputs ("n  verdict\n", stream);
  for (unsigned row = 0; row < r->table->n_rows; row++)
    {
      const char      *published = published_text (r, row, c);
      g_autofree char *ours = ours_text (r, row, c);

      if (published[0] == '\0' && ours[0] == '\0')
        continue; /* a row that has no such figure */
      print_cell (stream, r->table->row[row].label, NAMES);
      print_cell (stream, published, NUMBERS);
      print_cell (stream, ours, NUMBERS);
      fprintf (stream, "%-2u %s\n", sl_cells_count (r->cells, row, c), verdict_text (r, row, c));
    }
}

void
sl_reproduction_print (const SlReproduction *r, FILE *stream)
{
  const SlPaperTable *table = r->table;
  g_autofree char    *took = sl_duration_words (r->seconds);
  g_autofree char    *processor = sl_duration_words (r->processor);
  g_autofree char    *remark = sl_cells_remark (r->cells);

  fprintf (stream, "%s: %s (%s)\n%s\n", table->id, r->title, table->source, table->conditions);
  for (unsigned c = 0; c < table->n_columns; c++)
    print_column (r, c, stream);
  fputc ('\n', stream);
  for (guint i = 0; i < r->cells->claims->len; i++)
    {
      const SlTableClaim *claim = r->cells->claims->pdata[i];

      print_cell (stream, sl_claim_verdict (claim), NUMBERS);
      fprintf (stream, "%s\n", claim->text);
    }
  if (remark != NULL)
    fprintf (stream, "%s\n", remark);
  fprintf (stream, "took %s, of processors %s, kernel %s%s\n", took, processor, sl_blas_kernel (),
           r->cells->quick ? "; shortened by --quick" : "");
}

/* Whether a column has a published value at all. */
static bool
is_published (const SlReproduction *r, unsigned column)
{
  for (unsigned row = 0; row < r->table->n_rows; row++)
    if (published_text (r, row, column)[0] != '\0')
      return true;
  return false;
}

void
sl_reproduction_markdown (const SlReproduction *r, FILE *stream)
{
  const SlPaperTable *table = r->table;
  g_autofree char    *remark = sl_cells_remark (r->cells);

  fprintf (stream, "### %s: %s\n\n%s Kernel %s.%s\n\n| |", table->source, r->title,
           table->conditions, sl_blas_kernel (), r->cells->quick ? " Shortened by `--quick`." : "");
  for (unsigned c = 0; c < table->n_columns; c++)
    fprintf (stream, " %s%s%s%s |", table->column[c].name,
             table->column[c].unit[0] != '\0' ? ", " : "", table->column[c].unit,
             is_published (r, c) ? " published | ours | verdict" : "");
  fputs ("\n| --- |", stream);
  for (unsigned c = 0; c < table->n_columns; c++)
    fputs (is_published (r, c) ? " --- | --- | --- |" : " --- |", stream);
  for (unsigned row = 0; row < table->n_rows; row++)
    {
      fprintf (stream, "\n| %s |", table->row[row].label);
      for (unsigned c = 0; c < table->n_columns; c++)
        {
          g_autofree char *ours = ours_text (r, row, c);

          if (is_published (r, c))
            fprintf (stream, " %s | %s | %s |", published_text (r, row, c), ours,
                     verdict_text (r, row, c));
          else
            fprintf (stream, " %s |", ours);
        }
    }
  fputs ("\n\n", stream);
  for (guint i = 0; i < r->cells->claims->len; i++)
    {
      const SlTableClaim *claim = r->cells->claims->pdata[i];
      const char         *verdict = sl_claim_verdict (claim);

      fprintf (stream, "* %c%s: %s\n", g_ascii_toupper (verdict[0]), verdict + 1, claim->text);
    }
  if (remark != NULL)
    fprintf (stream, "\n%s\n", remark);
  fputc ('\n', stream);
}

/* ---- JSON ---- */

static void
add_cell (SlJsonWriter *w, const SlReproduction *r, unsigned row, unsigned c)
{
  const SlPublished *published = &r->table->row[row].published[c];

  sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
  sl_json_add_text (w, "row", r->table->row[row].label);
  sl_json_add_text (w, "column", r->table->column[c].name);
  sl_json_add_number (w, "published", published->value);
  sl_json_add_number (w, "published-sd", published->sd);
  sl_json_open (w, "ours", '[', SL_JSON_TIGHT);
  for (unsigned s = 0; s < r->cells->seeds; s++)
    if (isfinite (r->cells->ours[row][c][s]))
      sl_json_add_number (w, NULL, r->cells->ours[row][c][s]);
  sl_json_close (w);
  sl_json_add_text (w, "verdict", verdict_text (r, row, c));
  sl_json_close (w);
}

/* What is needed to repeat the reproduction. */
static void
add_origin (SlJsonWriter *w, const SlReproduction *r)
{
  g_autofree char *hash = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", r->data_hash);

  sl_json_add_text (w, "title", r->title);
  sl_json_add_text (w, "data", r->data);
  sl_json_add_text (w, "data-hash", hash);
  sl_json_open (w, "seeds", '[', SL_JSON_TIGHT);
  for (unsigned s = 0; s < r->cells->seeds; s++)
    sl_json_add_whole (w, NULL, r->first + s);
  sl_json_close (w);
  sl_json_open (w, "recipes", '[', SL_JSON_LINES);
  for (guint i = 0; i < r->recipes->len; i++)
    sl_json_add_text (w, NULL, r->recipes->pdata[i]);
  sl_json_close (w);
}

void
sl_reproduction_json (const SlReproduction *r, SlJsonWriter *w)
{
  sl_json_open (w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (w, "id", r->table->id);
  sl_json_add_truth (w, "quick", r->cells->quick);
  sl_json_add_number (w, "seconds", r->seconds);
  sl_json_add_number (w, "processor-seconds", r->processor);
  add_origin (w, r);
  sl_json_open (w, "cells", '[', SL_JSON_LINES);
  for (unsigned row = 0; row < r->table->n_rows; row++)
    for (unsigned c = 0; c < r->table->n_columns; c++)
      add_cell (w, r, row, c);
  sl_json_close (w);
  sl_json_open (w, "claims", '[', SL_JSON_LINES);
  for (guint i = 0; i < r->cells->claims->len; i++)
    {
      const SlTableClaim *claim = r->cells->claims->pdata[i];

      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "text", claim->text);
      sl_json_add_text (w, "verdict", sl_claim_verdict (claim));
      sl_json_add_number (w, "p", claim->evidence.holds);
      sl_json_add_whole (w, "seeds", claim->evidence.seeds);
      sl_json_close (w);
    }
  sl_json_close (w);
  sl_json_close (w);
}
