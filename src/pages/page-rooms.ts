/** The rooms that the pages are made of. */

import type { ApiKeyStore } from '../account/api-key-store.js';
import type { AuditStore } from '../account/audit-store.js';
import type { Credentials } from '../account/credentials.js';
import type { MembershipStore } from '../account/membership-store.js';
import type { Operators } from '../account/operators.js';
import type { OrganisationStore } from '../account/organisation-store.js';
import type { Registration } from '../account/registration.js';
import type { SessionStore } from '../account/session-store.js';
import type { Team } from '../account/team.js';
import type { Throttle } from '../account/throttle.js';
import type { Config } from '../config.js';
import type { Ledger } from '../credits/ledger.js';
import type { LedgerReportStore } from '../credits/ledger-report-store.js';
import type { Database } from '../database/connection.js';
import type { IntakeRoom } from '../intake/intake-room.js';
import type { Job } from '../jobs/job.js';
import type { DraftFolder } from '../jobs/job-files.js';
import type { JobListStore } from '../jobs/job-list-store.js';
import type { JobReportStore } from '../jobs/job-report-store.js';
import type { Jobs } from '../jobs/jobs.js';
import type { MailStore } from '../mail/mail-store.js';
import type { Engine } from '../render/engine.js';
import type { BlobStore } from '../storage/blob-store.js';
import type { PageLog } from './page-errors.js';
import type { View } from './view.js';

export interface PageRooms {
  view: View;
  log: PageLog;
  config: Pick<Config, 'baseUrl' | 'signUp' | 'dataDir' | 'retentionDays'>;
  database: Database;
  registration: Registration;
  credentials: Credentials;
  operators: Operators;
  team: Team;
  throttle: Throttle;
  organisations: OrganisationStore;
  memberships: MembershipStore;
  sessions: SessionStore;
  audit: AuditStore;
  keys: ApiKeyStore;
  ledger: Ledger;
  ledgerReports: LedgerReportStore;
  jobs: Jobs;
  jobLists: JobListStore;
  jobReports: JobReportStore;
  drafts: DraftFolder;
  room: IntakeRoom;
  engine: Engine;
  storage: BlobStore;
  mails: MailStore;
  /** A job's signed links, as paths. */
  links: { download: (job: Job) => string; status: (job: Job) => string };
}
