/** `/account/o/…/keys`: the organisation's API keys. A new one is shown once, on the page that answers the form. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { Form, formOf } from './form.js';
import type { PageRooms } from './page-rooms.js';
import { actorOf, membershipOf } from './page-state.js';
import { seeOther } from './sign-in.js';
import { organisationPath } from './view.js';

export function showKeys(rooms: PageRooms): RouterMiddleware {
  return (ctx) => show(ctx, rooms, new Form());
}

export function createKey(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const name = form.text('name', 'The name');
    if (!form.isValid) {
      await show(ctx, rooms, form);
      return;
    }
    const { key } = await rooms.keys.createAs(actorOf(ctx), membershipOf(ctx).organisationId, name);
    await show(ctx, rooms, new Form(), { name, key });
  };
}

export function revokeKey(rooms: PageRooms): RouterMiddleware {
  return async (ctx) => {
    const { organisationId } = membershipOf(ctx);
    await rooms.keys.revokeAs(actorOf(ctx), organisationId, ctx.params['keyId'] ?? '');
    seeOther(ctx, `${organisationPath(organisationId)}/keys?done=revoked`);
  };
}

async function show(
  ctx: RouterContext,
  rooms: PageRooms,
  form: Form,
  created?: { name: string; key: string },
): Promise<void> {
  const keys = await rooms.keys.list(membershipOf(ctx).organisationId);
  rooms.view.show(
    ctx,
    'keys',
    { title: 'API keys', section: 'keys', status: form.isValid ? 200 : 422 },
    {
      form,
      created,
      curl: created && exampleRequest(rooms.config.baseUrl, created.key),
      working: keys.filter(({ revokedAt }) => revokedAt === null),
      revoked: keys.filter(({ revokedAt }) => revokedAt !== null),
    },
  );
}

/** A line that can be run as it is. */
function exampleRequest(baseUrl: string, key: string): string {
  const body = JSON.stringify({ items: [{ data: 'https://example.org/1' }, { data: 'https://example.org/2' }] });
  return [
    `curl ${baseUrl}/api/v1/jobs \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n');
}
