import { describe, expect, it } from 'vitest';
import { resolveJobSettings } from '../../src/engine/check-body.js';
import type { BodyForm } from '../../src/engine/engine.js';

const resolve = (meta: unknown) => resolveJobSettings(JSON.stringify(meta), 'ndjson');

/** Paths and codes of what is wrong with `meta`. */
function refusals(meta: unknown): string[] {
  const report = resolve(meta);
  return 'issues' in report ? report.issues.map(({ path, code }) => `${path} ${code}`) : [];
}

describe('resolveJobSettings', () => {
  it('fills in every default outside the style', { tags: ['requests/defaults'] }, () => {
    expect(resolve({})).toEqual({ settings: { format: 'png', style: {}, sendEmail: false, verify: 'none' } });
  });

  it('takes every member as it is', () => {
    const settings = {
      format: 'both',
      style: { ecLevel: 'H', scale: 40, margin: 0, foreground: '#ABcdEF', background: 'transparent' },
      sendEmail: true,
      verify: 'sample',
      name: 'Labels',
    };
    expect(resolve(settings)).toEqual({ settings });
  });

  it.each([
    [[], ' wrong_type'],
    [null, ' wrong_type'],
    [{ format: 'gif' }, '/format invalid_value'],
    [{ format: null }, '/format wrong_type'],
    [{ format: 'PNG' }, '/format invalid_value'],
    [{ sendEmail: 'true' }, '/sendEmail wrong_type'],
    [{ verify: true }, '/verify wrong_type'],
    [{ verify: 'some' }, '/verify invalid_value'],
    [{ style: [] }, '/style wrong_type'],
    [{ style: { ecLevel: 'X' } }, '/style/ecLevel invalid_value'],
    [{ style: { scale: 0 } }, '/style/scale too_small'],
    [{ style: { scale: 41 } }, '/style/scale too_large'],
    [{ style: { scale: 1.5 } }, '/style/scale wrong_type'],
    [{ style: { scale: '10' } }, '/style/scale wrong_type'],
    [{ style: { margin: -1 } }, '/style/margin too_small'],
    [{ style: { margin: 17 } }, '/style/margin too_large'],
    [{ style: { foreground: '#fff' } }, '/style/foreground invalid_value'],
    [{ style: { foreground: 'red' } }, '/style/foreground invalid_value'],
    [{ style: { background: '#ffffff\n' } }, '/style/background invalid_value'],
    [{ style: { foreground: 'transparent', background: 'transparent' } }, '/style/background conflict'],
    [{ colour: 'red' }, '/colour unknown_member'],
    [{ items: [] }, '/items unknown_member'],
    [{ style: { 'a/b~c': 1 } }, '/style/a~1b~0c unknown_member'],
    [{ style: { logo: {} } }, '/style/logo/dataUrl required'],
    [{ style: { logo: { dataUrl: 'https://example.com/a.png' } } }, '/style/logo/dataUrl invalid_logo'],
    [{ style: { logo: { dataUrl: `data:image/png;base64,${'A'.repeat(524_288)}` } } }, '/style/logo/dataUrl too_long'],
    [
      { style: { logo: { dataUrl: 'data:image/png;base64,AAAA', sizeRatio: 0.31 } } },
      '/style/logo/sizeRatio too_large',
    ],
    [{ style: { caption: { text: 'x'.repeat(121) } } }, '/style/caption/text too_long'],
    [{ style: { caption: { fontSize: 5 } } }, '/style/caption/fontSize too_small'],
    [{ style: { caption: { colour: 'transparent' } } }, '/style/caption/colour invalid_value'],
    [{ style: { caption: { color: '#000000' } } }, '/style/caption/color unknown_member'],
  ])('refuses %j with %s', (meta, refusal) => {
    expect(refusals(meta)).toContain(refusal);
    expect(refusals(meta).filter((each) => each.split(' ')[0] === refusal.split(' ')[0])).toHaveLength(1);
  });

  it('reports everything that is wrong, and what was expected and found', () => {
    expect(resolve({ colour: 1, format: 'gif', style: { scale: 50, ecLevel: 7 } })).toEqual({
      issues: [
        {
          path: '/colour',
          code: 'unknown_member',
          message: expect.stringContaining('format, style, name, verify, sendEmail'),
        },
        { path: '/format', code: 'invalid_value', message: 'must be one of png, svg, both, not "gif"' },
        { path: '/style/ecLevel', code: 'wrong_type', message: 'must be a string, not 7' },
        { path: '/style/scale', code: 'too_large', message: 'must be at most 40, not 50' },
      ],
      issueCount: 4,
    });
  });

  it('counts characters as code points', () => {
    const caption = (text: string) => refusals({ style: { caption: { text } } });
    expect(caption('😀'.repeat(120))).not.toContain('/style/caption/text too_long');
    expect(caption('😀'.repeat(121))).toContain('/style/caption/text too_long');
  });

  it('takes inherited names for unknown members', () => {
    const report = resolve(JSON.parse('{"__proto__":{"format":"svg"},"constructor":1,"toString":2}'));
    expect(report).toMatchObject({ issueCount: 3 });
  });

  it('names the members that there are, in a JSON body the items too', () => {
    const message = (form: BodyForm) => {
      const report = resolveJobSettings('{"colour":"red"}', form);
      return 'issues' in report && report.issues[0]?.message;
    };
    expect(message('ndjson')).toBe('unknown member; allowed are format, style, name, verify, sendEmail');
    expect(message('json')).toBe('unknown member; allowed are items, format, style, name, verify, sendEmail');
  });

  it('counts all unknown members and lists a hundred', () => {
    const members = Array.from({ length: 200_000 }, (_, index) => `"m${index}":0`);
    const report = resolveJobSettings(`{"style":{${members.join(',')}}}`, 'json');
    expect(report).toMatchObject({ issueCount: 200_000 });
    expect('issues' in report && report.issues).toHaveLength(100);
  });
});
