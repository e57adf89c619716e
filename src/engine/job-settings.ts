/** The settings of a body: checked against the schema, with defaults filled in, in the engine's terms. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import type { Issue } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { type JobMeta, JobMetaSchema, type Style } from '../contract/request-schema.js';
import type { BodyForm, JobSettings, RenderStyle } from './engine.js';
import { IssueList, issueOf, pointer } from './schema-issue.js';

// Enough: the schema has about twenty members, and each gives at most a few errors.
Settings.Set({ maxErrors: LIMITS.issues });

const meta = Compile(JobMetaSchema);

const BLACK = '#000000';

export type JobSettingsReport =
  | { settings: JobSettings }
  | { issues: Issue[] /** All of them; `issues` holds the first hundred. */; issueCount: number };

/**
 * Resolves `metaText`, the JSON text of a body's settings. Pure and synchronous, for worker threads: the text may be as
 * large as a body.
 */
export function resolveJobSettings(metaText: string, form: BodyForm): JobSettingsReport {
  const issues = new IssueList();
  let value: unknown;
  try {
    value = knownMembers(JSON.parse(metaText), JobMetaSchema, '', issues, form === 'json' ? ['items'] : []);
  } catch (error) {
    issues.add({ path: '', code: 'invalid_json', message: (error as Error).message });
    return issues.report();
  }
  if (meta.Check(value)) {
    if (issues.count === 0) {
      return { settings: settingsOf(value) };
    }
  } else {
    const seen = new Set<string>();
    for (const error of meta.Errors(value)) {
      const issue = issueOf(error, value);
      // One value may violate several keywords (its type and its enum, say). The first error explains it best.
      if (!seen.has(issue.path)) {
        seen.add(issue.path);
        issues.add(issue);
      }
    }
  }
  return issues.report();
}

function settingsOf({ format = 'png', style = {}, sendEmail = false, verify = 'none', name }: JobMeta): JobSettings {
  return { format, style: renderStyleOf(style), sendEmail, verify, name };
}

function renderStyleOf(style: Style): RenderStyle {
  const { ecLevel = 'M', scale = LIMITS.scale.default, margin = LIMITS.margin.default, caption = {}, logo } = style;
  const foreground = (style.foreground ?? BLACK).toLowerCase();
  return {
    errorCorrectionLevel: ecLevel,
    pixelsPerModule: scale,
    quietZoneModules: margin,
    foreground,
    background: (style.background ?? '#ffffff').toLowerCase(),
    ...(style.dpi !== undefined && { dotsPerInch: style.dpi }),
    caption: {
      text: caption.text ?? '',
      colour: caption.colour?.toLowerCase() ?? (foreground === 'transparent' ? BLACK : foreground),
      fontSizePx: fontSizePxOf(caption.fontSize ?? LIMITS.captionFontSize.default, scale),
    },
    ...(logo && {
      logo: {
        dataUrl: logo.dataUrl,
        ratioMillionths: Math.round((logo.sizeRatio ?? LIMITS.logoSizeRatio.default) * 1_000_000),
      },
    }),
  };
}

/** Font sizes scale with the image: they are pixels at the default scale, rounded half up. */
function fontSizePxOf(fontSize: number, scale: number): number {
  return Math.max(1, Math.floor((fontSize * scale) / LIMITS.scale.default + 0.5));
}

/**
 * Copies `value` without the members unknown to `schema`, at any level. Each of them becomes an issue. TypeBox would
 * build an error object for each of millions of unknown members.
 * @param others members besides the schema's that were already taken out of `value`
 */
export function knownMembers(
  value: unknown,
  schema: TSchema,
  path: string,
  issues: IssueList,
  others: readonly string[] = [],
): unknown {
  if (!hasProperties(schema) || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const known: Record<string, unknown> = {};
  const message = `Expected only ${[...others, ...Object.keys(schema.properties)].join(', ')}`;
  for (const name of Object.keys(value)) {
    const memberSchema = Object.hasOwn(schema.properties, name) && schema.properties[name];
    if (memberSchema) {
      known[name] = knownMembers(Reflect.get(value, name), memberSchema, pointer(path, name), issues);
    } else {
      issues.add({ path: pointer(path, name), code: 'unknown_member', message });
    }
  }
  return known;
}

function hasProperties(schema: TSchema): schema is TSchema & { properties: Record<string, TSchema> } {
  return 'properties' in schema;
}
