/** The mail with the download link that a job asks for with `sendEmail`. */

import type { DatabaseTransaction } from '../database/connection.js';
import { writeLetter } from '../mail/letter.js';
import { postMail } from '../mail/mail-store.js';
import type { Job } from './job.js';

/** What else happens in the transaction that makes a job `complete`. */
export type OnComplete = (transaction: DatabaseTransaction, job: Job) => Promise<void>;

/**
 * Posts the link to the organisation's owner in the very transaction that completes the job: never before, and once.
 * @param downloadUrl the job's absolute, signed link
 */
export function completionMail(downloadUrl: (job: Job) => string): OnComplete {
  return async (transaction, job) => {
    if (!job.sendEmail) {
      return;
    }
    const { name, owner_email: ownerEmail } = await transaction
      .selectFrom('organisations')
      .select(['name', 'owner_email'])
      .where('id', '=', job.organisationId)
      .executeTakeFirstOrThrow();
    const codes = `${job.completed.toLocaleString('en')} ${job.completed === 1 ? 'code' : 'codes'}`;
    await postMail(
      transaction,
      ownerEmail,
      writeLetter({
        subject: `Your QR codes are ready: ${codes}`,
        paragraphs: [
          `Job ${job.id} of ${name} is complete: ${codes} in one ZIP file.`,
          ...(job.failed > 0
            ? [`${job.failed.toLocaleString('en')} could not be drawn; their credits were returned.`]
            : []),
        ],
        action: { label: 'Download the ZIP file', url: downloadUrl(job) },
        footnotes: [
          `The link needs no sign-in and ends on ${new Date(job.expiresAt).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })}. Whoever has it can download the file.`,
        ],
      }),
    );
  };
}
