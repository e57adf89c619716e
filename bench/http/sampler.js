/**
 * Runs in the service's processes, loaded before their own code: samples the stacks of all threads while the file `on` lies
 * beside this one, and then writes a profile of each.
 */

import childProcess from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const INTERVAL_US = 1_000;
const LOOK_EVERY_MS = 100;

const isEngine = process.argv[1]?.endsWith('engine-process.js');
const isService = process.argv.includes('serve');
if (isMainThread && (isEngine || isService)) sample(isEngine ? 'engine' : 'api');
if (isMainThread && isService) sampleEngine();

/** The engine's process gets no environment of ours, but options of Node.js, and its confinement leaves it `FOLDER`. */
function sampleEngine() {
  const { spawn } = childProcess;
  childProcess.spawn = (program, argv, options) => {
    if (!argv.some((word) => word.endsWith('engine-process.js'))) return spawn(program, argv, options);
    const paths = options.env.QRPRESS_ENGINE_PATHS;
    const env = { ...options.env, ...(paths && { QRPRESS_ENGINE_PATHS: `${paths}\nw${FOLDER}` }) };
    return spawn(program, ['--import', import.meta.url, ...argv], { ...options, env });
  };
  syncBuiltinESMExports();
}

function sample(role) {
  const session = new Session();
  session.connect();
  const threads = [
    { name: 'main', ask: (method, answer) => session.post(method, {}, (_, result) => answer?.(result)) },
  ];
  addWorkers(session, threads);
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  let isOn = false;
  setInterval(() => {
    if (existsSync(`${FOLDER}on`) === isOn) return;
    isOn = !isOn;
    for (const { name, ask } of threads) {
      const path = `${FOLDER}${role}-${process.pid}-${name}.cpuprofile`;
      if (isOn) ask('Profiler.start');
      else ask('Profiler.stop', ({ profile }) => writeFileSync(path, JSON.stringify(profile)));
    }
  }, LOOK_EVERY_MS).unref();
}

/** The inspector reaches threads by messages; a thread answers when it has a task. */
function addWorkers(session, threads) {
  const answers = new Map();
  let lastId = 0;
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    const ask = (method, answer, params = {}) => {
      lastId += 1;
      answers.set(lastId, answer);
      const message = JSON.stringify({ id: lastId, method, params });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    };
    ask('Profiler.enable');
    ask('Profiler.setSamplingInterval', undefined, { interval: INTERVAL_US });
    threads.push({ name: `thread-${workerInfo.workerId}`, ask });
  });
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    const { id, result } = JSON.parse(message);
    answers.get(id)?.(result);
    answers.delete(id);
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}
