/* SPDX-License-Identifier: MIT
 *
 * The picture of a network that decides about one example, as the matrix of a snapshot: rows of
 * SL_ALIVE_COLUMNS numbers, of which the first says what a row is.  They come in this order:
 *   input   form, width, height, bits of the states that there can be
 *   pixel   red, green, blue, each 0 … 1; as many as width × height
 *   point   x, y (both 0 … 1, y upwards), 1 for the example itself; of a plane instead of pixels
 *   token   slot of its tint from 1 or 0, 1 for the one that is looked at, how many examples further it is, how strong the
 *           tint is above 0 … 1 or 0: as usual; of a line instead of pixels
 *   group   form, units that there are, slot of its colour, columns of cells or of a picture; from left to right, each
 *           with its
 *   cell    state, value 0 … 1, what was lost 0 … 1 (of a tree: share of the examples that come by; of light: what
 *           theory says), number of the unit from 1
 *   pixel   of a picture, as of an input, and how much it glows 0 … 1
 *   place   left, top, width, height, shares of the group's room; of forms whose cells have places, as many as cells
 *   link    cell it comes from, cell it goes to (both of this group), 1 where something passes, 1 for a decision
 *   edge    group it comes from, its cell or -1 for the whole group, width 0 … 1; to the next group
 *   class   probability, 1 for the true one, 1 for the one decided for, number from 0
 * The names of the snapshot are those of the groups and then those of the classes; that of the first row is the
 * input's, and those of the next ones the tokens' and then those of the rows of a way, or those of cells that have
 * places.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
  SL_ALIVE_COLUMNS = 5,
  SL_ALIVE_GROUPS = 12,
  SL_ALIVE_CELLS = 2304,  /* of all groups */
  SL_ALIVE_PIXELS = 2304, /* of the input */
  SL_ALIVE_POINTS = 128,
  SL_ALIVE_TOKENS = 64,
  SL_ALIVE_EDGES = 64,
  SL_ALIVE_PLACES = 192, /* of all groups */
  SL_ALIVE_LINKS = 192,  /* likewise */
  SL_ALIVE_PICTURE_SIDE = 128,
  SL_ALIVE_CLASSES = 32,
};

typedef enum {
  SL_ALIVE_ROW_INPUT,
  SL_ALIVE_ROW_PIXEL,
  SL_ALIVE_ROW_POINT,
  SL_ALIVE_ROW_GROUP,
  SL_ALIVE_ROW_CELL,
  SL_ALIVE_ROW_EDGE,
  SL_ALIVE_ROW_CLASS,
  SL_ALIVE_ROW_PLACE,
  SL_ALIVE_ROW_LINK,
  SL_ALIVE_ROW_TOKEN,
} SlAliveRow;

typedef enum {
  SL_ALIVE_GREY,     /* pixels from the ground to ink */
  SL_ALIVE_COLOURED, /* pixels as they are */
  SL_ALIVE_PLANE,
  SL_ALIVE_LAMP, /* no pixels: where light comes from, at the brightest cell of the first column of LIGHT */
  SL_ALIVE_LINE, /* letters or words, above the groups; one of them is looked at */
  SL_N_ALIVE_INPUTS
} SlAliveInput;

typedef enum {
  SL_ALIVE_USED,
  SL_ALIVE_IN_VAIN, /* computed, and it came out zero */
  SL_ALIVE_SKIPPED, /* rightly, or nothing says otherwise */
  SL_ALIVE_MISSED,  /* skipped, and it would have mattered */
  SL_ALIVE_DEAD,    /* skipped for every example */
  SL_ALIVE_CLOSED,  /* switched off by the person */
  SL_N_ALIVE_STATES
} SlAliveState;

typedef enum {
  SL_ALIVE_MOSAIC,  /* a field of units */
  SL_ALIVE_NECK,    /* one cell: a passage as wide as its value */
  SL_ALIVE_SCORES,  /* a bar for each part of the next group */
  SL_ALIVE_BOXES,   /* numbered parts in fixed colours */
  SL_ALIVE_SUM,     /* where edges meet */
  SL_ALIVE_CHANCES, /* a field of probabilities, framed where the draw says yes */
  SL_ALIVE_BITS,    /* one below the other: how far on either side of one half, where it turns */
  SL_ALIVE_TREE,    /* a full binary tree of cells, the root first and then level by level */
  SL_ALIVE_OPTIONS, /* bars beside their names, in their places */
  SL_ALIVE_GRAPH,   /* named boxes in their places, with links */
  SL_ALIVE_METER,   /* a bar that its cells fill, in their places */
  SL_ALIVE_LIGHT, /* rows of so many columns, as bright as their values, with lines about what theory says */
  SL_ALIVE_PROFILE, /* a bar for each row of the light before it, with a line */
  SL_ALIVE_PICTURE, /* in colour, of one cell and as many pixels as units */
  SL_ALIVE_FIELD,   /* rows of so many columns, under the tokens where these are as many */
  SL_ALIVE_BARS,    /* bars for each row of the field or way before it */
  SL_ALIVE_WAY, /* rows of parts in fixed colours, numbered from 0, one below the other; of those used the strongest
                     * has 1 as what was lost, and the slot is the row that the tokens have their tints from */
  SL_N_ALIVE_FORMS
} SlAliveForm;

/* Cells, edges and classes are rows of the matrix, borrowed. */
typedef struct
{
  SlAliveForm   form;
  unsigned      units, slot, n; /* n: cells that are shown of them */
  unsigned      first;          /* row of the first cell */
  unsigned      across;         /* FIELD, BARS, WAY, LIGHT, PICTURE: columns */
  const double *cell;           /* (n, SL_ALIVE_COLUMNS) */
  const double *place;          /* (n) rows, or NULL */
  unsigned      first_name;     /* of the cells that have places, among the names of the rows */
  const double *pixel;          /* of a picture: (units / across, across) rows, or NULL */
  unsigned      n_links;
  const double *link; /* (n_links) rows */
} SlAliveGroup;

typedef struct
{
  SlAliveInput  input;
  unsigned      width, height, n_points;
  const double *pixel; /* (height, width) or (n_points) rows; of points or tokens */
  unsigned      states;
  unsigned      n_groups;
  SlAliveGroup  group[SL_ALIVE_GROUPS];
  unsigned      n_places, n_links; /* of all groups */
  unsigned      n_edges;
  const double *edge; /* (n_edges) rows */
  unsigned      n_classes;
  const double *class; /* (n_classes) rows */
} SlAlive;

/* Takes such a matrix apart; false where it is none.  What is read is safe to use: counts are those of rows
 * that are there, and numbers lie in their ranges.  */
bool sl_alive_read (SlAlive *alive, const double *matrix, size_t rows, size_t columns);

/* Columns of a row. */
static inline SlAliveState
sl_alive_state (const double *cell)
{
  return (SlAliveState) cell[1];
}

static inline double
sl_alive_value (const double *cell)
{
  return cell[2];
}

/* True when a unit was computed. */
static inline bool
sl_alive_is_on (const double *cell)
{
  return sl_alive_state (cell) <= SL_ALIVE_IN_VAIN;
}

/* True when the cells of a form have places and names. */
static inline bool
sl_alive_has_places (SlAliveForm form)
{
  return form == SL_ALIVE_OPTIONS || form == SL_ALIVE_GRAPH || form == SL_ALIVE_METER;
}

/* Levels of a tree of n cells, 0 where these are none. */
unsigned sl_alive_levels (unsigned n);

/* The number of a group among those whose units can be switched off (subject.h), or -1. */
int sl_alive_field (const SlAlive *alive, unsigned group);

/* The words of a state for a legend, in English. */
const char *sl_alive_word (SlAliveState state);
