/** A file cannot be read as what its name says. */

export class UnreadableItemsError extends Error {
  override readonly name = 'UnreadableItemsError';
}
