/** Styles that an organisation keeps: how codes look, with the logo, under a name. */

import type { JobMeta } from '../contract/request-schema.js';
import type { Database } from '../database/connection.js';
import { newRowId } from '../database/row-id.js';
import { isDuplicate, transact } from '../database/transaction.js';
import { AccountError } from './account-error.js';

/** Styles of an organisation, at most. */
const MOST_STYLES = 50;

export interface SavedStyle {
  id: string;
  name: string;
}

export class StyleStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** An organisation's styles by name. */
  async list(organisationId: string): Promise<SavedStyle[]> {
    return this.#database
      .selectFrom('styles')
      .select(['id', 'name'])
      .where('organisation_id', '=', organisationId)
      .orderBy('name')
      .execute();
  }

  /** A style with its logo; undefined where the organisation has none of that id. */
  async find(organisationId: string, id: string): Promise<(SavedStyle & { meta: JobMeta }) | undefined> {
    const row = await this.#database
      .selectFrom('styles')
      .select(['id', 'name', 'meta', 'logo'])
      .where('organisation_id', '=', organisationId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) {
      return undefined;
    }
    const meta = JSON.parse(row.meta) as JobMeta;
    if (row.logo !== null && meta.style?.logo !== undefined) {
      meta.style.logo.dataUrl = row.logo;
    }
    return { id: row.id, name: row.name, meta };
  }

  /** Keeps a style and returns its id; one with the same name is replaced. @throws AccountError `conflict` for too many */
  async save(organisationId: string, name: string, meta: JobMeta): Promise<string> {
    const logo = meta.style?.logo?.dataUrl ?? null;
    const text = JSON.stringify(meta, (key, value: unknown) => (key === 'dataUrl' ? '' : value));
    return transact(this.#database, async (transaction) => {
      const styles = await transaction
        .selectFrom('styles')
        .select(['id', 'name'])
        .where('organisation_id', '=', organisationId)
        .execute();
      const earlier = styles.find((style) => style.name === name);
      if (earlier !== undefined) {
        await transaction.updateTable('styles').set({ meta: text, logo }).where('id', '=', earlier.id).execute();
        return earlier.id;
      }
      if (styles.length >= MOST_STYLES) {
        throw new AccountError('conflict', `There are ${MOST_STYLES} saved styles. Delete one first.`);
      }
      const id = newRowId();
      await transaction
        .insertInto('styles')
        .values({ id, organisation_id: organisationId, name, meta: text, logo, created_at: Date.now() })
        .execute();
      return id;
    }).catch((error: unknown) => {
      throw isDuplicate(error)
        ? new AccountError('conflict', 'Somebody else saved a style of this name just now. Try again.')
        : error;
    });
  }

  /** Deletes a style; one that is not there is not missed. */
  async remove(organisationId: string, id: string): Promise<void> {
    await this.#database
      .deleteFrom('styles')
      .where('organisation_id', '=', organisationId)
      .where('id', '=', id)
      .execute();
  }
}
