/** The S3 store: what every store does, and what networks and services make special. */

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { S3Store } from '../../src/storage/s3-store.ts';
import { describeWithObjectStore, ObjectStore } from '../support/object-store.ts';
import { conformance } from './conformance.ts';

describeWithObjectStore('the S3 store', () => {
  let service: ObjectStore;
  beforeAll(async () => {
    service = await ObjectStore.start();
  });
  beforeEach(() => service.line.reset());
  afterAll(() => service.stop());

  conformance(async () => {
    const location = await service.createBucket();
    return {
      store: new S3Store({ ...location, prefix: 'some/where' }),
      idle: () => service.line.quiet(),
      traces: async () => {
        const answer = await service.ask('GET', `/${location.bucket}?list-type=2`);
        return [...answer.matchAll(/<Key>some\/where\/([^<]+)<\/Key>/g)].map(([, key]) => key!);
      },
      remove: async () => undefined,
    };
  });
});
