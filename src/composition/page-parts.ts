/** Part of the composition root: the parts that only pages use. */

import { KeptPageStore } from '../accounts/kept-page-store.js';
import type { AccountDependencies } from '../accounts/letters.js';
import { MembershipStore } from '../accounts/organisations/membership-store.js';
import { StyleStore } from '../accounts/organisations/style-store.js';
import { Team } from '../accounts/organisations/team.js';
import { ConnectionStore } from '../accounts/people/connection-store.js';
import { Credentials } from '../accounts/people/credentials.js';
import { IdentityStore } from '../accounts/people/identity-store.js';
import { PersonalData } from '../accounts/people/personal-data-store.js';
import { Profile } from '../accounts/people/profile.js';
import { Registration } from '../accounts/people/registration.js';
import { SecondFactor } from '../accounts/people/second-factor-store.js';
import { SessionStore } from '../accounts/people/session-store.js';
import type { Config } from '../config/config.js';
import { LedgerReportStore } from '../credits/ledger-report-store.js';
import type { Database } from '../database/connection.js';
import { JobListStore } from '../jobs/job-list-store.js';
import { JobReportStore } from '../jobs/job-report-store.js';
import { DeliveryStore } from '../outbox/delivery-store.js';
import { MailStore } from '../outbox/mail-store.js';
import type { Log } from '../platform/log.js';
import type { SingleSignOn } from '../site/shell/page-dependencies.js';
import { SINGLE_SIGN_ON_CALLBACK } from '../site/sign-in/single-sign-on.js';

export async function pageParts(config: Config, database: Database, log: Log) {
  const accounts = { database, baseUrl: config.baseUrl };
  return {
    singleSignOn: config.oidc && (await openSingleSignOn(config.oidc, config, accounts, log)),
    registration: new Registration(accounts),
    credentials: new Credentials(accounts),
    profile: new Profile(accounts),
    secondFactor: new SecondFactor(accounts),
    team: new Team(accounts),
    memberships: new MembershipStore(database),
    sessions: new SessionStore(database),
    keptPages: new KeptPageStore(database),
    personalData: new PersonalData(database),
    styles: new StyleStore(database),
    ledgerReports: new LedgerReportStore(database),
    jobList: new JobListStore(database),
    jobReports: new JobReportStore(database),
    mails: new MailStore(database),
    deliveries: new DeliveryStore(database),
  };
}

async function openSingleSignOn(
  oidc: NonNullable<Config['oidc']>,
  { baseUrl, proxy }: Config,
  accounts: AccountDependencies,
  log: Log,
): Promise<SingleSignOn> {
  // The library is loaded only where it is used.
  const { IdentityProvider } = await import('../accounts/people/identity-provider.js');
  return {
    provider: new IdentityProvider({
      ...oidc,
      proxy,
      redirectUri: baseUrl + SINGLE_SIGN_ON_CALLBACK,
      onFailure: (error) => log.error({ err: error }, 'pages: sign-in through the identity provider failed'),
    }),
    identities: new IdentityStore(accounts, oidc.groups, log),
    connections: new ConnectionStore(accounts),
  };
}
