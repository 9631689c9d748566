/* SPDX-License-Identifier: MIT
 *
 * Prints the points of the help's part on recordings: title, tab, text.  */
#include <stdio.h>
#include <string.h>

#include "core/run/manual/topics.h"

int
main (void)
{
  for (const SlTopic *topic = sl_topics; topic->id != NULL; topic++)
    for (const SlTopicPart *part = topic->parts;
         strcmp (topic->id, "recordings") == 0 && part->text != NULL; part++)
      if (part->term != NULL)
        printf ("%s\t%s\n", part->term, part->text);
  return 0;
}
