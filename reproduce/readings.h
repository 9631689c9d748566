/* SPDX-License-Identifier: MIT
 *
 * What the cells of a row take from its run, as formulas (core/run/lesson/formula.h) over
 *   score.ID, valid.ID                  a score of the test or validation examples
 *   outcome.error, outcome.executed     the lab's error, and % of dense multiplications
 *   last.CHANNEL, least.CHANNEL         of what it published
 *   end.CHANNEL                         the mean of the last tenth
 *   seconds, epochs                     its length
 * A figure that a run does not have leaves its cell empty, or is what its column has for `missing`.  */
#pragma once

#include "core/run/sweep/job.h"
#include "reproduce/reproduce.h"

/* Fills the cells of the row of this run, and of rows that are read `from` it; keeps its curves and picture. */
void sl_readings_take (SlReproduction *r, const SlSweepResult *result);

/* Whether the formulas of a table can be read; else the first thing that is wrong. */
bool sl_readings_check (const SlPaperTable *table, GError **error);
