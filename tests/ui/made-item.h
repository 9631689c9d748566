/* SPDX-License-Identifier: MIT
 *
 * Runs as the table has them that are stored nowhere.  */
#pragma once

#include "ui/runs/list/item.h"

/* A run of a lab under settings ("k=2 gate=noisy"), with an error, called "run 7" after its number. */
SlRunItem *made_item_on (const char *data, const char *id, const char *words, unsigned number,
                         double error);
SlRunItem *made_item (const char *id, const char *words, unsigned number,
                      double error); /* on no data */
