/** Stands in for the engine's process: tries what each task names, and answers how that ended: `done`, or the code of the error. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { Worker } from 'node:worker_threads';
import { standIn } from './stand-in.js';

const TRIALS = {
  read: (path) => readFileSync(path),
  write: (path) => writeFileSync(path, 'text'),
  // The process itself may try, or a thread of it.
  readInThread: (path) =>
    once(new Worker(`require('node:fs').readFileSync(${JSON.stringify(path)})`, { eval: true }), 'exit'),
  connect: (port) => once(connect(Number(port), '127.0.0.1'), 'connect'),
  connectToFile: (path) => once(connect(path), 'connect'),
  listen: () => once(createServer().listen(0, '127.0.0.1'), 'listening'),
  datagram: (port) =>
    new Promise((resolve, reject) => {
      createSocket('udp4')
        .on('error', reject)
        .send('text', Number(port), '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    }),
  run: (program) => {
    const { error } = spawnSync(program);
    if (error) throw error;
  },
  signal: (pid) => process.kill(Number(pid), 'SIGCONT') && undefined,
  signalItself: () => process.kill(process.pid, 'SIGCONT') && undefined,
  // The path of the addon, the number of the call, and its arguments. It answers the error alone.
  call: (text) => {
    const [addon, ...values] = JSON.parse(text);
    const result = createRequire(import.meta.url)(addon)(...values);
    return result < 0 ? getSystemErrorName(result) : 'done';
  },
  end: () => process.exit(1),
  environment: () => Object.keys(process.env).toSorted().join(),
};

standIn((_, request) => {
  const [trial, argument] = request.bodyPath.split(/ (.*)/s);
  return Promise.resolve()
    .then(() => TRIALS[trial](argument))
    .then(
      (result) => (typeof result === 'string' ? result : 'done'),
      (error) => error.code,
    );
});
