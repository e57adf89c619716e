/**
 * The types of the contract as plain declarations, with the descriptions of the schemas as comments. In the sources they are TypeBox's
 * `Static` of the schemas, which somebody who only has the client cannot read.
 */

const CONTRACT = new URL('../../dist/contract/', import.meta.url);

/** Types that are not the title of their schema. */
const NAMES = { Job: 'JobResource' };

/** Types made of others. */
const DERIVED = [
  "export type PictureFormat = Exclude<NonNullable<JobMeta['format']>, 'both'>;",
  "export type SheetGeometry = Omit<LabelSheet, 'name' | 'maker' | 'product'>;",
];

/** Declarations of all types that the client's files import from the contract. */
export async function contractTypes() {
  const [request, response, sheets] = await Promise.all(
    ['request-schema', 'response-schema', 'label-sheets'].map((name) => import(new URL(`${name}.js`, CONTRACT).href)),
  );
  const { invalid_input: refusal } = response.ERROR_BODY_SCHEMAS;
  const roots = [
    request.JobRequestSchema,
    request.JobMetaSchema,
    response.JobCreatedSchema,
    response.JobValidationSchema,
    response.JobListSchema,
    response.ManifestLineSchema,
    response.CreditBalanceSchema,
    ...Object.values(response.WEBHOOK_MESSAGES),
    sheets.LabelSheetListSchema,
    // Members of other codes differ.
    { ...refusal, title: 'ErrorBody', properties: { ...refusal.properties, error: { type: 'string' } } },
  ];
  const declarations = new Map();
  for (const root of roots) typeOf(root, declarations);
  return [
    '/** The types of requests and responses. */\n',
    ...declarations.values(),
    `export type WebhookMessage = ${Object.values(response.WEBHOOK_MESSAGES)
      .map(({ title }) => title)
      .join(' | ')};`,
    `export type CaptionPlace = ${words(sheets.CAPTION_PLACES)};`,
    ...DERIVED,
    '',
  ].join('\n');
}

/** The type of a schema. A titled one is declared, and named. */
function typeOf(schema, declarations) {
  const { title, description, type, enum: values, const: value, anyOf, items } = schema;
  if (title !== undefined) {
    const name = NAMES[title] ?? title;
    if (!declarations.has(name)) {
      declarations.set(name, '');
      const members = membersOf(schema, declarations);
      declarations.set(name, `${comment(description)}export interface ${name} ${members}`);
    }
    return name;
  }
  if (values !== undefined) return words(values);
  if (value !== undefined) return words([value]);
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, declarations)).join(' | ');
  switch (type) {
    case 'array':
      return `Array<${typeOf(items, declarations)}>`;
    case 'integer':
      return 'number';
    case 'object':
      return membersOf(schema, declarations);
    case 'boolean':
    case 'number':
    case 'string':
      return type;
    default:
      throw new Error(`No type for the schema ${JSON.stringify(schema)}`);
  }
}

function membersOf({ properties, required = [] }, declarations) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(describe(schema))}${name}${mark}: ${typeOf(schema, declarations)};`;
  });
  return `{\n${members.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

function describe({ description, default: fallback }) {
  return [description, fallback !== undefined && `Default: \`${JSON.stringify(fallback)}\`.`].filter(Boolean).join(' ');
}

function comment(text = '') {
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`;
}

function words(values) {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}
