#!/usr/bin/env node
/** The command line: serve, render, submit, admin, migrate, doctor. */

import { run } from './composition/program.js';

await run(process.argv.slice(2));
