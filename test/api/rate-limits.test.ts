import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RateLimits } from '../../src/api/authenticate.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tell of the bucket that is empty for longer, where the key and its organisation have nothing left', async () => {
  const limits = new RateLimits({ create: 2, read: 2 });
  const asked = async (key: string) => (await limits.consume('credits', key, 'organisation')).headers.RateLimit;
  await asked('early');
  await vi.advanceTimersByTimeAsync(50_000);
  expect(await asked('key')).toBe('"credits";r=1;t=60');
  await vi.advanceTimersByTimeAsync(11_000);
  // The organisation has begun its second minute, and the key is in its first.
  for (let request = 0; request < 19; request += 1) {
    await asked(`${request}`);
  }
  expect(await asked('key')).toBe('"credits";r=0;t=60');
});

it.each([
  [1, 0, 'At most 1 request per minute with this link; try again in 60 seconds.'],
  [2, 59_200, 'At most 2 requests per minute with this link; try again in 1 second.'],
])('say how many are too many, one too: %d', async (read, afterMs, message) => {
  const limits = new RateLimits({ create: 1, read });
  for (let request = 0; request < read; request += 1) {
    expect((await limits.consume('credits', 'key')).refusal).toBeUndefined();
  }
  await vi.advanceTimersByTimeAsync(afterMs);
  expect((await limits.consume('credits', 'key')).refusal?.message).toBe(message);
});
