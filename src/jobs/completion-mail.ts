/** The mail with the download link, for jobs with `sendEmail`. */

import type { DatabaseTransaction } from '../database/connection.js';
import { counted, grouped } from '../platform/counted.js';
import { writeLetter } from '../outbox/letter.js';
import { postMail } from '../outbox/mail-store.js';
import type { Job } from './job.js';
import { recipientOf } from './payer-store.js';

/**
 * Posts the link to the member who asked for it, or else to the organisation's owner. Runs in the transaction that
 * completes the job, so the mail is never early and is posted once.
 * @param downloadUrl returns the job's absolute, signed link
 */
export function completionMail(downloadUrl: (job: Job) => string) {
  return async (transaction: DatabaseTransaction, job: Job): Promise<void> => {
    if (!job.sendEmail || job.status !== 'complete') {
      return;
    }
    const { name, email } = await recipientOf(transaction, job);
    if (email === '') {
      return;
    }
    const codesOf = (count: number) => counted(count, 'code', grouped);
    const codes = codesOf(job.completed);
    await postMail(
      transaction,
      email,
      writeLetter({
        subject: `${job.name === null ? 'Your QR codes are' : `“${job.name}” is`} ready: ${codes}`,
        paragraphs: [
          `${job.name === null ? 'Your codes' : `“${job.name}”`} for ${name} ${job.name === null ? 'are' : 'is'} ready to download: ${codes} in one ZIP file.`,
          ...(job.failed > 0
            ? [`${codesOf(job.failed)} could not be drawn and ${job.failed === 1 ? 'was' : 'were'} refunded.`]
            : []),
        ],
        action: { label: 'Download ZIP', url: downloadUrl(job) },
        footnotes: [
          `The link works without signing in until ${new Date(job.expiresAt).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })}. Anybody who has it can download the file. Job ID: ${job.id}`,
        ],
      }),
      job.organisationId,
    );
  };
}
