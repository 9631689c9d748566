/* SPDX-License-Identifier: MIT
 *
 * Cells, claims and verdicts; see reproduce.h.  */
#include "reproduce/reproduce.h"

#include <math.h>
#include <string.h>

static void
free_curve (gpointer data)
{
  SlTableCurve *curve = data;

  g_free (curve->plot);
  g_free (curve->name);
  g_free (curve->x);
  g_free (curve->y);
  g_free (curve);
}

static void
clear_picture (gpointer data)
{
  g_bytes_unref (((SlTablePicture *) data)->png);
}

void
sl_reproduction_init (SlReproduction *reproduction, const SlPaperTable *table)
{
  *reproduction = (SlReproduction) { .table = table, .seeds = table->usual_seeds };
  reproduction->title = g_strdup (table->title);
  reproduction->recipes = g_ptr_array_new_with_free_func (g_free);
  reproduction->claims = g_array_new (FALSE, FALSE, sizeof (SlTableClaim));
  reproduction->pictures = g_array_new (FALSE, FALSE, sizeof (SlTablePicture));
  g_array_set_clear_func (reproduction->pictures, clear_picture);
  reproduction->curves = g_ptr_array_new_with_free_func (free_curve);
  while (table->rows[reproduction->n_rows] != NULL)
    reproduction->n_rows++;
  for (unsigned r = 0; r < reproduction->n_rows; r++)
    for (unsigned c = 0; c < table->n_columns; c++)
      reproduction->cell[r][c] = (SlTableCell) { .published = NAN, .sd = NAN };
}

void
sl_reproduction_clear (SlReproduction *reproduction)
{
  g_clear_pointer (&reproduction->claims, g_array_unref);
  g_clear_pointer (&reproduction->curves, g_ptr_array_unref);
  g_clear_pointer (&reproduction->pictures, g_array_unref);
  g_clear_pointer (&reproduction->recipes, g_ptr_array_unref);
  g_clear_pointer (&reproduction->title, g_free);
}

void
sl_reproduction_recipe (SlReproduction *reproduction, const char *lab, const char *data,
                        const char *settings, const char *more)
{
  g_ptr_array_add (reproduction->recipes,
                   g_strjoin (" ", lab, "--data", data, settings, more, NULL));
}

void
sl_reproduction_ours (SlReproduction *reproduction, unsigned row, unsigned column, double value)
{
  SlTableCell *cell = &reproduction->cell[row][column];

  if (cell->n < SL_TABLE_SEEDS)
    cell->ours[cell->n++] = value;
}

void
sl_reproduction_curve (SlReproduction *reproduction, unsigned row, const char *plot,
                       const char *name, size_t n, const double *x, const double *y)
{
  SlTableCurve *curve = g_new (SlTableCurve, 1);
  guint         at = 0;

  *curve = (SlTableCurve) { .row = row, .plot = g_strdup (plot), .name = g_strdup (name), .n = n };
  curve->x = g_memdup2 (x, n * sizeof *x);
  curve->y = g_memdup2 (y, n * sizeof *y);
  while (at < reproduction->curves->len
         && ((SlTableCurve *) reproduction->curves->pdata[at])->row <= row)
    at++;
  g_ptr_array_insert (reproduction->curves, (gint) at, curve);
}

void
sl_reproduction_picture (SlReproduction *reproduction, unsigned row, GBytes *png)
{
  SlTablePicture picture = { .row = row };
  guint          at = 0;

  if (png == NULL)
    return;
  picture.png = g_bytes_ref (png);
  while (at < reproduction->pictures->len
         && g_array_index (reproduction->pictures, SlTablePicture, at).row <= row)
    at++;
  g_array_insert_val (reproduction->pictures, at, picture);
}

void
sl_reproduction_published (SlReproduction *reproduction, unsigned row, unsigned column,
                           double value, double sd)
{
  reproduction->cell[row][column].published = value;
  reproduction->cell[row][column].sd = sd;
}

void
sl_reproduction_claim (SlReproduction *reproduction, bool held, const char *format, ...)
{
  SlTableClaim claim = { .held = held };
  va_list      list;

  va_start (list, format);
  g_vsnprintf (claim.text, sizeof claim.text, format, list);
  va_end (list);
  g_array_append_val (reproduction->claims, claim);
}

void
sl_reproduction_note (const SlReproduction *reproduction, const char *format, ...)
{
  va_list list;

  if (reproduction->quiet)
    return;
  fprintf (stderr, "# %s: ", reproduction->table->id);
  va_start (list, format);
  vfprintf (stderr, format, list);
  va_end (list);
  fputc ('\n', stderr);
}

double
sl_reproduction_mean (const SlReproduction *reproduction, unsigned row, unsigned column)
{
  const SlTableCell *cell = &reproduction->cell[row][column];
  double             sum = 0;

  for (unsigned i = 0; i < cell->n; i++)
    sum += cell->ours[i];
  return cell->n > 0 ? sum / cell->n : NAN;
}

double
sl_reproduction_sd (const SlReproduction *reproduction, unsigned row, unsigned column)
{
  const SlTableCell *cell = &reproduction->cell[row][column];
  double             mean = sl_reproduction_mean (reproduction, row, column), sum = 0;

  for (unsigned i = 0; i < cell->n; i++)
    sum += (cell->ours[i] - mean) * (cell->ours[i] - mean);
  return cell->n > 1 ? sqrt (sum / (cell->n - 1)) : NAN;
}

double
sl_reproduction_errors_below (const SlReproduction *reproduction, unsigned a, unsigned b,
                              unsigned column)
{
  double sd_a = sl_reproduction_sd (reproduction, a, column);
  double sd_b = sl_reproduction_sd (reproduction, b, column);
  double gain = sl_reproduction_mean (reproduction, b, column)
                - sl_reproduction_mean (reproduction, a, column);

  return gain / sqrt ((sd_a * sd_a + sd_b * sd_b) / (double) reproduction->seeds);
}

/* Within two standard deviations of the difference, as far as they are known, or 5 %. */
static bool
is_number (const SlReproduction *reproduction, unsigned row, unsigned column)
{
  const SlTableCell *cell = &reproduction->cell[row][column];
  double             ours = sl_reproduction_mean (reproduction, row, column);
  double             sd = sl_reproduction_sd (reproduction, row, column);
  double             far = 2 * hypot (isnan (sd) ? 0 : sd, isnan (cell->sd) ? 0 : cell->sd);

  if (isnan (cell->sd))
    far = fmax (far, 0.05 * fabs (cell->published));
  return fabs (ours - cell->published) <= far;
}

const char *
sl_reproduction_verdict (const SlReproduction *reproduction, unsigned row, unsigned column)
{
  SlComparison comparison = reproduction->table->columns[column].comparison;

  if (comparison == SL_BEYOND)
    return "not at this scale";
  if (comparison != SL_SAME_SHAPE && is_number (reproduction, row, column))
    return "number";
  if (comparison == SL_AT_LEAST
      && sl_reproduction_mean (reproduction, row, column)
           > reproduction->cell[row][column].published)
    return "faster";
  for (guint i = 0; i < reproduction->claims->len; i++)
    if (!g_array_index (reproduction->claims, SlTableClaim, i).held)
      return "differs";
  return reproduction->claims->len > 0 ? "shape" : "differs";
}
