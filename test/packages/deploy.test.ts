/** Files of deploy/: every setting in them exists and is well-formed, and the programs that read them accept them. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { PROCESS_ROLES, readConfig, requireShared } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/setting-reader.js';
import { snippetsOf } from '../support/pages.js';
import { itWith, ROOT, run } from './tool.js';

const DEPLOY = join(ROOT, 'deploy');
const UNITS = readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.endsWith('.service'));
const { version } = JSON.parse(read('../package.json')) as { version: string };

type Environment = Record<string, string>;
interface Container {
  args: string[];
  env: { name: string; value: string }[];
  envFrom: object[];
  securityContext: object;
}
interface PodSpec {
  securityContext: object;
  containers: Container[];
}
interface ComposeService {
  image: string;
  command?: string[];
  environment?: Environment;
  read_only?: boolean;
  cap_drop?: string[];
}
interface ComposeFile {
  services: Record<string, ComposeService>;
}

function read(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8');
}

/** `NAME=value` lines; those that are commented out are settings as well. */
function settingsOf(text: string): Environment {
  const lines = text.matchAll(/^#?([A-Z_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
}

/** Example settings as an operator fills them in. */
function filledIn(settings: Environment): Environment {
  const entries = Object.entries(settings).map(([name, value]) => [
    name,
    value.replaceAll('change-me', '0'.repeat(64)),
  ]);
  return Object.fromEntries(entries) as Environment;
}

/** Complaints of `readConfig` about an environment. */
function complaints(environment: Environment): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

const manifests = ['base', 'single', 'scale'].flatMap((folder) =>
  readdirSync(join(DEPLOY, 'kubernetes', folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .map((name) => join('kubernetes', folder, name)),
);

const pods = manifests
  .flatMap((path) =>
    parseAllDocuments(read(path)).map((document) => document.toJS() as { kind: string; spec: unknown }),
  )
  .filter(({ kind }) => kind === 'Deployment')
  .map(({ spec }) => (spec as { template: { spec: PodSpec } }).template.spec);

const composeFiles = ['compose.yaml', 'compose.scale.yaml'].map(
  (name) => parse(read(name), { merge: true }) as ComposeFile,
);
const ours = composeFiles
  .flatMap(({ services }) => Object.values(services))
  .filter(({ image }) => image.startsWith('qrpress:'));

describe('settings', () => {
  it.each(['qrpress.env.example', 'kubernetes/base/settings.env', 'scale.env.example'])('of %s', (path) => {
    const settings = settingsOf(read(path));
    expect(Object.keys(settings)).not.toHaveLength(0);
    expect(complaints(filledIn(settings))).toBe('');
  });

  it.each(['scale.env.example', 'compose.scale.env.example'])('of %s are refused before they are filled in', (path) => {
    const settings = settingsOf(read(path));
    const places = Object.keys(settings).filter((name) => settings[name]?.includes('change-me'));
    expect(places).toHaveLength(5);
    const known = places.filter((name) => !/^(?:MARIADB|REDIS|OBJECTS)_/.test(name));
    const refused = complaints(settings).match(/^ *\w+: still has the placeholder/gm) ?? [];
    expect(refused).toHaveLength(known.length);
  });

  it('of the compose files, with the secrets filled in', () => {
    const secrets = filledIn(settingsOf(read('compose.scale.env.example')));
    const fill = (text: string) =>
      text.replaceAll(
        /\$\{(\w+)[^}]*\}/g,
        (_, name: string) => secrets[name] ?? `$${name} is not in compose.scale.env.example`,
      );
    expect(ours).toHaveLength(4);
    for (const { environment = {} } of ours) {
      const filled = Object.entries(environment).map(([name, value]) => [name, fill(value)] as const);
      expect(complaints(Object.fromEntries(filled))).toBe('');
      expect(filled.map(([, value]) => value).join('\n')).not.toContain('compose.scale.env.example');
    }
  });

  it('of the pods', () => {
    expect(pods).toHaveLength(3);
    for (const { containers } of pods) {
      expect(
        complaints(Object.fromEntries(containers.flatMap(({ env }) => env.map(({ name, value }) => [name, value])))),
      ).toBe('');
    }
  });

  it('of the kustomization count before those of the secret, which has some of them too', () => {
    const [settings, secret] = ['kubernetes/base/settings.env', 'scale.env.example'].map((path) =>
      settingsOf(read(path)),
    );
    expect(Object.keys(settings!).filter((name) => name in secret!)).not.toHaveLength(0);
    const containers = pods.flatMap((pod) => pod.containers).filter(({ args }) => args.includes('--role'));
    expect(containers).toHaveLength(2);
    // Of two sources of a variable the last one counts.
    for (const { envFrom } of containers) expect(envFrom.at(-1)).toHaveProperty('configMapRef');
  });

  it.each(UNITS)('of %s', (unit) => {
    const lines = [...read(`systemd/${unit}`).matchAll(/^Environment=(.*)$/gm)].flatMap(([, text = '']) =>
      text.split(' '),
    );
    const settings = settingsOf(lines.join('\n').replaceAll('%i', '8080'));
    expect(settings).toHaveProperty('QRPRESS_DATA_DIR');
    expect(complaints(settings)).toBe('');
  });

  it('of the image', () => {
    const [, text = ''] = /^ENV (NODE_ENV.*)$/m.exec(read('Dockerfile')) ?? [];
    const settings = settingsOf(text.split(' ').join('\n'));
    expect(settings).toMatchObject({ QRPRESS_HOST: '0.0.0.0', QRPRESS_DATA_DIR: '/data' });
    expect(complaints(settings)).toBe('');
  });
});

describe('what is deployed', () => {
  it('is of this version', () => {
    const tags = ['single', 'scale'].map(
      (folder) =>
        (parse(read(`kubernetes/${folder}/kustomization.yaml`)) as { images: { newTag: string }[] }).images[0]?.newTag,
    );
    expect(tags).toEqual([version, version]);
    expect(ours.map(({ image }) => image)).toEqual(ours.map(() => `qrpress:${version}`));
    expect(read('Dockerfile')).toContain(`ARG VERSION=${version}\n`);
  });

  it('is built with every crate of the workspace, all of which cargo reads', () => {
    const [, list = ''] = /^members = \[(.*)\]$/m.exec(read('../Cargo.toml')) ?? [];
    const members = [...list.matchAll(/"([^"]+)"/g)].map(([, member = '']) => member.replace('/*', ''));
    expect(members).toContain('crates');
    const context = new Set(read('../.dockerignore').split('\n'));
    expect(members.filter((member) => !context.has(`!${member}`))).toEqual([]);
  });

  it('serves roles that there are', () => {
    const units = UNITS.flatMap(
      (unit) => /^ExecStart=\S+ \S+ (.*)$/m.exec(read(`systemd/${unit}`))?.[1]?.split(' ') ?? [],
    );
    const words = [
      ...units,
      ...pods.flatMap(({ containers }) => containers.flatMap(({ args }) => args)),
      ...ours.flatMap(({ command = [] }) => command),
    ];
    const roles = words.filter((_, index) => words[index - 1] === '--role');
    expect(roles.toSorted()).toEqual(['api', 'api', 'api', 'worker', 'worker', 'worker']);
    for (const role of PROCESS_ROLES) {
      expect(() => requireShared(readConfig(filledIn(settingsOf(read('scale.env.example')))), role)).not.toThrow();
    }
  });

  it('is taken off a host by the commands of docs/run/install.md, but for the backups', () => {
    const root = mkdtempSync(join(tmpdir(), 'qrpress-host-'));
    /** Runs commands with `root` for the root of the host; returns the words of each call of systemctl. */
    const onHost = (commands: string) => {
      const stubs = ['systemd-sysusers', 'systemd-tmpfiles', 'userdel', 'mariadb'].map((name) => `${name}() { :; }`);
      const program = [
        'systemctl() { echo "$@"; }',
        ...stubs,
        commands.replaceAll(/\/(?=(?:etc|opt|srv|usr|var)\/)/g, `${root}/`),
      ];
      const { status, stdout, said } = run('bash', ['-euc', program.join('\n')]);
      expect(status, said).toBe(0);
      return stdout.split('\n').map((line) => line.split(' '));
    };
    try {
      const folders = UNITS.flatMap((unit) => /^StateDirectory=(.*)$/m.exec(read(`systemd/${unit}`))?.[1] ?? []);
      const made = [
        'etc/systemd/system',
        'opt/qrpress.old',
        'var/backups/qrpress/move',
        ...folders.map((folder) => `var/lib/${folder.replace('%i', '8080')}`),
      ];
      for (const folder of made) mkdirSync(join(root, folder), { recursive: true });
      onHost(read('systemd/install.sh').replace(/^cd .*$/m, 'cd deploy/systemd'));
      expect(readdirSync(join(root, 'etc/systemd/system'))).toEqual(expect.arrayContaining(UNITS));
      const [remove = ''] = snippetsOf('docs/run/install.md', 'deploy');
      const disabled = onHost(remove).find(([word]) => word === 'disable');
      const startable = readdirSync(join(DEPLOY, 'systemd')).filter((name) =>
        read(`systemd/${name}`).includes('[Install]'),
      );
      expect(disabled?.slice(1).toSorted()).toEqual(startable.map((name) => name.replace('.service', '')).toSorted());
      const left = readdirSync(root, { recursive: true }).filter((path) => basename(String(path)).includes('qrpress'));
      expect(left).toEqual(['var/backups/qrpress']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('names exact images', () => {
    const images = composeFiles.flatMap(({ services }) => Object.values(services).map(({ image }) => image));
    const bases = [...read('Dockerfile').matchAll(/^ARG \w+_IMAGE=(.*)$/gm)].map(([, image = '']) => image);
    expect(bases).toHaveLength(3);
    for (const image of [...images, ...bases]) expect(image).toMatch(/:v?\d+\.\d+\.\d+(-|$)/);
  });

  it('has no more rights than it needs', () => {
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(containers.map((container) => container.securityContext)).toEqual([
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ]);
    }
    for (const service of ours) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(read('Dockerfile')).toMatch(/^USER 10001:10001$/m);
  });

  it('lists every manifest in a kustomization', () => {
    for (const folder of ['base', 'single', 'scale']) {
      const { resources } = parse(read(`kubernetes/${folder}/kustomization.yaml`)) as { resources: string[] };
      const files = manifests.filter((path) => path.includes(`/${folder}/`)).map((path) => basename(path));
      expect(resources.filter((name) => name !== '../base').toSorted()).toEqual(files.toSorted());
    }
  });
});

describe('the readers', () => {
  itWith('kubernetes-validate', 'of the manifests: the schemas of Kubernetes', (validate) => {
    const { status, said } = run(validate, ['--strict', '--quiet', ...manifests.map((path) => join('deploy', path))]);
    expect(status, said).toBe(0);
  });

  itWith(
    'kubectl',
    'of the kustomizations',
    (kubectl) => {
      for (const folder of ['single', 'scale']) {
        const { status, said } = run(kubectl, ['kustomize', `deploy/kubernetes/${folder}`]);
        expect(status, said).toBe(0);
        expect(said).toContain(`image: qrpress:${version}`);
      }
    },
    { optional: true },
  );

  itWith('hadolint', 'of the Dockerfiles', (hadolint) => {
    const { status, said } = run(hadolint, ['deploy/Dockerfile', '.devcontainer/Dockerfile']);
    expect(status, said).toBe(0);
  });

  itWith('systemd-analyze', 'of the units, and how exposed they are', (analyze) => {
    const folder = mkdtempSync(join(tmpdir(), 'qrpress-units-'));
    try {
      for (const unit of UNITS) {
        // The program need not be here to look at how it would be run.
        const path = join(folder, unit.replace('@', '@8080'));
        writeFileSync(
          path,
          read(`systemd/${unit}`)
            .replaceAll('/usr/bin/node', '/bin/true')
            .replaceAll('file:/opt/qrpress/docs', `file:${ROOT}docs`),
        );
        expect(run(analyze, ['verify', path]), unit).toMatchObject({ status: 0, said: '' });
        const { stdout } = run(analyze, ['security', '--offline=true', '--no-pager', path]);
        // As docs/run/install.md says.
        expect(stdout, unit).toMatch(/Overall exposure level for .*: 1\.3 OK/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  itWith('caddy', "of Caddy's configuration", (caddy) => {
    for (const upstream of ['to 127.0.0.1:8080', 'dynamic a api 8080']) {
      const env = { QRPRESS_SITE: 'https://qr.example.com', QRPRESS_UPSTREAM: upstream };
      const { status, said } = run(
        caddy,
        ['validate', '--adapter', 'caddyfile', '--config', 'deploy/proxy/Caddyfile'],
        { env },
      );
      expect(status, said).toBe(0);
    }
  });

  itWith('nginx', "of nginx's configuration", (nginx) => {
    const folder = mkdtempSync(join(tmpdir(), 'qrpress-nginx-'));
    try {
      const certificate = [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '1',
      ];
      const files = [
        '-subj',
        '/CN=qr.example.com',
        '-keyout',
        `${folder}/privkey.pem`,
        '-out',
        `${folder}/fullchain.pem`,
      ];
      expect(run('openssl', [...certificate, ...files]).status).toBe(0);
      const server = read('proxy/nginx.conf').replaceAll('/etc/letsencrypt/live/qr.example.com', folder);
      // Neither is what nginx does by default.
      expect(server).toMatch(/^ {2}ssl_protocols TLSv1\.2 TLSv1\.3;$/m);
      expect(server).toMatch(/^ {2}access_log off;$/m);
      writeFileSync(
        join(folder, 'nginx.conf'),
        `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp { access_log off;\n${server}}`,
      );
      const { status, said } = run(nginx, ['-t', '-c', join(folder, 'nginx.conf')]);
      expect(status, said).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
