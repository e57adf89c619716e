/** The alerts, the dashboard and the page about them speak of what a running service exports, and of nothing else. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { itWith, ROOT, run } from '../packages/tool.js';
import { sqlite } from '../support/databases.js';
import { startTestService, type TestService } from '../support/service.js';

const read = (name: string) => readFile(join(ROOT, name), 'utf8');

/** Given by Prometheus and Grafana. */
const LABELS_OF_SCRAPES = ['instance', 'job', 'le'];

/** Read from the database. */
const OF_THE_WHOLE_SERVICE = [
  'qrpress_backup_timestamp_seconds',
  'qrpress_chunks_waiting',
  'qrpress_jobs_unfinished',
  'qrpress_mail_oldest_age_seconds',
  'qrpress_mails_given_up',
  'qrpress_mails_waiting',
  'qrpress_queue_age_seconds',
  'qrpress_webhook_deliveries_waiting',
  'qrpress_webhook_oldest_age_seconds',
  'qrpress_webhook_overdue_seconds',
  'qrpress_webhooks_paused',
];

interface Panel {
  id: number;
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

let service: TestService;
/** Exported names with their types and texts, and all names of labels. */
const types = new Map<string, string>();
const helps = new Map<string, string>();
const labels = new Set(LABELS_OF_SCRAPES);
let alerts: string;
let panels: Panel[];
let alertsPage: string;

beforeAll(async () => {
  service = await startTestService(sqlite);
  // More than a small job: its files go into the store.
  const items = Array.from({ length: 101 }, (_, item) => ({ data: `${item}` }));
  await service.ended((await service.submit({ items })).jobId);
  const text = await (await fetch(`${service.url}/metrics`)).text();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    types.set(name, type);
  }
  for (const [, name = '', help = ''] of text.matchAll(/^# HELP (\w+) (\S.*)$/gm)) {
    helps.set(name, help);
  }
  for (const [, inside = ''] of text.matchAll(/^qrpress_\w+\{(.*)\} /gm)) {
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) {
      labels.add(label);
    }
  }
  alerts = await read('deploy/prometheus/alerts.yaml');
  panels = (JSON.parse(await read('deploy/grafana/qrpress.json')) as { panels: Panel[] }).panels;
  alertsPage = await read('docs/run/monitor.md');
});
afterAll(() => service.close());

function isExported(name: string): boolean {
  const base = name.replace(/_(?:bucket|sum|count)$/, '');
  return types.has(name) || types.get(base) === 'histogram';
}

function expectToBeExported(expressions: string): void {
  const names = expressions.match(/qrpress_\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !isExported(name))).toEqual([]);
  const used = [
    ...[...expressions.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
    ...[...expressions.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    ...[...expressions.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
  ];
  expect(used.filter((label) => !labels.has(label))).toEqual([]);
}

test('every metric and label of an alert is exported', () => expectToBeExported(alerts));

test('every metric and label of the dashboard is exported', () => {
  const targets = panels.flatMap((panel) => panel.targets ?? []);
  expectToBeExported(targets.map(({ expr, legendFormat }) => `${expr} ${legendFormat}`).join('\n'));
});

test('every panel has an id of its own and something to show', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ type, targets }) => type !== 'row' && !targets?.length)).toEqual([]);
});

test('every alert has its paragraph, and every paragraph its alert', () => {
  const named = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name);
  const runbooks = [...alerts.matchAll(/runbook: docs\/run\/monitor\.md#(\w+)/g)].map(([, anchor]) => anchor);
  expect(runbooks).toEqual(named.map((name) => name.toLowerCase()));
  const paragraphs = [...alertsPage.matchAll(/^### (Qrpress\w+)\n\n(?=\S)/gm)].map(([, name]) => name);
  expect(paragraphs).toEqual(named);
});

test('every metric says what it is, and whether it is the same in every process', () => {
  expect([...helps.keys()]).toEqual([...types.keys()]);
  const common = [...helps].filter(([, help]) => help.includes('of the whole service')).map(([name]) => name);
  expect(common.toSorted()).toEqual(OF_THE_WHOLE_SERVICE);
});

test('the page names every metric, and marks those of the whole service', async () => {
  const page = await read('docs/reference/metrics.md');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const listed = [...rows.join('').matchAll(/`(\w+)`(\*?)/g)].map(([, name = '', star = '']) => [
    `qrpress_${name}`,
    star,
  ]);
  const own = [...types.keys()].filter((name) => !/^qrpress_(?:process|nodejs)_/.test(name));
  const names = listed.map(([name = '']) => name);
  expect(names.toSorted()).toEqual(own.toSorted());
  const marked = listed.filter(([, star]) => star === '*').map(([name = '']) => name);
  expect(marked.toSorted()).toEqual(OF_THE_WHOLE_SERVICE);
});

test('the names of the metrics follow the conventions of Prometheus', () => {
  for (const [name, type] of types) {
    if (!/^qrpress_(?:process|nodejs)_/.test(name)) {
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name, name).not.toMatch(/_(?:ms|milliseconds|kb|mb)(?:_|$)/);
    }
  }
});

itWith(
  'promtool',
  'promtool accepts the rules, and they fire when they are to',
  (promtool) => {
    for (const words of [
      ['check', 'rules', 'deploy/prometheus/alerts.yaml'],
      ['test', 'rules', 'deploy/prometheus/alerts.test.yaml'],
    ]) {
      const { status, said } = run(promtool, words);
      expect(status, said).toBe(0);
    }
  },
  { optional: true },
);
