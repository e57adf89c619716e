/** The state of a page's request, shared by its middlewares. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { Actor } from '../account/audit-store.js';
import type { Membership } from '../account/membership-store.js';
import type { Person } from '../account/person-store.js';

export interface PageState {
  /** The client's IP address in front of trusted proxies. Always set. */
  client: string;
  /** The signed-in person. */
  person?: Person;
  /** The person's organisations. Set when somebody is signed in. */
  memberships?: Membership[];
  /** The organisation in the path, and the person's role in it. */
  membership?: Membership;
  /** Set when this request signs somebody in, so that a session that does not exist yet may be written. */
  startsSession?: { passwordHash: string | undefined } | undefined;
}

export function pageState(ctx: Context | RouterContext): PageState {
  return ctx.state;
}

/** The signed-in person. Always set after `requirePerson`. */
export function personOf(ctx: Context | RouterContext): Person {
  const { person } = pageState(ctx);
  if (person === undefined) {
    throw new Error('a page needs a signed-in person, but its route does not require one');
  }
  return person;
}

/** The organisation of the page. Always set after `requireMember`. */
export function membershipOf(ctx: Context | RouterContext): Membership {
  const { membership } = pageState(ctx);
  if (membership === undefined) {
    throw new Error('a page needs an organisation, but its path has none');
  }
  return membership;
}

export function actorOf(ctx: Context | RouterContext): Actor {
  return { personId: personOf(ctx).id, address: pageState(ctx).client };
}
