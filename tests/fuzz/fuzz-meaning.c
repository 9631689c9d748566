/* SPDX-License-Identifier: MIT
 *
 * Arrays as no container has to make them: names of the rules and others, all types, shapes and numbers, rows or not,
 * with pieces.  What is made of them is a recording or a failure; the axes of each array are as many as it has.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/meaning/meaning.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

enum { ARRAYS = 6, NUMBERS = 1 << 14 };

/* The input, byte by byte; zeros at its end. */
typedef struct
{
  const uint8_t *data;
  size_t         size;
} Input;

static unsigned
take (Input *input)
{
  if (input->size == 0)
    return 0;
  input->size--;
  return *input->data++;
}

/* A name of a rule, with numbers where it has them, or another one. */
static void
choose_name (Input *input, char *name, size_t size)
{
  static const char *const others[] = { "",   "gate",  "x",
                                        "Id", "top_k", "meta_info.routed_experts",
                                        "12", "step",  "choices.routed_experts",
                                        "",   "",      "moe/layer_#_expert_#_load",
                                        "",   "",      "layer_#/expert_#",
                                        "",   "",      "experts/#" };
  unsigned                 rule = take (input), rules = 0;
  size_t                   n = 0;
  const char              *pattern;

  while (sl_rules[rules].name != NULL)
    rules++;
  pattern = rule < rules ? sl_rules[rule].name : others[rule % (sizeof others / sizeof *others)];
  for (const char *c = pattern; *c != '\0' && n + 8 < size; c++)
    if (*c == '#')
      n += (size_t) snprintf (name + n, size - n, "%u", take (input) % 12);
    else if (*c != '^')
      name[n++] = *c == '*' ? 'x' : *c;
  name[n] = '\0';
}

static void
put_texts (Input *input, SlArray *array)
{
  static const char *const texts[] = {
    "decode", "1 2 3", "[0, 5]", "AQAAAAIAAAADAAAABAAAAA==", "AAECAwQFBgcICQoL", "7", "", "decoder"
  };
  unsigned n = 1 + take (input) % 8;

  array->text = calloc (n, sizeof *array->text);
  fuzz_require (array->text != NULL);
  for (array->n_texts = 0; array->n_texts < n; array->n_texts++)
    {
      array->text[array->n_texts] = strdup (texts[(array->n_texts + n) % 8]);
      fuzz_require (array->text[array->n_texts] != NULL);
    }
  for (uint64_t i = 0; i < array->n; i++)
    {
      unsigned byte = take (input);
      uint32_t code = byte == 255 ? SL_NO_TEXT : byte % n;

      memcpy (array->bytes + 4 * i, &code, sizeof code);
    }
}

/* A number in the way that its array has it. */
static void
put_number (SlArray *array, uint64_t i, double value)
{
  uint8_t *to = array->bytes + i * array->size;
  uint64_t bits = (uint64_t) (int64_t) value;
  float    single = (float) value;
  uint32_t half;

  if (array->type == SL_ARRAY_REALS && array->size == 8)
    memcpy (&bits, &value, sizeof bits);
  else if (array->type == SL_ARRAY_REALS || array->type == SL_ARRAY_BRAIN)
    {
      memcpy (&half, &single, sizeof half);
      bits = array->size == 2 ? half >> 16 : half;
    }
  else if (array->type == SL_ARRAY_TRUTHS)
    bits = value != 0;
  for (unsigned b = 0; b < array->size; b++)
    to[array->big ? array->size - 1 - b : b] = (uint8_t) (bits >> 8 * b);
}

/* Numbers that rise, that differ in each row, that are like routing or like loads, or anything. */
static void
put_numbers (Input *input, SlArray *array)
{
  unsigned way = take (input), top = 1 + take (input) % 64, step = 1 + take (input) % 7;
  uint64_t width = array->axes > 0 ? array->shape[array->axes - 1] : 1;

  for (uint64_t i = 0; i < array->n; i++)
    {
      double value = way % 8 == 0   ? (double) (i % top)
                     : way % 8 == 1 ? (double) (i / width % top)
                     : way % 8 == 2 ? (double) ((i / width * step + i % width) % top)
                     : way % 8 == 3 ? (double) (i / step % top)
                     : way % 8 == 4 ? take (input) / 16.0 - 4
                     : way % 8 == 5 ? take (input)
                     : way % 8 == 6 ? take (input) * 300.0 - 2
                                    : (double) top;

      put_number (array, i, value);
    }
  /* A few bytes of the input's own: not-a-number, the largest, what is below 0. */
  for (unsigned n = take (input) % 4, b; n > 0 && array->n > 0; n--)
    {
      uint64_t at = take (input) % array->n * array->size;

      for (b = 0; b < array->size; b++)
        array->bytes[at + b]
          = array->type == SL_ARRAY_TRUTHS ? take (input) % 2 : (uint8_t) take (input);
    }
}

/* Which records the first axis belongs to, as JSON says it. */
static void
put_pieces (Input *input, SlArray *array, uint64_t rows)
{
  size_t   n = array->axes > 1 && take (input) % 2 == 0 ? rows : array->shape[0];
  uint64_t left = array->shape[0];

  array->piece = calloc (n + 1, sizeof *array->piece);
  array->record = calloc (n + 1, sizeof *array->record);
  fuzz_require (array->piece != NULL && array->record != NULL);
  array->pieces = n;
  for (size_t i = 0; i < n; i++)
    {
      uint64_t some = n == array->shape[0] ? 1 : i + 1 == n ? left : take (input) % (left + 1);

      array->piece[i] = (uint32_t) some;
      left -= some;
      array->record[i] = n == rows ? (uint32_t) i : (uint32_t) (i * rows / n);
    }
  if (n == 0)
    array->shape[0] = 0;
}

static void
add_array (Input *input, SlArrays *arrays)
{
  static const struct
  {
    SlArrayType type;
    unsigned    size;
  } types[] = { { SL_ARRAY_NATURALS, 1 }, { SL_ARRAY_INTEGERS, 2 }, { SL_ARRAY_INTEGERS, 8 },
                { SL_ARRAY_REALS, 4 },    { SL_ARRAY_REALS, 8 },    { SL_ARRAY_REALS, 2 },
                { SL_ARRAY_BRAIN, 2 },    { SL_ARRAY_TRUTHS, 1 },   { SL_ARRAY_TEXTS, 4 },
                { SL_ARRAY_OTHER, 1 },    { SL_ARRAY_OBJECTS, 1 },  { SL_ARRAY_NATURALS, 2 },
                { SL_ARRAY_NATURALS, 8 }, { SL_ARRAY_INTEGERS, 4 } };
  static const unsigned lengths[] = { 1, 2, 3, 8, 4, 16, 0, 70, 5, 6, 128, 7, 2, 3, 12, 600 };

  unsigned kind = take (input) % 14, axes = take (input);
  char     name[SL_ARRAY_NAME];
  uint64_t n = 1, bytes;
  SlArray *array;
  SlStatus status;

  choose_name (input, name, sizeof name);
  status = sl_arrays_add (arrays, name, strlen (name), &array);
  fuzz_require (sl_ok (&status));
  array->type = types[kind].type;
  array->size = types[kind].size;
  array->big = axes >= 128 && array->type != SL_ARRAY_TEXTS;
  array->axes = arrays->columns ? 1 + axes % 16 / 8 + axes % 16 / 12 : axes % 5;
  for (unsigned a = 0; a < array->axes; a++)
    {
      array->shape[a]
        = a == 0 && arrays->columns && axes % 64 < 48 ? arrays->rows : lengths[take (input) % 16];
      if (n * array->shape[a] > NUMBERS)
        array->shape[a] = 1;
      n *= array->shape[a];
    }
  if (arrays->columns && axes % 64 >= 48)
    put_pieces (input, array, arrays->rows);
  fuzz_require (sl_array_extent (array, &bytes));
  if (array->type == SL_ARRAY_OTHER || array->type == SL_ARRAY_OBJECTS)
    return;
  status = sl_array_reserve (arrays, array);
  fuzz_require (sl_ok (&status));
  if (array->type == SL_ARRAY_TEXTS)
    put_texts (input, array);
  else
    put_numbers (input, array);
}

/* Each array whose role has axes gets as many, of the letters there are. */
static void
settle_each (SlArrays *arrays, const SlSaid *said)
{
  SlMeaning     meaning;
  SlFileReading reading = { .n_notes = 0 };
  SlStatus      status = sl_meaning_init (&meaning, arrays);

  for (unsigned i = 0; sl_ok (&status) && i < arrays->n; i++)
    {
      SlMeant *meant = &meaning.of[i];
      uint64_t n = 1;
      SlStatus settled;

      if (meant->role < SL_ROLE_IDS || meant->role > SL_ROLE_ANY)
        continue;
      settled = sl_meaning_settle (&meaning, meant, said, &reading);
      if (!sl_ok (&settled))
        continue;
      fuzz_require (meant->role >= SL_ROLE_IDS && meant->role < SL_ROLE_ANY);
      fuzz_require (strlen (meant->axes) == meant->array->axes);
      fuzz_require (strspn (meant->axes, "lbtknr") == meant->array->axes);
      for (const char *letter = "lbtknr"; *letter != '\0'; letter++)
        n *= sl_meant_length (meant, *letter);
      fuzz_require (n == meant->array->n);
    }
  sl_meaning_note_rest (&meaning, &reading);
  fuzz_require (reading.n_notes <= SL_READING_NOTES && reading.n_others <= SL_READING_OTHERS);
  sl_meaning_clear (&meaning);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Input            input = { data, size };
  SlRoutingOptions options = fuzz_options ((uint8_t) take (&input));
  unsigned         form = take (&input), n = 1 + form / 8 % ARRAYS;
  SlSaid           said = { .as = SL_ROLE_NONE, .k = options.k };
  SlArrays         arrays;
  SlRouting       *routing;
  SlStatus         status;

  sl_arrays_init (&arrays, "made");
  arrays.columns = form & 1;
  arrays.headed = form & 2;
  arrays.rows = 1 + take (&input) % 40;
  for (unsigned i = 0; i < n; i++)
    add_array (&input, &arrays);
  memcpy (said.axes, options.axes, sizeof options.axes);
  settle_each (&arrays, &said);
  status = sl_routing_of_arrays (&arrays, &options, &routing);
  fuzz_routing (&status, routing);
  return 0;
}
