/** The parts that pages work with. The composition root builds them. */

import type { ApiKeyStore } from '../../accounts/keys/api-key-store.js';
import type { KeyRequests } from '../../accounts/keys/key-request-store.js';
import type { ConnectionStore } from '../../accounts/people/connection-store.js';
import type { Credentials } from '../../accounts/people/credentials.js';
import type { IdentityProvider } from '../../accounts/people/identity-provider.js';
import type { IdentityStore } from '../../accounts/people/identity-store.js';
import type { KeptPageStore } from '../../accounts/kept-page-store.js';
import type { MembershipStore } from '../../accounts/organisations/membership-store.js';
import type { Operators } from '../../accounts/operators.js';
import type { OrganisationStore } from '../../accounts/organisations/organisation-store.js';
import type { PersonalData } from '../../accounts/people/personal-data-store.js';
import type { Profile } from '../../accounts/people/profile.js';
import type { Registration } from '../../accounts/people/registration.js';
import type { SecondFactor } from '../../accounts/people/second-factor-store.js';
import type { SessionStore } from '../../accounts/people/session-store.js';
import type { StyleStore } from '../../accounts/organisations/style-store.js';
import type { Team } from '../../accounts/organisations/team.js';
import type { Throttle } from '../../accounts/people/throttle.js';
import type { WebhookStore } from '../../accounts/webhook-store.js';
import type { AdmissionControl } from '../../admission/admission-control.js';
import type { Config } from '../../config/config.js';
import type { Allowances } from '../../credits/allowance-store.js';
import type { Ledger } from '../../credits/ledger-store.js';
import type { LedgerReportStore } from '../../credits/ledger-report-store.js';
import type { Database } from '../../database/connection.js';
import type { Engine } from '../../engine/engine.js';
import type { ProcessFolder } from '../../jobs/files/process-folder.js';
import type { Job } from '../../jobs/job.js';
import type { JobListStore } from '../../jobs/job-list-store.js';
import type { JobReportStore } from '../../jobs/job-report-store.js';
import type { Jobs } from '../../jobs/jobs.js';
import type { Examine } from '../../observability/readiness.js';
import type { DeliveryStore } from '../../outbox/delivery-store.js';
import type { MailStore } from '../../outbox/mail-store.js';
import type { Log } from '../../platform/log.js';
import type { Context } from 'koa';

/** The identity provider, and who is who. */
export interface SingleSignOn {
  provider: IdentityProvider;
  identities: IdentityStore;
  connections: ConnectionStore;
}

/** The frame of a page, and the data of its template. */
export interface Page {
  /** Title of the document and the page. */
  title: string;
  /** HTTP status. Default: 422 for a form with errors, otherwise 200. */
  status?: number | undefined;
  /** The current entry of the navigation. */
  section?: string | undefined;
  /** A message that has figures of the page. Default: that of the code in the query. */
  notice?: string | undefined;
  form?: { isValid: boolean };
  [name: string]: unknown;
}

export interface PageView {
  /** Answers with the page of a template below `web/pages`. */
  show: (ctx: Context, template: string, page: Page) => void;
}

export interface PageDependencies {
  config: Config;
  log: Log;
  database: Database;
  folder: ProcessFolder;
  engine: Engine;
  admission: AdmissionControl;
  examine: Examine;
  jobs: Jobs;
  operators: Operators;
  organisations: OrganisationStore;
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
  view: PageView;
  /** Undefined when no provider is configured. */
  singleSignOn: SingleSignOn | undefined;
  registration: Registration;
  credentials: Credentials;
  profile: Profile;
  secondFactor: SecondFactor;
  team: Team;
  memberships: MembershipStore;
  sessions: SessionStore;
  keptPages: KeptPageStore;
  personalData: PersonalData;
  styles: StyleStore;
  ledgerReports: LedgerReportStore;
  jobList: JobListStore;
  jobReports: JobReportStore;
  mails: MailStore;
  deliveries: DeliveryStore;
}

/** The parts that one handler needs. Each names its own. */
export type Needs<Name extends keyof PageDependencies> = Pick<PageDependencies, Name>;
