/* SPDX-License-Identifier: MIT
 *
 * Answers of a class: what can be read is written and read again the same, and taken into a class without
 * harm; what cannot be read has a sentence.  */
#include "tests/fuzz/input.h"

#include <string.h>

#include "core/run/answers/class.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SlClass) class = sl_class_new ();
  SlAnswers       *answers = sl_answers_parse ((const char *) data, size, "it", &error), *again;
  g_autofree char *once = NULL, *twice = NULL, *csv = NULL;
  unsigned         steps[SL_LESSON_STEPS + 1];

  if (answers == NULL)
    {
      fuzz_require (error != NULL && error->message[0] != '\0');
      fuzz_require (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  once = sl_answers_write (answers);
  again = sl_answers_parse (once, strlen (once), "again", &error);
  fuzz_require (again != NULL);
  twice = sl_answers_write (again);
  fuzz_require (strcmp (once, twice) == 0);
  fuzz_require (sl_class_take (class, answers, "it", NULL));
  fuzz_require (!sl_class_take (class, again, "it", NULL)); /* the same once more */
  sl_class_steps (class, steps);
  fuzz_require (steps[0] > 0);
  csv = sl_class_csv (class);
  fuzz_require (g_utf8_validate (csv, -1, NULL));
  return 0;
}
