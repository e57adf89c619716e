/** Cases that only `npm run nightly` runs: they differ from others in one part of two, or only in their number. */

export const IS_NIGHTLY = process.env['QRPRESS_TEST_NIGHTLY'] === '1';
