/* SPDX-License-Identifier: MIT
 *
 * An input of the person's own, drawn or dragged by hand, that one or more sessions show instead of an example.  For
 * the main thread.
 *
 * Places are parts of the square in which the input is seen, from 0 at the left or top to 1.
 *
 * Signal "changed": something that can be read here is another.  */
#pragma once

#include "core/run/session/session.h"

G_BEGIN_DECLS

#define SL_TYPE_OWN (sl_own_get_type ())
G_DECLARE_FINAL_TYPE (SlOwn, sl_own, SL, OWN, GObject)

/* What the pointer or the finger does. */
typedef enum { SL_HAND_BEGINS, SL_HAND_MOVES, SL_HAND_ENDS } SlHand;

typedef enum {
  SL_PEN_NEW,    /* a drawing begins on an empty sheet, and is centred and scaled as the data are */
  SL_PEN_ONTO,   /* on what is shown, where it is drawn */
  SL_PEN_ERASES, /* of what is shown */
} SlPen;

SlOwn *sl_own_new (void);

/* Those that show the input; references are taken.  They then show the example of the first one, or the input where
 * they learn from the same data.  */
void sl_own_set_sessions (SlOwn *own, SlSession *const *sessions, unsigned n);

unsigned   sl_own_n_sessions (SlOwn *own);
SlSession *sl_own_session (SlOwn *own, unsigned i); /* borrowed */

/* The data that they learn from, borrowed until a session changes; NULL: none are there (yet). */
const SlDataset *sl_own_dataset (SlOwn *own);

/* There are data, and an input of one's own can be one of theirs. */
gboolean sl_own_can (SlOwn *own);

/* Draws, or puts the point of a plane there. */
void sl_own_hand (SlOwn *own, SlHand hand, double x, double y, SlPen pen);

/* Moves the drawing by pixels, or the point by fortieths of the square; an example becomes one's own by it. */
void sl_own_shift (SlOwn *own, int right, int down);

/* Sends what was done to the sessions: to be called once a frame, the newest counts.  TRUE when it was sent. */
gboolean sl_own_send (SlOwn *own);

/* An input of one's own as it was sent, to be shown again another time. */
typedef struct
{
  uint64_t data; /* hash of those that it is one of */
  unsigned n;
  float    number[SL_SUBJECT_NUMBERS];
} SlOwnKept;

/* FALSE: there is none. */
gboolean sl_own_get_kept (SlOwn *own, SlOwnKept *kept);

/* Shows it when a session first learns from data, if they are its own; numbers that they cannot have are left out. */
void sl_own_set_kept (SlOwn *own, const SlOwnKept *kept);

/* Back to an example: the one before, or another one. */
void     sl_own_clear (SlOwn *own);
void     sl_own_show_example (SlOwn *own, unsigned example);
unsigned sl_own_example (SlOwn *own);

/* It is shown instead of an example. */
gboolean sl_own_is_shown (SlOwn *own);

/* It is farther from the training examples than nearly all others; FALSE as long as that is not known. */
gboolean sl_own_is_far (SlOwn *own);

/* What is seen, (height, width) of ink from 0 to 1: the drawing as it was made, or the example.  FALSE, and nothing is
 * written, where the data have no such pictures.  */
gboolean sl_own_picture (SlOwn *own, float *picture);

/* A plane as it is seen: its first validation examples, with SL_OWN_INSET of the square free at each side. */
typedef struct
{
  size_t first, n;     /* examples of the data set */
  double lo[2], hi[2]; /* of x and y, in the numbers of the data */
} SlOwnPlane;

enum { SL_OWN_POINTS = 127 };
#define SL_OWN_INSET 0.06

/* FALSE where the data are no plane. */
gboolean sl_own_plane (SlOwn *own, SlOwnPlane *plane);

/* Where a point of the data is seen, what point of them is seen at a place, the nearest that there is room for, and where
 * the input is.  */
void sl_own_place (const SlOwnPlane *plane, const double point[2], double *x, double *y);
void sl_own_unplace (const SlOwnPlane *plane, double x, double y, float point[2]);
void sl_own_point (SlOwn *own, const SlOwnPlane *plane, double *x, double *y);

G_END_DECLS
