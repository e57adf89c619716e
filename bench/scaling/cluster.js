/** A cluster of qrpress in simulation: how many items a second, what waits where, and which part is full first. */

import { Simulation, Station } from './event-loop.js';

/**
 * What was measured, on one machine, per chunk or per operation; seconds and bytes. `bench/scaling.js` writes it.
 * @typedef {object} ServiceTimes
 * @property {number} chunkItems items of a chunk
 * @property {number} checkSeconds of one core, to receive and check the body of a million items
 * @property {number} bodyBytes of a million items
 * @property {number} chunkSeconds of one core of a worker, for a chunk from claim to count, drawing included
 * @property {number} spoolBytes that a worker reads for a chunk
 * @property {number} segmentBytes that it stores for a chunk
 * @property {number} databaseOperations statements for a chunk
 * @property {number} databaseSeconds of one core, for a statement
 * @property {number} commitSeconds that the row of a job stays locked while a chunk is counted
 * @property {number} redisOperations commands for a chunk
 * @property {number} redisSeconds of its one thread, for a command
 */

/**
 * What was not measured, but is what such machines have; said in the output.
 * @typedef {object} Hosts
 * @property {number} workers
 * @property {number} apis hosts that take requests
 * @property {number} cores of each host
 * @property {number} networkBytes a second of each host
 * @property {number} storeBytes a second of the object store, all hosts together
 * @property {number} storeSeconds until the store answers a request
 * @property {number} databaseCores
 * @property {number} jobs of a million items, posted at once
 */

const MILLION = 1_000_000;

/** Chunks that a worker holds beyond those its threads are drawing: they are being stored. */
const CHUNKS_BEING_STORED = 2;

/** Runs the jobs to their end. */
export function simulate(times, hosts) {
  const simulation = new Simulation();
  const stations = {
    api: new Station('checking', hosts.apis * hosts.cores),
    apiNetwork: new Station('network of the API hosts', hosts.apis),
    threads: new Station('drawing', hosts.workers * hosts.cores),
    workerNetwork: new Station('network of the workers', hosts.workers),
    store: new Station('store', 1),
    database: new Station('database', hosts.databaseCores),
    redis: new Station('Redis', 1),
  };
  const slots = new Station('slots', hosts.workers * (hosts.cores + CHUNKS_BEING_STORED));
  const rows = Array.from({ length: hosts.jobs }, (_, job) => new Station(`row of job ${job}`, 1));
  const chunksPerJob = Math.ceil(MILLION / times.chunkItems);
  let firstTaken = Number.POSITIVE_INFINITY;
  let lastCounted = 0;

  function* transfer(network, bytes) {
    yield* simulation.serve(stations[network], bytes / hosts.networkBytes);
    yield { seconds: hosts.storeSeconds };
    yield* simulation.serve(stations.store, bytes / hosts.storeBytes);
  }

  function* post(job) {
    yield* simulation.serve(stations.apiNetwork, times.bodyBytes / hosts.networkBytes);
    yield* simulation.serve(stations.api, times.checkSeconds);
    yield* transfer('apiNetwork', chunksPerJob * times.spoolBytes);
    for (let chunk = 0; chunk < chunksPerJob; chunk++) simulation.start(render(job));
  }

  function* render(job) {
    yield { station: slots };
    firstTaken = Math.min(firstTaken, simulation.now);
    // In one go each: that others come between would move moments, and make the run five times as long.
    yield* simulation.serve(stations.redis, times.redisSeconds, times.redisOperations);
    yield* simulation.serve(stations.database, times.databaseSeconds, times.databaseOperations);
    yield* transfer('workerNetwork', times.spoolBytes);
    yield* simulation.serve(stations.threads, times.chunkSeconds);
    yield* transfer('workerNetwork', times.segmentBytes);
    yield* simulation.serve(rows[job], times.commitSeconds);
    lastCounted = simulation.now;
    simulation.leave(slots);
  }

  for (let job = 0; job < hosts.jobs; job++) simulation.start(post(job));
  simulation.run();

  const seconds = lastCounted - firstTaken;
  const load = Object.values(stations).map(({ name, servers, busySeconds }) => ({
    name,
    share: busySeconds / servers / lastCounted,
  }));
  load.push({ name: "a job's row", share: Math.max(...rows.map(({ busySeconds }) => busySeconds)) / lastCounted });
  load.sort((one, other) => other.share - one.share);
  return {
    itemsPerSecond: (hosts.jobs * MILLION) / seconds,
    peakWaitingChunks: slots.peakWaiting,
    databaseOperationsPerMillion: stations.database.operations / hosts.jobs,
    redisOperationsPerMillion: stations.redis.operations / hosts.jobs,
    load,
  };
}
