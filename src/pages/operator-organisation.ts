/** `/account/operator/organisations/…`: one organisation, for who runs the service. */

import type { RouterContext, RouterMiddleware } from '@koa/router';
import { AccountError } from '../account/account-error.js';
import type { Organisation } from '../account/organisation-store.js';
import { newRowId } from '../database/row-id.js';
import { Form, formOf, seeOther } from './form.js';
import type { PageDependencies } from './page-dependencies.js';
import { actorOf } from './page-state.js';

interface Forms {
  grant?: Form;
  allowance?: Form;
}

const MOST_CREDITS = 999_999_999;

export function showOrganisation(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => show(ctx, dependencies, await organisationOf(ctx, dependencies), {});
}

export function grantCredits(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const organisation = await organisationOf(ctx, dependencies);
    const form = formOf(ctx);
    const credits = creditsOf(form, 'credits', 1);
    const reason = form.text('reason', 'The reason');
    if (!form.isValid) {
      show(ctx, dependencies, organisation, { grant: form });
      return;
    }
    const grant = { organisationId: organisation.id, credits, reason };
    await dependencies.operators.grant(actorOf(ctx), grant, form.get('submission'));
    seeOther(ctx, `${pathOf(organisation)}?done=granted`);
  };
}

/** An empty field gives the organisation the allowance of the service. */
export function setAllowance(dependencies: PageDependencies): RouterMiddleware {
  return async (ctx) => {
    const organisation = await organisationOf(ctx, dependencies);
    const form = formOf(ctx);
    const credits = form.get('monthlyCredits').trim() === '' ? null : creditsOf(form, 'monthlyCredits', 0);
    if (!form.isValid) {
      show(ctx, dependencies, organisation, { allowance: form });
      return;
    }
    await dependencies.operators.setAllowance(actorOf(ctx), organisation.id, credits);
    await dependencies.allowances.grantDue();
    seeOther(ctx, `${pathOf(organisation)}?done=allowance-set`);
  };
}

function creditsOf(form: Form, name: string, minimum: number): number {
  const text = form.get(name).trim();
  if (!/^\d{1,9}$/.test(text) || Number(text) < minimum) {
    form.refuse(name, `Type a whole number from ${minimum} to ${MOST_CREDITS.toLocaleString('en')}.`);
  }
  return Number(text);
}

async function organisationOf(ctx: RouterContext, { organisations }: PageDependencies): Promise<Organisation> {
  const organisation = await organisations.find(ctx.params['organisationId'] ?? '');
  if (organisation === undefined) {
    throw new AccountError('not_found', 'There is no such organisation.');
  }
  return organisation;
}

function pathOf({ id }: Organisation): string {
  return `/account/operator/organisations/${id}`;
}

function show(ctx: RouterContext, dependencies: PageDependencies, organisation: Organisation, forms: Forms): void {
  const { name, monthlyCredits } = organisation;
  const {
    grant = new Form(),
    allowance = new Form({ monthlyCredits: monthlyCredits === null ? '' : String(monthlyCredits) }),
  } = forms;
  dependencies.view.show(
    ctx,
    'operator-organisation',
    { title: name, section: 'operator', status: grant.isValid && allowance.isValid ? 200 : 422 },
    {
      organisation,
      path: pathOf(organisation),
      forms: { grant, allowance },
      work: dependencies.admission.figuresOf(organisation.id),
      standard: dependencies.allowances.standard,
      submission: newRowId(),
    },
  );
}
