import { describe } from 'vitest';
import { LocalDispatcher } from '../../../../src/jobs/work/queue/local-dispatcher.js';
import { describeDispatcher } from './conformance.js';

describe('the local dispatcher', () => {
  describeDispatcher(async (slots) => ({
    dispatcher: new LocalDispatcher(slots),
    remove: () => Promise.resolve(),
  }));
});
