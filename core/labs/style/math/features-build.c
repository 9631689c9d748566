/* SPDX-License-Identifier: MIT
 *
 * Putting a network of features together, and asking what is in it; see features-private.h.  */
#include "core/labs/style/math/features-private.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

SlStatus
sl_features_new (SlFeatures **features, size_t weights)
{
  SlFeatures *made = calloc (1, sizeof *made);

  *features = NULL;
  if (made != NULL)
    made->weights = calloc (weights > 0 ? weights : 1, sizeof *made->weights);
  if (made == NULL || made->weights == NULL)
    {
      free (made);
      return sl_status_no_memory ("network");
    }
  for (unsigned i = 0; i < 3; i++)
    {
      made->colour[i] = i;
      made->scale[i] = 1;
    }
  sl_features_add_value (made, 3, false);
  *features = made;
  return SL_SUCCESS;
}

void
sl_features_free (SlFeatures *features)
{
  if (features == NULL)
    return;
  free (features->weights);
  free (features);
}

unsigned
sl_features_add_value (SlFeatures *features, size_t channels, bool relu)
{
  assert (features->n_values < SL_FEATURE_VALUES);
  features->value[features->n_values] = (SlFeatureValue) { .channels = channels, .relu = relu };
  return features->n_values++;
}

static void
add_step (SlFeatures *features, const SlFeatureStep *step)
{
  SlFeatureValue *value = &features->value[step->to];

  assert (features->n_steps < SL_FEATURE_STEPS);
  features->step[features->n_steps] = *step;
  if (step->first == 0)
    value->first_step = features->n_steps;
  value->last_step = features->n_steps++;
}

void
sl_features_add_conv (SlFeatures *features, unsigned from, unsigned to, size_t first,
                      const SlFeatureStep *step)
{
  SlFeatureStep added = *step;

  added.kind = SL_STEP_CONV;
  added.from = from;
  added.to = to;
  added.first = first;
  add_step (features, &added);
}

unsigned
sl_features_add_pool (SlFeatures *features, unsigned from, SlStepKind kind, size_t side,
                      size_t stride, bool ceil)
{
  unsigned to = sl_features_add_value (features, features->value[from].channels, false);

  add_step (features,
            &(SlFeatureStep) {
              .kind = kind, .from = from, .to = to, .side = side, .stride = stride, .ceil = ceil });
  return to;
}

void
sl_features_add_tap (SlFeatures *features, unsigned value, const char *name)
{
  SlFeatureTap *tap = &features->tap[features->n_taps++];

  assert (features->n_taps <= SL_FEATURE_TAPS);
  tap->value = value;
  snprintf (tap->name, sizeof tap->name, "%s", name);
}

SlMessage
sl_features_title (const SlFeatures *features)
{
  return features->title;
}

unsigned
sl_features_taps (const SlFeatures *features)
{
  return features->n_taps;
}

const char *
sl_features_tap_name (const SlFeatures *features, unsigned tap)
{
  assert (tap < sl_features_taps (features));
  return features->tap[tap].name;
}

size_t
sl_features_tap_channels (const SlFeatures *features, unsigned tap)
{
  assert (tap < sl_features_taps (features));
  return features->value[features->tap[tap].value].channels;
}
