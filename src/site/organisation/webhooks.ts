/** `/account/o/…/webhooks`: the organisation's webhooks, and the log of deliveries. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { ApiError } from '../../contract/errors.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../contract/response-schema.js';
import type { Webhook } from '../../accounts/webhook-store.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, membershipOf, organisationPath } from '../shell/page-state.js';
import { pageOf, rowAfter } from '../shell/paging.js';
import { pageFormats } from '../shell/formats.js';

const LINES = 25;

const EVENT_TEXTS: Record<WebhookEvent, string> = {
  'job.complete': 'A job is complete',
  'job.failed': 'A job failed or was cancelled',
  'credits.low': 'Credits run low',
};

/** A new secret, which is shown only once. */
interface ShownSecret {
  /** The webhook's id, where it is new: it can be tested at once. */
  id?: string;
  url: string;
  secret: string;
}

export async function showWebhooks(
  ctx: RouterContext,
  { view, webhooks }: Needs<'view' | 'webhooks'>,
  { form = new Form(), low, created }: { form?: Form; low?: Form; created?: ShownSecret } = {},
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const { lowBalance, balance } = await webhooks.lowBalance(organisationId);
  const told = lowBalance === null ? 'off' : `set to ${pageFormats(ctx).counted(lowBalance, 'credit')}`;
  const isBelow = lowBalance !== null && balance < lowBalance;
  const below = isBelow ? ' Your balance is below that already: the next alert comes when it falls there again.' : '';
  view.show(ctx, 'webhooks', {
    title: 'Webhooks',
    section: 'webhooks',
    notice: ctx.query['done'] === 'low-balance-set' ? `Low-balance alert ${told}.${below}` : undefined,
    form: low ?? form,
    forms: { webhook: form, low: low ?? new Form({ lowBalance: lowBalance === null ? '' : String(lowBalance) }) },
    created,
    events: eventChoices(form, WEBHOOK_EVENTS),
    webhooks: await webhooks.list(organisationId),
  });
}

export async function createWebhook(ctx: RouterContext, needs: Needs<'webhooks' | 'view'>): Promise<void> {
  const form = formOf(ctx);
  const { organisationId } = membershipOf(ctx);
  const webhook = webhookOf(form, organisationId);
  const created = await submitted(form, () => needs.webhooks.create(actorOf(ctx), webhook));
  if (created === undefined) {
    await showWebhooks(ctx, needs, { form });
  } else {
    await showWebhooks(ctx, needs, {
      created: { id: created.webhookId, url: webhook.url, secret: created.secret },
    });
  }
}

/** Changes address and events. */
export async function changeWebhook(
  ctx: RouterContext,
  needs: Needs<'webhooks' | 'deliveries' | 'view'>,
): Promise<void> {
  const form = formOf(ctx);
  const webhook = await findWebhook(ctx, needs);
  const changed = webhookOf(form, membershipOf(ctx).organisationId);
  const isChanged = await submitted(form, async () => {
    await needs.webhooks.change(actorOf(ctx), webhook.id, changed);
    return true;
  });
  if (isChanged === undefined) {
    await showDeliveries(ctx, needs, webhook, { form });
    return;
  }
  seeOther(ctx, `${webhookPath(ctx, webhook.id)}?done=webhook-changed`);
}

/** Pauses a webhook, or resumes it. */
export function setPaused(isPaused: boolean) {
  return async (ctx: RouterContext, needs: Needs<'webhooks'>): Promise<void> => {
    const { id } = await findWebhook(ctx, needs);
    await needs.webhooks.pause(actorOf(ctx), id, isPaused);
    seeOther(ctx, `${webhookPath(ctx, id)}?done=${isPaused ? 'webhook-paused' : 'webhook-resumed'}`);
  };
}

export async function setLowBalance(ctx: RouterContext, needs: Needs<'webhooks' | 'view'>): Promise<void> {
  const form = formOf(ctx);
  const { organisationId } = membershipOf(ctx);
  const problem = 'Enter a whole number of credits, or leave it empty.';
  const isOff = form.get('lowBalance').trim() === '';
  const lowBalance = isOff ? null : form.wholeNumber('lowBalance', { minimum: 0, maximum: 999_999_999 }, problem);
  if (!form.isValid) {
    await showWebhooks(ctx, needs, { low: form });
    return;
  }
  await needs.webhooks.setLowBalance(actorOf(ctx), organisationId, lowBalance);
  seeOther(ctx, `${organisationPath(organisationId)}/webhooks?done=low-balance-set`);
}

export async function showWebhook(ctx: RouterContext, needs: Needs<'deliveries' | 'view' | 'webhooks'>): Promise<void> {
  await showDeliveries(ctx, needs, await findWebhook(ctx, needs));
}

export async function rotateSecret(
  ctx: RouterContext,
  needs: Needs<'webhooks' | 'deliveries' | 'view'>,
): Promise<void> {
  const { id, url } = await findWebhook(ctx, needs);
  const secret = await needs.webhooks.rotate(actorOf(ctx), id);
  await showDeliveries(ctx, needs, await findWebhook(ctx, needs), { created: { url, secret } });
}

export async function deleteWebhook(ctx: RouterContext, needs: Needs<'webhooks'>): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await needs.webhooks.remove(actorOf(ctx), (await findWebhook(ctx, needs)).id);
  seeOther(ctx, `${organisationPath(organisationId)}/webhooks?done=webhook-deleted`);
}

/** The outcome stands in the log of deliveries. */
export async function testWebhook(ctx: RouterContext, needs: Needs<'admission' | 'webhooks'>): Promise<void> {
  const { id } = await findWebhook(ctx, needs);
  const holder = { organisationId: membershipOf(ctx).organisationId };
  const { isDelivered } = await needs.admission.admit('webhookTest', holder, () => needs.webhooks.test(id));
  seeOther(ctx, `${webhookPath(ctx, id)}?done=${isDelivered ? 'test-delivered' : 'test-failed'}`);
}

/** Sends a settled delivery again, or a waiting one now. */
export async function sendNow(ctx: RouterContext, needs: Needs<'deliveries' | 'webhooks'>): Promise<void> {
  const { id } = await findWebhook(ctx, needs);
  const { deliveries } = needs;
  const deliveryId = ctx.params['deliveryId'] ?? '';
  if (!(await deliveries.sendAgain(id, deliveryId))) {
    await deliveries.retryNow(id, deliveryId);
  }
  seeOther(ctx, `${webhookPath(ctx, id)}?done=sent-now`);
}

/** An event that was delivered meanwhile is not said to be given up. */
export async function giveUp(ctx: RouterContext, needs: Needs<'deliveries' | 'webhooks'>): Promise<void> {
  const { id } = await findWebhook(ctx, needs);
  const isGivenUp = await needs.deliveries.giveUp(id, ctx.params['deliveryId'] ?? '');
  seeOther(ctx, `${webhookPath(ctx, id)}?done=${isGivenUp ? 'given-up' : 'not-waiting'}`);
}

function webhookPath(ctx: RouterContext, webhookId: string): string {
  return `${organisationPath(membershipOf(ctx).organisationId)}/webhooks/${webhookId}`;
}

/** The name of an event's field. */
function fieldOf(event: WebhookEvent): string {
  return event.replace('.', '-');
}

/** The choices of a form; those of `chosen` are ticked until a form is sent. */
function eventChoices(form: Form, chosen: readonly WebhookEvent[]) {
  return WEBHOOK_EVENTS.map((event) => ({
    event,
    field: fieldOf(event),
    text: EVENT_TEXTS[event],
    isChosen: form.isValid ? chosen.includes(event) : form.get(fieldOf(event)) !== '',
  }));
}

/** Address and events of a form. */
function webhookOf(form: Form, organisationId: string) {
  const url = form.text('url', 'The address', 2_000);
  const events = WEBHOOK_EVENTS.filter((event) => form.get(fieldOf(event)) !== '');
  if (events.length === 0) {
    form.refuse('events', 'Choose at least one event.');
  }
  return { organisationId, url, events };
}

/** Resolves with what `submit` does. Undefined when the form has errors, of which the contract's are those of the address. */
async function submitted<T>(form: Form, submit: () => Promise<T>): Promise<T | undefined> {
  if (!form.isValid) {
    return undefined;
  }
  try {
    return await submit();
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    form.refuse('url', error.message);
    return undefined;
  }
}

/** The webhook of the parameter `webhookId`. @throws AccountError `not_found` */
async function findWebhook(ctx: RouterContext, { webhooks }: Needs<'webhooks'>): Promise<Webhook> {
  const all = await webhooks.list(membershipOf(ctx).organisationId);
  const webhook = all.find(({ id }) => id === ctx.params['webhookId']);
  if (webhook === undefined) {
    throw new AccountError('not_found', 'There is no such webhook, or it was deleted.');
  }
  return webhook;
}

async function showDeliveries(
  ctx: RouterContext,
  { deliveries, view }: Needs<'deliveries' | 'view'>,
  webhook: Webhook,
  { form = new Form({ url: webhook.url }), created }: { form?: Form; created?: ShownSecret } = {},
): Promise<void> {
  const after = rowAfter(ctx);
  const { shown, next } = pageOf(await deliveries.page(webhook.id, LINES + 1, after), LINES);
  const log = { deliveries: shown, next, isFirstPage: after === undefined };
  const data = { webhook, now: Date.now(), form, events: eventChoices(form, webhook.events), created, ...log };
  view.show(ctx, 'webhook', { title: 'Webhook', section: 'webhooks', ...data });
}
