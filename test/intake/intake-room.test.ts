import { describe, expect, it } from 'vitest';
import { IntakeRoom } from '../../src/intake/intake-room.js';

describe('IntakeRoom', () => {
  it('lets 256 bodies in at once, and the next when one is done', async () => {
    const room = new IntakeRoom(async () => undefined);
    let leave = () => undefined as void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const inside = Array.from({ length: 256 }, () => room.enter(() => left));
    await expect(room.enter(async () => 'in')).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    });
    leave();
    await Promise.all(inside);
    expect(await room.enter(async () => 'in')).toBe('in');
  });

  it('lets nobody in while the storage is full, and asks again each time', async () => {
    let full = true;
    const room = new IntakeRoom(async () => {
      if (full) {
        throw new Error('no space left');
      }
    });
    await expect(room.enter(async () => 'in')).rejects.toMatchObject({ code: 'unavailable' });
    full = false;
    expect(await room.enter(async () => 'in')).toBe('in');
  });

  it('makes room again when the work fails', async () => {
    const room = new IntakeRoom(async () => undefined);
    for (let body = 0; body < 300; body += 1) {
      await expect(room.enter(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
  });
});
