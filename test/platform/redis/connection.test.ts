import { expect, it } from 'vitest';
import { readRedisVersion } from '../../../src/platform/redis/connection.js';
import { describeWithRedis, REDIS_URL } from '../../support/redis.js';
import { ServerLine } from '../../support/server-line.js';

describeWithRedis('readRedisVersion', () => {
  it('tells the version of a server that answers, and why one does not', async () => {
    const line = await ServerLine.open(REDIS_URL);
    expect(await readRedisVersion(line.url)).toMatch(/^\d+\.\d+\.\d+/);
    await line.close();
    await expect(readRedisVersion(line.url)).rejects.toThrow('ECONNREFUSED');
  });
});
