/**
 * Whose chunk is next, among all processes: start-time fair queueing. Every waiting chunk has a tag, and the lowest is
 * started first; the tag of the chunk that was started last is the time. The chunks of a job are as far apart as its
 * organisation has jobs waiting, so that organisations get equal shares, and so do the jobs of one. A job that comes
 * begins at the time: it waits for no more than the chunk that each of the others has next.
 */

import type { Redis } from '../redis/connection.js';
import type { QueueFigures, Task } from './dispatcher.js';

/** The greatest priority that BullMQ orders by; beyond it the order is that of arrival. */
const GREATEST_TAG = 2_097_151;

/** The tags begin anew once nothing was waiting or under way for this long after the last one was given. */
const IDLE_MS = 1_000;

/** An organisation's tags are of no use when they have not changed for this long. */
const KEPT_SECONDS = 86_400;

/** KEYS: clock, waiting, under way. ARGV: prefix of organisations, organisation, job, prefix of chunks, now, positions. */
const GIVE = `
local generation, time, givenAt = unpack(redis.call('hmget', KEYS[1], 'generation', 'time', 'givenAt'))
generation, time, givenAt = tonumber(generation or '0'), tonumber(time or '0'), tonumber(givenAt or '0')
local now = tonumber(ARGV[5])
if time > 0 and now - givenAt > ${IDLE_MS}
  and redis.call('zcard', KEYS[2]) == 0 and redis.call('llen', KEYS[3]) == 0 then
  generation, time = generation + 1, 0
end
local organisation = ARGV[1] .. generation .. ':' .. ARGV[2]
redis.call('zremrangebyscore', organisation, '-inf', time)
local last = redis.call('zscore', organisation, ARGV[3])
local jobs = redis.call('zcard', organisation) + (last and 0 or 1)
local tag = tonumber(last or time)
local tags = {}
for index = 6, #ARGV do
  if redis.call('exists', ARGV[4] .. ARGV[index]) == 1 then
    tags[index - 5] = 0
  else
    tag = tag + jobs
    tags[index - 5] = tag
  end
end
if tag > time then
  redis.call('zadd', organisation, tag, ARGV[3])
  redis.call('expire', organisation, ${KEPT_SECONDS})
end
redis.call('hset', KEYS[1], 'generation', generation, 'time', time, 'givenAt', now)
return tags`;

/** KEYS: clock. ARGV: tag. */
const START = `
redis.call('hincrby', KEYS[1], 'started', 1)
if tonumber(redis.call('hget', KEYS[1], 'time') or '0') < tonumber(ARGV[1]) then
  redis.call('hset', KEYS[1], 'time', ARGV[1])
end`;

/** KEYS: clock, waiting. ARGV: prefix of organisations, organisation. */
const COUNT = `
local generation, time, started = unpack(redis.call('hmget', KEYS[1], 'generation', 'time', 'started'))
local organisation = ARGV[1] .. (generation or '0') .. ':' .. ARGV[2]
return {redis.call('zcard', KEYS[2]), redis.call('zcount', organisation, time or '0', '+inf'), tonumber(started or '0')}`;

/** The keys of the queue that the tags are for. */
export interface QueueKeys {
  /** Of all that it holds, and of its chunks. */
  prefix: string;
  waiting: string;
  active: string;
}

export class FairTags {
  readonly #redis: Redis;
  readonly #keys: QueueKeys;
  readonly #clock: string;

  constructor(redis: Redis, keys: QueueKeys) {
    this.#redis = redis;
    this.#keys = keys;
    this.#clock = `${keys.prefix}fair`;
  }

  /** Tags for tasks of one job, each from 1; undefined for those that the queue has already. */
  async give(tasks: readonly Task[], idOf: (task: Task) => string): Promise<(number | undefined)[]> {
    const [{ organisationId, jobId }] = tasks as [Task];
    const { prefix, waiting, active } = this.#keys;
    const keys = [this.#clock, waiting, active];
    const values = [`${this.#clock}:`, organisationId, jobId, prefix, Date.now(), ...tasks.map(idOf)];
    const given = await this.#redis.eval(GIVE, keys.length, ...keys, ...values);
    return (given as number[]).map((tag) => (tag === 0 ? undefined : Math.min(tag, GREATEST_TAG)));
  }

  /** An organisation's own are told as its jobs that wait, of which each has a chunk at least. */
  async count(organisationId: string): Promise<QueueFigures> {
    const values = [this.#clock, this.#keys.waiting, `${this.#clock}:`, organisationId];
    const [chunks, own, started] = (await this.#redis.eval(COUNT, 2, ...values)) as [number, number, number];
    return { chunks, own, started };
  }

  /** Moves the time on to a task that is started. */
  async start(tag: number): Promise<void> {
    await this.#redis.eval(START, 1, this.#clock, tag);
  }
}
