/** The service in the shapes that `http` measures: one process or several, on SQLite or MariaDB. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { createKey, startProcess } from '../../scripts/service-process.js';
import { UNLIMITED } from '../client.js';
import { cpuSecondsOf as processorSeconds, watchProcesses } from '../processes.js';
import { openServers } from '../scaling/servers.js';

const CREDITS = 1_000_000_000;

/**
 * Starts what is measured. `dataDir`: one that is there already, of one process on SQLite. `environment`: more variables.
 * @param {{ parent: string, database: 'sqlite' | 'mariadb', apis: number, workers: number, dataDir?: string,
 *   environment?: Record<string, string> }} shape
 *   without workers there is one process, which needs no Redis
 */
export async function startServices({ parent, database, apis, workers, dataDir, environment: more = {} }) {
  const servers = database === 'mariadb' || workers > 0 ? await openServers() : undefined;
  const folder = dataDir ?? mkdtempSync(join(parent, 'service-'));
  const processes = [];
  const start = async (role, settings) => {
    const own = join(folder, `${role}-${processes.length}`);
    mkdirSync(own, { recursive: true });
    const environment = { ...UNLIMITED, ...more, ...settings };
    processes.push(await startProcess({ dataDir: workers > 0 ? own : folder, role, environment }));
  };
  const started = performance.now();
  if (workers === 0) {
    await start('all', servers === undefined ? {} : { QRPRESS_DATABASE_URL: servers.environment.QRPRESS_DATABASE_URL });
  } else {
    const shared = {
      ...servers.environment,
      QRPRESS_STORAGE_URL: `file://${join(folder, 'storage')}`,
      QRPRESS_SECRETS: 'bench:only-for-this-benchmark-on-this-machine',
    };
    for (let api = 0; api < apis; api++) await start('api', shared);
    for (let worker = 0; worker < workers; worker++) await start('worker', { ...shared, QRPRESS_RENDER_THREADS: '1' });
  }
  const startSeconds = Math.round(performance.now() - started) / 1000;
  const urls = processes.map(({ url }) => url);
  const [{ env, url }] = processes;
  return {
    url,
    apis: workers === 0 ? urls : urls.slice(0, apis),
    all: urls,
    key: createKey(env, CREDITS),
    /** Until the processes said that they are ready, one after the other. */
    startSeconds,
    /** The key of one more organisation. */
    otherKey: () => createKey(env, CREDITS),
    /** Durable commits of one row in a second, one after the other; undefined without a server. */
    commitsPerSecond: async () => servers && Math.round(1 / (await servers.commitSeconds())),
    /**
     * Samples processor time and memory until `stop`; `cpuSecondsOf`: of the API's processes and the engine's, `rssBytes`: the
     * memory at the end of each tenth of the time.
     */
    watch() {
      const watches = processes.map(({ pid }) => watchProcesses(pid, 250));
      return {
        stop() {
          const seen = watches.map((watch) => watch.stop());
          const cpuSecondsOf = { api: 0, engine: 0 };
          for (const { role, cpuSeconds } of seen.flatMap((each) => each.processes)) cpuSecondsOf[role] += cpuSeconds;
          const cpuSeconds = cpuSecondsOf.api + cpuSecondsOf.engine;
          const peakRssBytes = seen.reduce((sum, { peakSum }) => sum + peakSum, 0);
          const samples = Math.min(...seen.map(({ sums }) => sums.length));
          const rssBytes = Array.from({ length: 10 }, (_, tenth) => {
            const sample = Math.ceil(((tenth + 1) * samples) / 10) - 1;
            return seen.reduce((sum, { sums }) => sum + sums[sample], 0);
          });
          return { cpuSeconds: Math.round(100 * cpuSeconds) / 100, cpuSecondsOf, peakRssBytes, rssBytes };
        },
      };
    },
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await servers?.close();
    },
  };
}

/** Starts the peer of polls. */
export async function startBareKoa() {
  const child = fork(new URL('bare-koa.js', import.meta.url));
  const [url] = await once(child, 'message');
  return { url, cpuSeconds: () => processorSeconds(child.pid), stop: () => child.kill() };
}
