/** The mail with the download link, for jobs with `sendEmail`. */

import type { DatabaseTransaction } from '../database/connection.js';
import { counted } from '../platform/counted.js';
import { writeLetter } from '../outbox/letter.js';
import { postMail } from '../outbox/mail-store.js';
import type { Job } from './job.js';
import { recipientOf } from './payer-store.js';

/**
 * Posts the link to the member who asked for it, or else to the organisation's owner. Runs in the transaction that
 * completes the job, so the mail is never early and is posted once.
 * @param downloadUrl returns the job's absolute, signed link
 * @returns a function that resolves with true when it posted a mail
 */
export function completionMail(downloadUrl: (job: Job) => string) {
  return async (transaction: DatabaseTransaction, job: Job): Promise<boolean> => {
    if (!job.sendEmail || job.status !== 'complete') {
      return false;
    }
    const { name, email } = await recipientOf(transaction, job);
    if (email === '') {
      return false;
    }
    const codesOf = (count: number) => counted(count, 'code', (each) => each.toLocaleString('en'));
    const codes = codesOf(job.completed);
    const returned = job.failed === 1 ? 'Its credit was returned.' : 'Their credits were returned.';
    await postMail(
      transaction,
      email,
      writeLetter({
        subject: `${job.name === null ? 'Your QR codes are' : `“${job.name}” is`} ready: ${codes}`,
        paragraphs: [
          `${job.name === null ? `Job ${job.id}` : `“${job.name}” (job ${job.id})`} of ${name} is complete: ${codes} in one ZIP file.`,
          ...(job.failed > 0 ? [`${codesOf(job.failed)} could not be drawn. ${returned}`] : []),
        ],
        action: { label: 'Download ZIP', url: downloadUrl(job) },
        footnotes: [
          `You do not have to sign in to use the link. It works until ${new Date(job.expiresAt).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })}. Anybody who has it can download the file.`,
        ],
      }),
      job.organisationId,
    );
    return true;
  };
}
