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

enum { SL_ALIVE_TEXT = 64, SL_ALIVE_COLUMN = 16 /* boxes that stand in one column */ };

typedef struct
{
  SlRect   area;           /* of the cells */
  unsigned across;         /* cells side by side */
  double   w, h;           /* from cell to cell */
  double   name_x, name_y; /* the middle of its name, the baseline */
  char     name[SL_ALIVE_TEXT];
} SlAlivePlace;

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

typedef struct
{
  double       small; /* px of the letters */
  SlRect       input;
  char         caption[SL_ALIVE_TEXT]; /* below the input, or \"\" */
  SlAlivePlace group[SL_ALIVE_GROUPS];
  SlRect       output;     /* bars and names */
  double       bar, pitch; /* px of a full bar; from class to class */
  unsigned     n_classes;
  SlAliveClassPlace class[SL_ALIVE_CLASSES];
  unsigned   n_keys;
  SlAliveKey key[SL_N_ALIVE_STATES];
  double     key_y; /* baseline */
} SlAliveFrame;

/* As SlFigureKind.lay_plot. */
void sl_lay_alive (const struct SlLaying *job, struct SlFrame *frame);

/* What is drawn below names and beside the plot: classes that fit, names and legend (alive-text.c). */
double sl_lay_alive_output (const struct SlLaying *job, const SlAlive *alive, SlAliveFrame *to,
                            double room, double height);
void   sl_lay_alive_names (const struct SlLaying *job, const SlAlive *alive, struct SlFrame *frame);

/* The place of a cell of a group (alive-cells.c). */
SlRect sl_alive_cell_place (const SlAliveGroup *group, const SlAlivePlace *place, unsigned cell);

/* The y of the middle of the brightest cell of its first column. */
double sl_alive_brightest (const SlAliveGroup *group, const SlAlivePlace *place);

/* The way of a link between the boxes of its group: points from left to right, level where they pass a column of boxes.
 * Returns how many, 0 where the link does not lead to the right.  */
enum { SL_ALIVE_WAY = 2 * SL_ALIVE_PLACES + 2 };
unsigned sl_alive_link_way (const SlAliveGroup *group, const SlAlivePlace *place, unsigned link,
                            SlXY point[SL_ALIVE_WAY]);

/* Row of the matrix whose cell is at a point, from 1, the first for the input; 0: none. */
unsigned sl_alive_at (const struct SlFrame *frame, const struct SlFigure *figure, double x,
                      double y);

/* The place of the cell that is a row of the matrix, from 1; false where that is none. */
bool sl_alive_find (const struct SlFrame *frame, const struct SlFigure *figure, unsigned row,
                    SlRect *place);
