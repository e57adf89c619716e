/** The settings of a body: checked against the schema, with defaults filled in, in the engine's terms. */

import { LIMITS } from '../contract/limits.js';
import { type JobMeta, JobMetaSchema, type Style } from '../contract/request-schema.js';
import { checkValue, IssueList } from './check-value.js';
import type { BodyForm, Findings, JobSettings, RenderStyle } from './engine.js';

const BLACK = '#000000';

/**
 * Resolves `metaText`, the JSON text of a body's settings. Pure and synchronous, for threads of the engine: the text may be as
 * large as a body.
 */
export function resolveJobSettings(metaText: string, form: BodyForm): { settings: JobSettings } | Findings {
  const issues = new IssueList();
  let value: unknown;
  try {
    value = JSON.parse(metaText);
  } catch (error) {
    issues.add({ path: '', code: 'invalid_json', message: (error as Error).message });
    return issues.report();
  }
  checkValue(value, JobMetaSchema, '', issues, form === 'json' ? ['items'] : []);
  return issues.count === 0 ? { settings: settingsOf(value as JobMeta) } : issues.report();
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
