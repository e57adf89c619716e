/** `/account/operator/organisations/…`: one organisation, for operators. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { creditsAsked } from '../../accounts/organisations/notice-store.js';
import type { Organisation } from '../../accounts/organisations/organisation-store.js';
import { newRowId } from '../../database/row-id.js';
import { type JobState, STATE_NAMES } from '../../jobs/job.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf } from '../shell/page-state.js';
import { progressOf } from '../shell/job-progress.js';
import { pageFormats } from '../shell/formats.js';

const HIGHEST = 999_999_999;

/** Newest jobs, and newest entries of the ledger. */
const LINES = 10;

export async function showOrganisation(
  ctx: RouterContext,
  needs: Needs<'organisations'> & OrganisationPage,
): Promise<void> {
  await show(ctx, needs, await organisationOf(ctx, needs), {});
}

/** Grants credits, or takes granted ones back. */
export async function changeCredits(
  ctx: RouterContext,
  needs: Needs<'operators' | 'organisations'> & OrganisationPage,
): Promise<void> {
  const organisation = await organisationOf(ctx, needs);
  const form = formOf(ctx);
  const change = form.get('change');
  const isTakenBack = change === 'take-back';
  const credits = numberOf(form, 'credits', 1);
  const reason = form.text('reason', 'The reason');
  // Credits are money: nothing is assumed.
  if (!isTakenBack && change !== 'grant') {
    form.refuse('credits', 'Press Grant or Take back.');
  }
  if (form.isValid) {
    const { operators } = needs;
    const grant = { organisationId: organisation.id, credits, reason };
    try {
      const [actor, sent] = [actorOf(ctx), form.get('submission')];
      // A person may go back to a form that was sent, and send it with another change on purpose.
      const formId = sent && `${sent} ${isTakenBack ? -credits : credits}`;
      await (isTakenBack ? operators.takeBack(actor, grant, formId) : operators.grant(actor, grant, formId));
      seeOther(ctx, `${pathOf(organisation)}?done=${isTakenBack ? 'taken-back' : 'granted'}&credits=${credits}`);
      return;
    } catch (error) {
      if (!(error instanceof AccountError && error.reason === 'conflict')) {
        throw error;
      }
      form.refuse('credits', error.message);
    }
  }
  await show(ctx, needs, organisation, { grant: form });
}

/** An empty field selects the service's standard allowance. */
export async function setAllowance(
  ctx: RouterContext,
  needs: Needs<'operators' | 'organisations'> & OrganisationPage,
): Promise<void> {
  const organisation = await organisationOf(ctx, needs);
  const form = formOf(ctx);
  const credits = ownOrStandard(form, 'monthlyCredits', 0);
  if (!form.isValid) {
    await show(ctx, needs, organisation, { allowance: form });
    return;
  }
  await needs.operators.setAllowance(actorOf(ctx), organisation.id, credits);
  await needs.allowances.grantDue(undefined, organisation.id);
  seeOther(ctx, `${pathOf(organisation)}?done=allowance-set`);
}

export async function setSuspension(ctx: RouterContext, needs: Needs<'operators' | 'organisations'>): Promise<void> {
  const organisation = await organisationOf(ctx, needs);
  const isSuspended = formOf(ctx).get('suspended') === 'true';
  await needs.operators.setSuspended(actorOf(ctx), organisation.id, isSuspended);
  seeOther(ctx, `${pathOf(organisation)}?done=${isSuspended ? 'suspended' : 'resumed'}`);
}

function ownOrStandard(form: Form, name: string, minimum: number): number | null {
  return form.get(name).trim() === '' ? null : numberOf(form, name, minimum);
}

function numberOf(form: Form, name: string, minimum: number): number {
  const problem = `Type a whole number from ${minimum} to ${HIGHEST.toLocaleString('en')}, such as 2000.`;
  return form.wholeNumber(name, { minimum, maximum: HIGHEST }, problem);
}

async function organisationOf(ctx: RouterContext, { organisations }: Needs<'organisations'>): Promise<Organisation> {
  const organisation = await organisations.find(ctx.params['organisationId'] ?? '');
  if (organisation === undefined) {
    throw new AccountError('not_found', 'There is no such organisation.');
  }
  return organisation;
}

function pathOf({ id }: Organisation): string {
  return `/account/operator/organisations/${id}`;
}

type OrganisationPage = Needs<
  'jobList' | 'memberships' | 'ledgerReports' | 'view' | 'admission' | 'allowances' | 'database'
>;

async function show(
  ctx: RouterContext,
  needs: OrganisationPage,
  organisation: Organisation,
  forms: Partial<Record<'grant' | 'allowance', Form>>,
): Promise<void> {
  const { jobList, memberships, ledgerReports, view, admission, allowances } = needs;
  const { id, name, monthlyCredits } = organisation;
  const { grant = new Form(), allowance = formWith({ monthlyCredits }) } = forms;
  const [asked, jobs, counts, members, entries] = await Promise.all([
    creditsAsked(needs.database, id),
    jobList.page(id, { limit: LINES }),
    jobList.counts(id),
    memberships.members(id),
    ledgerReports.page(id, { limit: LINES }),
  ]);
  view.show(ctx, 'operator-organisation', {
    title: name,
    section: 'operator',
    notice: changeNotice(ctx),
    status: [grant, allowance].every(({ isValid }) => isValid) ? 200 : 422,
    organisation,
    asked,
    path: pathOf(organisation),
    forms: { grant, allowance },
    work: admission.figuresOf(organisation.id),
    standard: allowances.standard,
    submission: newRowId(),
    jobs: jobs.map((job) => ({ ...job, progress: progressOf(job, pageFormats(ctx)) })),
    counts: Object.entries(counts).map(([state, counted]) => ({ name: STATE_NAMES[state as JobState], ...counted })),
    members,
    entries,
  });
}

/** Says how the number of a form was understood: people separate its groups in several ways. */
function changeNotice(ctx: RouterContext): string | undefined {
  const { done, credits } = ctx.query;
  const words = { granted: 'granted', 'taken-back': 'taken back' }[String(done)];
  if (words === undefined || !/^\d{1,9}$/.test(String(credits))) {
    return undefined;
  }
  const count = Number(credits);
  return `${pageFormats(ctx).counted(count, 'credit')} ${count === 1 ? 'is' : 'are'} ${words}.`;
}

/** A form filled with these numbers. Null becomes an empty field. */
function formWith(numbers: Record<string, number | null>): Form {
  return new Form(Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number ?? '')])));
}
