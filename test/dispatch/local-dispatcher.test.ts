import { describe } from 'vitest';
import { LocalDispatcher } from '../../src/dispatch/local-dispatcher.ts';
import { describeDispatcher } from './conformance.ts';

describe('the local dispatcher', () => {
  describeDispatcher(async (slots, handle) => ({
    dispatcher: new LocalDispatcher(slots, handle),
    remove: () => Promise.resolve(),
  }));
});
