/**
 * Checkers of values that schemas of the contract describe, compiled by TypeBox. Set-up writes their code in place of this
 * module (`scripts/compile-schemas.js`), so no process loads TypeBox.
 */

import { Compile } from 'typebox/compile';
import { type JobMeta, JobMetaSchema } from './request-schema.js';

/** Checks that a value follows a schema. */
interface Checker<Value> {
  Check(value: unknown): value is Value;
}

export const jobMeta = Compile(JobMetaSchema) as Checker<JobMeta>;
