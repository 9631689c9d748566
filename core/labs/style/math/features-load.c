/* SPDX-License-Identifier: MIT
 *
 * Networks of features from the tensors of a file; see features.h.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/style/math/features-private.h"

enum { NAME = 48, BLOCKS = 5, MOST_LAYERS = 4 };

/* Reads the layers of a file one after the other; the first failure stays. */
typedef struct
{
  SlFeatures      *features;
  const SlTensors *tensors;
  size_t           used; /* numbers of features->weights */
  SlStatus         status;
} Reader;

/* "conv1_1.weight of 64 x 3 x 3 x 3".  A length of 0 is any length if `open`. */
static SlMessage
describe (const char *name, unsigned dims, const size_t *dim, bool open)
{
  char      shape[SL_MESSAGE_SIZE];
  SlMessage one = sl_message ("a single number"), any = sl_message ("any");
  size_t    at = (size_t) snprintf (shape, sizeof shape, "%s", dims == 0 ? one.packed : "");

  for (unsigned d = 0; d < dims && at < sizeof shape; d++)
    {
      at += (size_t) snprintf (shape + at, sizeof shape - at, d > 0 ? " x " : "");
      if (dim[d] == 0 && open)
        at += (size_t) snprintf (shape + at, sizeof shape - at, "%s", any.packed);
      else
        at += (size_t) snprintf (shape + at, sizeof shape - at, "%zu", dim[d]);
    }
  return sl_message ("%s of %s", name, shape);
}

/* The tensor, when its shape is `dims` of `dim` (where 0 is any length); or NULL with a status. */
static const SlTensor *
take_shape (Reader *reader, const char *name, unsigned dims, const size_t *dim)
{
  const SlTensor *tensor = sl_tensors_find (reader->tensors, name);
  bool            good = tensor != NULL && tensor->dims == dims && tensor->n > 0;

  for (unsigned d = 0; d < dims && good; d++)
    good = dim[d] == 0 || tensor->dim[d] == dim[d];
  if (good)
    return tensor;
  reader->status = sl_status_new (SL_EFORMAT, reader->tensors->subject,
                                  tensor != NULL ? describe (name, tensor->dims, tensor->dim, false)
                                                 : sl_message ("no tensor %s", name),
                                  describe (name, dims, dim, true));
  return NULL;
}

/* Copies the numbers of a tensor; false, with a status, unless all are finite. */
static bool
copy_numbers (Reader *reader, const SlTensor *tensor)
{
  sl_real *to = reader->features->weights + reader->used;

  for (size_t i = 0; i < tensor->n; i++)
    {
      if (!isfinite (tensor->data[i]))
        {
          reader->status
            = sl_status_new (SL_EFORMAT, reader->tensors->subject,
                             sl_message ("number %zu of %s is not finite", i, tensor->name),
                             sl_message ("finite weights"));
          return false;
        }
      to[i] = tensor->data[i];
    }
  reader->used += tensor->n;
  return true;
}

/* Adds the convolution `name` with `outputs` channels (0: as many as the file has) between two
 * values; to = 0 makes a new one.  Returns the value that it made, or 0.  */
static unsigned
read_conv (Reader *reader, const char *name, unsigned from, unsigned to, size_t first,
           size_t outputs, SlFeatureStep step)
{
  SlFeatures     *features = reader->features;
  const size_t    dim[4] = { outputs, features->value[from].channels, step.side, step.side };
  const SlTensor *w, *b;
  char            full[NAME];

  if (!sl_ok (&reader->status))
    return 0;
  snprintf (full, sizeof full, "%s.weight", name);
  w = take_shape (reader, full, 4, dim);
  snprintf (full, sizeof full, "%s.bias", name);
  b = w != NULL ? take_shape (reader, full, 1, w->dim) : NULL;
  if (b == NULL)
    return 0;
  step.outputs = w->dim[0];
  step.w = reader->used;
  step.b = reader->used + w->n;
  if (!copy_numbers (reader, w) || !copy_numbers (reader, b))
    return 0;
  if (to == 0)
    to = sl_features_add_value (features, step.outputs, true);
  sl_features_add_conv (features, from, to, first, &step);
  return to;
}

static bool
has_tensor (const SlTensors *tensors, const char *name)
{
  return sl_tensors_find (tensors, name) != NULL;
}

/* The colours as Caffe's networks take them: blue, green, red in 0 … 255, less a mean. */
static void
prepare_caffe (SlFeatures *features, const double mean[3])
{
  for (unsigned i = 0; i < 3; i++)
    {
      features->colour[i] = 2 - i;
      features->scale[i] = 255;
      features->offset[i] = (sl_real) -mean[i];
    }
}

/* And torchvision's: red, green, blue in 0 … 1, by mean and deviation over ImageNet. */
static void
prepare_torch (SlFeatures *features)
{
  static const double mean[3] = { 0.485, 0.456, 0.406 }, deviation[3] = { 0.229, 0.224, 0.225 };

  for (unsigned i = 0; i < 3; i++)
    {
      features->scale[i] = (sl_real) (1 / deviation[i]);
      features->offset[i] = (sl_real) (-mean[i] / deviation[i]);
    }
}

/* The place in a VGG that is read next: layer `layer` of block `block`, both from 1; `index` counts
 * as torchvision does, over convolutions, rectifiers and poolings.  */
typedef struct
{
  bool     torch;
  unsigned block, layer, index;
} Place;

static void
layer_name (const Place *place, char name[NAME])
{
  if (place->torch)
    snprintf (name, NAME, "features.%u", place->index);
  else
    snprintf (name, NAME, "conv%u_%u", place->block, place->layer);
}

static bool
layer_there (const SlTensors *tensors, const Place *place)
{
  char name[NAME];

  layer_name (place, name);
  strcat (name, ".weight");
  return has_tensor (tensors, name);
}

/* On to the next layer, behind a pooling if *pool; false when there is none. */
static bool
next_layer (const SlTensors *tensors, Place *place, bool *pool)
{
  Place same = { place->torch, place->block, place->layer + 1, place->index + 2 };
  Place next = { place->torch, place->block + 1, 1, place->index + 3 };

  *pool = false;
  if (same.layer <= MOST_LAYERS && layer_there (tensors, &same))
    {
      *place = same;
      return true;
    }
  *pool = true;
  *place = next;
  return next.block <= BLOCKS && layer_there (tensors, &next);
}

static void
read_vgg (Reader *reader, bool torch)
{
  static const double mean[3] = { 103.939, 116.779, 123.68 };
  Place               place = { .torch = torch, .block = 1, .layer = 1 };
  SlFeatures         *features = reader->features;
  unsigned            value = 0, layers = 0;
  bool                pool = false;
  char                name[NAME];

  if (torch && has_tensor (reader->tensors, "features.1.weight"))
    {
      reader->status = sl_status_new (SL_EFORMAT, reader->tensors->subject,
                                      sl_message ("features.1.weight: batch normalisation"),
                                      sl_message ("a VGG without it, or SqueezeNet 1.0"));
      return;
    }
  if (torch)
    prepare_torch (features);
  else
    prepare_caffe (features, mean);
  do
    {
      layer_name (&place, name);
      if (pool)
        value = sl_features_add_pool (features, value, SL_STEP_MAX, 2, 2, false);
      value = read_conv (reader, name, value, 0, 0, layers == 0 ? 64 : 0,
                         (SlFeatureStep) { .side = 3, .stride = 1, .pad = 1 });
      if (value == 0)
        return;
      layers++;
      snprintf (name, sizeof name, "relu%u_%u", place.block, place.layer);
      sl_features_add_tap (features, value, name);
    }
  while (next_layer (reader->tensors, &place, &pool));
  features->title
    = layers == 1 ? sl_message ("VGG, 1 layer") : sl_message ("VGG, %u layers", layers);
}

/* A fire module: a squeeze to few channels, then kernels of 1 and 3 pixels side by side. */
static unsigned
read_fire (Reader *reader, unsigned number, size_t squeeze, unsigned value)
{
  SlFeatureStep small = { .side = 1, .stride = 1 }, large = { .side = 3, .stride = 1, .pad = 1 };
  unsigned      to;
  char          name[NAME];

  snprintf (name, sizeof name, "fire%u/squeeze1x1", number);
  value = read_conv (reader, name, value, 0, 0, squeeze, small);
  if (value == 0)
    return 0;
  to = sl_features_add_value (reader->features, 8 * squeeze, true);
  snprintf (name, sizeof name, "fire%u/expand1x1", number);
  read_conv (reader, name, value, to, 0, 4 * squeeze, small);
  snprintf (name, sizeof name, "fire%u/expand3x3", number);
  read_conv (reader, name, value, to, 4 * squeeze, 4 * squeeze, large);
  snprintf (name, sizeof name, "fire%u", number);
  sl_features_add_tap (reader->features, to, name);
  return sl_ok (&reader->status) ? to : 0;
}

static void
read_squeezenet (Reader *reader)
{
  static const double mean[3] = { 104, 117, 123 };
  static const size_t squeeze[] = { 16, 16, 32, 32, 48, 48, 64, 64 };
  SlFeatures         *features = reader->features;
  unsigned            value;

  prepare_caffe (features, mean);
  value = read_conv (reader, "conv1", 0, 0, 0, 96, (SlFeatureStep) { .side = 7, .stride = 2 });
  if (value != 0)
    sl_features_add_tap (features, value, "relu1");
  for (unsigned fire = 2; fire <= 9 && value != 0; fire++)
    {
      if (fire == 2 || fire == 5 || fire == 9)
        value = sl_features_add_pool (features, value, SL_STEP_MAX, 3, 2, true);
      value = read_fire (reader, fire, squeeze[fire - 2], value);
    }
  if (value != 0 && has_tensor (reader->tensors, "conv10.weight"))
    {
      value
        = read_conv (reader, "conv10", value, 0, 0, 0, (SlFeatureStep) { .side = 1, .stride = 1 });
      if (value != 0)
        sl_features_add_tap (features, value, "classes");
    }
  features->title = sl_message_verbatim ("SqueezeNet");
}

static size_t
count_numbers (const SlTensors *tensors)
{
  size_t n = 0;

  for (size_t i = 0; i < tensors->n; i++)
    if (sl_tensor_is_image_layer (tensors->tensor[i].name))
      n += tensors->tensor[i].n;
  return n;
}

SlStatus
sl_features_load (SlFeatures **features, const SlTensors *tensors)
{
  Reader   reader = { .tensors = tensors, .status = SL_SUCCESS };
  SlStatus status = sl_features_new (features, count_numbers (tensors));

  if (!sl_ok (&status))
    return status;
  reader.features = *features;
  if (has_tensor (tensors, "conv1_1.weight"))
    read_vgg (&reader, false);
  else if (has_tensor (tensors, "fire2/squeeze1x1.weight"))
    read_squeezenet (&reader);
  else if (has_tensor (tensors, "features.0.weight"))
    read_vgg (&reader, true);
  else
    {
      reader.status = sl_status_new (SL_EFORMAT, tensors->subject,
                                     sl_message ("%zu tensors of another network", tensors->n),
                                     sl_message ("conv1_1.weight or features.0.weight (VGG), or "
                                                 "fire2/squeeze1x1.weight (SqueezeNet)"));
    }
  if (!sl_ok (&reader.status))
    {
      sl_features_free (*features);
      *features = NULL;
    }
  return reader.status;
}
