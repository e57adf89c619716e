/** Mails, as a kind of what the outbox sends. */

import { DeferredMailError, type Delivery } from './delivery.js';
import type { Mail, MailStore } from './mail-store.js';
import { type OutboxKind, pauseMs, RefusedError } from './outbox.js';

/** Delays after failed attempts. They span about three days: a mail survives a server that is down over a weekend. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 4 * 3_600_000, ...Array(12).fill(6 * 3_600_000)];

/** Connections to the mail server. */
const PLACES = 8;

const TIMEOUT_MS = 100_000;

/** A mail server that keeps failing is paused, so that mails that wait for it keep their attempts. */
export function mailKind(
  store: MailStore,
  delivery: Delivery,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): OutboxKind<Mail> {
  let failures = 0;
  // By a clock that nobody sets.
  let pausedUntil = 0;
  const isPaused = () => performance.now() < pausedUntil;
  return {
    name: 'mail',
    failureLevel: 'error',
    places: PLACES,
    timeoutMs: TIMEOUT_MS,
    retryDelaysMs,
    // The server may have taken a mail before it says so.
    isAborted: false,
    due: async () => (isPaused() ? [] : store.due()),
    claim: async (due, leaseMs) => (isPaused() ? undefined : store.claim(due, leaseMs)),
    send: async (mail, signal) => {
      try {
        await delivery.deliver(mail, signal);
        failures = 0;
        return 'delivered';
      } catch (error) {
        if (error instanceof RefusedError || error instanceof DeferredMailError) {
          // The server works: it answered about this mail.
          failures = 0;
        } else if (!isPaused()) {
          // Those in flight when the pause began fail for the same reason.
          failures += 1;
          pausedUntil = performance.now() + pauseMs(failures);
        }
        throw error;
      }
    },
    settle: (mail, attempt) => store.settle(mail, attempt),
    release: (mail) => store.release(mail),
    describe: ({ id }) => ({ mailId: id }),
    sweep: () => store.sweep(),
  };
}
