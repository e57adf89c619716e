import { describe, expect, it } from 'vitest';
import { resolveJobSettings } from '../../src/engine/check-body.js';
import type { BodyForm } from '../../src/engine/engine.js';

const resolve = (meta: unknown) => resolveJobSettings(JSON.stringify(meta), 'ndjson');

describe('resolveJobSettings', () => {
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
