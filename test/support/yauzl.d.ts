/** The little of yauzl that the tests use; its package brings no types. */

declare module 'yauzl' {
  export interface Entry {
    fileName: string;
  }
  export interface ZipFile {
    eachEntry(): AsyncIterable<Entry>;
  }
  export function fromBufferPromise(archive: Buffer): Promise<ZipFile>;
}
