/** The steps of an operator's first day, each with what is so or what to do: `doctor` and the operator's page show them. */

import { lastAct } from '../accounts/audit-store.js';
import { OrganisationStore } from '../accounts/organisations/organisation-store.js';
import { DAY_MS } from '../contract/limits.js';
import { dayText } from '../contract/date-time.js';
import type { Database } from '../database/connection.js';
import { isLoopback } from '../platform/network.js';
import type { Config } from './config.js';

export interface Step {
  name: 'address' | 'mail' | 'sign-up' | 'backup' | 'first organisation';
  isDone: boolean;
  /** The state of things, or the next thing to do. */
  detail: string;
  /** Path of the page that says how. */
  page: string;
  /** Path of the account page with the form for it. */
  form?: string;
}

/** Names that nobody can own (RFC 2606): they stand in the examples of the docs. */
const EXAMPLE_NAME = /(?:^|\.)example(?:\.com|\.net|\.org)?$/;

/** An older backup counts as none. */
const BACKUP_DAYS = 8;

/** The steps that the settings alone decide. */
export function settingSteps(config: Config): Step[] {
  return [address(config), mail(config), signUp(config)];
}

export async function firstDay(config: Config, database: Database): Promise<Step[]> {
  const [backup, organisations] = await Promise.all([
    lastAct(database, 'backup-made'),
    new OrganisationStore(database).count(),
  ]);
  return [...settingSteps(config), backupOf(backup), organisation(organisations, config)];
}

function address({ baseUrl }: Config): Step {
  const { hostname, protocol } = new URL(baseUrl);
  const step = { name: 'address', page: '/docs/proxy' } as const;
  if (EXAMPLE_NAME.test(hostname)) {
    const detail = `QRPRESS_BASE_URL is still ${baseUrl}: set it to the address of this service, to which links and mails lead`;
    return { ...step, isDone: false, detail };
  }
  if (isLoopback(hostname)) {
    const detail = `QRPRESS_BASE_URL is ${baseUrl}, which only this machine reaches: set it to the address that people use`;
    return { ...step, isDone: false, detail };
  }
  const detail = `people use ${baseUrl}${protocol === 'https:' ? '' : ', in plain text: outside of your own network, put a proxy with TLS in front'}`;
  return { ...step, isDone: true, detail };
}

function mail({ mail: { smtpUrl } }: Config): Step {
  const detail =
    smtpUrl === undefined
      ? 'Sign-up mails are not sent yet, and no links to reset a password. Set QRPRESS_SMTP_URL'
      : `sent through ${new URL(smtpUrl).host}`;
  return { name: 'mail', isDone: smtpUrl !== undefined, detail, page: '/docs/production' };
}

function signUp({ signUp: who, passwords, mail: { smtpUrl } }: Config): Step {
  const details = {
    open: passwords ? 'anybody can create an account' : 'whoever the identity provider signs in gets an account',
    invite: 'only invited people create accounts',
    closed: 'nobody creates an account here',
  };
  const isStuck = passwords && who !== 'closed' && smtpUrl === undefined;
  const stuck = {
    open: 'nobody can create an account before mail works',
    invite: 'only invited people create accounts, whose links are not sent before mail works',
    closed: details.closed,
  };
  const detail = `${(isStuck ? stuck : details)[who]} (QRPRESS_SIGN_UP=${who})`;
  return { name: 'sign-up', isDone: !isStuck, detail, page: '/docs/production' };
}

/** @param time of the last backup, in Unix milliseconds */
function backupOf(time: number | undefined): Step {
  const step = { name: 'backup', page: '/docs/backup' } as const;
  if (time === undefined) {
    return { ...step, isDone: false, detail: 'none by `qrpress admin backup` yet: schedule one, and try a restore' };
  }
  const isRecent = Date.now() - time < BACKUP_DAYS * DAY_MS;
  const detail = `the last one is of ${dayText(time)}`;
  return { ...step, isDone: isRecent, detail: isRecent ? detail : `${detail}: see why there is no newer one` };
}

function organisation(count: number, { signUp: who, credits }: Config): Step {
  const way =
    who === 'open'
      ? 'create one on your own page, or with `qrpress admin create-organisation`'
      : 'make one with `qrpress admin create-organisation`, and open the link of `qrpress admin invite`';
  const state = count === 0 ? `none yet: ${way}` : count === 1 ? 'there is one' : `there are ${count}`;
  return {
    name: 'first organisation',
    isDone: count > 0,
    detail:
      credits === 'unlimited' ? state : `${state}. Operators grant credits on the page of an organisation, at Server`,
    page: '/docs/install',
    ...(who === 'open' && { form: '/account/you#organisations' }),
  };
}
