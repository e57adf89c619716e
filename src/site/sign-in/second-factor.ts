/** Pages of the second factor: settings at `/account/you/second-factor`, the code at `/account/sign-in/code`. */

import type { RouterContext } from '@koa/router';
import type { Actor } from '../../accounts/actor.js';
import { isAppCode, newSecret } from '../../accounts/people/app-codes.js';
import type { PersonWithPassword } from '../../accounts/people/person-store.js';
import { drawSecret } from '../../engine/in-process.js';
import { destination, Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, pageState, personOf } from '../shell/page-state.js';
import { sessionKeyHash, signIn } from '../shell/session.js';
import { type Confirmation, isConfirmed } from '../shell/passwords.js';

/** Only the app shows another code after a while. */
function wrongCode(code: string): string {
  const advice = isAppCode(code) ? 'Wait for the next one.' : 'Each recovery code works once: type another one.';
  return `This code is wrong, or was used before. ${advice}`;
}

type SecondFactorPage = Needs<'secondFactor' | 'credentials' | 'view'>;

/** Shows a new secret as a QR code, and asks for a first code from the app. */
export async function showSecondFactor(
  ctx: RouterContext,
  { secondFactor, credentials, view }: SecondFactorPage,
  form = new Form(),
  secret?: string,
): Promise<void> {
  const { id, email } = personOf(ctx);
  const isOn = await secondFactor.isOn(id);
  const codesLeft = isOn ? await secondFactor.recoveryCodesLeft(id) : undefined;
  const hasPassword = await credentials.hasPassword(id);
  const { uri, ...shown } = newSecret(email, secret);
  view.show(ctx, 'second-factor', {
    title: 'Two-factor authentication',
    section: 'you',
    form,
    isOn,
    codesLeft,
    hasPassword,
    uri,
    secret: shown.secret,
    next: ctx.query['next'] === undefined ? undefined : destination(ctx.query['next']),
    picture: isOn ? undefined : Buffer.from(drawSecret(uri)).toString('base64'),
  });
}

/** Shows the recovery codes, once. */
export async function turnOnSecondFactor(ctx: RouterContext, needs: Confirmation & SecondFactorPage): Promise<void> {
  const form = formOf(ctx);
  const code = form.get('code').replaceAll(/\s/g, '');
  const secret = /^[A-Z2-7]{32}$/.exec(form.get('secret'))?.[0];
  // Without the password, who has got hold of a session could lock its owner out.
  const isOwner = await isConfirmed(ctx, needs, form);
  const codes =
    isOwner && secret && (await needs.secondFactor.turnOn(actorOf(ctx), { secret, code }, sessionKeyHash(ctx)));
  if (!codes) {
    if (isOwner) {
      form.refuse('code', 'This code is wrong. Type the six digits that the app shows now.');
    }
    await showSecondFactor(ctx, needs, form, secret);
    return;
  }
  needs.view.show(ctx, 'recovery-codes', { title: 'Recovery codes', section: 'you', codes });
}

/** Shows new recovery codes, once. The old ones end. */
export async function makeRecoveryCodes(ctx: RouterContext, needs: Confirmation & SecondFactorPage): Promise<void> {
  const form = formOf(ctx);
  if (!(await isConfirmed(ctx, needs, form))) {
    await showSecondFactor(ctx, needs, form);
    return;
  }
  const codes = await needs.secondFactor.makeRecoveryCodes(actorOf(ctx));
  needs.view.show(ctx, 'recovery-codes', { title: 'Recovery codes', section: 'you', codes, areNew: true });
}

export async function turnOffSecondFactor(
  ctx: RouterContext,
  needs: Needs<'throttle'> & SecondFactorPage,
): Promise<void> {
  const form = formOf(ctx);
  const isOff = await tryCode(needs, actorOf(ctx), () => needs.secondFactor.turnOff(actorOf(ctx), form.get('code')));
  if (!isOff) {
    form.refuse('code', wrongCode(form.get('code')));
    await showSecondFactor(ctx, needs, form);
    return;
  }
  seeOther(ctx, '/account/you?done=second-factor-off');
}

/** Asks a person whose password was right for a code, before signing them in. */
export async function askForCode(
  ctx: RouterContext,
  needs: Needs<'secondFactor' | 'view'>,
  person: PersonWithPassword,
  next: string,
): Promise<void> {
  showStep(ctx, needs, new Form({ next, token: await needs.secondFactor.begin(person.id) }));
}

export async function finishSignIn(
  ctx: RouterContext,
  needs: Needs<'secondFactor' | 'throttle' | 'view'>,
): Promise<void> {
  const form = formOf(ctx);
  const token = form.get('token');
  const person = await needs.secondFactor.person(token);
  if (person === undefined) {
    seeOther(ctx, '/account/sign-in?done=step-ended');
    return;
  }
  const actor = { personId: person.id, address: pageState(ctx).client };
  let isGuessing = false;
  const finish = () => needs.secondFactor.finish(token, actor, form.get('code'));
  const isRight = await tryCode(needs, actor, finish, () => {
    isGuessing = true;
  });
  if (!isRight && (isGuessing || (await needs.secondFactor.person(token)) === undefined)) {
    // A form that is sent twice at once has ended the step itself.
    seeOther(ctx, `/account/sign-in?done=${isGuessing ? 'codes-refused' : 'step-ended'}`);
    return;
  }
  if (!isRight) {
    form.refuse('code', wrongCode(form.get('code')));
    showStep(ctx, needs, form);
    return;
  }
  await signIn(ctx, person.id, person.passwordHash ?? undefined);
  const next = destination(form.get('next'));
  // The page says how many are left, and makes new ones.
  const codes = `/account/you/second-factor?done=recovery-code-used&next=${encodeURIComponent(next)}`;
  seeOther(ctx, isAppCode(form.get('code')) ? next : codes);
}

/** Counts an attempt at a code. The last wrong one of an hour ends the open sign-ins of the person, and calls `onLast`. */
function tryCode(
  { throttle, secondFactor }: Needs<'throttle' | 'secondFactor'>,
  { personId, address }: Actor,
  attempt: () => Promise<boolean>,
  onLast: () => void = () => undefined,
): Promise<boolean> {
  return throttle.code(personId, address, attempt, async () => {
    onLast();
    await secondFactor.endGuessing(personId);
  });
}

function showStep(ctx: RouterContext, { view }: Needs<'view'>, form: Form): void {
  view.show(ctx, 'sign-in-code', { title: 'Enter your code', form });
}
