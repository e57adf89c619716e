/** The state of a page's request, shared by its middlewares: who asks, in which organisation, about which job. */

import type { RouterContext } from '@koa/router';
import type { Context } from 'koa';
import { AccountError } from '../../accounts/account-error.js';
import type { Actor } from '../../accounts/actor.js';
import type { Membership } from '../../accounts/organisations/membership-store.js';
import type { Person } from '../../accounts/people/person-store.js';
import type { Holder } from '../../admission/admission-control.js';
import type { Job } from '../../jobs/job.js';
import type { Jobs } from '../../jobs/jobs.js';

interface PageState {
  /** The client's IP address in front of trusted proxies. Always set. */
  client: string;
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

export function organisationPath(organisationId: string): string {
  return `/account/o/${organisationId}`;
}

/** On whose behalf a page of an organisation does work: its shares are of the organisation and of the person. */
export function holderOf(ctx: Context | RouterContext): Holder {
  return { organisationId: membershipOf(ctx).organisationId, personId: personOf(ctx).id };
}

export function actorOf(ctx: Context | RouterContext): Actor {
  return { personId: personOf(ctx).id, address: pageState(ctx).client };
}

/** The job of the parameter `jobId`. @throws AccountError `not_found` */
export async function findJob(ctx: RouterContext, { jobs }: { jobs: Jobs }): Promise<Job> {
  const job = await jobs.find(membershipOf(ctx).organisationId, ctx.params['jobId'] ?? '');
  if (job === undefined) {
    throw new AccountError('not_found', 'There is no such job, or it was deleted.');
  }
  return job;
}
