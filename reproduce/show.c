/* SPDX-License-Identifier: MIT
 *
 * A reproduced table for the terminal, for pages, for programs and as a picture; see
 * reproduce.h.  */
#include <math.h>
#include <string.h>

#include "app/cli/duration.h"
#include "core/run/base/number.h"
#include "plot/charts/gallery.h"
#include "plot/figure/figure.h"
#include "reproduce/reproduce.h"

enum { NAMES = 36 }; /* letters for the names of rows */

static char *
published_text (const SlTableCell *cell)
{
  if (isnan (cell->published))
    return g_strdup ("");
  return isnan (cell->sd) ? g_strdup_printf ("%.4g", cell->published)
                          : g_strdup_printf ("%.4g ± %.2g", cell->published, cell->sd);
}

static char *
ours_text (const SlReproduction *r, unsigned row, unsigned column)
{
  double mean = sl_reproduction_mean (r, row, column), sd = sl_reproduction_sd (r, row, column);

  if (r->cell[row][column].n == 0)
    return g_strdup ("");
  return isnan (sd) ? g_strdup_printf ("%.3g", mean) : g_strdup_printf ("%.3g ± %.2g", mean, sd);
}

/* How much of what is published a toy shows, or NULL: the table is not of one.  Claims of ours do not count. */
static char *
toy_text (const SlReproduction *r)
{
  unsigned n = 0, shown = 0;

  if (!r->is_toy)
    return NULL;
  for (guint i = 0; i < r->claims->len; i++)
    {
      const SlTableClaim *claim = &g_array_index (r->claims, SlTableClaim, i);

      if (g_str_has_prefix (claim->text, "ours: "))
        continue;
      n++;
      shown += claim->held;
    }
  return g_strdup_printf (
    "This toy shows %u of %u published orders; that says nothing against the others.", shown, n);
}

/* Pads to so many letters, which printf would count as bytes. */
static void
print_cell (FILE *stream, const char *text, glong width)
{
  fprintf (stream, "%s%*s", text, (int) MAX (1, width - g_utf8_strlen (text, -1)), "");
}

void
sl_reproduction_print (const SlReproduction *r, FILE *stream)
{
  const SlPaperTable *table = r->table;
  g_autofree char    *took = sl_duration_words (r->seconds);
  g_autofree char    *processor = sl_duration_words (r->processor);
  g_autofree char    *toy = toy_text (r);

  fprintf (stream, "%s: %s (%s)\n%s\n", table->id, r->title, table->source, table->conditions);
  for (unsigned c = 0; c < table->n_columns; c++)
    {
      const SlTableColumn *column = &table->columns[c];
      g_autofree char     *head = column->unit[0] != '\0'
                                    ? g_strdup_printf ("%s, %s", column->name, column->unit)
                                    : g_strdup (column->name);

      fputc ('\n', stream);
      print_cell (stream, head, NAMES);
      print_cell (stream, "published", 18);
      print_cell (stream, "ours", 18);
      fputs ("n  verdict\n", stream);
      for (unsigned row = 0; row < r->n_rows; row++)
        {
          g_autofree char *published = published_text (&r->cell[row][c]);
          g_autofree char *ours = ours_text (r, row, c);
          bool             judged = published[0] != '\0';

          if (!judged && ours[0] == '\0')
            continue; /* a row that has no such figure */
          print_cell (stream, table->rows[row], NAMES);
          print_cell (stream, published, 18);
          print_cell (stream, ours, 18);
          fprintf (stream, "%-2u %s\n", r->cell[row][c].n,
                   judged ? sl_reproduction_verdict (r, row, c) : "");
        }
    }
  fputc ('\n', stream);
  for (guint i = 0; i < r->claims->len; i++)
    {
      const SlTableClaim *claim = &g_array_index (r->claims, SlTableClaim, i);

      fprintf (stream, "%s  %s\n", claim->held ? "yes" : "no ", claim->text);
    }
  if (toy != NULL)
    fprintf (stream, "%s\n", toy);
  fprintf (stream, "took %s, of processors %s%s\n", took, processor,
           r->quick ? "; shortened by --quick" : "");
}

/* Whether a column has a published value at all. */
static bool
is_published (const SlReproduction *r, unsigned column)
{
  for (unsigned row = 0; row < r->n_rows; row++)
    if (!isnan (r->cell[row][column].published))
      return true;
  return false;
}

void
sl_reproduction_markdown (const SlReproduction *r, FILE *stream)
{
  const SlPaperTable *table = r->table;
  g_autofree char    *toy = toy_text (r);

  fprintf (stream, "### %s: %s\n\n%s%s\n\n| |", table->source, r->title, table->conditions,
           r->quick ? " Shortened by `--quick`." : "");
  for (unsigned c = 0; c < table->n_columns; c++)
    fprintf (stream, " %s%s%s%s |", table->columns[c].name,
             table->columns[c].unit[0] != '\0' ? ", " : "", table->columns[c].unit,
             is_published (r, c) ? " published | ours | verdict" : "");
  fputs ("\n| --- |", stream);
  for (unsigned c = 0; c < table->n_columns; c++)
    fputs (is_published (r, c) ? " --- | --- | --- |" : " --- |", stream);
  for (unsigned row = 0; row < r->n_rows; row++)
    {
      fprintf (stream, "\n| %s |", table->rows[row]);
      for (unsigned c = 0; c < table->n_columns; c++)
        {
          g_autofree char *published = published_text (&r->cell[row][c]);
          g_autofree char *ours = ours_text (r, row, c);

          if (is_published (r, c))
            fprintf (stream, " %s | %s | %s |", published, ours,
                     published[0] != '\0' ? sl_reproduction_verdict (r, row, c) : "");
          else
            fprintf (stream, " %s |", ours);
        }
    }
  fputs ("\n\n", stream);
  for (guint i = 0; i < r->claims->len; i++)
    {
      const SlTableClaim *claim = &g_array_index (r->claims, SlTableClaim, i);

      fprintf (stream, "* %s: %s\n", claim->held ? "Holds" : "Does not hold", claim->text);
    }
  if (toy != NULL)
    fprintf (stream, "\n%s\n", toy);
  fputc ('\n', stream);
}

static void
json_cell (const SlReproduction *r, unsigned row, unsigned c, GString *json)
{
  const SlTableCell *cell = &r->cell[row][c];

  g_string_append (json, "{\"row\": ");
  sl_json_string (json, r->table->rows[row]);
  g_string_append (json, ", \"column\": ");
  sl_json_string (json, r->table->columns[c].name);
  g_string_append (json, ", \"published\": ");
  sl_json_number (json, cell->published);
  g_string_append (json, ", \"published-sd\": ");
  sl_json_number (json, cell->sd);
  g_string_append (json, ", \"ours\": [");
  for (unsigned i = 0; i < cell->n; i++)
    {
      g_string_append (json, i > 0 ? ", " : "");
      sl_json_number (json, cell->ours[i]);
    }
  g_string_append_printf (json, "], \"verdict\": \"%s\"}",
                          isnan (cell->published) ? "" : sl_reproduction_verdict (r, row, c));
}

/* What is needed to repeat the reproduction. */
static void
json_origin (const SlReproduction *r, GString *json)
{
  g_string_append (json, ",\n   \"title\": ");
  sl_json_string (json, r->title);
  g_string_append (json, ", \"data\": ");
  if (r->data != NULL)
    sl_json_string (json, r->data);
  else
    g_string_append (json, "null");
  g_string_append_printf (json, ", \"data-hash\": \"%016" G_GINT64_MODIFIER "x\", \"seeds\": [",
                          r->data_hash);
  for (unsigned seed = 1; seed <= r->seeds; seed++)
    g_string_append_printf (json, "%s%u", seed > 1 ? ", " : "", seed);
  g_string_append (json, "],\n   \"recipes\": [");
  for (guint i = 0; i < r->recipes->len; i++)
    {
      g_string_append (json, i > 0 ? ",\n    " : "\n    ");
      sl_json_string (json, r->recipes->pdata[i]);
    }
  g_string_append_c (json, ']');
}

void
sl_reproduction_json (const SlReproduction *r, GString *json)
{
  g_string_append_printf (json, "{\"id\": \"%s\", \"quick\": %s, \"seconds\": ", r->table->id,
                          r->quick ? "true" : "false");
  sl_json_number (json, r->seconds);
  g_string_append (json, ", \"processor-seconds\": ");
  sl_json_number (json, r->processor);
  json_origin (r, json);
  g_string_append (json, ",\n   \"cells\": [");
  for (unsigned row = 0; row < r->n_rows; row++)
    for (unsigned c = 0; c < r->table->n_columns; c++)
      {
        g_string_append (json, row + c > 0 ? ",\n    " : "\n    ");
        json_cell (r, row, c, json);
      }
  g_string_append (json, "],\n   \"claims\": [");
  for (guint i = 0; i < r->claims->len; i++)
    {
      const SlTableClaim *claim = &g_array_index (r->claims, SlTableClaim, i);

      g_string_append (json, i > 0 ? ",\n    {\"text\": " : "\n    {\"text\": ");
      sl_json_string (json, claim->text);
      g_string_append_printf (json, ", \"held\": %s}", claim->held ? "true" : "false");
    }
  g_string_append (json, "]}");
}

/* ---- a figure ---- */

/* The numbers of one column, which its figure borrows. */
typedef struct
{
  double x[SL_TABLE_ROWS], published[SL_TABLE_ROWS], published_sd[SL_TABLE_ROWS];
  double ours[SL_TABLE_ROWS], sd[SL_TABLE_ROWS];
  bool   spread, published_spread; /* some row has one */
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
  return !isnan (r->cell[0][c].published);
}

static void
make_figure (const SlReproduction *r, unsigned c, Bars *bars, SlFigure *figure)
{
  const SlTableColumn *column = &r->table->columns[c];

  figure->kind = SL_BARS;
  figure->mark = NAN;
  g_strlcpy (figure->title, column->name, sizeof figure->title);
  g_snprintf (figure->note, sizeof figure->note, "%s%s", r->table->source,
              strcmp (r->title, r->table->title) != 0 ? "; other data" : "");
  figure->y = (SlAxis) { .label = column->name, .unit = column->unit };
  figure->x = (SlAxis) { .label = "", .unit = "" };
  figure->categories.name = r->table->rows;
  figure->categories.n = r->n_rows;
  for (unsigned row = 0; row < r->n_rows; row++)
    {
      const SlTableCell *cell = &r->cell[row][c];
      double             sd = sl_reproduction_sd (r, row, c);

      bars->x[row] = row;
      bars->published[row] = cell->published;
      bars->published_sd[row] = isnan (cell->sd) ? 0 : cell->sd;
      bars->ours[row] = sl_reproduction_mean (r, row, c);
      bars->sd[row] = isnan (sd) ? 0 : sd;
      bars->published_spread |= !isnan (cell->sd);
      bars->spread |= !isnan (sd);
    }
  sl_figure_begin (figure);
  if (has_published (r, c))
    add_bars (figure, "published", SL_PUBLISHED, 1, r->n_rows, bars->x, bars->published,
              bars->published_spread ? bars->published_sd : NULL);
  add_bars (figure, "ours", SL_MEASURED, 0, r->n_rows, bars->x, bars->ours,
            bars->spread ? bars->sd : NULL);
  sl_figure_end (figure);
}

/* ---- its curves ---- */

/* What the table says of its plot of this name, or NULL. */
static const SlTablePlot *
described_plot (const SlPaperTable *table, const char *name)
{
  for (unsigned i = 0; i < table->n_plots; i++)
    if (strcmp (table->plots[i].name, name) == 0)
      return &table->plots[i];
  return NULL;
}

static void
describe_plot (SlFigure *figure, const SlTablePlot *plot)
{
  figure->x = plot->x;
  figure->y = plot->y;
  if (!plot->stacked)
    return;
  figure->kind = SL_BARS;
  figure->categories.stacked = true;
  figure->categories.name = plot->categories;
  figure->categories.n = g_strv_length ((char **) plot->categories);
}

/* The plot of this name among the first n, or a new one after them. */
static SlFigure *
find_plot (SlFigure *figure, unsigned *n, const char *title, const SlReproduction *r)
{
  for (unsigned i = 0; i < *n; i++)
    if (strcmp (figure[i].title, title) == 0)
      return &figure[i];
  if (*n == SL_TABLE_PLOTS)
    return NULL;
  figure += (*n)++;
  figure->kind = SL_PROFILE;
  figure->mark = NAN;
  g_strlcpy (figure->title, title, sizeof figure->title);
  g_snprintf (figure->note, sizeof figure->note, "%s", r->table->source);
  figure->x = (SlAxis) { .label = "update", .whole = true };
  figure->y = (SlAxis) { .label = r->table->columns[0].unit };
  if (described_plot (r->table, title) != NULL)
    describe_plot (figure, described_plot (r->table, title));
  sl_figure_begin (figure);
  return figure;
}

static bool
curves_figure (const SlReproduction *r, const SlLooks *looks, const char *path)
{
  SlFigure  figure[SL_TABLE_PLOTS] = { 0 };
  SlFigure *page[SL_TABLE_PLOTS];
  unsigned  n = 0;
  bool      done;

  for (guint i = 0; i < r->curves->len; i++)
    {
      const SlTableCurve *from = r->curves->pdata[i];
      SlFigure           *plot = find_plot (figure, &n, from->plot, r);
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
  const char *name = r->table->rows[picture->row];
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
    compared |= r->table->columns[c].comparison != SL_BEYOND && has_published (r, c);
  for (unsigned c = 0; c < r->table->n_columns; c++)
    if (!compared || (r->table->columns[c].comparison != SL_BEYOND && has_published (r, c)))
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
