/** The dependencies of the pages. */

import type { ApiKeyStore } from '../accounts/keys/api-key-store.js';
import type { KeyRequests } from '../accounts/keys/key-request-store.js';
import { Credentials } from '../accounts/people/credentials.js';
import { KeptPageStore } from '../accounts/kept-page-store.js';
import { MembershipStore } from '../accounts/organisations/membership-store.js';
import type { Operators } from '../accounts/operators.js';
import type { OrganisationLimits } from '../accounts/organisations/organisation-limit-store.js';
import type { OrganisationStore } from '../accounts/organisations/organisation-store.js';
import { PersonalData } from '../accounts/people/personal-data-store.js';
import { Profile } from '../accounts/people/profile.js';
import { Registration } from '../accounts/people/registration.js';
import { SecondFactor } from '../accounts/people/second-factor-store.js';
import { SessionStore } from '../accounts/people/session-store.js';
import { StyleStore } from '../accounts/organisations/style-store.js';
import { Team } from '../accounts/organisations/team.js';
import type { Throttle } from '../accounts/people/throttle.js';
import type { AdmissionControl } from '../admission/admission-control.js';
import type { Config } from '../config/config.js';
import type { Allowances } from '../credits/allowance-store.js';
import type { Ledger } from '../credits/ledger-store.js';
import { LedgerReportStore } from '../credits/ledger-report-store.js';
import type { Database } from '../database/connection.js';
import type { Engine } from '../engine/engine.js';
import type { ProcessFolder } from '../jobs/files/process-folder.js';
import type { Job } from '../jobs/job.js';
import { JobListStore } from '../jobs/job-list-store.js';
import { JobReportStore } from '../jobs/job-report-store.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Log } from '../platform/log.js';
import { MailStore } from '../outbox/mail-store.js';
import { DeliveryStore } from '../outbox/delivery-store.js';
import type { WebhookStore } from '../accounts/webhook-store.js';
import { openSingleSignOn } from './sign-in/single-sign-on.js';
import type { View } from './view.js';

/** The parts that pages share with the rest of the service. */
export interface ServiceParts {
  config: Config;
  log: Log;
  database: Database;
  folder: ProcessFolder;
  engine: Engine;
  admission: AdmissionControl;
  jobs: Jobs;
  operators: Operators;
  organisations: OrganisationStore;
  organisationLimits: OrganisationLimits;
  keys: ApiKeyStore;
  keyRequests: KeyRequests;
  throttle: Throttle;
  ledger: Ledger;
  allowances: Allowances;
  webhooks: WebhookStore;
  urls: {
    /** The link to a job's archive, as a path. */
    download: (job: Job) => string;
  };
}

export type PageDependencies = ReturnType<typeof pageDependencies>;

/** The parts that one handler needs. Each names its own. */
export type Needs<Name extends keyof PageDependencies> = Pick<PageDependencies, Name>;

/** Adds the parts that only pages use. */
export function pageDependencies(parts: ServiceParts, view: View) {
  const { config, database, log } = parts;
  const accounts = { database, baseUrl: config.baseUrl };
  return {
    ...parts,
    view,
    singleSignOn: openSingleSignOn(config, accounts, log),
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
