/** An organisation's saved styles: how codes look, with the logo, under a name. */

import { LIMITS } from '../../contract/limits.js';
import type { JobMeta } from '../../contract/request-schema.js';
import type { Database } from '../../database/connection.js';
import { newRowId } from '../../database/row-id.js';
import { isDuplicate, transact } from '../../database/transaction.js';
import { AccountError } from '../account-error.js';
import type { Actor } from '../actor.js';
import { audit } from '../audit-store.js';
import { lockMembers } from './membership-store.js';

/** The part of a form that is saved: the settings of a job, and the width in print that was asked for, in millimetres as it was written. */
export type StyleMeta = JobMeta & { widthMm?: string };

interface SavedStyle {
  id: string;
  name: string;
  meta: StyleMeta;
}

export class StyleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** An organisation's styles without their logos, sorted by name. */
  async list(organisationId: string): Promise<SavedStyle[]> {
    const rows = await this.#database
      .selectFrom('styles')
      .select(['id', 'name', 'meta'])
      .where('organisation_id', '=', organisationId)
      .orderBy('name')
      .execute();
    return rows.map(({ meta, ...style }) => ({ ...style, meta: JSON.parse(meta) as StyleMeta }));
  }

  /** A style with its logo. Undefined when the organisation has no style with this id. */
  async find(organisationId: string, id: string): Promise<SavedStyle | undefined> {
    const row = await this.#database
      .selectFrom('styles')
      .select(['id', 'name', 'meta', 'logo'])
      .where('organisation_id', '=', organisationId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) {
      return undefined;
    }
    const meta = JSON.parse(row.meta) as StyleMeta;
    if (row.logo !== null && meta.style?.logo !== undefined) {
      meta.style.logo.dataUrl = row.logo;
    }
    return { id: row.id, name: row.name, meta };
  }

  /**
   * Saves a style and returns its id. Replaces a style of the same name. @throws AccountError `conflict` when there are
   * too many
   */
  async save(actor: Actor, organisationId: string, name: string, meta: StyleMeta): Promise<string> {
    const logo = meta.style?.logo?.dataUrl ?? null;
    const text = JSON.stringify(meta, (key, value: unknown) => (key === 'dataUrl' ? '' : value));
    return transact(this.#database, async (transaction) => {
      // Of those who save at the same time, one counts after the other.
      await lockMembers(transaction, organisationId);
      const styles = await transaction
        .selectFrom('styles')
        .select(['id', 'name'])
        .where('organisation_id', '=', organisationId)
        .execute();
      const earlier = styles.find((style) => style.name === name);
      if (earlier !== undefined) {
        await transaction.updateTable('styles').set({ meta: text, logo }).where('id', '=', earlier.id).execute();
        await audit(transaction, actor, organisationId, 'style-changed', name);
        return earlier.id;
      }
      if (styles.length >= LIMITS.savedStyles) {
        throw new AccountError('conflict', `There are ${LIMITS.savedStyles} saved styles. Delete one first.`);
      }
      const id = newRowId();
      await transaction
        .insertInto('styles')
        .values({ id, organisation_id: organisationId, name, meta: text, logo, created_at: Date.now() })
        .execute();
      await audit(transaction, actor, organisationId, 'style-saved', name);
      return id;
    }).catch((error: unknown) => {
      throw isDuplicate(error)
        ? new AccountError('conflict', 'Somebody else saved a style of this name just now. Try again.')
        : error;
    });
  }

  /** Deletes a style. Does nothing if there is no such style. */
  async remove(actor: Actor, organisationId: string, id: string): Promise<void> {
    await transact(this.#database, async (transaction) => {
      const style = await transaction
        .selectFrom('styles')
        .select('name')
        .where('organisation_id', '=', organisationId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (style === undefined) {
        return;
      }
      const { numDeletedRows } = await transaction.deleteFrom('styles').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 1n) {
        await audit(transaction, actor, organisationId, 'style-deleted', style.name);
      }
    });
  }
}
