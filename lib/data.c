/* SPDX-License-Identifier: MIT
 *
 * Data: from a specification or from a program's arrays, and what they say of themselves.  */
#include <inttypes.h>
#include <string.h>

#include "core/data/make/arrays.h"
#include "core/data/routing/routing.h"
#include "core/data/source/source.h"
#include "core/labs/reports.h"
#include "core/run/base/json.h"
#include "core/run/record/data.h"
#include "lib/private.h"

static SluiceCode
give (const SlStatus *status, SlDataset *dataset, SluiceData **data)
{
  if (!sl_ok (status))
    return sl_lib_fail (status);
  *data = g_new (SluiceData, 1);
  (*data)->dataset = dataset;
  g_atomic_ref_count_init (&(*data)->references);
  return SLUICE_FINE;
}

SluiceCode
sluice_data_open (const char *specification, SluiceData **data)
{
  SlDataset *dataset;
  SlStatus   status;

  *data = NULL;
  SL_LIB_ENTER ();
  if (specification == NULL)
    return sl_lib_refuse (SLUICE_INVALID,
                          "data: no specification; \"moons\", or the path of a file");
  status = sl_open_data (specification, &dataset);
  return give (&status, dataset, data);
}

/* An array of the caller's as one of those that are read. */
static SlStatus
lend (const SluiceArray *from, SlArrays *arrays)
{
  static const struct
  {
    char        letter;
    SlArrayType type;
  } types[] = { { 'f', SL_ARRAY_REALS },
                { 'i', SL_ARRAY_INTEGERS },
                { 'u', SL_ARRAY_NATURALS },
                { 'b', SL_ARRAY_TRUTHS },
                { 'U', SL_ARRAY_TEXTS } };
  const char *name = from->name != NULL ? from->name : "";
  SlArray    *array;
  SlStatus    status = sl_arrays_add (arrays, name, strlen (name), &array);

  if (!sl_ok (&status))
    return status;
  array->type = SL_ARRAY_OTHER;
  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].letter == from->type)
      array->type = types[i].type;
  if (from->axes > SL_ARRAY_AXES)
    return sl_status_new (SL_EFORMAT, array->name, sl_message ("%u axes", from->axes),
                          sl_message ("at most %d", SL_ARRAY_AXES));
  if (from->axes > 0 && from->shape == NULL)
    return sl_status_new (SL_EINVAL, array->name, sl_message ("no shape"),
                          sl_message ("the lengths of %u axes", from->axes));
  array->size = from->size;
  array->axes = from->axes;
  if (from->axes > 0)
    memcpy (array->shape, from->shape, from->axes * sizeof *array->shape);
  return sl_array_lend (arrays, array, from->numbers, from->strides);
}

SluiceCode
sluice_data_arrays (const SluiceArray *arrays, unsigned n, const char *options, SluiceData **data)
{
  SlArrays   lent;
  SlDataset *dataset = NULL;
  SlStatus   status = SL_SUCCESS;

  *data = NULL;
  SL_LIB_ENTER ();
  sl_arrays_init (&lent, SL_SOURCE_ARRAYS);
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    status = lend (&arrays[i], &lent);
  if (sl_ok (&status))
    status = sl_dataset_of_arrays (&lent, options, &dataset);
  sl_arrays_clear (&lent);
  return give (&status, dataset, data);
}

/* ---- what they say ---- */

static void
add_examples (SlJsonWriter *w, const SlDataset *dataset)
{
  static const char *const names[SL_N_SPLITS] = { "train", "valid", "test" };

  sl_json_open (w, "examples", '{', SL_JSON_TIGHT);
  for (unsigned s = 0; s < SL_N_SPLITS; s++)
    sl_json_add_whole (w, names[s], dataset->n[s]);
  sl_json_close (w);
  sl_json_add_whole (w, "features", dataset->features);
  sl_json_add_truth (w, "standardised", dataset->standardised);
  if (dataset->width > 0)
    {
      sl_json_open (w, "image", '{', SL_JSON_TIGHT);
      sl_json_add_whole (w, "height", dataset->height);
      sl_json_add_whole (w, "width", dataset->width);
      sl_json_add_whole (w, "channels", dataset->channels);
      sl_json_close (w);
    }
  sl_json_open (w, "classes", '[', SL_JSON_TIGHT);
  for (unsigned c = 0; c < dataset->classes; c++)
    {
      g_autofree char *number = g_strdup_printf ("%u", c);

      sl_json_add_text (w, NULL, dataset->class_title != NULL ? dataset->class_title[c] : number);
    }
  sl_json_close (w);
}

static void
add_recording (SlJsonWriter *w, const SlRouting *routing)
{
  sl_json_add_whole (w, "layers", routing->n_layers);
  sl_json_add_whole (w, "experts", routing->experts);
  sl_json_add_whole (w, "k", routing->k);
  if (routing->kind == SL_ROUTING_COUNTS)
    sl_json_add_whole (w, "rows", routing->rows);
  else
    sl_json_add_whole (w, "tokens", routing->layer[0].tokens);
}

static void
add_message (SlJsonWriter *w, const char *key, SlMessage message)
{
  char text[2 * SL_MESSAGE_SIZE];

  sl_json_add_text (w, key, sl_message_show (message.packed, NULL, text, sizeof text));
}

static void
add_reading (SlJsonWriter *w, const SlFileReading *reading)
{
  sl_json_open (w, "reading", '{', SL_JSON_LINES);
  add_message (w, "said", reading->said);
  sl_json_open (w, "notes", '[', SL_JSON_TIGHT);
  for (unsigned i = 0; i < reading->n_notes; i++)
    add_message (w, NULL, reading->note[i]);
  sl_json_close (w);
  sl_json_open (w, "others", '[', SL_JSON_TIGHT);
  for (unsigned i = 0; i < reading->n_others; i++)
    {
      sl_json_open (w, NULL, '{', SL_JSON_TIGHT);
      sl_json_add_text (w, "option", reading->other[i].option);
      sl_json_add_text (w, "value", reading->other[i].value);
      add_message (w, "what", reading->other[i].what);
      sl_json_close (w);
    }
  sl_json_close (w);
  sl_json_close (w);
}

SluiceCode
sluice_data_about (const SluiceData *data, char **json)
{
  const SlDataset *dataset = data->dataset;
  char             hash[17];
  SlJsonWriter     w;

  *json = NULL;
  SL_LIB_ENTER ();
  g_snprintf (hash, sizeof hash, "%016" PRIx64, dataset->hash);
  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_text (&w, "id", dataset->id);
  add_message (&w, "title", sl_dataset_message (dataset));
  sl_json_add_text (&w, "kind", sl_data_title (sl_dataset_kind (dataset)));
  sl_json_add_text (&w, "hash", hash);
  if (dataset->routing != NULL)
    add_recording (&w, dataset->routing);
  else if (dataset->pictures == NULL)
    add_examples (&w, dataset);
  add_reading (&w, &dataset->reading);
  *json = sl_json_writer_end (&w, TRUE);
  return SLUICE_FINE;
}

SluiceCode
sluice_data_report (const SluiceData *data, const char *options, char **json)
{
  SlDataNeeds kind = sl_dataset_kind (data->dataset);

  *json = NULL;
  SL_LIB_ENTER ();
  for (const SlLabReport *const *report = sl_lab_reports; *report != NULL; report++)
    if ((*report)->kind == kind)
      {
        SlStatus status = (*report)->write (data->dataset, options, json);

        return sl_ok (&status) ? SLUICE_FINE : sl_lib_fail (&status);
      }
  return sl_lib_refuse (SLUICE_UNSUPPORTED,
                        "%s: found %s, of which there is no report; expected recorded routing",
                        data->dataset->title, sl_data_title (kind));
}

SluiceData *
sl_lib_data_ref (const SluiceData *data)
{
  SluiceData *kept = (SluiceData *) data;

  g_atomic_ref_count_inc (&kept->references);
  return kept;
}

void
sluice_data_free (SluiceData *data)
{
  if (data == NULL || !g_atomic_ref_count_dec (&data->references))
    return;
  sl_dataset_free (data->dataset);
  g_free (data);
}
