/* SPDX-License-Identifier: MIT
 *
 * Pictures that a network looks at or makes, in the picture of the network (alive.h).  */
#include <math.h>

#include "core/lab/kit/alive.h"
#include "core/lab/kit/state.h"

/* How many pixels of each side become one. */
static size_t
step_of (const SlAlivePicture *picture)
{
  size_t longer = picture->width > picture->height ? picture->width : picture->height;

  return longer > picture->side ? (longer + picture->side - 1) / picture->side : 1;
}

/* As many whole squares as there are, at least one. */
static size_t
squares (size_t pixels, size_t step)
{
  return pixels >= step ? pixels / step : 1;
}

static double
cut (double value)
{
  return value > 0.0 ? fmin (value, 1.0) : 0.0;
}

/* The mean of a square of a colour's plane, or with no plane of the glow. */
static double
mean_of (const SlAlivePicture *picture, const sl_real *plane, size_t row, size_t column)
{
  size_t step = step_of (picture), n = 0;
  double sum = 0.0;

  for (size_t i = row * step; i < (row + 1) * step && i < picture->height; i++)
    for (size_t j = column * step; j < (column + 1) * step && j < picture->width; j++, n++)
      {
        size_t at = i * picture->width + j;

        sum += cut (plane != NULL ? (double) plane[at] : picture->glow[at]);
      }
  return sum / (double) n;
}

static void
add_pixels (SlAliveWriter *w, const SlAlivePicture *picture)
{
  size_t step = step_of (picture), plane = picture->width * picture->height;

  for (size_t i = 0; i < squares (picture->height, step); i++)
    for (size_t j = 0; j < squares (picture->width, step); j++)
      sl_alive_add (w, SL_ALIVE_ROW_PIXEL, mean_of (picture, picture->planes, i, j),
                    mean_of (picture, picture->planes + plane, i, j),
                    mean_of (picture, picture->planes + 2 * plane, i, j),
                    picture->glow != NULL ? mean_of (picture, NULL, i, j) : 0.0);
}

void
sl_alive_picture_input (SlAliveWriter *w, SlAlivePicture picture, SlMessage name)
{
  while (picture.side > 1
         && squares (picture.width, step_of (&picture))
                * squares (picture.height, step_of (&picture))
              > SL_ALIVE_PIXELS)
    picture.side--;
  sl_snapshot_row_name (w->probe->snapshot, name.packed);
  sl_alive_add (w, SL_ALIVE_ROW_INPUT, SL_ALIVE_COLOURED,
                (double) squares (picture.width, step_of (&picture)),
                (double) squares (picture.height, step_of (&picture)), 0.0);
  add_pixels (w, &picture);
}

void
sl_alive_picture (SlAliveWriter *w, const SlAlivePicture *picture, unsigned slot, double value,
                  SlMessage name)
{
  size_t across = squares (picture->width, step_of (picture));

  sl_alive_grid (w, SL_ALIVE_PICTURE, across * squares (picture->height, step_of (picture)), across,
                 slot, name);
  sl_alive_cell (w, SL_ALIVE_USED, value, 0.0, 0);
  add_pixels (w, picture);
}
