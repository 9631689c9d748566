/* SPDX-License-Identifier: MIT
 *
 * Cells, curves and pictures of a table; see reproduce.h.  */
#include "reproduce/reproduce.h"

#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "reproduce/measures.h"
#include "reproduce/readings.h"

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

SlReproduction *
sl_reproduction_new (const SlPaperTable *table)
{
  SlReproduction *r = g_new0 (SlReproduction, 1);

  r->table = table;
  r->cells = sl_cells_new (table);
  r->first = 1;
  r->title = g_strdup (table->title);
  r->recipes = g_ptr_array_new_with_free_func (g_free);
  r->pictures = g_array_new (FALSE, FALSE, sizeof (SlTablePicture));
  g_array_set_clear_func (r->pictures, clear_picture);
  r->curves = g_ptr_array_new_with_free_func (free_curve);
  return r;
}

void
sl_reproduction_free (SlReproduction *r)
{
  sl_cells_free (r->cells);
  g_ptr_array_unref (r->curves);
  g_array_unref (r->pictures);
  g_ptr_array_unref (r->recipes);
  g_free (r->title);
  g_free (r);
}

/* What the form or the table says of a key, or NULL. */
static const char *
form_word (const SlReproduction *r, const char *key)
{
  const char *word = sl_table_word (r->table, r->cells->quick ? "quick" : "full", key);

  return word != NULL ? word : sl_table_word (r->table, "table", key);
}

SlExit
sl_reproduction_make (SlReproduction *r)
{
  const char *name = form_word (r, "measure"), *lab = sl_table_word (r->table, "table", "lab");
  SlMeasure   measure = name != NULL ? sl_measure_find (name) : sl_reproduction_runs;
  GError     *error = NULL;
  SlExit      code;

  if (lab != NULL && sl_lab_find (lab) == NULL)
    {
      SlStatus status
        = sl_status_new (SL_EUNSUPPORTED, lab, sl_message ("no lab of this name"), SL_NO_MESSAGE);

      return sl_cli_fail (&status);
    }
  /* What its file says wrongly is to be known before anything is trained. */
  if (!sl_readings_check (r->table, &error) || !sl_cells_check (r->table, &error))
    return sl_cli_fail_error (error);
  code = measure (r);
  if (code != SL_EXIT_FINE)
    return code;
  if (!sl_cells_judge (r->cells, &error))
    return sl_cli_fail_error (error);
  sl_reproduction_plots (r);
  return code;
}

double
sl_reproduction_number (const SlReproduction *r, const char *key)
{
  const char *word = form_word (r, key);

  return word != NULL ? g_ascii_strtod (word, NULL) : 0;
}

bool
sl_reproduction_has_row (const SlReproduction *r, unsigned row)
{
  return !(r->cells->quick && r->table->row[row].full_only)
         && sl_table_row_word (r->table, row, "from") == NULL;
}

char *
sl_reproduction_settings (const SlReproduction *r, int row)
{
  const char      *all = sl_table_word (r->table, "table", "settings");
  const char      *own = row >= 0 ? sl_table_row_word (r->table, (unsigned) row, "settings") : NULL;
  g_autofree char *words
    = g_strjoin (" ", all != NULL ? all : "", own, NULL); /* own NULL: the list ends there */

  return sl_table_fill (r->table, r->cells->quick, g_strstrip (words));
}

void
sl_reproduction_recipe (SlReproduction *r, const char *data, const char *settings)
{
  const char *lab = sl_table_word (r->table, "table", "lab");

  g_ptr_array_add (r->recipes, data != NULL ? g_strjoin (" ", lab, "--data", data, settings, NULL)
                                            : g_strjoin (" ", lab, settings, NULL));
}

void
sl_reproduction_curve (SlReproduction *r, unsigned row, const char *plot, const char *name,
                       size_t n, const double *x, const double *y)
{
  SlTableCurve *curve = g_new (SlTableCurve, 1);
  guint         at = 0;

  *curve = (SlTableCurve) { .row = row, .plot = g_strdup (plot), .name = g_strdup (name), .n = n };
  curve->x = g_memdup2 (x, n * sizeof *x);
  curve->y = g_memdup2 (y, n * sizeof *y);
  while (at < r->curves->len && ((SlTableCurve *) r->curves->pdata[at])->row <= row)
    at++;
  g_ptr_array_insert (r->curves, (gint) at, curve);
}

void
sl_reproduction_picture (SlReproduction *r, unsigned row, GBytes *png)
{
  SlTablePicture picture = { .row = row };
  guint          at = 0;

  if (png == NULL)
    return;
  picture.png = g_bytes_ref (png);
  while (at < r->pictures->len && g_array_index (r->pictures, SlTablePicture, at).row <= row)
    at++;
  g_array_insert_val (r->pictures, at, picture);
}

void
sl_reproduction_note (const SlReproduction *r, const char *format, ...)
{
  va_list list;

  if (r->quiet)
    return;
  fprintf (stderr, "# %s: ", r->table->id);
  va_start (list, format);
  vfprintf (stderr, format, list);
  va_end (list);
  fputc ('\n', stderr);
}
