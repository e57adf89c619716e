/** Webhook calls, as a kind of what the outbox sends; and test calls, which no outbox holds. */

import { newRowId } from '../database/row-id.js';
import type { AddressGuard } from './address-guard.js';
import { type Answer, CALL_TIMEOUT_MS, callWebhook } from './call-webhook.js';
import type { ClaimedDelivery, DeliveryStore } from './delivery-store.js';
import { type OutboxKind, within } from './outbox.js';
import { signedHeaders } from './signature.js';

/** Delays after failed attempts: a receiver that is down for most of a day misses nothing. */
const RETRY_DELAYS_MS = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000, 50_400_000];

/** Concurrent calls, each to a different webhook. */
const PLACES = 50;

export function webhookKind(
  store: DeliveryStore,
  guard: AddressGuard,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): OutboxKind<ClaimedDelivery> {
  return {
    name: 'webhooks',
    failureLevel: 'info',
    places: PLACES,
    timeoutMs: CALL_TIMEOUT_MS,
    retryDelaysMs,
    isAborted: true,
    due: () => store.due(),
    claim: (due, leaseMs) => store.claim(due, leaseMs),
    send: async (delivery, signal) => {
      const answer = await call(delivery, guard, signal);
      const { status } = answer;
      delivery.answer = answer;
      if (!isSuccess(status)) {
        throw new Error(textOf(status));
      }
      return textOf(status);
    },
    settle: (delivery, attempt) => store.settle(delivery, attempt),
    release: (delivery) => store.release(delivery),
    describe: ({ id, webhookId }) => ({ deliveryId: id, webhookId }),
    sweep: () => store.sweep(),
  };
}

/** Outcome of a test call: the status of the response, or the reason for which there is none. */
export type TestOutcome = { status: number; seconds: number } | { error: string };

/** Calls a webhook once with the event `test`, and records the call in the log of deliveries. */
export async function testWebhook(
  store: DeliveryStore,
  guard: AddressGuard,
  { id: webhookId, url, secrets }: { id: string; url: string; secrets: readonly string[] },
): Promise<TestOutcome & { isDelivered: boolean }> {
  const startedAt = Date.now();
  const delivery = {
    id: newRowId(),
    url,
    secrets,
    body: JSON.stringify({ type: 'test', timestamp: new Date(startedAt).toISOString(), data: {} }),
  };
  let answer: string | null = null;
  const outcome = await within(CALL_TIMEOUT_MS, (signal) => call(delivery, guard, signal)).then(
    ({ status, text }) => {
      answer = text;
      return { status, seconds: (Date.now() - startedAt) / 1_000 };
    },
    (error: unknown) => ({ error: (error as Error).message }),
  );
  const isDelivered = 'status' in outcome && isSuccess(outcome.status);
  const text = 'status' in outcome ? textOf(outcome.status) : outcome.error;
  await store.recordTest(webhookId, delivery, { isDelivered, text, answer });
  return { ...outcome, isDelivered };
}

/** Makes a signed call. @throws Error that tells people why there is none */
async function call(
  { id, url, body, secrets }: Pick<ClaimedDelivery, 'id' | 'url' | 'body'> & { secrets: readonly string[] },
  guard: AddressGuard,
  signal: AbortSignal,
): Promise<Answer> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = signedHeaders({ id: `msg_${id}`, timestamp, body }, secrets);
  try {
    return await callWebhook({ url, headers, body }, guard, signal);
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function textOf(status: number): string {
  return `HTTP ${status}`;
}

/** Sentences for people about what the network says most. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection broke.',
  ENOTFOUND: 'No server has this name.',
  ENODATA: 'No server has this name.',
  ESERVFAIL: 'The name server did not answer.',
  ETIMEOUT: 'The name server did not answer.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
};

/** An error of a connection to several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as Error & { code?: string; errors?: (Error & { code?: string })[] };
  return REASONS[code ?? errors?.[0]?.code ?? ''] ?? (message || errors?.[0]?.message || code || 'unknown');
}
