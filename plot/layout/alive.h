/* SPDX-License-Identifier: MIT
 *
 * Where the parts of the picture of a deciding network are: input, groups of cells, classes, from left to right,
 * and what the states of cells look like below.  Plain data, in px.  */
#pragma once

#include <stdbool.h>

#include "core/lab/alive.h"
#include "plot/base/geometry.h"

struct SlFigure;
struct SlFrame;
struct SlLaying;

enum {
  SL_ALIVE_TEXT = 64,
  SL_ALIVE_SENTENCE = 160,
  SL_ALIVE_WORD = 48,   /* bytes of a letter or word */
  SL_ALIVE_COLUMN = 16, /* boxes that stand in one column */
};

/* Letters smaller than this are left out, px. */
static const double SL_ALIVE_LEAST_TYPE = 7.5;

typedef struct
{
  SlRect   area;           /* of the cells */
  unsigned across;         /* cells side by side */
  double   w, h;           /* from cell to cell */
  double   margin;         /* px left of them, for the names of rows */
  double   name_x, name_y; /* the middle of its name, the baseline */
  char     name[SL_ALIVE_TEXT];
} SlAlivePlace;

/* A letter or word of a line. */
typedef struct
{
  unsigned row; /* among the tokens */
  SlRect   at;
  char     text[SL_ALIVE_WORD]; /* or "" where there is no room */
} SlAliveTokenPlace;

typedef struct
{
  unsigned row; /* among the classes */
  double   y;   /* of the middle */
  char     name[SL_ALIVE_TEXT];
} SlAliveClassPlace;

typedef struct
{
  SlAliveState state;
  double       x, text_x; /* the left of the sample and of the word */
  char         text[SL_ALIVE_TEXT];
} SlAliveKey;

/* In slow motion: what is lit, in rectangles of the plot, and the rest, which is pale (alive-front.c). */
typedef struct
{
  bool     on;
  unsigned n_groups; /* that the signal is in or has passed: their names are lit */
  unsigned n_lit;
  SlRect   lit[2], pale;
  char     caption[SL_ALIVE_SENTENCE]; /* in place of the legend */
} SlAliveFront;

typedef struct
{
  double            small; /* px of the letters */
  SlRect            input;
  double            top; /* px from the top of the plot to the names: lines of words */
  unsigned          n_tokens;
  SlAliveTokenPlace token[SL_ALIVE_TOKENS];
  char              caption[SL_ALIVE_TEXT]; /* below the input, or "" */
  SlAlivePlace      group[SL_ALIVE_GROUPS];
  SlRect            output;     /* bars and names */
  double            bar, pitch; /* px of a full bar; from class to class */
  unsigned          n_classes;
  SlAliveClassPlace class[SL_ALIVE_CLASSES];
  unsigned     n_keys;
  SlAliveKey   key[SL_N_ALIVE_STATES];
  double       key_y; /* baseline */
  SlAliveFront front;
} SlAliveFrame;

/* As SlFigureKind.lay_plot. */
void sl_lay_alive (const struct SlLaying *job, struct SlFrame *frame);

/* What is drawn below names and beside the plot: classes that fit, names and legend (alive-text.c). */
double sl_lay_alive_output (const struct SlLaying *job, const SlAlive *alive, SlAliveFrame *to,
                            double room, double height);
void   sl_lay_alive_names (const struct SlLaying *job, const SlAlive *alive, struct SlFrame *frame);

/* How far the signal of a slow motion has come; the groups have their places (alive-front.c). */
void sl_lay_alive_front (const struct SlLaying *job, const SlAlive *alive, struct SlFrame *frame);

/* Stages of a slow motion: the groups, and the classes where there are some. */
static inline unsigned
sl_alive_stages (const SlAlive *alive)
{
  return alive->n_groups + (alive->n_classes > 0 ? 1 : 0);
}

/* What happens in a stage, counted from its cells, in one sentence (alive-caption.c).  Returns `text`, of `size` > 0
 * bytes.  */
const char *sl_alive_caption (const struct SlFigure *figure, const SlAlive *alive, unsigned stage,
                              char *text, size_t size);

/* The place of a cell of a group (alive-cells.c). */
SlRect sl_alive_cell_place (const SlAliveGroup *group, const SlAlivePlace *place, unsigned cell);

/* The y of the middle of the brightest cell of its first column. */
double sl_alive_brightest (const SlAliveGroup *group, const SlAlivePlace *place);

/* The way of a link between the boxes of its group: points from left to right, level where they pass a column of boxes.
 * Returns how many, 0 where the link does not lead to the right.  */
enum { SL_ALIVE_TURNS = 2 * SL_ALIVE_PLACES + 2 };
unsigned sl_alive_link_way (const SlAliveGroup *group, const SlAlivePlace *place, unsigned link,
                            SlXY point[SL_ALIVE_TURNS]);

/* Words of a line at the top of the plot, as many as fit around the one that is looked at (alive-line.c).  Returns how
 * high they are; 0 where they stand above the columns of a field, of which sl_lay_alive_heads() finds the places
 * when the groups have theirs.  */
double sl_lay_alive_words (const struct SlLaying *job, const SlAlive *alive, struct SlFrame *frame);
void   sl_lay_alive_heads (const struct SlLaying *job, const SlAlive *alive, struct SlFrame *frame);

/* How wide the names of a way's rows are, with a gap (alive-line.c). */
double sl_lay_alive_margin (const struct SlLaying *job, const SlAlive *alive, unsigned group,
                            double most);

/* Whether the tokens are as many as a field's columns. */
static inline bool
sl_alive_has_heads (const SlAlive *alive)
{
  return alive->input == SL_ALIVE_LINE && alive->group[0].form == SL_ALIVE_FIELD
         && alive->group[0].across == alive->n_points;
}

/* Row of the matrix whose cell is at a point, from 1, the first for the input; 0: none. */
unsigned sl_alive_at (const struct SlFrame *frame, const struct SlFigure *figure, double x,
                      double y);

/* A point as parts of the input's square, from 0 at the left or top to 1; false where it is outside. */
bool sl_alive_on_input (const struct SlFrame *frame, const struct SlFigure *figure, double x,
                        double y, double part[2]);

/* The place of the cell that is a row of the matrix, from 1; false where that is none. */
bool sl_alive_find (const struct SlFrame *frame, const struct SlFigure *figure, unsigned row,
                    SlRect *place);
