/* SPDX-License-Identifier: MIT
 *
 * Weights from a file.  What is read keeps the promises of tensors.h, and a network made of it runs
 * or is refused; the first byte chooses whether the header is given by its length or the length
 * follows it, so that mutations do not only break that.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/read/weights.h"
#include "core/data/text/text.h"
#include "core/labs/style/math/features.h"
#include "tests/fuzz/input.h"

static void
check_failure (const SlStatus *status)
{
  char text[1024];

  fuzz_require (status->code == SL_EFORMAT || status->code == SL_EIO || status->code == SL_ENOMEM);
  fuzz_require (status->subject[0] != '\0');
  sl_status_text (status, text, sizeof text);
  fuzz_require (strlen (text) > 0 && sl_utf8_valid (text, strlen (text)));
}

static void
check_tensors (const SlTensors *tensors)
{
  for (size_t i = 0; i < tensors->n; i++)
    {
      const SlTensor *t = &tensors->tensor[i];
      size_t          n = 1;
      sl_real         sum = 0;

      fuzz_require (t->dims <= SL_TENSOR_DIMS);
      for (unsigned d = 0; d < t->dims; d++)
        n *= t->dim[d];
      fuzz_require (n == t->n);
      for (size_t k = 0; k < n; k++)
        sum += t->data[k];
      fuzz_require (sum <= 0 || sum > 0 || sum != sum);
      fuzz_require (sl_utf8_valid (t->name, strlen (t->name)) && t->name[0] != '\0');
      fuzz_require (i == 0 || strcmp (tensors->tensor[i - 1].name, t->name) < 0);
      fuzz_require (sl_tensors_find (tensors, t->name) == t);
    }
}

static void
check_network (const SlTensors *tensors)
{
  SlFeatures *features;
  SlStatus    status = sl_features_load (&features, tensors);

  if (!sl_ok (&status))
    {
      fuzz_require (features == NULL);
      check_failure (&status);
      return;
    }
  fuzz_require (sl_features_taps (features) > 0);
  sl_features_free (features);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char       path[512];
  SlTensors *tensors;
  SlStatus   status;

  if (size == 0)
    return 0;
  if (data[0] == 0 && size > 3)
    {
      /* Header and numbers in two parts: the length is made to fit. */
      size_t         part, rest = size - 1;
      const uint8_t *at = data + 1, *header = fuzz_part (&at, &rest, &part);
      uint8_t       *whole = malloc (8 + part + rest);

      fuzz_require (whole != NULL);
      for (unsigned i = 0; i < 8; i++)
        whole[i] = (uint8_t) (part >> 8 * i);
      memcpy (whole + 8, header, part);
      memcpy (whole + 8 + part, at, rest);
      fuzz_write ("a.safetensors", whole, 8 + part + rest);
      free (whole);
    }
  else
    fuzz_write ("a.safetensors", data + 1, size - 1);
  fuzz_path ("a.safetensors", path, sizeof path);
  status = sl_weights_open (&tensors, path, NULL);
  if (sl_ok (&status))
    {
      check_tensors (tensors);
      check_network (tensors);
      sl_tensors_free (tensors);
      return 0;
    }
  fuzz_require (tensors == NULL);
  check_failure (&status);
  return 0;
}
