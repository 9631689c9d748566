/* SPDX-License-Identifier: MIT
 *
 * The runs of a store that a command is about.  */
#pragma once

#include "app/cli/cli.h"
#include "core/run/store/store.h"

/* Those of one lab (its id; NULL: all) that pass a filter (core/run/query/query.h; NULL: all), of SlStoreRun.
 * NULL after a complaint, with its *code.  */
GPtrArray *sl_cli_list_runs (SlStore *store, const char *lab, const char *filter, SlExit *code);
