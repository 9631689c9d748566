/* SPDX-License-Identifier: MIT
 *
 * The names of the curves with a sample of each: in rows above or below the plot, or in a column beside
 * or on it.  */
#include <glib.h>
#include <string.h>

#include "plot/figure/reduce.h"
#include "plot/layout/private.h"

/* A run has one place in the legend, however many curves it has. */
static bool
has_chip (const SlFigure *figure, unsigned curve)
{
  for (unsigned c = 0; c < curve && figure->curve[curve].group > 0; c++)
    if (figure->curve[c].group == figure->curve[curve].group)
      return false;
  return true;
}

/* Curves with a place; of those in the plot alone, if any are. */
static unsigned
count (const SlFigure *figure, bool shown)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    n += has_chip (figure, c) && !(shown && figure->curve[c].hidden);
  return n > 0 || !shown ? n : count (figure, false);
}

SlLegendPlace
sl_lay_legend_place (const SlLaying *job)
{
  const SlFigure     *figure = job->figure;
  const SlFigureKind *kind = sl_figure_kind (figure);

  if (sl_figure_empty (figure) || kind->legend_from == 0
      || count (figure, false) < kind->legend_from
      || (kind->legend_to > 0 && figure->n_curves > kind->legend_to))
    return SL_LEGEND_NONE;
  return job->parts->legend == SL_LEGEND_RIGHT && job->key ? SL_LEGEND_ABOVE : job->parts->legend;
}

/* px from one row to the next. */
static double
row_height (const SlLaying *job)
{
  return job->line + 0.25 * job->theme->type;
}

/* Ways to make a legend shorter, each tried when those before leave names out. */
typedef struct
{
  bool     numbers; /* "layer 1", "2", "3": equal instances have their numbers alone */
  bool     runs;    /* pale curves of a run share one place under its name */
  bool     ranges;  /* "layer 1–3": they share one place */
  bool     shown;   /* curves that are switched off have none, but where all are */
  double   widest;  /* of the room, to which names are cut; 0: all of it */
  unsigned rows;    /* more */
} Way;

static const Way ways[] = {
  { 0 },
  { .numbers = true },
  { .numbers = true, .runs = true },
  { .numbers = true, .runs = true, .rows = 1 },
  { .numbers = true, .runs = true, .shown = true },
  { .numbers = true, .runs = true, .shown = true, .rows = 1 },
  { .numbers = true, .runs = true, .shown = true, .rows = 2 },
  { .numbers = true, .runs = true, .widest = 0.4 },
  { .numbers = true, .runs = true, .widest = 0.4, .rows = 1 },
  { .ranges = true, .runs = true, .shown = true },
  { .ranges = true, .runs = true, .shown = true, .widest = 0.4, .rows = 1 },
  { .ranges = true, .runs = true, .shown = true, .widest = 0.4, .rows = 2 },
  { .ranges = true, .runs = true, .shown = true, .widest = 0.25, .rows = 2 },
};

static const char *
name_of (const SlFigure *figure, unsigned curve)
{
  const SlCurve *of = &figure->curve[curve];

  return of->group > 0 ? of->group_title : sl_figure_name (figure, curve);
}

/* Where the number at the end of an instance's name begins: "1" of "layer 1", "1–4" of "experts 1–4";
 * its end where there is none.  */
static const char *
number_of (const char *name)
{
  const char *end = name + strlen (name), *at = end;

  while (at > name && (g_ascii_isdigit (at[-1]) || strchr ("\342\200\223", at[-1]) != NULL))
    at--;
  return at > name && g_ascii_isdigit (*at) ? at : end;
}

/* Whether two curves are instances of one trace: their names differ by the number at their ends. */
static bool
are_instances (const SlFigure *figure, unsigned a, unsigned b)
{
  const SlCurve *one = &figure->curve[a], *other = &figure->curve[b];
  const char    *first = name_of (figure, a), *second = name_of (figure, b);
  const char    *number = number_of (first);

  return one->group == 0 && other->group == 0 && one->style == other->style
         && one->ghost == other->ghost && one->hidden == other->hidden && one->aside == other->aside
         && *number != '\0' && number - first == number_of (second) - second
         && *number_of (second) != '\0' && strncmp (first, second, (size_t) (number - first)) == 0;
}

/* Whether two curves are those of one run behind the shown one. */
static bool
are_ghosts (const SlFigure *figure, unsigned a, unsigned b)
{
  const SlCurve *one = &figure->curve[a], *other = &figure->curve[b];

  return one->ghost && other->ghost && one->group == 0 && other->group == 0
         && one->group_title[0] != '\0' && one->hidden == other->hidden
         && one->aside == other->aside && strcspn (one->id, ".") == strcspn (other->id, ".")
         && strncmp (one->id, other->id, strcspn (one->id, ".")) == 0;
}

/* How many curves share a place with the one at its beginning. */
static unsigned
in_place (const SlFigure *figure, const Way *way, unsigned c)
{
  unsigned n = 1;

  while (c + n < figure->n_curves
         && ((way->ranges && are_instances (figure, c, c + n))
             || (way->runs && are_ghosts (figure, c, c + n))))
    n++;
  return n;
}

/* The text of a place: its name, the number alone behind another instance, or "layer 1–3". */
static void
write_name (const SlFigure *figure, const Way *way, unsigned c, unsigned n, char *out, size_t size)
{
  const char *name = name_of (figure, c), *last;

  if (n > 1 && way->runs && figure->curve[c].ghost)
    g_strlcpy (out, figure->curve[c].group_title, size);
  else if (n > 1)
    {
      /* Of "experts 1–4" to "experts 13–16", 1 and 16. */
      last = number_of (name_of (figure, c + n - 1));
      for (const char *at = last; *at != '\0'; at++)
        if (!g_ascii_isdigit (*at))
          last = at + 1;
      g_snprintf (out, size, "%.*s\342\200\223%s",
                  (int) (number_of (name) - name + (long) strspn (number_of (name), "0123456789")),
                  name, last);
    }
  else
    g_strlcpy (out,
               way->numbers && c > 0 && are_instances (figure, c - 1, c) ? number_of (name) : name,
               size);
}

static SlChip
chip_of (const SlFigure *figure, unsigned c, unsigned n)
{
  const SlCurve *curve = &figure->curve[c];
  bool           boxes = sl_figure_kind (figure)->swatches;
  bool           line = !boxes && (!curve->scatter || !sl_figure_kind (figure)->values)
              && sl_points_of_curve (curve).n != 1;

  return (SlChip) {
    .curve = c,
    .n = n,
    .slot = curve->slot,
    .style = curve->style,
    .hidden = curve->hidden,
    .ghost = curve->ghost,
    .line = line,
    .marker = !boxes && (n == 1 || !line) && sl_figure_marked (figure, c),
    .toned = curve->tone != NULL,
  };
}

/* Where the samples of the curves end and their names begin. */
static double
before_name (const SlLaying *job)
{
  double type = job->theme->type;

  return (sl_figure_kind (job->figure)->swatches ? 1.0 : 2.2) * type + 0.45 * type;
}

/* Flows the names one way from the upper left corner of some room, at most so many rows, in a column one
 * a row; returns the number of rows.  */
static unsigned
flow_so (const SlLaying *job, SlFrame *frame, const SlRect *room, unsigned most, bool column,
         const Way *way)
{
  const SlFigure *figure = job->figure;
  double          type = job->theme->type, row = row_height (job);
  double          left = room->x, right = room->x + room->w, x = left, y = room->y;
  double          before = before_name (job), apart = 1.1 * type;
  double          reserve = sl_text_width (job->text, "+\302\24099", type, false);
  double          widest = (way->widest > 0.0 ? way->widest : 1.0) * room->w - before;
  unsigned        rows = 1, after = count (figure, way->shown);
  bool            all = !way->shown || after == count (figure, false);

  most += way->rows;
  frame->n_chips = frame->n_more = 0;
  for (unsigned k = 0, n; k < 2 * figure->n_curves; k += n)
    {
      unsigned c = k % figure->n_curves;
      SlChip  *chip = &frame->chip[MIN (frame->n_chips, SL_CHIPS_MAX - 1)];
      double   width;
      char     whole[SL_CURVE_TITLE + 16], name[SL_CURVE_TITLE];

      n = 1;
      if (!has_chip (figure, c) || figure->curve[c].aside != (k >= figure->n_curves)
          || (!all && figure->curve[c].hidden))
        continue;
      n = in_place (figure, way, c);
      write_name (figure, way, c, n, whole, sizeof whole);
      width = before + sl_text_ellipsise (job->text, whole, type, false, widest, name, sizeof name);
      after -= n;
      if (frame->n_chips == SL_CHIPS_MAX
          || (x > left
              && (column || x + width > right - (rows == most && after > 0 ? reserve : 0.0))))
        {
          if (rows >= most || frame->n_chips == SL_CHIPS_MAX)
            {
              frame->n_more = after + n;
              frame->more_x = x;
              frame->more_y = y + job->ascent + 0.12 * type;
              break;
            }
          rows++;
          x = left;
          y += row;
        }
      *chip = chip_of (figure, c, n);
      chip->rect = (SlRect) { x, y, width, row };
      chip->baseline = y + job->ascent + 0.12 * type;
      chip->text_x = x + before;
      g_strlcpy (chip->text, name, sizeof chip->text);
      frame->n_chips++;
      x += width + apart;
    }
  return rows;
}

/* Names that were cut get what is left of their row. */
static void
use_room (const SlLaying *job, SlFrame *frame, const SlRect *room, const Way *way)
{
  unsigned end;

  for (unsigned i = 0; i < frame->n_chips; i = end)
    {
      bool   last;
      double slack;

      for (end = i + 1; end < frame->n_chips && frame->chip[end].rect.y == frame->chip[i].rect.y;)
        end++;
      last = end == frame->n_chips && frame->n_more > 0;
      slack = room->x + room->w - frame->chip[end - 1].rect.x - frame->chip[end - 1].rect.w;
      for (unsigned c = i; c < end && slack > 0.0 && !last; c++)
        {
          SlChip *chip = &frame->chip[c];
          char    whole[SL_CURVE_TITLE + 16];
          double  before = chip->rect.w, had = before - before_name (job);

          write_name (job->figure, way, chip->curve, chip->n, whole, sizeof whole);
          chip->rect.w = before_name (job)
                         + sl_text_ellipsise (job->text, whole, job->theme->type, false,
                                              had + slack, chip->text, sizeof chip->text);
          slack -= chip->rect.w - before;
          for (unsigned after = c + 1; after < end; after++)
            {
              frame->chip[after].rect.x += chip->rect.w - before;
              frame->chip[after].text_x += chip->rect.w - before;
            }
        }
    }
}

/* Flows the names as they are or, where they do not fit, in the first shorter way that leaves none out. */
static unsigned
flow (const SlLaying *job, SlFrame *frame, const SlRect *room, unsigned most, bool column)
{
  unsigned rows = 1, way = 0;

  do
    rows = flow_so (job, frame, room, most, column, &ways[way++]);
  while (frame->n_more > 0 && way < G_N_ELEMENTS (ways));
  use_room (job, frame, room, &ways[way - 1]);
  return rows;
}

double
sl_lay_legend (const SlLaying *job, SlFrame *frame, double top)
{
  double   row = row_height (job);
  unsigned most = job->parts->whole             ? SL_CHIPS_MAX
                  : frame->height >= 18.0 * row ? 3
                  : frame->height >= 11.0 * row ? 2
                                                : 1;

  return row
           * flow (job, frame, &(SlRect) { job->pad, top, frame->width - 2.0 * job->pad, 0.0 },
                   most, false)
         + 0.2 * job->theme->type;
}

static void
move (SlFrame *frame, double dx, double dy)
{
  for (unsigned i = 0; i < frame->n_chips; i++)
    {
      frame->chip[i].rect.x += dx;
      frame->chip[i].rect.y += dy;
      frame->chip[i].text_x += dx;
      frame->chip[i].baseline += dy;
    }
  frame->more_x += dx;
  frame->more_y += dy;
}

double
sl_lay_legend_below (const SlLaying *job, SlFrame *frame)
{
  double height = sl_lay_legend (job, frame, 0.0) + 0.3 * job->theme->type;

  move (frame, 0.0, frame->height - job->pad - height + 0.5 * job->theme->type);
  return height;
}

static double
widest (const SlFrame *frame)
{
  double width = 0.0;

  for (unsigned i = 0; i < frame->n_chips; i++)
    width = MAX (width, frame->chip[i].rect.w);
  return width;
}

/* What is left over has its number at the end of the last row, which is kept for it. */
static unsigned
rows_within (const SlLaying *job, double height)
{
  return (unsigned) MAX (height / row_height (job), 1.0);
}

double
sl_lay_legend_right (const SlLaying *job, SlFrame *frame, double top, double bottom)
{
  flow (job, frame, &(SlRect) { 0.0, top, 0.38 * frame->width, 0.0 },
        rows_within (job, bottom - top), true);
  move (frame, frame->width - job->pad - widest (frame), 0.0);
  return widest (frame) + job->theme->type;
}

/* The rows that a legend in the plot begins with: some ways of making it shorter have two more, for which there has to be
 * room, too.  */
static unsigned
rows_inside (const SlLaying *job, double height)
{
  enum { MORE = 2 };
  unsigned all = rows_within (job, height);

  return MAX (MIN (rows_within (job, 0.8 * height), all > MORE ? all - MORE : 1), 1);
}

void
sl_lay_legend_inside (const SlLaying *job, SlFrame *frame)
{
  const SlRect *plot = &frame->plot;
  double        pad = 0.4 * job->theme->type, away = 0.6 * job->theme->type;
  unsigned      rows = flow (job, frame, &(SlRect) { 0.0, 0.0, 0.75 * plot->w, 0.0 },
                             rows_inside (job, plot->h - 2.0 * away - pad), true);
  double        w = widest (frame) + 2.0 * pad, h = rows * row_height (job) + pad;
  unsigned      least = 0;

  for (unsigned corner = 0; corner < 4; corner++)
    {
      SlRect plate = { corner % 2 == 0 ? plot->x + plot->w - w - away : plot->x + away,
                       corner < 2 ? plot->y + away : plot->y + plot->h - h - away, w, h };
      unsigned hidden = sl_frame_hidden (frame, job->figure, &plate);

      if (corner > 0 && hidden >= least)
        continue;
      least = hidden;
      frame->plate = plate;
    }
  move (frame, frame->plate.x + pad, frame->plate.y + 0.5 * pad);
}
