/** `/account/o/…/keys`: the organisation's API keys. A new key is shown once, in the response to the form. */

import type { RouterContext } from '@koa/router';
import { Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, membershipOf } from '../page-state.js';
import { organisationPath } from '../view.js';

export async function showKeys(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form = new Form(),
  created?: { name: string; key: string },
): Promise<void> {
  const keys = await dependencies.keys.list(membershipOf(ctx).organisationId);
  dependencies.view.show(
    ctx,
    'keys',
    { title: 'API keys', section: 'keys' },
    {
      form,
      created,
      curl: created && exampleRequest(dependencies.config.baseUrl, created.key),
      working: keys.filter(({ revokedAt }) => revokedAt === null),
      revoked: keys.filter(({ revokedAt }) => revokedAt !== null),
    },
  );
}

export async function createKey(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'The name');
  if (!form.isValid) {
    await showKeys(ctx, dependencies, form);
    return;
  }
  await dependencies.throttle.count('key', membershipOf(ctx).organisationId);
  const { key } = await dependencies.keys.createAs(actorOf(ctx), membershipOf(ctx).organisationId, name);
  await showKeys(ctx, dependencies, new Form(), { name, key });
}

export async function revokeKey(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await dependencies.keys.revokeAs(actorOf(ctx), organisationId, ctx.params['keyId'] ?? '');
  seeOther(ctx, `${organisationPath(organisationId)}/keys?done=revoked`);
}

/** A command that can be run as it is. */
function exampleRequest(baseUrl: string, key: string): string {
  const body = JSON.stringify({ items: [{ data: 'https://example.org/1' }, { data: 'https://example.org/2' }] });
  return [
    `curl ${baseUrl}/api/v1/jobs \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}
