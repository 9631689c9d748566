/* SPDX-License-Identifier: MIT */
#include "core/run/own/own.h"

#include <math.h>
#include <string.h>

#include "core/data/ink/ink.h"
#include "core/data/ink/likeness.h"
#include "core/run/base/background.h"

enum { STEPS = 40 /* of a point, by key, from one side of the plane to the other */ };

struct _SlOwn
{
  GObject parent_instance;

  GPtrArray    *sessions;
  uint64_t      hash;     /* of the data that all of this is about; 0: none */
  gboolean      shown;    /* instead of an example */
  gboolean      due;      /* it was changed since it was sent */
  gboolean      placed;   /* it is not centred any more */
  SlInk         ink;      /* of pictures, */
  float         point[2]; /* or of a plane, in the numbers of the data */
  unsigned      example;
  SlLikeness   *likeness; /* NULL: not measured */
  GCancellable *measuring;
  gboolean      far;
  SlOwnKept    *kept; /* to be shown when there are data, or NULL */
};

static guint changed;

G_DEFINE_FINAL_TYPE (SlOwn, sl_own, G_TYPE_OBJECT)

static SlSession *
session_of (SlOwn *self, unsigned i)
{
  return g_ptr_array_index (self->sessions, i);
}

const SlDataset *
sl_own_dataset (SlOwn *self)
{
  for (unsigned i = 0; i < self->sessions->len; i++)
    if (sl_session_dataset (session_of (self, i)) != NULL)
      return sl_session_dataset (session_of (self, i));
  return NULL;
}

gboolean
sl_own_can (SlOwn *self)
{
  const SlDataset *data = sl_own_dataset (self);

  return data != NULL && sl_dataset_takes_own (data) && data->features <= SL_SUBJECT_NUMBERS;
}

static gboolean
is_plane (const SlDataset *data)
{
  return sl_dataset_kind (data) == SL_NEEDS_PLANE;
}

/* The example that pictures of one example show, in the data set: as sl_alive_example(). */
static size_t
example_at (SlOwn *self, const SlDataset *data)
{
  SlSplit split = data->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;

  return sl_dataset_first (data, split) + self->example % data->n[split];
}

/* ---- how far it is from all that is known ---- */

typedef struct
{
  SlLikeness *likeness;
} Measuring;

static void
measuring_free (gpointer data)
{
  sl_likeness_free (((Measuring *) data)->likeness);
  g_free (data);
}

static gboolean
measure (gpointer data, GError **error)
{
  sl_likeness_measure (((Measuring *) data)->likeness);
  return TRUE;
}

/* The numbers of the input as a network sees it. */
static void
take_numbers (SlOwn *self, const SlDataset *data, float *numbers)
{
  SlInk ink;

  if (is_plane (data))
    {
      numbers[0] = self->point[0];
      numbers[1] = self->point[1];
      return;
    }
  ink = self->ink;
  if (!self->placed)
    sl_ink_settle (&ink);
  sl_ink_render (&ink, data->width, data->height, numbers);
}

static void
look_how_far (SlOwn *self, const float *numbers)
{
  self->far = self->likeness != NULL && sl_likeness_is_far (self->likeness, numbers);
}

static void
on_measured (gpointer own, gpointer data, const GError *error)
{
  SlOwn *self = own;
  float  numbers[SL_SUBJECT_NUMBERS];

  g_clear_object (&self->measuring);
  self->likeness = g_steal_pointer (&((Measuring *) data)->likeness);
  if (self->shown && sl_own_dataset (self) != NULL)
    {
      take_numbers (self, sl_own_dataset (self), numbers);
      look_how_far (self, numbers);
    }
  g_signal_emit (self, changed, 0);
}

static void
forget_likeness (SlOwn *self)
{
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  g_clear_pointer (&self->likeness, sl_likeness_free);
  self->far = FALSE;
}

/* From when something is drawn on: most are only looked at. */
static void
measure_likeness (SlOwn *self, const SlDataset *data)
{
  Measuring *measuring;

  if (self->likeness != NULL || self->measuring != NULL)
    return;
  measuring = g_new0 (Measuring, 1);
  measuring->likeness = sl_likeness_new (data);
  if (measuring->likeness == NULL)
    {
      measuring_free (measuring);
      return;
    }
  self->measuring = g_cancellable_new ();
  sl_background_run (measure, on_measured, self, self->measuring, measuring, measuring_free);
}

/* ---- sessions ---- */

static void
forget (SlOwn *self)
{
  self->shown = self->due = self->placed = FALSE;
  self->far = FALSE;
}

static gboolean
fits (const SlOwnKept *kept, const SlDataset *data)
{
  if (kept->data != data->hash || kept->n != data->features)
    return FALSE;
  for (unsigned i = 0; i < kept->n; i++)
    if (!isfinite (kept->number[i])
        || (!is_plane (data) && (kept->number[i] < 0.0f || kept->number[i] > 1.0f)))
      return FALSE;
  return TRUE;
}

static void
show_kept (SlOwn *self)
{
  const SlDataset      *data = sl_own_dataset (self);
  g_autofree SlOwnKept *kept = data != NULL ? g_steal_pointer (&self->kept) : NULL;
  SlOwnPlane            plane;
  double                x, y;

  if (kept == NULL || !sl_own_can (self) || !fits (kept, data))
    return;
  if (sl_own_plane (self, &plane))
    {
      sl_own_place (&plane, (const double[2]) { kept->number[0], kept->number[1] }, &x, &y);
      sl_own_unplace (&plane, x, y, self->point);
    }
  else
    sl_ink_begin_on (&self->ink, sl_ink_style (data), data->width, data->height, kept->number);
  self->shown = self->due = self->placed = TRUE;
  measure_likeness (self, data);
  sl_own_send (self);
}

/* Whatever is drawn is of the data that it was drawn for. */
static void
follow_data (SlOwn *self)
{
  const SlDataset *data = sl_own_dataset (self);
  uint64_t         hash = data != NULL ? data->hash : 0;

  if (hash == self->hash)
    return;
  self->hash = hash;
  forget (self);
  forget_likeness (self);
  show_kept (self);
}

static void
on_restarted (SlOwn *self)
{
  follow_data (self);
  g_signal_emit (self, changed, 0);
}

/* Another view of a session may have gone on to another example. */
static void
on_samples (SlOwn *self, SlSession *session)
{
  const SlSubject *subject = sl_session_subject (session);

  if (self->due || session != session_of (self, 0)
      || (subject->example == self->example && !(self->shown && subject->n_own == 0)))
    return;
  self->example = subject->example;
  if (subject->n_own == 0)
    forget (self);
  g_signal_emit (self, changed, 0);
}

static void
drop_sessions (SlOwn *self)
{
  for (unsigned i = 0; i < self->sessions->len; i++)
    g_signal_handlers_disconnect_by_data (session_of (self, i), self);
  g_ptr_array_set_size (self->sessions, 0);
}

void
sl_own_set_sessions (SlOwn *self, SlSession *const *sessions, unsigned n)
{
  g_return_if_fail (SL_IS_OWN (self));
  drop_sessions (self);
  for (unsigned i = 0; i < n; i++)
    {
      g_ptr_array_add (self->sessions, g_object_ref (sessions[i]));
      g_signal_connect_swapped (sessions[i], "restarted", G_CALLBACK (on_restarted), self);
      g_signal_connect_swapped (sessions[i], "samples", G_CALLBACK (on_samples), self);
    }
  follow_data (self);
  if (n > 0 && !self->shown)
    self->example = sl_session_example (sessions[0]);
  for (unsigned i = 1; i < n && !self->shown; i++)
    sl_session_set_example (sessions[i], self->example);
  self->due = self->shown;
  g_signal_emit (self, changed, 0);
}

unsigned
sl_own_n_sessions (SlOwn *self)
{
  return self->sessions->len;
}

SlSession *
sl_own_session (SlOwn *self, unsigned i)
{
  return session_of (self, i);
}

/* ---- what is drawn ---- */

static void
take_example (SlOwn *self, const SlDataset *data, float *picture)
{
  size_t from = example_at (self, data) * data->features;

  for (unsigned i = 0; i < data->features; i++)
    picture[i] = (float) data->bytes[from + i] / 255.0f;
}

/* The example that is shown becomes what is drawn on. */
static void
begin_on_example (SlOwn *self, const SlDataset *data)
{
  float picture[SL_SUBJECT_NUMBERS];

  take_example (self, data, picture);
  sl_ink_begin_on (&self->ink, sl_ink_style (data), data->width, data->height, picture);
  self->placed = TRUE;
}

/* From now on it stays where it is seen to be. */
static void
stay (SlOwn *self, const SlDataset *data)
{
  if (!self->shown)
    begin_on_example (self, data);
  else if (!self->placed)
    sl_ink_settle (&self->ink);
  self->placed = TRUE;
}

static void
change (SlOwn *self, const SlDataset *data)
{
  self->shown = self->due = TRUE;
  measure_likeness (self, data);
  g_signal_emit (self, changed, 0);
}

static void
put_point (SlOwn *self, double x, double y)
{
  SlOwnPlane plane;

  sl_own_plane (self, &plane);
  sl_own_unplace (&plane, x, y, self->point);
}

/* FALSE where the sheet takes no more. */
static gboolean
draw (SlOwn *self, const SlDataset *data, SlHand hand, double x, double y, SlPen pen)
{
  if (hand == SL_HAND_ENDS || (hand == SL_HAND_MOVES && !self->shown))
    return FALSE;
  if (hand == SL_HAND_MOVES)
    return sl_ink_move (&self->ink, x, y);
  if (pen != SL_PEN_NEW && !(self->shown && pen == SL_PEN_ERASES))
    stay (self, data);
  else if (!self->shown)
    sl_ink_begin (&self->ink, sl_ink_style (data));
  return sl_ink_press (&self->ink, x, y, pen == SL_PEN_ERASES);
}

void
sl_own_hand (SlOwn *self, SlHand hand, double x, double y, SlPen pen)
{
  const SlDataset *data = sl_own_dataset (self);

  g_return_if_fail (SL_IS_OWN (self));
  if (!sl_own_can (self) || !isfinite (x) || !isfinite (y))
    return;
  if (is_plane (data) && hand != SL_HAND_ENDS)
    put_point (self, x, y);
  else if (is_plane (data) || !draw (self, data, hand, x, y, pen))
    return;
  change (self, data);
}

void
sl_own_shift (SlOwn *self, int right, int down)
{
  const SlDataset *data = sl_own_dataset (self);
  SlOwnPlane       plane;
  double           x, y;

  g_return_if_fail (SL_IS_OWN (self));
  if (!sl_own_can (self))
    return;
  if (sl_own_plane (self, &plane))
    {
      sl_own_point (self, &plane, &x, &y);
      put_point (self, x + (double) right / STEPS, y + (double) down / STEPS);
    }
  else
    {
      stay (self, data);
      sl_ink_shift (&self->ink, CLAMP (right, -SL_SHEET_SIDE, SL_SHEET_SIDE),
                    CLAMP (down, -SL_SHEET_SIDE, SL_SHEET_SIDE));
    }
  change (self, data);
}

gboolean
sl_own_send (SlOwn *self)
{
  const SlDataset *data = sl_own_dataset (self);
  SlSubject        subject;
  float            numbers[SL_SUBJECT_NUMBERS];
  gboolean         far = self->far;

  g_return_val_if_fail (SL_IS_OWN (self), FALSE);
  if (!self->due || data == NULL)
    return FALSE;
  self->due = FALSE;
  take_numbers (self, data, numbers);
  for (unsigned i = 0; i < self->sessions->len; i++)
    {
      subject = *sl_session_subject (session_of (self, i));
      subject.example = self->example;
      subject.n_own = data->features;
      memcpy (subject.own, numbers, data->features * sizeof *numbers);
      sl_session_set_subject (session_of (self, i), &subject);
    }
  look_how_far (self, numbers);
  if (self->far != far)
    g_signal_emit (self, changed, 0);
  return TRUE;
}

gboolean
sl_own_get_kept (SlOwn *self, SlOwnKept *kept)
{
  const SlSubject *subject;

  g_return_val_if_fail (SL_IS_OWN (self), FALSE);
  subject = self->shown ? sl_session_subject (session_of (self, 0)) : NULL;
  if (subject != NULL && subject->n_own > 0)
    {
      *kept = (SlOwnKept) { .data = self->hash, .n = subject->n_own };
      memcpy (kept->number, subject->own, sizeof kept->number);
      return TRUE;
    }
  if (self->kept != NULL)
    *kept = *self->kept;
  return self->kept != NULL;
}

void
sl_own_set_kept (SlOwn *self, const SlOwnKept *kept)
{
  g_return_if_fail (SL_IS_OWN (self) && kept->n <= SL_SUBJECT_NUMBERS);
  g_free (self->kept);
  self->kept = g_memdup2 (kept, sizeof *kept);
  show_kept (self);
  g_signal_emit (self, changed, 0);
}

void
sl_own_show_example (SlOwn *self, unsigned example)
{
  g_return_if_fail (SL_IS_OWN (self));
  forget (self);
  g_clear_pointer (&self->kept, g_free);
  self->example = example;
  for (unsigned i = 0; i < self->sessions->len; i++)
    sl_session_set_example (session_of (self, i), example);
  g_signal_emit (self, changed, 0);
}

void
sl_own_clear (SlOwn *self)
{
  g_return_if_fail (SL_IS_OWN (self));
  sl_own_show_example (self, self->example);
}

unsigned
sl_own_example (SlOwn *self)
{
  return self->example;
}

gboolean
sl_own_is_shown (SlOwn *self)
{
  return self->shown;
}

gboolean
sl_own_is_far (SlOwn *self)
{
  return self->shown && self->far;
}

gboolean
sl_own_picture (SlOwn *self, float *picture)
{
  const SlDataset *data = sl_own_dataset (self);

  if (!sl_own_can (self) || is_plane (data))
    return FALSE;
  if (self->shown)
    sl_ink_render (&self->ink, data->width, data->height, picture);
  else
    take_example (self, data, picture);
  return TRUE;
}

static void
sl_own_init (SlOwn *self)
{
  self->sessions = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
sl_own_finalize (GObject *object)
{
  SlOwn *self = SL_OWN (object);

  drop_sessions (self);
  g_ptr_array_unref (self->sessions);
  forget_likeness (self);
  g_free (self->kept);
  G_OBJECT_CLASS (sl_own_parent_class)->finalize (object);
}

static void
sl_own_class_init (SlOwnClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = sl_own_finalize;
  changed
    = g_signal_new ("changed", SL_TYPE_OWN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

SlOwn *
sl_own_new (void)
{
  return g_object_new (SL_TYPE_OWN, NULL);
}

/* ---- the plane ---- */

void
sl_own_point (SlOwn *self, const SlOwnPlane *plane, double *x, double *y)
{
  const SlDataset *data = sl_own_dataset (self);
  double           point[2] = { (double) self->point[0], (double) self->point[1] };
  sl_real          example[2];

  if (!self->shown)
    {
      sl_dataset_range (data, example_at (self, data), 1, example, NULL);
      point[0] = (double) example[0];
      point[1] = (double) example[1];
    }
  sl_own_place (plane, point, x, y);
}
