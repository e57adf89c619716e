/** Notices about an organisation: its owners are told of a paused webhook and of a low balance, operators that it needs credits. */

import { DAY_MS } from '../../contract/limits.js';
import { ALLOWANCE_REASON } from '../../credits/allowance-store.js';
import type { Database, DatabaseTransaction } from '../../database/connection.js';
import { transact } from '../../database/transaction.js';
import type { Letter } from '../../outbox/letter.js';
import { postMail } from '../../outbox/mail-store.js';
import type { Actor, AnyActor } from '../actor.js';
import { audit } from '../audit-store.js';
import {
  type AccountDependencies,
  accountUrl,
  creditsAskedLetter,
  creditsGrantedLetter,
  lowBalanceLetter,
  mailPerson,
  webhookPausedLetter,
} from '../letters.js';
import { ownersOf, roleOf } from './membership-store.js';
import { nameOfOrganisation } from './organisation-store.js';
import { nameOf } from '../people/person-store.js';

/** Time for which a request for credits is shown to operators. */
const ASKED_MS = 30 * DAY_MS;

const MAX_ASKED = 20;

/** An organisation's request, as operators see it. */
interface CreditsAsked {
  organisationId: string;
  organisationName: string;
  /** Null: the person's account is deleted. */
  personId: string | null;
  personName: string | null;
  text: string;
  /** Unix milliseconds. */
  createdAt: number;
}

type Links = Pick<AccountDependencies, 'baseUrl'>;

/** Returns what mails the owners that a webhook is paused. */
export function webhookPausedMail(links: Links) {
  return async (
    transaction: DatabaseTransaction,
    {
      organisationId,
      webhookId,
      url,
      isGone,
    }: { organisationId: string; webhookId: string; url: string; isGone: boolean },
  ): Promise<void> => {
    const organisation = await nameOfOrganisation(transaction, organisationId);
    const page = accountUrl(links, `o/${organisationId}/webhooks/${webhookId}`);
    await mailOwners(transaction, organisationId, webhookPausedLetter({ organisation, address: url, isGone }, page));
  };
}

/** Returns what mails the owners that the balance fell below what they set. */
export function lowBalanceMail(links: Links) {
  return async (
    transaction: DatabaseTransaction,
    { organisationId, balance, threshold }: { organisationId: string; balance: number; threshold: number },
  ): Promise<void> => {
    const organisation = await nameOfOrganisation(transaction, organisationId);
    const page = accountUrl(links, `o/${organisationId}/credits`);
    await mailOwners(transaction, organisationId, lowBalanceLetter({ organisation, balance, threshold }, page));
  };
}

/** Mails every owner. An organisation that the command line made has the address of its owner alone. */
async function mailOwners(transaction: DatabaseTransaction, organisationId: string, letter: Letter): Promise<void> {
  const owners = await ownersOf(transaction, organisationId);
  const { owner_email: address } = await transaction
    .selectFrom('organisations')
    .select('owner_email')
    .where('id', '=', organisationId)
    .executeTakeFirstOrThrow();
  const recipients = owners.length > 0 ? owners.map(({ email }) => email) : [address].filter((each) => each !== '');
  for (const recipient of recipients) {
    await postMail(transaction, recipient, letter, organisationId);
  }
}

/** Asks the operators for credits: by mail, and on their page. */
export async function askForCredits(
  { database, baseUrl }: AccountDependencies,
  actor: Actor,
  organisationId: string,
  text: string,
): Promise<void> {
  await transact(database, async (transaction) => {
    await audit(transaction, actor, organisationId, 'credits-asked', text);
    const organisation = await nameOfOrganisation(transaction, organisationId);
    const url = accountUrl({ baseUrl }, `operator/organisations/${organisationId}`);
    const letter = creditsAskedLetter({ organisation, person: await nameOf(transaction, actor.personId), text }, url);
    const operators = await transaction.selectFrom('people').select('email').where('is_operator', '=', 1).execute();
    for (const { email } of operators) {
      await postMail(transaction, email, letter);
    }
  });
}

/** Returns what mails the members whose requests a grant answers. Call it before the grant, which ends the requests. */
export function creditsGrantedMail(links: Links) {
  return async (
    transaction: DatabaseTransaction,
    actor: AnyActor,
    { organisationId, credits }: { organisationId: string; credits: number },
  ): Promise<void> => {
    const asked = await creditsAsked(transaction, organisationId);
    const url = accountUrl(links, `o/${organisationId}/credits`);
    for (const personId of new Set(asked.map((request) => request.personId))) {
      if (personId === null || personId === actor.personId) continue;
      // A person who has left learns nothing more of the organisation.
      if ((await roleOf(transaction, organisationId, personId)) === undefined) continue;
      const organisation = await nameOfOrganisation(transaction, organisationId);
      await mailPerson(transaction, personId, (name) => creditsGrantedLetter({ name, organisation, credits }, url));
    }
  };
}

/**
 * The latest requests for credits of the last 30 days after which nobody granted any, newest first. A monthly allowance is no
 * answer to them. @param organisationId only those of this organisation
 */
export async function creditsAsked(database: Database, organisationId?: string): Promise<CreditsAsked[]> {
  const asked = database
    .selectFrom('audit_entries as entry')
    .innerJoin('organisations', 'organisations.id', 'entry.organisation_id')
    .leftJoin('people', 'people.id', 'entry.person_id')
    .select(['organisations.id as organisationId', 'organisations.name as organisationName'])
    .select([
      'people.id as personId',
      'people.name as personName',
      'entry.subject as text',
      'entry.created_at as createdAt',
    ])
    .where('entry.action', '=', 'credits-asked')
    .where('entry.created_at', '>', Date.now() - ASKED_MS)
    .where((entry) =>
      entry.not(
        entry.exists(
          entry
            .selectFrom('ledger_entries')
            .select('ledger_entries.id')
            .whereRef('ledger_entries.organisation_id', '=', 'entry.organisation_id')
            .where('ledger_entries.kind', '=', 'grant')
            .where('ledger_entries.amount', '>', 0)
            .whereRef('ledger_entries.created_at', '>', 'entry.created_at')
            .where((grant) =>
              grant.or([
                grant('ledger_entries.person_id', 'is not', null),
                grant('ledger_entries.reason', 'not like', `${ALLOWANCE_REASON}%`),
              ]),
            ),
        ),
      ),
    )
    .orderBy('entry.id', 'desc')
    .limit(MAX_ASKED);
  return (organisationId === undefined ? asked : asked.where('organisations.id', '=', organisationId)).execute();
}
