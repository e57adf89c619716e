/** The service on the faulty disk: its engine gets an environment of its own, so the library is handed on here. */

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { LD_PRELOAD, FAULTY_DISK, FAULTY_DISK_CONTROL } = process.env;
const { spawn } = childProcess;
childProcess.spawn = (program, parameters, options) => {
  // The last library is the first to begin: it opens its control file before the engine is confined.
  const libraries = [options.env.LD_PRELOAD, LD_PRELOAD].filter(Boolean).join(' ');
  const env = { ...options.env, LD_PRELOAD: libraries, FAULTY_DISK, FAULTY_DISK_CONTROL };
  return spawn(program, parameters, { ...options, env });
};
syncBuiltinESMExports();
await import('../mortal-service.js');
