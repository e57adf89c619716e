/**
 * Decides which chunk runs next across all processes: start-time fair queueing. Every waiting chunk has a tag. The
 * lowest tag starts first. The virtual time is the tag of the chunk started last.
 * The tags of a job's chunks are as far apart as its organisation has waiting jobs. So organisations get equal shares,
 * and so do the jobs of one organisation. A new job starts at the virtual time: it waits for at most one chunk of each
 * other job.
 */

import type { QueueFigures } from '../../../admission/queue-room.js';
import type { Redis } from '../../../platform/redis/connection.js';
import type { Step } from './dispatcher.js';

/** The highest priority that BullMQ sorts by. Chunks with higher tags run in order of arrival. */
const MAX_TAG = 2_097_151;

/** The tags start again from 1 when nothing waits or runs and the last tag was given longer ago than this. */
const IDLE_MS = 1_000;

/** The tags of an organisation expire when they have not changed for this long. */
const TAGS_TTL_SECONDS = 86_400;

/**
 * KEYS: clock, waiting, active. ARGV: prefix of organisations, organisation, job, prefix of chunks, now, ids of chunks.
 */
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
  redis.call('expire', organisation, ${TAGS_TTL_SECONDS})
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

/** Redis keys of the BullMQ queue that the tags belong to. */
interface QueueKeys {
  /** `prefix`: of all keys of the queue, and so of each chunk's key. */
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

  /** Returns tags for the steps of one job, each at least 1; undefined for a step that is already queued. */
  async give(steps: readonly Step[], idOf: (step: Step) => string): Promise<(number | undefined)[]> {
    const [{ organisationId, jobId }] = steps as [Step];
    const { prefix, waiting, active } = this.#keys;
    const keys = [this.#clock, waiting, active];
    const values = [`${this.#clock}:`, organisationId, jobId, prefix, Date.now(), ...steps.map(idOf)];
    const given = await this.#redis.eval(GIVE, keys.length, ...keys, ...values);
    return (given as number[]).map((tag) => (tag === 0 ? undefined : Math.min(tag, MAX_TAG)));
  }

  async count(organisationId: string): Promise<QueueFigures> {
    const values = [this.#clock, this.#keys.waiting, `${this.#clock}:`, organisationId];
    const [chunks, own, started] = (await this.#redis.eval(COUNT, 2, ...values)) as [number, number, number];
    return { chunks, own, started };
  }

  /** Advances the virtual time to the tag of a step that starts. */
  async start(tag: number): Promise<void> {
    await this.#redis.eval(START, 1, this.#clock, tag);
  }
}
