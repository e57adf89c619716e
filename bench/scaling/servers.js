/** The MariaDB and the Redis beside a measured service: a database of its own, and what both have done so far. */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';

import { cpuSecondsOf } from '../processes.js';

const DATABASE_URL = process.env.QRPRESS_TEST_DATABASE_URL ?? 'mysql://root@127.0.0.1:3306';
const REDIS_URL = process.env.QRPRESS_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

const PROBED_COMMITS = 200;

/** Connects to both; `close` drops the database and leaves the Redis as it was found. */
export async function openServers() {
  const admin = await mysql.createConnection(DATABASE_URL);
  const redis = new Redis(REDIS_URL);
  const name = `qrpress_bench_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${name}`);
  const [[{ Value: pidFile }]] = await admin.query("show variables like 'pid_file'");
  const databasePid = Number(readFileSync(pidFile, 'utf8'));
  const databaseUrl = new URL(DATABASE_URL);
  databaseUrl.pathname = name;
  return {
    environment: { QRPRESS_DATABASE_URL: databaseUrl.href, QRPRESS_REDIS_URL: REDIS_URL },

    /** Operations and seconds of one core, of each since it was started. */
    async work() {
      const [[{ Value: statements }]] = await admin.query("show global status like 'Questions'");
      const info = await redis.info();
      const figure = (field) => Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(info)?.[1]);
      return {
        databaseOperations: Number(statements),
        databaseSeconds: cpuSecondsOf(databasePid),
        redisOperations: figure('total_commands_processed'),
        redisSeconds: figure('used_cpu_user_main_thread') + figure('used_cpu_sys_main_thread'),
      };
    },

    /** Seconds that a row stays locked by a transaction which changes it and is committed durably; the mean of many. */
    async commitSeconds() {
      await admin.query(`create table ${name}.probe (id int primary key, n int)`);
      await admin.query(`insert into ${name}.probe values (1, 0)`);
      const started = performance.now();
      for (let commit = 0; commit < PROBED_COMMITS; commit++) {
        await admin.query('start transaction');
        await admin.query(`update ${name}.probe set n = n + 1 where id = 1`);
        await admin.query('commit');
      }
      return (performance.now() - started) / 1000 / PROBED_COMMITS;
    },

    async close() {
      await admin.query(`drop database ${name}`);
      await admin.end();
      redis.disconnect();
    },
  };
}
