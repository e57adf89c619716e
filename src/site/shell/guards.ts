/** Steps before a page: access for signed-in people, members and operators, and the question before what cannot be undone. */

import type { RouterMiddleware } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { MANAGERS, membershipsOf } from '../../accounts/organisations/membership-store.js';
import type { Database } from '../../database/connection.js';
import { bodyOf, formOf, pageOfForm, seeOther } from './form.js';
import { membershipOf, pageState, personOf } from './page-state.js';
import type { PageView } from './page-dependencies.js';

/** Sends a person without a session to the sign-in page, and back afterwards. */
export function requirePerson(database: Database): RouterMiddleware {
  return async (ctx, next) => {
    const state = pageState(ctx);
    if (state.person === undefined) {
      // A form was on a page that somebody was signed in for.
      const [path, done] =
        ctx.method === 'GET' ? [ctx.path, ''] : [pageOfForm(ctx)?.pathname ?? '', '&done=session-over'];
      seeOther(ctx, `/account/sign-in?next=${encodeURIComponent(path)}${done}`);
      return;
    }
    state.memberships = await membershipsOf(database, state.person.id);
    await next();
  };
}

/** Admits members of the organisation in the parameter `organisationId`. Others get a 404. */
export const requireMember: RouterMiddleware = async (ctx, next) => {
  const state = pageState(ctx);
  const membership = state.memberships?.find(({ organisationId }) => organisationId === ctx.params['organisationId']);
  if (membership === undefined) {
    throw new AccountError('not_found', 'There is no such organisation, or you are not a member of it.');
  }
  state.membership = membership;
  await next();
};

export const requireManagement: RouterMiddleware = async (ctx, next) => {
  if (!MANAGERS.includes(membershipOf(ctx).role)) {
    throw new AccountError('forbidden', 'Only owners and admins can do this.');
  }
  await next();
};

export const requireOwner: RouterMiddleware = async (ctx, next) => {
  if (membershipOf(ctx).role !== 'owner') {
    throw new AccountError('forbidden', 'Only owners can do this.');
  }
  await next();
};

export const requireOperator: RouterMiddleware = async (ctx, next) => {
  if (!personOf(ctx).isOperator) {
    throw new AccountError('not_found', 'There is nothing at this address.');
  }
  await next();
};

/** Use it after the form is read. The button's field `ask` has the question; it is empty once a script has asked it. */
export function askFirst(view: PageView): RouterMiddleware {
  return async (ctx, next) => {
    const question = formOf(ctx).get('ask');
    if (question === '') {
      await next();
      return;
    }
    const fields = Object.entries(bodyOf(ctx) as Record<string, string>).filter(([name]) => name !== 'ask');
    const back = pageOfForm(ctx)?.pathname ?? '/account';
    view.show(ctx, 'confirm', { title: 'Are you sure?', question, fields, action: ctx.path, back });
  };
}
