/**
 * `/account/o/…/keys`: the organisation's API keys. A new key is shown once, in the response to the form. Each has a page
 * with its last requests.
 */

import type { RouterContext } from '@koa/router';
import type { ApiKey } from '../../accounts/keys/api-key-store.js';
import type { KeyRequests } from '../../accounts/keys/key-request-store.js';
import { ApiError } from '../../contract/errors.js';
import { DAY_MS } from '../../contract/limits.js';
import { dayText, parseDay } from '../../contract/date-time.js';
import type { KeyAccess } from '../../database/schema.js';
import { exampleRequest } from '../shell/example-request.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, membershipOf, organisationPath } from '../shell/page-state.js';

export async function showKeys(
  ctx: RouterContext,
  needs: Needs<'keyRequests' | 'keys' | 'view' | 'config'>,
  form = new Form(),
  created?: { name: string; key: string; access: KeyAccess },
): Promise<void> {
  const stored = await needs.keys.list(membershipOf(ctx).organisationId);
  const keys = stored.map((key) => withLastUse(key, needs.keyRequests));
  needs.view.show(ctx, 'keys', {
    title: 'API keys',
    section: 'keys',
    form,
    created,
    curl: created && firstRequest(needs.config.baseUrl, created),
    today: dayText(Date.now()),
    working: keys.filter(({ isActive }) => isActive),
    ended: keys.filter(({ isActive }) => !isActive),
  });
}

export async function showKey(
  ctx: RouterContext,
  { keyRequests, keys, view }: Needs<'keyRequests' | 'keys' | 'view'>,
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const keyId = ctx.params['keyId'] ?? '';
  const requests = await keyRequests.list(organisationId, keyId);
  const stored = await keys.find(organisationId, keyId);
  if (stored === undefined) {
    throw new ApiError('not_found', 'There is no such key.');
  }
  const key = withLastUse(stored, keyRequests);
  view.show(ctx, 'key', { title: key.name, section: 'keys', key, requests, now: Date.now() });
}

/** A key with its last use by this process, which may not be written yet. */
function withLastUse<Key extends ApiKey>(key: Key, keyRequests: KeyRequests): Key {
  const last = keyRequests.lastUse(key.id);
  return last === undefined || last.time <= (key.lastUsedAt ?? 0)
    ? key
    : { ...key, lastUsedAt: last.time, lastUsedAddress: last.address };
}

export async function createKey(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'keys' | 'keyRequests' | 'view' | 'config'>,
): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'The name');
  const access = form.get('access') === 'read' ? 'read' : 'full';
  const expiresAt = endOf(form);
  if (!form.isValid) {
    await showKeys(ctx, needs, form);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  await needs.throttle.count('key', organisationId);
  const { key } = await needs.keys.create(actorOf(ctx), organisationId, name, { access, expiresAt });
  await showKeys(ctx, needs, new Form(), { name, key, access });
}

/** The end of the day in the field `lastDay`, in UTC. Undefined where it is empty. */
function endOf(form: Form): number | undefined {
  const day = form.get('lastDay').trim();
  if (day === '') {
    return undefined;
  }
  const start = parseDay(day);
  if (start === undefined) {
    form.refuse('lastDay', 'Write the day as 2027-01-31.');
    return undefined;
  }
  if (start + DAY_MS <= Date.now()) {
    form.refuse('lastDay', 'This day is over. Choose a day to come, or leave it empty.');
  }
  return start + DAY_MS;
}

export async function revokeKey(ctx: RouterContext, { keys }: Needs<'keys'>): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await keys.revoke(actorOf(ctx), ctx.params['keyId'] ?? '');
  seeOther(ctx, `${organisationPath(organisationId)}/keys?done=revoked`);
}

/** A command that can be run as it is. */
function firstRequest(baseUrl: string, { key, access }: { key: string; access: KeyAccess }): string {
  const authorization = `'Authorization: Bearer ${key}'`;
  return access === 'read' ? `curl ${baseUrl}/api/v1/jobs -H ${authorization}` : exampleRequest(baseUrl, authorization);
}
