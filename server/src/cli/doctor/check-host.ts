import { accessSync, constants, readdirSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Config } from '#config/config.ts';
import { configWarnings } from '#config/format-config.ts';
import { type Check, fail, ok, warn } from './check.ts';

const mebibyte = 2 ** 20;
const freeSpace = { fail: 256 * mebibyte, warn: 2048 * mebibyte };
const backlogBytes = 64 * mebibyte;

export async function checkHost(config: Config): Promise<Check[]> {
  return [
    checkConfig(config),
    checkDataFolder(config.dataDir),
    checkRoom(config.dataDir),
    checkJournals(join(config.dataDir, 'journal')),
    await checkPort(config.http),
  ];
}

function checkConfig(config: Config): Check {
  const warnings = configWarnings(config);
  if (warnings.length === 0) return ok('configuration', 'all variables are valid');
  return warn('configuration', warnings.join(' '), 'Unset these variables unless you intend these settings.');
}

function checkDataFolder(dataDir: string): Check {
  const name = 'data folder';
  try {
    const { mode } = statSync(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if ((mode & 0o077) === 0) return ok(name, dataDir);
    return warn(name, `other users can read ${dataDir}`, `Run: chmod 700 ${dataDir}`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return warn(name, `${dataDir} does not exist yet`, 'The first start creates it.');
    return fail(
      name,
      `${dataDir} cannot be used (${code})`,
      `Make the user that runs Sluice its owner: chown -R USER ${dataDir}`,
    );
  }
}

function checkRoom(dataDir: string): Check {
  const name = 'free space';
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    const found = `${Math.floor((bavail * bsize) / mebibyte)} MiB free at ${dataDir}`;
    const fix = 'Free up space on this volume, or move SLUICE_DATA_DIR to a larger one.';
    if (bavail * bsize < freeSpace.fail) return fail(name, found, fix);
    return bavail * bsize < freeSpace.warn ? warn(name, found, fix) : ok(name, found);
  } catch {
    return warn(name, `${dataDir} does not exist yet`, 'The first start creates it.');
  }
}

/**
 * Checks the journals. A running node ships its journal within seconds, and the next start ships the journal of a
 * killed node.
 */
function checkJournals(journalDir: string): Check {
  const name = 'journals';
  const bytes = sumFiles(journalDir);
  const found = `${(bytes / mebibyte).toFixed(1)} MiB are waiting to be written to the database`;
  if (bytes < backlogBytes) return ok(name, found);
  return warn(
    name,
    found,
    'Start Sluice, or check its log for the reason why it cannot write to the database.',
  );
}

function sumFiles(folder: string): number {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  } catch {
    return 0;
  }
}

async function checkPort({ host, port }: Config['http']): Promise<Check> {
  const name = 'port';
  const problem = await tryToListen(host, port);
  if (problem === null) return ok(name, `${host}:${port} is free`);
  if (problem === 'EADDRINUSE' && (await answersAsSluice(host, port)))
    return ok(name, `Sluice is running at ${host}:${port}`);
  const fix = 'Stop the process that listens there, or set PORT and HOST to a free address of this machine.';
  return fail(name, `${host}:${port} cannot be used for listening (${problem})`, fix);
}

function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

async function answersAsSluice(host: string, port: number): Promise<boolean> {
  const address = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${address}:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return (await answer.text()).includes('"ok"');
  } catch {
    return false;
  }
}
