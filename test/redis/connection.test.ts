import { expect, it } from 'vitest';
import { askRedis } from '../../src/redis/connection.js';
import { describeWithRedis, REDIS_URL } from '../support/redis.js';
import { ServerLine } from '../support/server-line.js';

describeWithRedis('askRedis', () => {
  it('tells the version of a server that answers, and why one does not', async () => {
    const line = await ServerLine.open(REDIS_URL);
    expect(await askRedis(line.url)).toMatch(/^\d+\.\d+\.\d+/);
    await line.close();
    await expect(askRedis(line.url)).rejects.toThrow('ECONNREFUSED');
  });
});
