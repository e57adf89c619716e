/** What only `npm run nightly` runs: cases that differ from others in one part of two, or in nothing but their number. */

export const IS_NIGHTLY = process.env['QRPRESS_TEST_NIGHTLY'] === '1';
