/** The service on the faulty disk: its engine gets an empty environment, so the library is handed on here. */

import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { LD_PRELOAD, FAULTY_DISK, FAULTY_DISK_CONTROL } = process.env;
const { fork } = childProcess;
childProcess.fork = (program, parameters, options) =>
  fork(program, parameters, { ...options, env: { ...options.env, LD_PRELOAD, FAULTY_DISK, FAULTY_DISK_CONTROL } });
syncBuiltinESMExports();
await import('../mortal-service.js');
