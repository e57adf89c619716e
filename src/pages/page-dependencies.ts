/** The dependencies of the pages. */

import type { ApiKeyStore } from '../account/api-key-store.js';
import { Credentials } from '../account/credentials.js';
import { MembershipStore } from '../account/membership-store.js';
import type { Operators } from '../account/operators.js';
import type { OrganisationLimits } from '../account/organisation-limit-store.js';
import type { OrganisationStore } from '../account/organisation-store.js';
import { Profile } from '../account/profile.js';
import { Registration } from '../account/registration.js';
import { SecondFactor } from '../account/second-factor-store.js';
import { SessionStore } from '../account/session-store.js';
import { StyleStore } from '../account/style-store.js';
import { Team } from '../account/team.js';
import type { Throttle } from '../account/throttle.js';
import type { AdmissionControl } from '../admission/admission-control.js';
import type { Config } from '../config.js';
import type { Allowances } from '../credits/allowance-store.js';
import type { Ledger } from '../credits/ledger-store.js';
import { LedgerReportStore } from '../credits/ledger-report-store.js';
import type { Database } from '../database/connection.js';
import type { Engine } from '../engine/engine.js';
import type { ProcessFolder } from '../jobs/files/process-folder.js';
import type { Job } from '../jobs/job.js';
import { JobReportStore } from '../jobs/job-report-store.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Log } from '../log.js';
import { MailStore } from '../mail/mail-store.js';
import { DeliveryStore } from '../webhooks/delivery-store.js';
import type { WebhookStore } from '../webhooks/webhook-store.js';
import { openSingleSignOn } from './single-sign-on.js';
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
  throttle: Throttle;
  ledger: Ledger;
  allowances: Allowances;
  webhooks: WebhookStore;
  /** Make the workers deliver new mails, or webhook events, at once. */
  wake: { mails: () => void; webhooks: () => void };
  urls: {
    /** The link to a job's archive, as a path. */
    download: (job: Job) => string;
  };
}

export type PageDependencies = ReturnType<typeof pageDependencies>;

/** Adds the parts that only pages use. */
export function pageDependencies(parts: ServiceParts, view: View) {
  const { config, database, log, wake } = parts;
  const accounts = { database, baseUrl: config.baseUrl, wakeOutboxWorker: wake.mails };
  return {
    ...parts,
    view,
    singleSignOn: openSingleSignOn(config, database, log),
    registration: new Registration(accounts),
    credentials: new Credentials(accounts),
    profile: new Profile(accounts),
    secondFactor: new SecondFactor(database),
    team: new Team(accounts),
    memberships: new MembershipStore(database),
    sessions: new SessionStore(database),
    styles: new StyleStore(database),
    ledgerReports: new LedgerReportStore(database),
    jobReports: new JobReportStore(database),
    mails: new MailStore(database),
    deliveries: new DeliveryStore(database),
  };
}
