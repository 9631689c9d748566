/* SPDX-License-Identifier: MIT
 *
 * The files of a model: a part is config.json, the rest tokenizer.json, for a recording with ids of tokens.  The first
 * byte chooses whether the model is named or lies beside the recording.  */
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/recording.h"

static const char *const names[] = { "tokenizer.json", "config.json", "r.jsonl" };

static void
write_rows (char *path, size_t size)
{
  static const unsigned ids[] = { 0, 1, 2, 3, 4, 5, 255, 4194303, 4194304, 4294967294u };
  char                  text[1024];
  size_t                n = 0;

  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    n += (size_t) snprintf (text + n, sizeof text - n,
                            "{\"layer\":0,\"input_ids\":%u,\"experts\":[%zu,9]}\n", ids[i], i % 8);
  fuzz_write (names[2], (const uint8_t *) text, n);
  fuzz_path (names[2], path, size);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char             path[512], model[512];
  SlRoutingOptions options = { 0 };
  const uint8_t   *part;
  size_t           n;
  SlRouting       *routing;
  SlStatus         status;
  uint8_t          named;

  if (size == 0)
    return 0;
  named = *data++;
  size--;
  part = fuzz_part (&data, &size, &n);
  fuzz_write (names[1], part, n);
  fuzz_write (names[0], data, size);
  fuzz_path (names[0], model, sizeof model);
  write_rows (path, sizeof path);
  if (named % 2 == 1)
    options.model = model;
  status = sl_routing_open (path, &options, &routing);
  fuzz_require (named % 2 == 1 || sl_ok (&status)); /* what only lies there spoils nothing */
  if (routing != NULL)
    fuzz_require (routing->n_words > 0 && routing->expert_bytes >= 0);
  fuzz_routing (&status, routing);
  return 0;
}
