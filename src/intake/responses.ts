/** What the service answers (sections 2.7 to 2.11 of the specification), in the wire's words. */

import { type Static, Type } from 'typebox';

/** The answer to an accepted job (section 2.7). The URLs are relative to the service's base address. */
export const JobCreatedSchema = Type.Object({
  jobId: Type.String(),
  total: Type.Integer(),
  creditsCharged: Type.Integer(),
  statusUrl: Type.String(),
  downloadUrl: Type.String(),
});
export type JobCreated = Static<typeof JobCreatedSchema>;

/** The job status resource (section 2.8). `creditsRefunded` is present when it isn't 0. */
export const JobResourceSchema = Type.Object({
  id: Type.String(),
  status: Type.Enum(['processing', 'zipping', 'complete', 'failed'], { type: 'string' }),
  total: Type.Integer(),
  completed: Type.Integer(),
  failed: Type.Integer(),
  creditsCharged: Type.Integer(),
  creditsRefunded: Type.Optional(Type.Integer()),
  downloadUrl: Type.Optional(Type.String()),
});
export type JobResource = Static<typeof JobResourceSchema>;

/** The credit balance resource (section 2.9). */
export const CreditBalanceSchema = Type.Object({ balance: Type.Integer() });
export type CreditBalance = Static<typeof CreditBalanceSchema>;

const IssueSchema = Type.Object({
  path: Type.String(),
  code: Type.String(),
  message: Type.String(),
  line: Type.Optional(Type.Integer()),
});

/** The error object (section 7); its further members depend on the code. */
export const ErrorBodySchema = Type.Object({
  error: Type.String(),
  message: Type.String(),
  requestId: Type.String(),
  issues: Type.Optional(Type.Array(IssueSchema)),
  issueCount: Type.Optional(Type.Integer()),
});
export type ErrorBody = Static<typeof ErrorBodySchema>;
