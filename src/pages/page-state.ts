/** The state of a page's request, as its middlewares know it. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import type { Actor } from '../account/audit-store.js';
import type { Membership } from '../account/membership-store.js';
import type { Person } from '../account/person-store.js';

export interface PageState {
  /** The client's address behind trusted proxies; set for every request. */
  client: string;
  /** The person who is signed in. */
  person?: Person;
  /** The person's organisations; set where somebody is signed in. */
  memberships?: Membership[];
  /** The organisation that the path names, and what the person is in it. */
  membership?: Membership;
  /** This request signs somebody in, so that a session may be written that is not there yet. */
  startsSession?: { passwordHash: string | undefined } | undefined;
}

export function pageState(ctx: Context | RouterContext): PageState {
  return ctx.state;
}

/** The person who is signed in. Behind `requirePerson` there always is somebody. */
export function personOf(ctx: Context | RouterContext): Person {
  const { person } = pageState(ctx);
  if (person === undefined) {
    throw new Error('a page asks who is signed in, and nobody has to be');
  }
  return person;
}

/** The organisation that the page is about. Behind `requireMember` there always is one. */
export function membershipOf(ctx: Context | RouterContext): Membership {
  const { membership } = pageState(ctx);
  if (membership === undefined) {
    throw new Error('a page asks for its organisation, and its path has none');
  }
  return membership;
}

export function actorOf(ctx: Context | RouterContext): Actor {
  return { personId: personOf(ctx).id, address: pageState(ctx).client };
}
