import { expect, it } from 'vitest';
import { formatsFor } from '../../src/site/shell/formats.js';
import { usageChart } from '../../src/site/organisation/usage-chart.js';

const formats = formatsFor('en-GB');

it('says that nothing was used, and draws no bar', () => {
  const { isEmpty, summary, bars } = usageChart([{ day: 0, credits: 0 }], formats);
  expect(isEmpty).toBe(true);
  expect(summary).toBe('No credits used from 1 Jan 1970 to 1 Jan 1970 (UTC).');
  expect(bars).toMatchObject([{ height: 0 }]);
});

it('counts one credit', () => {
  const { summary } = usageChart([{ day: 0, credits: 1 }], formats);
  expect(summary).toBe('1 credit used from 1 Jan 1970 to 1 Jan 1970 (UTC); at most 1 a day.');
});

it('draws the highest day as high as the chart, and what was used at all so that it is seen', () => {
  const use = [1, 0, 10_000].map((credits, day) => ({ day: day * 86_400_000, credits }));
  const { ticks, total, bars, baseline, summary } = usageChart(use, formats);
  expect(ticks.map(({ label }) => label.toLowerCase())).toEqual(['0', '5k', '10k']);
  expect(total).toBe('10,001');
  expect(summary).toBe('10,001 credits used from 1 Jan 1970 to 3 Jan 1970 (UTC); at most 10,000 a day.');
  expect(bars.map(({ height }) => height)).toEqual([2, 0, baseline - 10]);
});
