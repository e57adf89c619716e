/**
 * `/account/o/…/keys`: the organisation's API keys. A new key is shown once, in the response to the form. Each has a page
 * with its last requests.
 */

import type { RouterContext } from '@koa/router';
import { ApiError } from '../../contract/errors.js';
import { DAY_MS } from '../../contract/limits.js';
import type { KeyAccess } from '../../database/schema.js';
import { Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, membershipOf } from '../page-state.js';
import { organisationPath } from '../view.js';

export async function showKeys(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form(),
  created?: { name: string; key: string; access: KeyAccess },
): Promise<void> {
  await dependencies.keyRequests.write();
  const keys = await dependencies.keys.list(membershipOf(ctx).organisationId);
  dependencies.view.show(
    ctx,
    'keys',
    { title: 'API keys', section: 'keys' },
    {
      form,
      created,
      curl: created && exampleRequest(dependencies.config.baseUrl, created),
      today: dayOf(Date.now()),
      working: keys.filter(({ isActive }) => isActive),
      ended: keys.filter(({ isActive }) => !isActive),
    },
  );
}

export async function showKey(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const keyId = ctx.params['keyId'] ?? '';
  const requests = await dependencies.keyRequests.list(organisationId, keyId);
  const key = await dependencies.keys.find(organisationId, keyId);
  if (key === undefined) {
    throw new ApiError('not_found', 'There is no such key.');
  }
  dependencies.view.show(ctx, 'key', { title: key.name, section: 'keys' }, { key, requests, now: Date.now() });
}

export async function createKey(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'The name');
  const access = form.get('access') === 'read' ? 'read' : 'full';
  const expiresAt = endOf(form);
  if (!form.isValid) {
    await showKeys(ctx, dependencies, form);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  await dependencies.throttle.count('key', organisationId);
  const { key } = await dependencies.keys.createAs(actorOf(ctx), organisationId, name, { access, expiresAt });
  await showKeys(ctx, dependencies, new Form(), { name, key, access });
}

/** The end of the day in the field `lastDay`, in UTC. Undefined where it is empty. */
function endOf(form: Form): number | undefined {
  const day = form.get('lastDay').trim();
  if (day === '') {
    return undefined;
  }
  const start = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(start) || dayOf(start) !== day) {
    form.refuse('lastDay', 'Write the day as 2027-01-31.');
  } else if (start + DAY_MS <= Date.now()) {
    form.refuse('lastDay', 'This day is over. Choose a day to come, or leave it empty.');
  }
  return start + DAY_MS;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

export async function revokeKey(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await dependencies.keys.revokeAs(actorOf(ctx), organisationId, ctx.params['keyId'] ?? '');
  seeOther(ctx, `${organisationPath(organisationId)}/keys?done=revoked`);
}

/** A command that can be run as it is. */
function exampleRequest(baseUrl: string, { key, access }: { key: string; access: KeyAccess }): string {
  if (access === 'read') {
    return `curl ${baseUrl}/api/v1/jobs -H 'Authorization: Bearer ${key}'`;
  }
  const body = JSON.stringify({ items: [{ data: 'https://example.org/1' }, { data: 'https://example.org/2' }] });
  return [
    `curl ${baseUrl}/api/v1/jobs \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}
