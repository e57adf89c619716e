import { describe, expect, it } from 'vitest';
import { IntakeRoom } from '../../src/intake/intake-room.js';

describe('IntakeRoom', () => {
  it('lets 256 bodies in at once, 128 of one organisation, and the next when one is done', async () => {
    const room = new IntakeRoom(async () => undefined);
    const refusal = { code: 'unavailable', headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } };
    let leave = () => undefined as void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const enter = (organisation: string) => Array.from({ length: 128 }, () => room.enter(organisation, () => left));
    const inside = enter('first');
    await expect(room.enter('first', async () => 'in')).rejects.toMatchObject(refusal);
    expect(await room.enter('second', async () => 'in')).toBe('in');
    inside.push(...enter('second'));
    await expect(room.enter('third', async () => 'in')).rejects.toMatchObject(refusal);
    leave();
    await Promise.all(inside);
    expect(await room.enter('first', async () => 'in')).toBe('in');
    expect(await room.enter('third', async () => 'in')).toBe('in');
  });

  it('lets nobody in while the storage is full, and asks again each time', async () => {
    let full = true;
    const room = new IntakeRoom(async () => {
      if (full) {
        throw new Error('no space left');
      }
    });
    await expect(room.enter('one', async () => 'in')).rejects.toMatchObject({ code: 'unavailable' });
    full = false;
    expect(await room.enter('one', async () => 'in')).toBe('in');
  });

  it('makes room again when the work fails', async () => {
    const room = new IntakeRoom(async () => undefined);
    for (let body = 0; body < 300; body += 1) {
      await expect(room.enter('one', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
  });
});
