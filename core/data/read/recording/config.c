/* SPDX-License-Identifier: MIT
 *
 * The size of an expert by Hugging Face's config.json.  */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/recording/model.h"

enum { FILE_MOST = 1 << 20 };

/* A member of the document or of what it says of its language model, of several members the first. */
static const SlArray *
find (const SlArrays *arrays, const char *const *names)
{
  char inner[96];

  for (; *names != NULL; names++)
    {
      const SlArray *array = sl_arrays_find (arrays, *names);

      snprintf (inner, sizeof inner, "text_config.%s", *names);
      array = array != NULL ? array : sl_arrays_find (arrays, inner);
      if (array != NULL && array->n > 0)
        return array;
    }
  return NULL;
}

/* A whole number from 1 on, the first of a list; 0: there is none. */
static double
number_of (const SlArrays *arrays, const char *const *names)
{
  const SlArray *array = find (arrays, names);
  double         value = 0;
  SlStatus       status;

  if (array == NULL || !(sl_array_whole (array) || sl_array_real (array)))
    return 0;
  status = sl_array_reals (array, arrays->path, 0, 1, &value);
  return sl_ok (&status) && value >= 1 && value < 1e9 && value == floor (value) ? value : 0;
}

static const char *
text_of (const SlArrays *arrays, const char *const *names)
{
  const SlArray *array = find (arrays, names);
  uint32_t       code = SL_NO_TEXT;

  if (array != NULL && array->type == SL_ARRAY_TEXTS)
    memcpy (&code, array->bytes, sizeof code);
  return code != SL_NO_TEXT ? array->text[code] : "";
}

/* Bits of a weight: of its quantisation, else of its type. */
static double
bits_of (const SlArrays *arrays)
{
  static const struct
  {
    const char *name;
    double      bits;
  } types[]
    = { { "float32", 32 }, { "bfloat16", 16 }, { "float16", 16 }, { "float8", 8 }, { "int8", 8 } };
  double bits = number_of (
    arrays,
    (const char *const[]) { "quantization_config.bits",
                            "quantization_config.config_groups.group_0.weights.num_bits", NULL });
  const char *method
    = text_of (arrays, (const char *const[]) { "quantization_config.quant_method", NULL });
  const char *type = text_of (arrays, (const char *const[]) { "torch_dtype", "dtype", NULL });

  if (bits > 0)
    return bits;
  if (strcmp (method, "fp8") == 0)
    return 8;
  if (strcmp (method, "mxfp4") == 0)
    return 4;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp (type, types[i].name, strlen (types[i].name)) == 0)
      return types[i].bits;
  return 0;
}

static SlMessage
size_text (double bytes)
{
  if (bytes < 0x1p20)
    return sl_message ("%.3g KiB", bytes / 0x1p10);
  return bytes < 0x1p30 ? sl_message ("%.4g MiB", bytes / 0x1p20)
                        : sl_message ("%.4g GiB", bytes / 0x1p30);
}

static void
read_members (const SlArrays *arrays, double *bytes, SlMessage *said)
{
  double hidden = number_of (arrays, (const char *const[]) { "hidden_size", NULL });
  double width
    = number_of (arrays, (const char *const[]) { "moe_intermediate_size", "expert_ffn_hidden_size",
                                                 "intermediate_size", NULL });
  double    bits = bits_of (arrays);
  SlMessage size;

  if (!(hidden > 0 && width > 0 && bits > 0 && bits <= 64))
    return;
  *bytes = 3 * hidden * width * bits / 8;
  size = size_text (*bytes);
  *said = sl_message ("An expert has %s by config.json: 3 × %.0f × %.0f weights of %.0f bits",
                      size.packed, hidden, width, bits);
}

SlStatus
sl_config_expert (const char *path, double *bytes, SlMessage *said)
{
  struct stat about;
  SlArrays    arrays;
  SlStatus    status;

  *bytes = 0;
  *said = SL_NO_MESSAGE;
  if (stat (path, &about) == 0 && about.st_size > FILE_MOST)
    return sl_status_new (SL_EFORMAT, path, sl_message ("%lld bytes", (long long) about.st_size),
                          sl_message ("at most %d", FILE_MOST));
  sl_arrays_init (&arrays, path);
  status = sl_json_arrays_open (&arrays, path, 0);
  if (sl_ok (&status))
    read_members (&arrays, bytes, said);
  sl_arrays_clear (&arrays);
  return status;
}
