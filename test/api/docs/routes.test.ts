import { expect, it } from 'vitest';
import { type ApiDependencies, createRouter, type Probes } from '../../../src/api/routes.js';
import { createDocument } from '../../../src/api/docs/document.js';

/** Paths that `README.md` and `docs/run/monitor.md` describe, and the document does not. */
const FOR_OPERATORS = new Set([
  '/llms.txt',
  '/docs',
  '/docs.md',
  '/docs/:page',
  '/docs/pictures/:picture',
  '/healthz',
  '/metrics',
  '/readyz',
]);

it('describes every route, and none that there is not', { tags: ['document/valid'] }, () => {
  const dependencies = { docs: new Map() } as unknown as ApiDependencies;
  const probes: Probes = { readyz: () => undefined, metrics: () => undefined };
  const routed = createRouter(dependencies, probes)
    .stack.filter(({ path }) => !FOR_OPERATORS.has(String(path)))
    .flatMap(({ path, methods }) => methods.map((method) => `${method} ${String(path).replaceAll(/:(\w+)/g, '{$1}')}`));
  const { paths = {} } = createDocument({
    baseUrl: 'https://qr.example.org',
    rateLimits: { create: 10, read: 60 },
    retentionDays: 90,
  });
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) =>
      (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]).map((name) => `${name} ${path}`),
    ),
  );
  expect([...new Set(described)].toSorted()).toEqual(routed.toSorted());
});
