/** Requests that admission control accepts or refuses, and the answers of the refused. */

import { describe, expect, it } from 'vitest';
import { AdmissionControl } from '../../src/admission/admission-control.js';
import { SCARCE, tryAgain } from '../../src/admission/table.js';

const GIGABYTE = 1_000_000_000;

function admission({
  memoryBytes = 64 * GIGABYTE,
  disk = GIGABYTE,
  check = async (): Promise<void> => undefined,
} = {}) {
  return new AdmissionControl({
    machine: { memoryBytes, freeDiskBytes: async () => disk },
    checkStorage: check,
    queueFigures: async () => undefined,
  });
}

const seconds = { 'Retry-After': expect.stringMatching(/^\d+$/) };

function takeAll(control: AdmissionControl, organisationId: string): (() => void)[] {
  const taken: (() => void)[] = [];
  try {
    for (;;) taken.push(control.take('job', { organisationId }));
  } catch (error) {
    expect(error).toMatchObject({ headers: seconds });
  }
  return taken;
}

describe('AdmissionControl', () => {
  it('lets work go on that needs no store while the store hangs', async () => {
    const control = admission({ check: () => new Promise(() => undefined) });
    const waiting = control.admit('job', { organisationId: 'other' }, async () => 'stored', { diskBytes: 1 });
    const holder = { organisationId: 'first' };
    expect(await control.admit('job', holder, async () => 'small', { diskBytes: 1, usesStorage: false })).toBe('small');
    expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
  });

  it('gives one organisation half of all places, the next half of the rest, and always leaves some', {
    tags: ['errors/server'],
  }, () => {
    const control = admission();
    const { places } = SCARCE.job;
    const first = takeAll(control, 'first');
    expect(first).toHaveLength(places / 2);
    expect(() => control.take('job', { organisationId: 'first' })).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: seconds }),
    );
    expect(takeAll(control, 'second')).toHaveLength(places / 4);
    expect(takeAll(control, 'third')).toHaveLength(places / 8);
    for (const leave of first) leave();
    expect(takeAll(control, 'fourth').length).toBeGreaterThan(places / 4);
  });

  it('counts a place once, however often it is given back', () => {
    const control = admission();
    const leave = control.take('job', { organisationId: 'one' });
    leave();
    leave();
    expect(control.figures.find(({ work }) => work === 'job')).toMatchObject({ taken: 0 });
  });

  it('refuses everybody when nothing is free', () => {
    const control = admission();
    for (let place = 0; place < SCARCE.export.places; place += 1) {
      control.take('export', { personId: `person ${place}` });
    }
    expect(() => control.take('export', { personId: 'another' })).toThrow(
      expect.objectContaining({ code: 'unavailable', headers: seconds }),
    );
  });

  it('ends what is slow for who has no place, where nothing is free, and for nobody who has a share', () => {
    const control = admission();
    let ended = 0;
    control.transfers.job.add({ isSlow: false, recentBytes: 0, giveWay: () => expect.unreachable('it is fast') });
    control.transfers.job.add({
      isSlow: true,
      recentBytes: 2,
      giveWay: () => expect.unreachable('it is not the slowest'),
    });
    control.transfers.job.add({
      isSlow: true,
      recentBytes: 1,
      giveWay: () => {
        ended += 1;
      },
    });
    for (let taken = 0; taken < SCARCE.job.places; taken += 1) {
      control.take('job', { organisationId: `${taken}` });
    }
    expect(() => control.take('job', { organisationId: '7' })).toThrow(
      expect.objectContaining({ code: 'rate_limited', headers: seconds }),
    );
    expect(ended).toBe(0);
    control.take('job', { organisationId: 'late' });
    expect(ended).toBe(1);
  });

  it('ends nothing slow for a body that has no room on the disk', async () => {
    const control = admission({ disk: 100 * GIGABYTE });
    control.transfers.job.add({ isSlow: true, recentBytes: 1, giveWay: () => expect.unreachable('no room was made') });
    let leave = () => undefined as void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const large = { diskBytes: 1_500_000_000 };
    const inside = control.admit('job', { organisationId: 'large' }, () => left, large);
    for (let taken = 1; taken < SCARCE.job.places; taken += 1) {
      control.take('job', { organisationId: `${taken}` });
    }
    await expect(control.admit('job', { organisationId: 'large' }, () => left, large)).rejects.toMatchObject({
      code: 'rate_limited',
      headers: seconds,
    });
    const tooLarge = { diskBytes: 200 * GIGABYTE };
    await expect(control.admit('job', { organisationId: 'late' }, () => left, tooLarge)).rejects.toMatchObject({
      code: 'unavailable',
    });
    leave();
    await inside;
  });

  it('refuses everybody where nothing is free or slow', () => {
    const control = admission();
    for (let taken = 0; taken < SCARCE.job.places; taken += 1) {
      control.take('job', { organisationId: `${taken}` });
    }
    expect(() => control.take('job', { organisationId: 'late' })).toThrow(
      expect.objectContaining({ code: 'unavailable', headers: seconds }),
    );
  });

  it('asks for every name: founding organisations gives nobody more places', () => {
    const control = admission();
    const most = SCARCE.preview.placesOfOne;
    for (let place = 0; place < most; place += 1) {
      control.take('preview', { personId: 'ada', organisationId: `founded ${place}` });
    }
    expect(() => control.take('preview', { personId: 'ada', organisationId: 'another' })).toThrow(
      expect.objectContaining({ code: 'rate_limited' }),
    );
  });

  it('has fewer places where there is less memory', () => {
    const control = admission({ memoryBytes: GIGABYTE / 2 });
    expect(control.figures.find(({ work }) => work === 'job')?.places).toBeLessThan(SCARCE.job.places);
  });

  it('lets no body in that the disk has no room for, beside those that are let in', async () => {
    const control = admission({ disk: 250 });
    const needs = { diskBytes: 100 };
    let leave = () => undefined as void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const inside = [1, 2].map((each) => control.admit('job', { organisationId: `${each}` }, () => left, needs));
    await expect(control.admit('job', { organisationId: '3' }, async () => 'in', needs)).rejects.toMatchObject({
      code: 'unavailable',
      headers: seconds,
    });
    leave();
    await Promise.all(inside);
    expect(await control.admit('job', { organisationId: '3' }, async () => 'in', needs)).toBe('in');
  });

  it('gives one holder half of the disk, of whatever length its bodies say to be, and leaves some to others', async () => {
    const control = admission({ disk: 1_000 });
    let leave = () => undefined as void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const enter = (organisationId: string, personId: string) =>
      control.admit('job', { organisationId, personId }, () => left, { diskBytes: 100 });
    const inside: Promise<void>[] = [];
    for (let body = 0; body < 5; body += 1) inside.push(enter(`founded ${body}`, 'ada'));
    await expect(enter('another', 'ada')).rejects.toMatchObject({ code: 'rate_limited', headers: seconds });
    inside.push(enter('grace', 'grace'));
    leave();
    await Promise.all(inside);
    await enter('another', 'ada');
  });

  it('lets the bodies of one holder need 2 GB of the disk at once, also where they grow', async () => {
    const control = admission({ disk: 100 * GIGABYTE });
    let leave = () => undefined as void;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const grow = async (organisationId: string, bytes: number) =>
      control.admit(
        'job',
        { organisationId },
        async (disk) => {
          disk.growTo(bytes);
          await left;
        },
        { diskBytes: 1 },
      );
    const inside = Array.from({ length: 9 }, () => grow('one', 200_000_000));
    await expect(grow('one', 300_000_000)).rejects.toMatchObject({ code: 'rate_limited', headers: seconds });
    inside.push(grow('one', 100_000_000), grow('another', 300_000_000));
    leave();
    await Promise.all(inside);
    await grow('one', 1_900_000_000);
  });

  it('lets nobody in while the storage is full, and asks again each time', { tags: ['errors/server'] }, async () => {
    let full = true;
    const check = async () => {
      if (full) throw new Error('no space left');
    };
    const control = admission({ check });
    const enter = () => control.admit('job', { organisationId: 'one' }, async () => 'in', { diskBytes: 1 });
    await expect(enter()).rejects.toMatchObject({ code: 'unavailable' });
    full = false;
    expect(await enter()).toBe('in');
  });

  it('makes room again when the work fails', async () => {
    const control = admission();
    for (let body = 0; body < 300; body += 1) {
      const broken = () => Promise.reject(new Error('broken'));
      await expect(control.admit('job', { organisationId: 'one' }, broken)).rejects.toThrow('broken');
    }
  });
});

it('counts the seconds until the next try, one too', () => {
  const said = (after: number) => tryAgain('unavailable', 'Too much', after).message;
  expect([said(1), said(2)]).toEqual(['Too much; try again in 1 second.', 'Too much; try again in 2 seconds.']);
});
