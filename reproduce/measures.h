/* SPDX-License-Identifier: MIT
 *
 * What is not a list of runs, under the names that the files of the tables have for it.  */
#pragma once

#include "reproduce/reproduce.h"

/* Fills the cells.  Complains. */
typedef SlExit (*SlMeasure) (SlReproduction *r);

/* The measure of a name: "capacity", "blocks" and "units" (speeds of gated recurrence), "turns"; NULL: none. */
SlMeasure sl_measure_find (const char *name);

/* Limits of capacity, by the layer rule: rows are numbers of layers. */
SlExit sl_measure_capacity (SlReproduction *r);

/* Tables 4.2 (blocks, then mixed gates) and 4.4 of Davis 2016: rows are s, columns numbers of gates. */
SlExit sl_measure_blocks (SlReproduction *r);
SlExit sl_measure_units (SlReproduction *r);

/* One run after another with all threads, which goes on with `then` of its row where the form says `at`; from a common
 * run of the row `trunk`, if the form has one.  */
SlExit sl_measure_turns (SlReproduction *r);
