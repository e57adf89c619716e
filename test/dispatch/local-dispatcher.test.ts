import { describe } from 'vitest';
import { LocalDispatcher } from '../../src/dispatch/local-dispatcher.js';
import { describeDispatcher } from './conformance.js';

describe('the local dispatcher', () => {
  describeDispatcher(async (slots, handle) => ({
    dispatcher: new LocalDispatcher(slots, handle),
    remove: () => Promise.resolve(),
  }));
});
