/** `qrpress doctor`: checks everything that the service needs, and says how to fix what is wrong. */

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Config, locationOfBlobs } from '../config/config.js';
import { firstDay, type Step, settingSteps } from '../config/first-day.js';
import { proxyAdvice } from '../config/proxy-advice.js';
import { generatedSecrets, secretsPath } from '../config/secrets.js';
import { type Database, lockPathOf, probeWrite, requirePacketSize } from '../database/connection.js';
import { holdersOf } from '../database/server-lock.js';
import { encryptionAdvice } from '../database/server-url.js';
import { CONFINEMENTS } from '../engine/confinement.js';
import { availableThreads } from '../engine/in-process.js';
import type { EngineDescription } from '../engine/engine.js';
import { EngineSupervisor } from '../engine/engine-supervisor.js';
import { FileLock } from '../engine/file-lock.js';
import { type Bound, boundStorage, requireStorage } from '../jobs/storage-id-store.js';
import { isLoopback } from '../platform/network.js';
import { probeMailServer } from '../outbox/delivery.js';
import { OutgoingProxy, type ProxySettings } from '../platform/outgoing-proxy.js';
import { openStorage } from '../storage/open-storage.js';
import type { AdminContext, Administer } from './administer.js';
import { explain } from './explain.js';

interface Finding {
  name: string;
  ok: boolean;
  /** True for what may be meant so: only who runs the service knows. */
  isAdvice?: boolean;
  /** Finding, and the remedy if something is wrong. */
  detail: string;
}

export async function doctor(config: Config, administer: Administer): Promise<Finding[]> {
  return [...(await examineSurroundings(config, administer)), ...(await examineEngine(config))];
}

/** Everything but the engine. */
export async function examineSurroundings(config: Config, administer: Administer): Promise<Finding[]> {
  return [
    examineConfiguration(config),
    ...(await examineData(config, administer)),
    ...(await examineRedis(config.redisUrl)),
    ...(await examineProxy(config)),
    ...examineSharing(config),
    ...advice('proxies', proxyAdvice(config)),
    ...advice('encryption', encryptionAdvice(config.databaseUrl)),
  ];
}

function examineConfiguration({ dataDir, renderThreads }: Config): Finding {
  const isInPackage = dataDir.split(sep).includes('node_modules');
  const detail = isInPackage
    ? `data in ${dataDir}, which the next installation of packages deletes; set QRPRESS_DATA_DIR to a folder outside of node_modules`
    : `data in ${dataDir}, ${renderThreads} rendering threads on ${availableThreads()} processors`;
  return { name: 'configuration', ok: !isInPackage, detail };
}

/** Checks the data folder first. The database and the files may lie in it, and must not be blamed for its problems. */
async function examineData(config: Config, administer: Administer): Promise<Finding[]> {
  const remedy = 'check that QRPRESS_DATA_DIR is a folder that this user can write to, with room';
  const folder = await examine('data folder', remedy, () => examineDataFolder(config));
  let steps = settingSteps(config);
  let bound: Bound | undefined;
  const lookAtDatabase = async ({ database }: AdminContext) => {
    await probeWrite(database);
    await requirePacketSize(database);
    steps = await firstDay(config, database);
    bound = await boundStorage(database);
    await requireUndisturbed(config, database);
    return 'takes writes, tables up to date';
  };
  const contents = folder.ok
    ? [
        await examine('secrets', undefined, () => examineSecrets(config)),
        await examine('database', whereUnexplained(databaseRemedy(config)), () =>
          administer(config, lookAtDatabase, { mayCreate: true }),
        ),
        await examine('storage', whereUnexplained(storageRemedy(config)), () => examineStorage(config, bound)),
      ]
    : [];
  return [folder, ...contents, ...(await Promise.all(steps.map((step) => examineStep(step, config))))];
}

/** Advice, but for a mail server that is named and cannot be used. */
async function examineStep({ name, isDone, detail }: Step, { mail: { smtpUrl } }: Config): Promise<Finding> {
  if (name !== 'mail' || smtpUrl === undefined) {
    return { name, ok: true, ...(!isDone && { isAdvice: true }), detail };
  }
  return examine(name, 'check QRPRESS_SMTP_URL, and that its server runs', async () => {
    await probeMailServer(smtpUrl);
    return `${detail}, which answers`;
  });
}

async function examineDataFolder({ dataDir }: Config): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await rm(await mkdtemp(join(dataDir, 'doctor-')), { recursive: true });
  return 'can be written to';
}

async function examineSecrets({ secrets, dataDir }: Config): Promise<string> {
  if (secrets !== undefined) {
    return 'those of QRPRESS_SECRETS';
  }
  return (await generatedSecrets(dataDir)) === undefined
    ? 'the first start generates one'
    : `in ${secretsPath(dataDir)}`;
}

/**
 * Rejects when a service uses the database that must not do so beside one with these settings. A service on this data folder
 * holds the lock of both.
 */
async function requireUndisturbed({ dataDir, databaseUrl, redisUrl }: Config, database: Database): Promise<void> {
  const path = lockPathOf(databaseUrl);
  const isDisturbed =
    path === undefined
      ? (await holdersOf(database)).some((holder) => redisUrl === undefined || holder === 'alone')
      : await isLocked(path, redisUrl !== undefined);
  if (isDisturbed && !(await isLocked(join(dataDir, 'lock'), true))) {
    throw new Error(
      'a `qrpress serve` with another data folder uses it, and does not share its queue; stop it, or set QRPRESS_REDIS_URL for both',
    );
  }
}

async function isLocked(path: string, isShared: boolean): Promise<boolean> {
  // A lock file that doctor makes would be its user's, which may be another one than the service's.
  if (!existsSync(path)) {
    return false;
  }
  const lock = await FileLock.take(path, { isShared });
  lock?.release();
  return lock === undefined;
}

function databaseRemedy({ databaseUrl }: Config): string {
  return databaseUrl.startsWith('sqlite:')
    ? 'check that the file of the database and its folder can be written to by this user, and have room'
    : 'check QRPRESS_DATABASE_URL, and that its server runs and takes writes';
}

/** Does not use the database, which may be the problem. @param bound what the database says of its storage */
async function examineStorage(config: Config, bound: Bound | undefined): Promise<string> {
  const location = locationOfBlobs(config);
  const storage = await openStorage(location);
  try {
    await storage.check();
    if (bound !== undefined) await requireStorage(storage, location, bound);
    return 'can be written to';
  } finally {
    await storage.close();
  }
}

function storageRemedy({ storage }: Config): string {
  const remedies = {
    bucket:
      'check QRPRESS_STORAGE_URL and the AWS variables, and that the bucket exists and their owner may write to it',
    folder: 'check that the folder of QRPRESS_STORAGE_URL can be written to and has room',
    none: 'check that QRPRESS_DATA_DIR can be written to and has room',
  };
  return remedies[storage?.kind ?? 'none'];
}

async function examineEngine({ chunkItems, fontDir }: Config): Promise<Finding[]> {
  const supervisor = new EngineSupervisor({ threads: 1, chunkItems, fontDir, folders: { readable: [], writable: [] } });
  try {
    return [
      await examine('engine', 'run `npm run setup` to build the addon, and see that `fonts/` is there', async () => {
        const { version, cpuPath, availableCpuPaths } = await supervisor.describe();
        return `version ${version}, CPU path ${cpuPath} of ${availableCpuPaths.join(', ')}`;
      }),
      await examine('fonts', 'take what is no font out of QRPRESS_FONT_DIR', async () => {
        const { fonts, rejectedFonts } = await supervisor.describe();
        if (rejectedFonts.length > 0) throw new Error(rejectedFonts.join(', '));
        return `${fonts} in use`;
      }),
      await examine('confinement', 'look at the log', async () => confinementOf(await supervisor.describe())),
    ];
  } finally {
    await supervisor.close();
  }
}

/** Never a fault: the engine works without it. */
function confinementOf({ confinement }: EngineDescription): string {
  const missing = CONFINEMENTS.filter((name) => !confinement.includes(name));
  return missing.length === 0
    ? 'the engine has no network, and no files but its own'
    : `the system does not keep the engine from ${missing.join(' and ')}: that takes Linux 5.13 with Landlock and seccomp`;
}

async function examineRedis(url: string | undefined): Promise<Finding[]> {
  const look = async (asked: string) => {
    const { probeRedis } = await import('../platform/redis/connection.js');
    return `takes writes, version ${await probeRedis(asked)}`;
  };
  return url === undefined
    ? []
    : [await examine('redis', 'check QRPRESS_REDIS_URL, and that its server runs and takes writes', () => look(url))];
}

async function examineProxy({ proxy }: Config): Promise<Finding[]> {
  const look = async (settings: ProxySettings) => {
    await new OutgoingProxy(settings).probe();
    return 'takes connections';
  };
  return proxy === undefined
    ? []
    : [await examine('proxy', 'check QRPRESS_PROXY_URL, and that the proxy runs', () => look(proxy))];
}

/** Settings that must not be local to this host when several processes share the work. */
function examineSharing({ redisUrl, databaseUrl, storage, secrets, mail, baseUrl }: Config): Finding[] {
  const alone = [
    databaseUrl.startsWith('sqlite:') && 'QRPRESS_DATABASE_URL',
    storage === undefined && 'QRPRESS_STORAGE_URL',
    secrets === undefined && 'QRPRESS_SECRETS',
    mail.smtpUrl === undefined && 'QRPRESS_SMTP_URL',
    isLoopback(new URL(baseUrl).hostname) && 'QRPRESS_BASE_URL',
  ].filter((name) => name !== false);
  const detail =
    alone.length === 0
      ? 'can work together, when all have the same settings'
      : `processes with the same QRPRESS_DATA_DIR can work together; otherwise, and for several hosts, set ${alone.join(', ')}, the same on all`;
  return redisUrl === undefined ? [] : [{ name: 'several hosts', ok: true, detail }];
}

/** Never a fault. */
function advice(name: string, detail: string | undefined): Finding[] {
  return detail === undefined ? [] : [{ name, ok: true, isAdvice: true, detail }];
}

/** A remedy for what has a code, an error of the system, of a server or of a library. Our own say what to do. */
function whereUnexplained(remedy: string) {
  const hasCode = (error: unknown): boolean => error instanceof Error && ('code' in error || hasCode(error.cause));
  return (error: unknown) => (hasCode(error) ? remedy : undefined);
}

/** @param remedy undefined when the error says it */
async function examine(
  name: string,
  remedy: string | undefined | ((error: unknown) => string | undefined),
  look: () => Promise<string>,
): Promise<Finding> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    const fitting = typeof remedy === 'function' ? remedy(error) : remedy;
    const detail = fitting === undefined ? explain(error) : `${explain(error, {})}; ${fitting}`;
    return { name, ok: false, detail };
  }
}
