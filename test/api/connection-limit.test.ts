/** Connections at once, of which a stranger may open as many as the machine lets: files keep their share. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { openFilesLimit } from '../../src/admission/machine.js';
import { sqlite } from '../support/databases.js';
import { startTestService } from '../support/service.js';

it('closes connections beyond its limit, and takes others when one has ended', async () => {
  const service = await startTestService(sqlite, {}, { connectionLimits: { connections: 3 } });
  const open = (): Socket => connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  const held = Array.from({ length: 3 }, open);
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  try {
    const answer = async () => {
      const socket = open();
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      return text.slice(0, 12);
    };
    // The system connects before the service has looked.
    await vi.waitFor(async () => expect(await answer().catch(() => '')).toBe(''), { timeout: 20_000 });
    held.pop()?.destroy();
    await vi.waitFor(async () => expect(await answer().catch(() => '')).toBe('HTTP/1.1 200'), { timeout: 10_000 });
  } finally {
    for (const socket of held) socket.destroy();
    await service.close();
  }
});

it('knows how many files may be open', () => {
  const { userLimits } = process.report.getReport() as unknown as { userLimits: { open_files: { soft: string } } };
  expect(openFilesLimit()).toBe(Number(userLimits.open_files.soft));
});
