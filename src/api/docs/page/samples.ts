/** Renders a request as code in each language of the page. */

import type { OperationObject, ParameterObject } from 'openapi3-ts/oas31';
import { PICTURE_TYPES } from '../../../contract/request-schema.js';
import { shellWord } from '../../../platform/quoting.js';

export interface Call {
  /** Origin of the service. */
  baseUrl: string;
  path: string;
  method: string;
  operation: OperationObject;
}

interface SampleBody {
  type: string;
  /** An object for JSON; text for anything else. */
  value: unknown;
}

export interface Sample {
  /** Label for people. */
  label: string;
  /** Distinguishes the languages, and is the language's name in Markdown. */
  language: 'sh' | 'ts' | 'py';
  text: string;
}

/** Use of the response in the sample: a part of it is printed, or it is written to a file. */
type Answer = { shows: 'json' | 'text' | 'headers' | 'status' } | { file: string };

/** The parts of a request that all languages need. */
interface Request {
  url: string;
  method: string;
  needsKey: boolean;
  body: SampleBody | undefined;
  answer: Answer;
}

export const LANGUAGES = [
  { language: 'sh', label: 'curl' },
  { language: 'ts', label: 'TypeScript' },
  { language: 'py', label: 'Python' },
] as const;

const WRITERS = { sh: curl, ts: typescript, py: python };

/** The request of `call` in every language. Required parameters have the values of their examples. */
export function samples(call: Call, body?: SampleBody): Sample[] {
  const request = requestOf(call, body);
  return LANGUAGES.map(({ language, label }) => ({ language, label, text: WRITERS[language](request) }));
}

function requestOf({ baseUrl, path, method, operation }: Call, body: SampleBody | undefined): Request {
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  const valuesOf = (place: string) =>
    parameters.filter((parameter) => parameter.in === place && parameter.required === true);
  const filled = valuesOf('path').reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = valuesOf('query').map(({ name, example }) => `${name}=${String(example)}`);
  return {
    url: `${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    method: method.toUpperCase(),
    needsKey: (operation.security ?? []).length > 0,
    body,
    answer: answerOf(method, operation),
  };
}

const FILES: Readonly<Record<string, string>> = {
  'application/zip': 'codes.zip',
  ...Object.fromEntries(Object.entries(PICTURE_TYPES).map(([format, type]) => [type, `code.${format}`])),
};

function answerOf(method: string, { responses = {} }: OperationObject): Answer {
  if (method === 'head') {
    return { shows: 'headers' };
  }
  const success = (responses['200'] ?? responses['202']) as { content?: object } | undefined;
  const [type = ''] = Object.keys(success?.content ?? {});
  const file = FILES[type];
  if (file !== undefined) {
    return { file };
  }
  if (success === undefined) {
    return { shows: 'status' };
  }
  return { shows: type === 'application/json' ? 'json' : 'text' };
}

function curl({ url, method, needsKey, body, answer }: Request): string {
  const verb = { HEAD: '--head ', DELETE: '-X DELETE ', POST: body === undefined ? '-X POST ' : '' }[method] ?? '';
  const text = typeof body?.value === 'string' ? body.value : JSON.stringify(body?.value, null, 2);
  const words = [
    `curl ${verb}${shellWord(url)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $QRPRESS_KEY"'] : []),
    ...(body === undefined
      ? []
      : [`-H ${shellWord(`Content-Type: ${body.type}`)}`, `--data-binary ${shellWord(text)}`]),
    ...('file' in answer ? [`-o ${answer.file}`] : []),
  ];
  return words.join(' \\\n  ');
}

function typescript({ url, method, needsKey, body, answer }: Request): string {
  const headers = [
    ...(needsKey ? ['Authorization: `Bearer ${process.env.QRPRESS_KEY}`'] : []),
    ...(body === undefined ? [] : [`'Content-Type': ${scriptText(body.type)}`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} },`] : []),
    ...(body === undefined
      ? []
      : [
          typeof body.value === 'string'
            ? `body: ${scriptText(body.value)},`
            : `body: JSON.stringify(${indented(JSON.stringify(body.value, null, 2), '  ')}),`,
        ]),
  ];
  const call =
    options.length === 0
      ? `fetch(${scriptText(url)})`
      : `fetch(${scriptText(url)}, {\n${options.map((line) => `  ${line}`).join('\n')}\n})`;
  const [before, after] =
    'file' in answer
      ? ["import { writeFile } from 'node:fs/promises';\n\n", `await writeFile('${answer.file}', response.body ?? '');`]
      : [
          '',
          {
            json: 'console.log(await response.json());',
            text: 'console.log(await response.text());',
            headers: 'console.log(response.headers);',
            status: 'console.log(response.status);',
          }[answer.shows],
        ];
  return `${before}const response = await ${call};\nif (!response.ok) throw new Error(await response.text());\n${after}`;
}

function python({ url, method, needsKey, body, answer }: Request): string {
  const headers = [
    ...(needsKey ? [`"Authorization": "Bearer " + os.environ["QRPRESS_KEY"]`] : []),
    ...(body === undefined ? [] : [`"Content-Type": ${JSON.stringify(body.type)}`]),
  ];
  const isText = typeof body?.value === 'string';
  const members = [
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`method="${method}",`]),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}},`] : []),
    ...(body === undefined
      ? []
      : [
          `data=${isText ? pythonText(body.value as string) : `json.dumps(${pythonLiteral(body.value, '    ')})`}.encode(),`,
        ]),
  ];
  const showsJson = 'shows' in answer && answer.shows === 'json';
  const modules = [
    ...(showsJson || (body !== undefined && !isText) ? ['json'] : []),
    ...(needsKey ? ['os'] : []),
    ...('file' in answer ? ['shutil'] : []),
    'urllib.request',
  ];
  const request =
    members.length === 0
      ? `urllib.request.Request(${JSON.stringify(url)})`
      : `urllib.request.Request(\n    ${JSON.stringify(url)},\n${members.map((line) => `    ${line}`).join('\n')}\n)`;
  const use =
    'file' in answer
      ? `with urllib.request.urlopen(request) as response, open("${answer.file}", "wb") as file:\n    shutil.copyfileobj(response, file)`
      : `with urllib.request.urlopen(request) as response:\n    ${
          {
            json: 'print(json.load(response))',
            text: 'print(response.read().decode())',
            headers: 'print(response.headers)',
            status: 'print(response.status)',
          }[answer.shows]
        }`;
  return `${modules.map((name) => `import ${name}`).join('\n')}\n\nrequest = ${request}\n${use}`;
}

function indented(text: string, by: string): string {
  return text.replaceAll('\n', `\n${by}`);
}

/** A TypeScript string literal: quoted, or a template literal if it has several lines. */
function scriptText(text: string): string {
  return text.includes('\n')
    ? `\`${text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`)}\``
    : `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

function pythonText(text: string): string {
  // A final quote would run into the closing ones.
  return `"""${text.replaceAll('\\', '\\\\').replaceAll(/"(?="")|"$/g, '\\"')}"""`;
}

/** A JSON value in Python, which spells true, false and null differently. */
function pythonLiteral(value: unknown, indent: string): string {
  const deeper = `${indent}    `;
  const block = (open: string, lines: readonly string[], close: string) =>
    lines.length === 0
      ? `${open}${close}`
      : `${open}\n${lines.map((line) => `${deeper}${line},\n`).join('')}${indent}${close}`;
  if (Array.isArray(value)) {
    return block(
      '[',
      value.map((entry) => pythonLiteral(entry, deeper)),
      ']',
    );
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, its]) => `${JSON.stringify(name)}: ${pythonLiteral(its, deeper)}`,
    );
    return block('{', members, '}');
  }
  if (typeof value === 'boolean') {
    return value ? 'True' : 'False';
  }
  return value === null ? 'None' : JSON.stringify(value);
}
