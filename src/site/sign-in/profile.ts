/** `/account` and `/account/you`: the entry page, and a person's own settings. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { sessionId } from '../../accounts/session-store.js';
import { LIMITS } from '../../contract/limits.js';
import { newRowId } from '../../database/row-id.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, pageState, personOf } from '../page-state.js';
import { sessionKeyHash, signOut, withinSignIn } from './session.js';
import { organisationPath } from '../view.js';

/** Redirects to the person's first organisation; a person without one sees their own page. */
export function enter(ctx: RouterContext): void {
  const [first] = pageState(ctx).memberships ?? [];
  const operators = personOf(ctx).isOperator ? '/account/operator' : '/account/you';
  seeOther(ctx, first === undefined ? operators : organisationPath(first.organisationId));
}

/** @param sent submitted forms with errors, to be shown again */
export async function showProfile(
  ctx: RouterContext,
  dependencies: PageDependencies,
  sent: Partial<Record<'name' | 'address' | 'password' | 'company' | 'organisation' | 'deletion', Form>> = {},
): Promise<void> {
  const person = personOf(ctx);
  const forms = {
    name: new Form({ name: person.name }),
    address: new Form(),
    password: new Form(),
    company: new Form(),
    organisation: new Form(),
    deletion: new Form(),
    ...sent,
  };
  const [sessions, hasPassword, hasSecondFactor, codesLeft, identities] = await Promise.all([
    dependencies.sessions.list(person.id),
    dependencies.credentials.hasPassword(person.id),
    dependencies.secondFactor.isOn(person.id),
    dependencies.secondFactor.recoveryCodesLeft(person.id),
    dependencies.singleSignOn?.connections.list(person.id),
  ]);
  dependencies.view.show(
    ctx,
    'you',
    { title: 'You', section: 'you', status: Object.values(forms).every(({ isValid }) => isValid) ? 200 : 422 },
    {
      forms,
      sessions: sessions.map((session) => ({ ...session, browser: browserName(session.browser) })),
      currentSession: sessionId(sessionKeyHash(ctx)),
      hasPassword: hasPassword && dependencies.config.passwords,
      hasSecondFactor,
      codesLeft,
      identities,
      memberships: pageState(ctx).memberships,
      path: organisationPath,
      canFound: mayFound(dependencies),
      submission: newRowId(),
    },
  );
}

export async function changeName(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'Your name');
  if (!form.isValid) {
    await showProfile(ctx, dependencies, { name: form });
    return;
  }
  await dependencies.profile.rename(actorOf(ctx), name);
  seeOther(ctx, '/account/you?done=name-changed');
}

/** Gives the same response whether or not the new address has an account. */
export async function changeAddress(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  if (form.isValid && (await isConfirmed(ctx, dependencies, form))) {
    await dependencies.throttle.form(pageState(ctx).client);
    if (await dependencies.throttle.mayMail(email)) {
      await dependencies.profile.requestAddress(actorOf(ctx), email);
    }
  }
  if (!form.isValid) {
    await showProfile(ctx, dependencies, { address: form });
    return;
  }
  seeOther(ctx, '/account/you?done=address-asked');
}

/** Reads the link's state without using it: programs that open links in mails change nothing. */
export async function showAddress(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const link = await dependencies.profile.lookUpAddress(ctx.params['token'] ?? '');
  const status = link.state === 'open' ? 200 : 410;
  dependencies.view.show(
    ctx,
    'address',
    { title: 'Confirm your new address', status },
    { link, hours: LIMITS.linkHours.address },
  );
}

export async function confirmAddress(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.profile.confirmAddress(ctx.params['token'] ?? '', pageState(ctx).client);
  seeOther(ctx, pageState(ctx).person ? '/account/you?done=address-changed' : '/account/sign-in?done=address-changed');
}

export async function changePassword(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const { name, email } = personOf(ctx);
  const { client } = pageState(ctx);
  const password = passwordOf(form, name, email);
  if (form.isValid) {
    const isChanged = await dependencies.throttle.attempt(email, client, () =>
      withinSignIn(ctx, dependencies, () =>
        dependencies.credentials.change(actorOf(ctx), form.get('current'), password, sessionKeyHash(ctx)),
      ),
    );
    if (isChanged) {
      seeOther(ctx, '/account/you?done=password-changed');
      return;
    }
    form.refuse('current', 'This is not your current password.');
  }
  await showProfile(ctx, dependencies, { password: form });
}

export async function endSession(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  await dependencies.sessions.end(actorOf(ctx), ctx.params['sessionId'] ?? '');
  seeOther(ctx, '/account/you?done=session-ended');
}

export async function deleteAccount(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  if (form.get('email').trim().toLowerCase() !== personOf(ctx).email) {
    form.refuse('email', 'Type the address of this account.');
  }
  if (!form.isValid || !(await isConfirmed(ctx, dependencies, form))) {
    await showProfile(ctx, dependencies, { deletion: form });
    return;
  }
  await dependencies.profile.remove(actorOf(ctx));
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=account-deleted');
}

/** True where anybody may make an account, and an organisation with it. */
function mayFound({ config }: PageDependencies): boolean {
  return config.signUp === 'open';
}

export async function foundOrganisation(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  if (!mayFound(dependencies)) {
    throw new AccountError('forbidden', 'Organisations are created by those who run this service.');
  }
  const form = formOf(ctx);
  const name = form.text('organisation', 'The name');
  if (!form.isValid) {
    await showProfile(ctx, dependencies, { organisation: form });
    return;
  }
  await dependencies.throttle.form(pageState(ctx).client);
  const { email } = personOf(ctx);
  const organisationId = await dependencies.team.found(actorOf(ctx), name, email, form.get('submission'));
  const founded = organisationId && (await dependencies.organisations.find(organisationId));
  const done = founded && founded.balance > 0 ? 'signed-up' : 'founded';
  seeOther(ctx, founded ? `${organisationPath(founded.id)}?done=${done}` : '/account/you');
}

/** True when the person typed their password in the field `current`, or signs in without one. Otherwise records an error. */
export async function isConfirmed(ctx: RouterContext, dependencies: PageDependencies, form: Form): Promise<boolean> {
  const { id, email } = personOf(ctx);
  if (!dependencies.config.passwords || !(await dependencies.credentials.hasPassword(id))) {
    return true;
  }
  const person = await dependencies.throttle.attempt(email, pageState(ctx).client, () =>
    withinSignIn(ctx, dependencies, () => dependencies.credentials.check(email, form.get('current'))),
  );
  if (person === undefined) {
    form.refuse('current', 'This is not your current password.');
  }
  return person !== undefined;
}

/** Names in a `User-Agent`, most specific first: most browsers also call themselves Safari. */
const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };
const SYSTEMS = { Android: 'Android', iPhone: 'iPhone', iPad: 'iPad', Windows: 'Windows', Mac: 'Mac', Linux: 'Linux' };

/** A browser's name for people, such as `Firefox on Windows`. Otherwise the text as sent. */
function browserName(userAgent: string): string {
  const find = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined) {
    return userAgent || 'Unknown browser';
  }
  return system === undefined ? browser : `${browser} on ${system}`;
}
