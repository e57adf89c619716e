/** Settings of a service that is killed, kept busy, or given a bad disk: small chunks, no limits of rate, no log. */

export const environmentOf = (dataDir: string): Record<string, string> => ({
  QRPRESS_DATA_DIR: dataDir,
  QRPRESS_PORT: '0',
  QRPRESS_RENDER_THREADS: '1',
  QRPRESS_CHUNK_ITEMS: '1000',
  QRPRESS_RATE_LIMIT_CREATE: '1000000',
  QRPRESS_RATE_LIMIT_READ: '1000000',
  QRPRESS_LOG_LEVEL: 'fatal',
});
