/* SPDX-License-Identifier: MIT
 *
 * How a lab fills a panel of the kind SL_ALIVE (core/lab/alive.h): input, groups with their cells, edges, output,
 * in this order.  What goes beyond the sizes there is left out.  */
#pragma once

#include "core/lab/alive.h"
#include "core/lab/kit/probe.h"

typedef struct
{
  SlProbe *probe;
  double  *row;    /* the next */
  double  *states; /* those of the input's row, or NULL */
  size_t   left;
  unsigned groups, cells, edges, places, links;
} SlAliveWriter;

/* The validation example that pictures of one example show, or a training one where there are none: its number in
 * the data set.  The host chooses it (SlSink.subject).  */
size_t sl_alive_example (const SlProbe *probe);

/* The same among n examples that are not those of the data set: from 0. */
size_t sl_alive_turn (const SlProbe *probe, size_t n);

/* True when the picture shows an input of the person's own, which has no true class. */
bool sl_alive_is_own (const SlProbe *probe);

/* That example, or the own input as the data set would have it: x (D) and its label. */
void sl_alive_take (const SlProbe *probe, sl_real *x, uint8_t *label);

/* True when a unit is switched off: the number of its field, as sl_alive_field() counts, and its own, from 0. */
bool sl_alive_closes (const SlProbe *probe, unsigned field, size_t unit);

/* Numbers of a network that are others while a picture is made, so that the same kernels compute it with a unit
 * switched off.  */
typedef struct
{
  sl_real *at;
  size_t   n, stride;
  sl_real *kept;
} SlAliveAside;

/* Sets n numbers, `stride` apart, to `value`; false, and nothing is changed, when memory runs out. */
bool sl_alive_set_aside (SlAliveAside *aside, SlProbe *probe, sl_real *at, size_t n, size_t stride,
                         sl_real value);

/* Puts them back; those set aside last come first. */
void sl_alive_put_back (const SlAliveAside *aside);

/* The room of a whole picture.  False when memory runs out. */
bool sl_alive_begin (SlAliveWriter *writer, SlProbe *probe);

/* The same with so many pixels of pictures among the groups. */
bool sl_alive_begin_pictures (SlAliveWriter *writer, SlProbe *probe, size_t pixels);

/* The example x (D) of the lab's data set: an image, a point among others, or numbers as pixels.  `states`: those
 * that this network can have, as bits; "switched off" is one as soon as a cell has it.  */
void sl_alive_input (SlAliveWriter *writer, const sl_real *x, unsigned states);

/* One of the letters or words that are the input, in their order; text of a file as it is.  `tint`: the slot of its
 * colour from 1, or 0; `by`: how many examples further it is, 0 for the one that is looked at.  sl_alive_line() comes
 * before them.  */
void sl_alive_line (SlAliveWriter *writer, SlMessage name, unsigned states);
void sl_alive_token (SlAliveWriter *writer, const char *text, unsigned tint, int by);

/* The same with a tint of a strength 0 … 1. */
void sl_alive_shaded (SlAliveWriter *writer, const char *text, unsigned tint, double strength,
                      int by);

/* Begins a group of so many units in the colour of a slot; its name is a message. */
void sl_alive_group (SlAliveWriter *writer, SlAliveForm form, size_t units, unsigned slot,
                     SlMessage name);

/* The same of a form with so many columns, whose cells come row by row; and the names of the rows of a way, behind the
 * tokens.  */
void sl_alive_grid (SlAliveWriter *writer, SlAliveForm form, size_t units, size_t columns,
                    unsigned slot, SlMessage name);
void sl_alive_row (SlAliveWriter *writer, SlMessage name);

/* The lamp that light comes from, in place of an input. */
void sl_alive_lamp (SlAliveWriter *writer, SlMessage name);

/* Of so many units in all groups, every how many-th is shown. */
size_t sl_alive_stride (size_t units);

/* A cell of the last group; `unit` from 0.  Value and loss are cut to 0 … 1. */
void sl_alive_cell (SlAliveWriter *writer, SlAliveState state, double value, double lost,
                    size_t unit);

/* Of a form whose cells have places, behind all cells: one for each, in their order, in shares of the group's room; its
 * name is a message.  */
void sl_alive_place (SlAliveWriter *writer, double x, double y, double width, double height,
                     SlMessage name);

/* Behind the places: a link between two cells of this group, from 0. */
void sl_alive_link (SlAliveWriter *writer, unsigned from, unsigned to, bool passes, bool decides);

/* From a cell of a group, both from 0, to the next group; width 0 … 1. */
void sl_alive_edge (SlAliveWriter *writer, unsigned group, unsigned cell, double width);

/* What logits (outputs; one for two classes) decide, and the true class.  Adds what it says to the note. */
void sl_alive_output (SlAliveWriter *writer, size_t outputs, const sl_real *logits, unsigned label);

/* The same of two outputs that tell one class, answer 1, from the others. */
void sl_alive_one_class (SlAliveWriter *writer, const sl_real *logits, unsigned label,
                         unsigned class);

/* What logits (kinds) say about the symbol that comes next, and the true one: the likeliest, falling, and the true one
 * behind them where it is none of them.  Titles (kinds) are text of a file as it is.  Adds what it says to the
 * note.  */
void sl_alive_next (SlAliveWriter *writer, size_t kinds, const sl_real *logits, size_t right,
                    const char *const *title);

/* Gives back the room that was not used. */
void sl_alive_end (SlAliveWriter *writer);

/* A picture in colour, cut to 0 … 1, of which at most `side` × `side` means are shown (alive-picture.c). */
typedef struct
{
  const sl_real *planes; /* (3, H, W), red first */
  size_t         width, height, side;
  const double  *glow; /* (H, W) 0 … 1, or NULL */
} SlAlivePicture;

/* As the input, of no more pixels than that can have; and as a group, with one cell of this value. */
void sl_alive_picture_input (SlAliveWriter *writer, SlAlivePicture picture, SlMessage name);
void sl_alive_picture (SlAliveWriter *writer, const SlAlivePicture *picture, unsigned slot,
                       double value, SlMessage name);

/* ---- for the files of this kit ---- */

/* Adds a row, whose numbers are right. */
void sl_alive_add (SlAliveWriter *writer, SlAliveRow what, double a, double b, double c, double d);

/* A class by its number and title. */
void sl_alive_class (SlAliveWriter *writer, double share, bool right, bool said, size_t number,
                     SlMessage name);
