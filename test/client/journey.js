/**
 * From items to files with the client, in whatever runtime this is. Runs by itself with QRPRESS_URL, QRPRESS_KEY and a signed
 * message (WEBHOOK) in the environment, and prints what it saw as JSON.
 */

/**
 * @param {typeof import('../../src/client/client.js')} client
 * @param {{ url: string, key: string, webhook: { body: string, headers: Record<string, string>, secret: string } }} options
 */
export async function journey({ Client, QrpressError, verifyWebhook }, { url, key, webhook }) {
  const client = new Client({ url, key });
  async function* items() {
    for (let row = 1; row <= 3; row += 1) yield { data: `https://example.org/${row}`, reference: `row ${row}` };
  }
  const { jobId, total } = await client.createJobOf({ format: 'svg', name: 'journey' }, items());
  let last;
  for await (const state of client.progress(jobId)) last = state.status;
  const { bytes, stream } = await client.download(jobId, { start: 0 });
  let received = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    received += value.length;
  }
  const references = [];
  for await (const { reference } of client.manifest(jobId)) references.push(reference);
  const picture = await (await client.picture(jobId, 0, 'svg')).text();
  const refusal = await client.createJob({ items: [] }).catch((error) => error instanceof QrpressError && error.code);
  const { type } = await verifyWebhook(webhook.body, webhook.headers, webhook.secret);
  await client.deleteJob(jobId);
  return { total, last, isWhole: bytes === received, references, picture: picture.slice(0, 4), refusal, type };
}

if (globalThis.process?.env['WEBHOOK'] !== undefined) {
  const { QRPRESS_URL: url, QRPRESS_KEY: key, WEBHOOK } = globalThis.process.env;
  const client = await import('qrpress/client');
  console.log(JSON.stringify(await journey(client, { url, key, webhook: JSON.parse(WEBHOOK) })));
}
