/** Pages of the second factor: settings at `/account/you/second-factor`, the code at `/account/sign-in/code`. */

import type { Context, Middleware } from 'koa';
import type { PersonWithPassword } from '../account/person-store.js';
import { drawSamples } from './draw-samples.js';
import { destination, Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf, pageState, personOf } from './page-state.js';
import { signIn } from './session.js';

const WRONG_CODE = 'This code is wrong, or was used before. Wait for the next one.';

/** Shows a new secret as a QR code, and asks for a first code from the app. */
export function showSecondFactor(dependencies: PageDependencies): Middleware {
  return (ctx) => show(ctx, dependencies, new Form());
}

/** Shows the recovery codes, once. */
export function turnOnSecondFactor(dependencies: PageDependencies): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const code = form.get('code').replaceAll(/\s/g, '');
    const secret = /^[A-Z2-7]{32}$/.exec(form.get('secret'))?.[0];
    const codes = secret && (await dependencies.secondFactor.turnOn(actorOf(ctx), secret, code));
    if (!codes) {
      form.refuse('code', 'This is not the code that the app shows for this secret.');
      await show(ctx, dependencies, form, secret);
      return;
    }
    dependencies.view.show(ctx, 'recovery-codes', { title: 'Recovery codes', section: 'you' }, { codes });
  };
}

export function turnOffSecondFactor(dependencies: PageDependencies): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const { email } = personOf(ctx);
    const isOff = await dependencies.throttle.attempt(email, pageState(ctx).client, async () => {
      return (await dependencies.secondFactor.turnOff(actorOf(ctx), form.get('code'))) || undefined;
    });
    if (isOff === undefined) {
      form.refuse('code', WRONG_CODE);
      await show(ctx, dependencies, form);
      return;
    }
    seeOther(ctx, '/account/you?done=second-factor-off');
  };
}

/** Asks a person whose password was right for a code, before signing them in. */
export async function askForCode(
  ctx: Context,
  dependencies: PageDependencies,
  person: PersonWithPassword,
  next: string,
): Promise<void> {
  showStep(ctx, dependencies, new Form({ next, token: await dependencies.secondFactor.begin(person.id) }));
}

export function finishSignIn(dependencies: PageDependencies): Middleware {
  return async (ctx) => {
    const form = formOf(ctx);
    const token = form.get('token');
    const { client } = pageState(ctx);
    const person = await dependencies.secondFactor.person(token);
    if (person === undefined) {
      seeOther(ctx, '/account/sign-in?done=step-ended');
      return;
    }
    const isRight = await dependencies.throttle.attempt(person.email, client, async () => {
      const actor = { personId: person.id, address: client };
      return (await dependencies.secondFactor.finish(token, actor, form.get('code'))) || undefined;
    });
    if (isRight === undefined) {
      form.refuse('code', WRONG_CODE);
      showStep(ctx, dependencies, form);
      return;
    }
    await signIn(ctx, person.id, person.passwordHash ?? undefined);
    seeOther(ctx, destination(form.get('next')));
  };
}

function showStep(ctx: Context, dependencies: PageDependencies, form: Form): void {
  const status = form.isValid ? 200 : 422;
  dependencies.view.show(ctx, 'sign-in-code', { title: 'Enter your code', status }, { form });
}

async function show(ctx: Context, dependencies: PageDependencies, form: Form, secret?: string): Promise<void> {
  const { id, email } = personOf(ctx);
  const isOn = await dependencies.secondFactor.isOn(id);
  const { uri, ...shown } = dependencies.secondFactor.newSecret(email, secret);
  const { engine, folder } = dependencies;
  const style = { format: 'svg', style: { scale: 4 } } as const;
  const drawn = isOn ? undefined : await drawSamples({ engine, scratch: folder.scratch }, style, [{ data: uri }]);
  dependencies.view.show(
    ctx,
    'second-factor',
    { title: 'Two-factor authentication', section: 'you', status: form.isValid ? 200 : 422 },
    { form, isOn, secret: shown.secret, picture: drawn?.pictures[0]?.toString('base64') },
  );
}
