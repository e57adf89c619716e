/** `/account/o/…/keys`: the organisation's API keys. A new key is shown once, in the response to the form. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf, membershipOf } from './page-state.js';
import { organisationPath } from './view.js';

export function showKeys(dependencies: PageDependencies): RouterMiddleware {
  return (ctx) => show(ctx, dependencies, new Form());
}

export function createKey(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const name = form.text('name', 'The name');
    if (!form.isValid) {
      await show(ctx, dependencies, form);
      return;
    }
    await dependencies.throttle.key(membershipOf(ctx).organisationId);
    const { key } = await dependencies.keys.createAs(actorOf(ctx), membershipOf(ctx).organisationId, name);
    await show(ctx, dependencies, new Form(), { name, key });
  };
}

export function revokeKey(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const { organisationId } = membershipOf(ctx);
    await dependencies.keys.revokeAs(actorOf(ctx), organisationId, ctx.params['keyId'] ?? '');
    seeOther(ctx, `${organisationPath(organisationId)}/keys?done=revoked`);
  };
}

async function show(
  ctx: RouterContext,
  dependencies: PageDependencies,
  form: Form,
  created?: { name: string; key: string },
): Promise<void> {
  const keys = await dependencies.keys.list(membershipOf(ctx).organisationId);
  dependencies.view.show(
    ctx,
    'keys',
    { title: 'API keys', section: 'keys', status: form.isValid ? 200 : 422 },
    {
      form,
      created,
      curl: created && exampleRequest(dependencies.config.baseUrl, created.key),
      working: keys.filter(({ revokedAt }) => revokedAt === null),
      revoked: keys.filter(({ revokedAt }) => revokedAt !== null),
    },
  );
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
