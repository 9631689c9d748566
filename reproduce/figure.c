/* SPDX-License-Identifier: MIT
 *
 * A reproduced table as a picture: bars, curves or what its runs painted; see reproduce.h.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/charts/gallery.h"
#include "plot/figure/figure.h"
#include "reproduce/reproduce.h"

enum { PLOTS = 12 };

/* The numbers of one column, which its figure borrows. */
typedef struct
{
  const char *label[SL_TABLE_ROWS + 1]; /* ended by NULL */
  double      x[SL_TABLE_ROWS], published[SL_TABLE_ROWS], published_sd[SL_TABLE_ROWS];
  double      ours[SL_TABLE_ROWS], sd[SL_TABLE_ROWS];
  bool        spread, published_spread; /* some row has one */
} Bars;

static void
add_bars (SlFigure *figure, const char *id, SlStyle style, unsigned slot, unsigned n,
          const double *x, const double *y, const double *spread)
{
  SlCurve *curve = sl_figure_curve (figure, id);

  if (curve == NULL)
    return;
  g_strlcpy (curve->title, id, sizeof curve->title);
  curve->style = style;
  curve->slot = slot;
  curve->x = x;
  curve->y = y;
  curve->spread = spread;
  curve->n = n;
}

static bool
has_published (const SlReproduction *r, unsigned c)
{
  return r->table->row[0].published[c].text != NULL;
}

static void
make_figure (const SlReproduction *r, unsigned c, Bars *bars, SlFigure *figure)
{
  const SlTableColumn *column = &r->table->column[c];
  unsigned             n = r->table->n_rows;

  figure->kind = SL_BARS;
  figure->mark = NAN;
  g_strlcpy (figure->title, column->name, sizeof figure->title);
  g_snprintf (figure->note, sizeof figure->note, "%s%s", r->table->source,
              strcmp (r->title, r->table->title) != 0 ? "; other data" : "");
  figure->y = (SlAxis) { .label = column->name, .unit = column->unit };
  figure->x = (SlAxis) { .label = "", .unit = "" };
  figure->categories.name = bars->label;
  figure->categories.n = n;
  for (unsigned row = 0; row < n; row++)
    {
      const SlPublished *published = &r->table->row[row].published[c];
      double             sd = sl_cells_sd (r->cells, row, c);

      bars->label[row] = r->table->row[row].label;
      bars->x[row] = row;
      bars->published[row] = published->value;
      bars->published_sd[row] = isnan (published->sd) ? 0 : published->sd;
      bars->ours[row] = sl_cells_mean (r->cells, row, c);
      bars->sd[row] = isnan (sd) ? 0 : sd;
      bars->published_spread |= !isnan (published->sd);
      bars->spread |= !isnan (sd);
    }
  sl_figure_begin (figure);
  if (has_published (r, c))
    add_bars (figure, "published", SL_PUBLISHED, 1, n, bars->x, bars->published,
              bars->published_spread ? bars->published_sd : NULL);
  add_bars (figure, "ours", SL_MEASURED, 0, n, bars->x, bars->ours, bars->spread ? bars->sd : NULL);
  sl_figure_end (figure);
}

/* ---- its curves ---- */

static double
number_of (const SlPaperTable *table, const char *group, const char *key)
{
  const char *word = sl_table_word (table, group, key);

  return word != NULL ? g_ascii_strtod (word, NULL) : 0;
}

/* What the table says of its plot of this name; nothing: it is over updates, in the unit of the first column. */
static void
describe_plot (SlFigure *figure, const SlPaperTable *table, const char *name, GPtrArray *categories)
{
  g_autofree char *group = g_strconcat ("plot ", name, NULL);
  const char      *x = sl_table_word (table, group, "x"), *y = sl_table_word (table, group, "y");
  const char      *words = sl_table_word (table, group, "categories");

  figure->x = (SlAxis) { .label = x != NULL ? x : "update",
                         .unit = sl_table_word (table, group, "x-unit"),
                         .whole = x == NULL };
  figure->y = (SlAxis) { .label = y != NULL ? y : table->column[0].unit,
                         .unit = sl_table_word (table, group, "y-unit"),
                         .lo = number_of (table, group, "y-lo"),
                         .hi = number_of (table, group, "y-hi") };
  if (words == NULL)
    return;
  g_ptr_array_add (categories, g_strsplit (words, ";", -1));
  figure->kind = SL_BARS;
  figure->categories.stacked = true;
  figure->categories.name = categories->pdata[categories->len - 1];
  figure->categories.n = g_strv_length ((char **) figure->categories.name);
}

/* The plot of this name among the first n, or a new one after them. */
static SlFigure *
find_plot (SlFigure *figure, unsigned *n, const char *title, const SlReproduction *r,
           GPtrArray *categories)
{
  for (unsigned i = 0; i < *n; i++)
    if (strcmp (figure[i].title, title) == 0)
      return &figure[i];
  if (*n == PLOTS)
    return NULL;
  figure += (*n)++;
  figure->kind = SL_PROFILE;
  figure->mark = NAN;
  g_strlcpy (figure->title, title, sizeof figure->title);
  g_snprintf (figure->note, sizeof figure->note, "%s", r->table->source);
  describe_plot (figure, r->table, title, categories);
  sl_figure_begin (figure);
  return figure;
}

static bool
curves_figure (const SlReproduction *r, const SlLooks *looks, const char *path)
{
  g_autoptr (GPtrArray) categories = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  SlFigure  figure[PLOTS] = { 0 };
  SlFigure *page[PLOTS];
  unsigned  n = 0;
  bool      done;

  for (guint i = 0; i < r->curves->len; i++)
    {
      const SlTableCurve *from = r->curves->pdata[i];
      SlFigure           *plot = find_plot (figure, &n, from->plot, r, categories);
      SlCurve            *curve = plot != NULL ? sl_figure_curve (plot, from->name) : NULL;

      if (curve == NULL)
        continue;
      g_strlcpy (curve->title, from->name, sizeof curve->title);
      curve->style = SL_MEASURED;
      curve->slot = plot->placed - 1;
      curve->x = from->x;
      curve->y = from->y;
      curve->n = from->n;
    }
  for (unsigned i = 0; i < n; i++)
    {
      sl_figure_end (&figure[i]);
      page[i] = &figure[i];
    }
  done = sl_looks_page (looks, page, n, NULL, path);
  for (unsigned i = 0; i < n; i++)
    sl_figure_clear (&figure[i]);
  return done;
}

/* ---- its pictures ---- */

static SlStatus
add_picture (const SlReproduction *r, const SlTablePicture *picture, SlGallery *gallery)
{
  const char *name = r->table->row[picture->row].label;
  gsize       size;
  const void *bytes = g_bytes_get_data (picture->png, &size);
  SlBitmap    bitmap;
  SlStatus    status = sl_bitmap_decode (bytes, size, name, &bitmap);

  if (!sl_ok (&status))
    return status;
  status = sl_gallery_add (gallery, name, &bitmap);
  sl_bitmap_clear (&bitmap);
  return status;
}

static bool
pictures_figure (const SlReproduction *r, const SlLooks *looks, const char *path)
{
  SlGallery gallery = { .across = r->table->across };
  SlFigure  figure = { 0 };
  SlFigure *page = &figure;
  SlStatus  status = SL_SUCCESS;
  bool      done;

  for (guint i = 0; i < r->pictures->len && sl_ok (&status); i++)
    status = add_picture (r, &g_array_index (r->pictures, SlTablePicture, i), &gallery);
  done = sl_ok (&status);
  if (!done)
    sl_cli_fail (&status);
  g_strlcpy (figure.title, r->title, sizeof figure.title);
  g_strlcpy (figure.note, r->table->source, sizeof figure.note);
  sl_gallery_update (&gallery, &figure);
  done = done && sl_looks_page (looks, &page, 1, NULL, path);
  sl_figure_clear (&figure);
  sl_gallery_clear (&gallery);
  return done;
}

bool
sl_reproduction_figure (const SlReproduction *r, const SlLooks *looks, const char *path)
{
  SlFigure  figure[SL_TABLE_COLUMNS] = { 0 };
  SlFigure *page[SL_TABLE_COLUMNS];
  Bars     *bars = g_new0 (Bars, SL_TABLE_COLUMNS);
  unsigned  n = 0;
  bool      compared = false, done;

  if (r->pictures->len > 0)
    {
      g_free (bars);
      return pictures_figure (r, looks, path);
    }
  if (r->curves->len > 0)
    {
      g_free (bars);
      return curves_figure (r, looks, path);
    }
  /* Bars of different units beside each other would mislead; where nothing is published, ours are
   * drawn alone.  */
  for (unsigned c = 0; c < r->table->n_columns; c++)
    compared |= r->table->column[c].kind != SL_COLUMN_SCALE && has_published (r, c);
  for (unsigned c = 0; c < r->table->n_columns; c++)
    if (!compared || (r->table->column[c].kind != SL_COLUMN_SCALE && has_published (r, c)))
      {
        make_figure (r, c, &bars[n], &figure[n]);
        page[n] = &figure[n];
        n++;
      }
  done = sl_looks_page (looks, page, n, NULL, path);
  for (unsigned i = 0; i < n; i++)
    sl_figure_clear (&figure[i]);
  g_free (bars);
  return done;
}
