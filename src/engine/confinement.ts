/**
 * The confinement of an engine's process: it opens no connection, starts no program, and sees only the folders that it
 * was given. The addon confines the process before Node starts in it (`native/src/confinement.rs`).
 */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { availableThreads } from './in-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of packages: of a clone or a bundle, and the outermost one around a qrpress that npm or pnpm installed. */
const MODULES = [join(ROOT, 'node_modules'), ...(/^.*?\/node_modules(?=\/)/.exec(ROOT) ?? [])];

/** Parts of the package that the process loads. The data folder may lie beside them. */
const PACKAGE = [...MODULES, ...['dist', 'native', 'fonts', 'package.json'].map((name) => join(ROOT, name))];

/**
 * Files of a Linux system that a Node process reads: shared libraries, the settings of the loader and of OpenSSL, and the
 * numbers of processors and bytes. Of `/proc` only its own part: there is the environment of other processes.
 */
const SYSTEM = [
  '/usr',
  '/lib',
  '/lib64',
  '/nix/store',
  '/dev/urandom',
  '/dev/zero',
  ...['ld.so.cache', 'ld.so.preload', 'localtime'].map((name) => `/etc/${name}`),
  ...['ssl/openssl.cnf', 'pki/tls/openssl.cnf', 'crypto-policies'].map((name) => `/etc/${name}`),
  ...['self', 'cpuinfo', 'meminfo', 'stat'].map((name) => `/proc/${name}`),
  '/sys/devices/system',
  '/sys/fs/cgroup',
  '/sys/kernel/mm',
];

/**
 * Bytes of memory that a process may take: several times what hostile bodies can make it take, so that it dies before its
 * host has none left.
 */
const MEMORY_BYTES = { base: 2 ** 30, thread: 2 ** 30 };

/** The addon that this process has loaded: others may be installed for other systems. The loader's list knows no spaces and colons. */
const ADDON = /^[^/]*(\/[^\s:]*\/qrpress\.[^\s:/]+\.node)$/m.exec(loaded())?.[1];

/** Resources that a process can be kept from. */
export const CONFINEMENTS = ['files', 'network'];

/** Folders of a process's tasks, and of its fonts. They must exist before the process starts. */
export interface EngineFolders {
  readable: readonly string[];
  writable: readonly string[];
  /** Bytes of the largest file that a process may write. Default: no bound. */
  fileBytes?: number | undefined;
}

/** Environment variables that confine a process to `folders`. Empty where the system or the addon does not allow that. */
export function confinedTo({ readable, writable, fileBytes }: EngineFolders, threads: number): Record<string, string> {
  if (ADDON === undefined) {
    return {};
  }
  const read = [...PACKAGE, ADDON, dirname(dirname(process.execPath)), ...SYSTEM, ...readable].filter(
    (path) => path !== '/',
  );
  const write = ['/dev/null', ...writable];
  // The addon starts threads of its own for some tasks.
  const memoryBytes = MEMORY_BYTES.base + Math.max(threads, availableThreads()) * MEMORY_BYTES.thread;
  return {
    QRPRESS_ENGINE_LIMITS: [memoryBytes, fileBytes].join(' '),
    LD_PRELOAD: ADDON,
    QRPRESS_ENGINE_PATHS: [...read.map((path) => `r${path}`), ...write.map((path) => `w${path}`)].join('\n'),
  };
}

/** The files that this process has in its memory; empty where the system, such as macOS, lists none. */
function loaded(): string {
  const list = '/proc/self/maps';
  return existsSync(list) ? readFileSync(list, 'utf8') : '';
}
