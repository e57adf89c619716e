/** The dependencies of the pages. */

import type { ApiKeyStore } from '../account/api-key-store.js';
import type { AuditStore } from '../account/audit-store.js';
import type { Credentials } from '../account/credentials.js';
import type { MembershipStore } from '../account/membership-store.js';
import type { Operators } from '../account/operators.js';
import type { OrganisationLimits } from '../account/organisation-limit-store.js';
import type { OrganisationStore } from '../account/organisation-store.js';
import type { Profile } from '../account/profile.js';
import type { Registration } from '../account/registration.js';
import type { SecondFactor } from '../account/second-factor.js';
import type { SessionStore } from '../account/session-store.js';
import type { StyleStore } from '../account/style-store.js';
import type { Team } from '../account/team.js';
import type { Throttle } from '../account/throttle.js';
import type { Config } from '../config.js';
import type { Allowances } from '../credits/allowance-store.js';
import type { Ledger } from '../credits/ledger-store.js';
import type { LedgerReportStore } from '../credits/ledger-report-store.js';
import type { Database } from '../database/connection.js';
import type { Engine } from '../engine/engine.js';
import type { AdmissionControl } from '../admission/admission-control.js';
import type { DraftFolder } from '../jobs/files/drafts.js';
import type { ProcessFolder } from '../jobs/files/process-folder.js';
import type { Job } from '../jobs/job.js';
import type { JobReportStore } from '../jobs/job-report-store.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Log } from '../log.js';
import type { MailStore } from '../mail/mail-store.js';
import type { BlobStore } from '../storage/blob-store.js';
import type { DeliveryStore } from '../webhooks/delivery-store.js';
import type { WebhookStore } from '../webhooks/webhook-store.js';
import type { SingleSignOn } from './single-sign-on.js';
import type { View } from './view.js';

export interface PageDependencies {
  view: View;
  log: Log;
  config: Pick<Config, 'baseUrl' | 'signUp' | 'dataDir' | 'retentionDays' | 'passwords' | 'mail' | 'rateLimits'>;
  /** Sign-in through an identity provider, if one is configured. */
  singleSignOn: SingleSignOn | undefined;
  database: Database;
  registration: Registration;
  credentials: Credentials;
  profile: Profile;
  secondFactor: SecondFactor;
  operators: Operators;
  team: Team;
  throttle: Throttle;
  organisations: OrganisationStore;
  organisationLimits: OrganisationLimits;
  memberships: MembershipStore;
  sessions: SessionStore;
  styles: StyleStore;
  audit: AuditStore;
  keys: ApiKeyStore;
  ledger: Ledger;
  allowances: Allowances;
  ledgerReports: LedgerReportStore;
  jobs: Jobs;
  jobReports: JobReportStore;
  folder: ProcessFolder;
  drafts: DraftFolder;
  admission: AdmissionControl;
  engine: Engine;
  storage: BlobStore;
  mails: MailStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  /** Makes the webhook worker deliver new events at once. */
  wakeWebhooks: () => void;
  urls: {
    /** The link to a job's archive, as a path. */
    download: (job: Job) => string;
  };
}
