/* SPDX-License-Identifier: MIT
 *
 * See cheat-sheet.h.  The first page is a table of words, the second has the plots with typical curves.  */
#include "plot/worksheet/cheat-sheet.h"

#include <glib/gi18n.h>
#include <math.h>

#include "plot/base/scale.h"
#include "plot/worksheet/private.h"

enum { POINTS = 200 };

static const double LARGEST = 14.0, SMALLEST = 9.0, SMALLER = 0.25; /* px of the running text */
static const double PLOT_WIDTH = 74.0, PLOT_HEIGHT = 40.0;

/* ---- words ---- */

typedef struct
{
  const char *term; /* a heading where there is no meaning */
  const char *meaning;
} Word;

static const Word words[] = {
  { N_ ("Networks that skip work"), NULL },
  { N_ ("conditional computation"),
    N_ ("Computing only a part of a network, chosen for each input.") },
  { N_ ("dense twin"),
    N_ ("The same network with everything computed; all costs are compared with it.") },
  { N_ ("gate"), N_ ("Number or decision that lets a unit, expert or branch take part.") },
  { N_ ("density, sparsity"), N_ ("Share of the units or gates that are on; share off.") },
  { N_ ("s"), N_ ("Share of the gates that should be on; half: s = 0.5.") },
  { N_ ("exit, threshold"),
    N_ ("An answer on the way; an example leaves at the first that is sure enough.") },
  { N_ ("Experts"), NULL },
  { N_ ("expert"), N_ ("A small network for the examples that the gate gives it.") },
  { N_ ("router"), N_ ("The gate of experts: it scores each expert and chooses by score.") },
  { N_ ("top-k, k"), N_ ("Only the k experts with the largest scores compute an example.") },
  { N_ ("load"), N_ ("Number of examples of an expert.") },
  { N_ ("importance"), N_ ("Sum of the weights that the gate gives an expert in a batch.") },
  { N_ ("CV"), N_ ("Spread of the load: standard deviation ÷ mean. 0 is even.") },
  { N_ ("MaxVio"),
    N_ ("Largest load ÷ mean load − 1. 0 is even; 1: an expert has twice its share.") },
  { N_ ("collapse"), N_ ("A few experts get nearly all examples, the others learn nothing.") },
  { N_ ("balance loss, λ"),
    N_ ("A penalty on uneven load, added to the error that training makes small.") },
  { N_ ("capacity factor"),
    N_ ("Places of an expert in a batch, in even shares: 1.25 is a quarter more.") },
  { N_ ("dropped"), N_ ("An example or token that finds no place at its expert.") },
  { N_ ("Guessing which units matter"), NULL },
  { N_ ("rectifier"), N_ ("max (0, x): zero for about half of the inputs.") },
  { N_ ("sign estimate"),
    N_ ("A cheap guess of which units a rectifier sets to zero, to skip them.") },
  { N_ ("r, rank"),
    N_ ("Width of the thin matrices that guess. Higher is better and costs more.") },
  { N_ ("recall, precision"),
    N_ ("Share of the active units that are computed; of the computed that are active.") },
  { N_ ("Costs and errors"), NULL },
  { N_ ("expected cost"),
    N_ ("Multiplications that the gates' probabilities promise, as a share of dense.") },
  { N_ ("executed cost"), N_ ("Multiplications counted during the run.") },
  { N_ ("speed-up"), N_ ("Time of the dense twin ÷ time of the network, on one machine.") },
  { N_ ("validation error"), N_ ("Share of wrong predictions on examples not learned from.") },
  { N_ ("update"), N_ ("One change of the weights, from one batch of examples.") },
  { N_ ("random seed"), N_ ("The number behind all random draws: same seed, same run.") },
  { N_ ("Words of single lessons"), NULL },
  { N_ ("gater"), N_ ("A second, small network that decides which units of the first work.") },
  { N_ ("prefix tree, leaf"),
    N_ ("Each bit of the input chooses a branch; the leaf has the weights.") },
  { N_ ("controller"),
    N_ ("Chooses the next part of the network, rewarded for right and cheap answers.") },
  { N_ ("perplexity"), N_ ("Number of equally likely letters as hard to guess.") },
  { N_ ("floor of chance"), N_ ("CV of a router without preference: few tokens are never even.") },
  { N_ ("capacity"), N_ ("Effective number of parameters for a part of the input.") },
};

/* From the left edge to the meanings. */
static double
meanings_at (const SlPaper *paper)
{
  double widest = 0.0;

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    if (words[i].meaning != NULL)
      widest = fmax (widest, sl_text_width (paper->text, _ (words[i].term), paper->type, true));
  return widest + paper->type;
}

static void
write_word (SlPaper *paper, const Word *word, double indent)
{
  double left = paper->left, top;

  if (word->meaning == NULL)
    {
      paper->y += 0.6 * paper->type;
      sl_paper_need (paper, 4.0 * paper->type);
      sl_paper_words (paper, _ (word->term), 0.0, 1.1, true, 0.25);
      return;
    }
  top = paper->y;
  sl_paper_put (paper, left, top + paper->type, _ (word->term), paper->type, true, 0.0);
  sl_paper_words (paper, _ (word->meaning), indent, 1.0, false, 0.22);
}

/* ---- plots ---- */

/* A curve over t from 0 to 1. */
typedef double (*Curve) (double t);

typedef struct
{
  Curve       curve;      /* NULL: none */
  const char *label;      /* NULL: needs none */
  double      at, height; /* of the label's left end: t, and on the y axis */
} Example;

typedef struct
{
  const char *label;
  double      at; /* on the y axis; without a label there is no line */
} Level;

typedef struct
{
  const char *title, *slider; /* as on the start page */
  const char *across, *upwards;
  double      lo, hi; /* of the y axis */
  Example     example[2];
  Level       level[2];
  const char *shows, *good, *trouble;
} Plot;

static double
gates (double t)
{
  return 10.0 + 42.0 * exp (-12.0 * t) + 0.6 * sin (70.0 * t);
}

/* Each refresh lifts it, and it falls until the next. */
static double
signs (double t)
{
  double since = fmod (8.0 * t, 1.0);

  return 62.0 + 26.0 * (1.0 - exp (-4.0 * floor (8.0 * t + 1.0) / 8.0)) - 6.0 * since;
}

static double
even (double t)
{
  return 0.32 + 0.5 * exp (-14.0 * t) + 0.05 * sin (45.0 * t) * cos (17.0 * t);
}

static double
collapsing (double t)
{
  return 2.5 - 1.9 * exp (-7.0 * t) + 0.04 * sin (60.0 * t);
}

static double
narrow (double t)
{
  return 0.13 * exp (-pow ((t - 0.5) / 0.07, 2.0));
}

static double
wide (double t)
{
  return 0.065 * exp (-pow ((t - 0.5) / 0.14, 2.0));
}

static const Plot plots[] = {
  { .title = N_ ("Gates on"),
    .slider = N_ ("slider s"),
    .across = N_ ("update"),
    .upwards = N_ ("gates on, %"),
    .hi = 60.0,
    .example = { { gates, NULL, 0.0, 0.0 } },
    .level = { { N_ ("target s"), 10.0 } },
    .shows = N_ ("The share of the gates that are on. Nothing is computed for the others."),
    .good = N_ ("Good: it reaches the target after some hundred updates and stays."),
    .trouble = N_ ("Trouble: above the target, more is computed than planned; near 0, too few "
                   "units are left, and the error rises.") },
  { .title = N_ ("Sign accuracy"),
    .slider = N_ ("slider r"),
    .across = N_ ("update"),
    .upwards = N_ ("correct signs, %"),
    .lo = 40.0,
    .hi = 100.0,
    .example = { { signs, NULL, 0.0, 0.0 } },
    .level = { { N_ ("chance"), 50.0 } },
    .shows = N_ ("The share of units whose sign the estimate of rank r has right."),
    .good = N_ ("Good: far above chance. Small teeth are normal: weights move away, and each "
                "refresh brings the estimate back."),
    .trouble = N_ ("Trouble: high teeth (refresh more often) or a low curve (raise r; too high, "
                   "it costs more than it saves).") },
  { .title = N_ ("Expert load"),
    .slider = N_ ("slider k"),
    .across = N_ ("update"),
    .upwards = N_ ("CV over the experts"),
    .hi = 3.0,
    .example
    = { { even, N_ ("balanced"), 0.5, 0.52 }, { collapsing, N_ ("collapsing"), 0.3, 1.75 } },
    .level = { { N_ ("chance"), 0.26 }, { N_ ("full collapse"), 2.65 } },
    .shows = N_ ("The spread of the experts' load (CV). At 0 all get the same number of examples."),
    .good = N_ ("Good: close to the line of chance; random choices are not more even."),
    .trouble = N_ ("Trouble: it rises to full collapse: the same k experts get everything. A "
                   "larger balance loss λ helps, early in the run.") },
  { .title = N_ ("Capacity diffusion"),
    .slider = N_ ("slider k"),
    .across = N_ ("position from the middle"),
    .upwards = N_ ("capacity"),
    .hi = 0.15,
    .example = { { narrow, N_ ("few layers"), 0.58, 0.12 },
                 { wide, N_ ("four times as many"), 0.64, 0.055 } },
    .shows = N_ ("How many of its parameters the network spends on each place of the input, for "
                 "one output in the middle."),
    .good = N_ ("The width grows with the square root of the depth: four times the layers, twice "
                "the width."),
    .trouble = N_ ("A larger k lets each layer reach further: the curve is wider. It does not "
                   "change while a network learns.") },
};

/* Where a plot is on the page. */
typedef struct
{
  SlPaper    *paper;
  const Plot *plot;
  double      left, top, width, height;
} Place;

static double
height_of (const Place *place, double value)
{
  double share = (value - place->plot->lo) / (place->plot->hi - place->plot->lo);

  return place->top + place->height * (1.0 - share);
}

static void
put_small (const Place *place, double x, double y, const char *label, bool ends)
{
  double size = 0.8 * place->paper->type;

  sl_paper_put (place->paper, ends ? x - sl_text_width (place->paper->text, label, size, false) : x,
                y, label, size, false, 0.0);
}

static void
draw_example (const Place *place, const Example *example, double grey)
{
  if (example->curve == NULL)
    return;
  for (unsigned i = 1; i <= POINTS; i++)
    sl_paper_rule (place->paper, place->left + place->width * (i - 1) / POINTS,
                   height_of (place, example->curve ((i - 1.0) / POINTS)),
                   place->left + place->width * i / POINTS,
                   height_of (place, example->curve ((double) i / POINTS)), 2.0, grey);
  if (example->label != NULL)
    put_small (place, place->left + place->width * example->at, height_of (place, example->height),
               _ (example->label), false);
}

static void
draw_level (const Place *place, const Level *level)
{
  double y = height_of (place, level->at), dash = 5.0;

  if (level->label == NULL)
    return;
  for (double x = 0.0; x < place->width; x += 2.0 * dash)
    sl_paper_rule (place->paper, place->left + x, y, place->left + fmin (x + dash, place->width), y,
                   1.0, 0.4);
  put_small (place, place->left + place->width + 4.0, y + 0.3 * place->paper->type,
             _ (level->label), false);
}

static void
draw_axes (const Place *place)
{
  const Plot *plot = place->plot;
  double      size = 0.8 * place->paper->type, bottom = place->top + place->height;
  char        lo[40], hi[40];

  sl_number_text (plot->lo, 3, lo, sizeof lo);
  sl_number_text (plot->hi, 3, hi, sizeof hi);
  put_small (place, place->paper->left, place->top - 0.8 * size, _ (plot->upwards), false);
  put_small (place, place->left - 0.4 * size, place->top + 0.7 * size, hi, true);
  put_small (place, place->left - 0.4 * size, bottom + 0.3 * size, lo, true);
  put_small (place, place->left + place->width, bottom + 1.4 * size, _ (plot->across), true);
  sl_paper_rule (place->paper, place->left, place->top, place->left, bottom, 1.2, 0.0);
  sl_paper_rule (place->paper, place->left, bottom, place->left + place->width, bottom, 1.2, 0.0);
}

static void
draw_plot (SlPaper *paper, const Plot *plot)
{
  double size = 0.8 * paper->type;
  Place  place = { paper,
                   plot,
                   paper->left + 2.6 * size,
                   paper->y + 1.8 * size,
                   SL_PAPER_PX (PLOT_WIDTH) - 10.0 * size,
                   SL_PAPER_PX (PLOT_HEIGHT) };

  draw_axes (&place);
  for (unsigned i = 0; i < 2; i++)
    {
      draw_level (&place, &plot->level[i]);
      draw_example (&place, &plot->example[i], i == 0 ? 0.0 : 0.5);
    }
}

static void
write_plot (SlPaper *paper, const Plot *plot)
{
  double           left = paper->left, top, below;
  g_autofree char *title = g_strdup_printf ("%s  (%s)", _ (plot->title), _ (plot->slider));

  sl_paper_words (paper, title, 0.0, 1.1, true, 0.3);
  top = paper->y;
  draw_plot (paper, plot);
  below = top + SL_PAPER_PX (PLOT_HEIGHT) + 3.6 * paper->type;
  paper->left += SL_PAPER_PX (PLOT_WIDTH + 6.0);
  sl_paper_words (paper, _ (plot->shows), 0.0, 1.0, false, 0.4);
  sl_paper_words (paper, _ (plot->good), 0.0, 1.0, false, 0.4);
  sl_paper_words (paper, _ (plot->trouble), 0.0, 1.0, false, 0.4);
  paper->left = left;
  paper->y = fmax (paper->y, below) + 0.6 * paper->type;
}

/* ---- pages ---- */

static unsigned
write_pages (cairo_t *cr, SlText *text, double type)
{
  SlPaper paper;

  sl_paper_begin (&paper, cr, text, type, _ ("Sluice: words and plots"));
  sl_paper_words (&paper, _ ("The words"), 0.0, 1.5, true, 0.1);
  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    write_word (&paper, &words[i], meanings_at (&paper));
  sl_paper_turn (&paper);
  sl_paper_words (&paper, _ ("Four plots, and how to read them"), 0.0, 1.5, true, 0.2);
  sl_paper_words (
    &paper,
    _ ("The start page draws them while its networks learn; its sliders change all networks at "
       "once."),
    0.0, 1.0, false, 0.9);
  for (unsigned i = 0; i < G_N_ELEMENTS (plots); i++)
    write_plot (&paper, &plots[i]);
  sl_paper_end (&paper);
  return paper.pages;
}

static void
draw (cairo_t *cr, gpointer data)
{
  SlText *text = sl_worksheet_text ();
  double  type = LARGEST;

  while (type > SMALLEST && write_pages (NULL, text, type) > 2)
    type -= SMALLER;
  write_pages (cr, text, type);
  sl_text_free (text);
}

GBytes *
sl_worksheet_cheat_sheet (GError **error)
{
  return sl_worksheet_pdf (_ ("Sluice: words and plots"), draw, NULL, error);
}
