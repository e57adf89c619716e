/** `/account` and `/account/you`: the entry page, and a person's own settings. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { sessionId } from '../../accounts/people/session-store.js';
import { LIMITS } from '../../contract/limits.js';
import { newRowId } from '../../database/row-id.js';
import { addressOf, Form, formOf, passwordOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, pageState, personOf, organisationPath } from '../shell/page-state.js';
import { sessionKeyHash, signOut } from '../shell/session.js';
import { type Confirmation, isConfirmed, refuseCurrent, tryPassword } from '../shell/passwords.js';

/** Redirects to the person's first organisation; a person without one sees their own page. */
export function enter(ctx: RouterContext): void {
  const [first] = pageState(ctx).memberships ?? [];
  const operators = personOf(ctx).isOperator ? '/account/operator' : '/account/you';
  seeOther(ctx, first === undefined ? operators : organisationPath(first.organisationId));
}

export type ProfilePage = Needs<
  'sessions' | 'credentials' | 'secondFactor' | 'singleSignOn' | 'memberships' | 'ledger' | 'view' | 'config'
>;

/** @param sent submitted forms with errors, to be shown again */
export async function showProfile(
  ctx: RouterContext,
  needs: ProfilePage,
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
  const [sessions, hasPassword, hasSecondFactor, codesLeft, identities, lostCredits, lastOwnerOf] = await Promise.all([
    needs.sessions.list(person.id),
    needs.credentials.hasPassword(person.id),
    needs.secondFactor.isOn(person.id),
    needs.secondFactor.recoveryCodesLeft(person.id),
    needs.singleSignOn?.connections.list(person.id),
    needs.ledger.isUnlimited ? 0 : needs.memberships.creditsHeldAlone(person.id),
    needs.memberships.lastOwnerOf(person.id),
  ]);
  needs.view.show(ctx, 'you', {
    title: 'You',
    section: 'you',
    status: Object.values(forms).every(({ isValid }) => isValid) ? 200 : 422,
    forms,
    sessions: sessions.map((session) => ({ ...session, browser: browserName(session.browser) })),
    currentSession: sessionId(sessionKeyHash(ctx)),
    hasPassword: hasPassword && needs.config.passwords,
    hasSecondFactor,
    codesLeft,
    identities,
    lostCredits,
    lastOwnerOf: lastOwnerOf.map(({ id, name }) => ({ name, members: `${organisationPath(id)}/members` })),
    memberships: pageState(ctx).memberships,
    path: organisationPath,
    canFound: mayFound(needs),
    submission: newRowId(),
  });
}

export async function changeName(ctx: RouterContext, needs: Needs<'profile'> & ProfilePage): Promise<void> {
  const form = formOf(ctx);
  const name = form.text('name', 'Your name');
  if (!form.isValid) {
    await showProfile(ctx, needs, { name: form });
    return;
  }
  await needs.profile.rename(actorOf(ctx), name);
  seeOther(ctx, '/account/you?done=name-changed');
}

/** Gives the same response whether or not the new address has an account. */
export async function changeAddress(
  ctx: RouterContext,
  needs: Needs<'profile'> & Confirmation & ProfilePage,
): Promise<void> {
  const form = formOf(ctx);
  const email = addressOf(form);
  if (email === personOf(ctx).email) {
    form.refuse('email', 'This is your email address already.');
  }
  if (form.isValid && (await isConfirmed(ctx, needs, form))) {
    await needs.throttle.form(pageState(ctx).client);
    if (await needs.throttle.mayMail(email)) {
      await needs.profile.requestAddress(actorOf(ctx), email, sessionKeyHash(ctx));
    }
  }
  if (!form.isValid) {
    await showProfile(ctx, needs, { address: form });
    return;
  }
  seeOther(ctx, '/account/you?done=address-asked');
}

/** Reads the link's state without using it: programs that open links in mails change nothing. */
export async function showAddress(ctx: RouterContext, { profile, view }: Needs<'profile' | 'view'>): Promise<void> {
  const link = await profile.lookUpAddress(ctx.params['token'] ?? '');
  const status = link.state === 'open' ? 200 : 410;
  view.show(ctx, 'address', { title: 'Confirm your new address', status, link, hours: LIMITS.linkHours.address });
}

export async function confirmAddress(ctx: RouterContext, { profile }: Needs<'profile'>): Promise<void> {
  await profile.confirmAddress(ctx.params['token'] ?? '', pageState(ctx).client);
  seeOther(ctx, pageState(ctx).person ? '/account/you?done=address-changed' : '/account/sign-in?done=address-changed');
}

export async function changePassword(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'admission'> & ProfilePage,
): Promise<void> {
  const form = formOf(ctx);
  const { name, email } = personOf(ctx);
  const password = passwordOf(form, needs.config.brand.name, name, email);
  if (form.isValid) {
    const isChanged = await tryPassword(ctx, needs, () =>
      needs.credentials.change(actorOf(ctx), form.get('current'), password, sessionKeyHash(ctx)),
    );
    if (isChanged) {
      seeOther(ctx, '/account/you?done=password-changed');
      return;
    }
    refuseCurrent(form);
  }
  await showProfile(ctx, needs, { password: form });
}

export async function endSession(ctx: RouterContext, { sessions }: Needs<'sessions'>): Promise<void> {
  await sessions.end(actorOf(ctx), ctx.params['sessionId'] ?? '');
  seeOther(ctx, '/account/you?done=session-ended');
}

export async function deleteAccount(
  ctx: RouterContext,
  needs: Needs<'profile'> & Confirmation & ProfilePage,
): Promise<void> {
  const form = formOf(ctx);
  if (form.get('email').trim().toLowerCase() !== personOf(ctx).email) {
    form.refuse('email', 'Type the email address of this account.');
  }
  if (!form.isValid || !(await isConfirmed(ctx, needs, form))) {
    await showProfile(ctx, needs, { deletion: form });
    return;
  }
  await needs.profile.remove(actorOf(ctx), sessionKeyHash(ctx));
  signOut(ctx);
  seeOther(ctx, '/account/sign-in?done=account-deleted');
}

/** True where anybody may make an account, and an organisation with it. */
function mayFound({ config }: Needs<'config'>): boolean {
  return config.signUp === 'open';
}

export async function foundOrganisation(
  ctx: RouterContext,
  needs: Needs<'throttle' | 'team' | 'allowances'> & ProfilePage,
): Promise<void> {
  if (!mayFound(needs)) {
    throw new AccountError('forbidden', 'Ask your administrator to create an organisation.');
  }
  const form = formOf(ctx);
  const name = form.text('organisation', 'The name');
  if (!form.isValid) {
    await showProfile(ctx, needs, { organisation: form });
    return;
  }
  await needs.throttle.form(pageState(ctx).client);
  const { email } = personOf(ctx);
  const organisationId = await needs.team.found(actorOf(ctx), name, email, form.get('submission'));
  if (organisationId !== undefined) {
    await needs.allowances.grantFirst(organisationId);
  }
  seeOther(ctx, organisationId === undefined ? '/account/you' : `${organisationPath(organisationId)}?done=founded`);
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
