import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '#config/config.ts';
import { formatDatabaseHosts, parseDatabaseUrl } from '#platform/database-url.ts';

/** Describes the installation of a command: a database with its servers, or a data folder. */
export function formatInstallation({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): string {
  const url = database && parseDatabaseUrl(database.directUrl);
  return url ? `database "${url.database}" at ${formatDatabaseHosts(url)}` : `data folder ${dataDir}`;
}

export interface Surroundings {
  readonly unitFiles: readonly string[];
  /** Process file system, such as `/proc`. */
  readonly processesDir: string;
}

const here: Surroundings = {
  unitFiles: ['/etc/systemd/system/sluice.service', '/lib/systemd/system/sluice.service'],
  processesDir: '/proc',
};

/**
 * Throws if no variable selects an installation and this machine has one outside the default folder: a service unit,
 * or a running Sluice with another data folder or an external database.
 */
export function requireNamedInstallation(
  { dataDir, isInstallationNamed }: Pick<Config, 'dataDir' | 'isInstallationNamed'>,
  { unitFiles, processesDir }: Surroundings = here,
): void {
  if (isInstallationNamed) return;
  const units = unitFiles.filter(existsSync).map((path) => `the service unit ${path}`);
  const others = [...units, ...listOtherProcesses(processesDir, dataDir)];
  if (others.length === 0) return;
  throw new Error(
    `Several installations were found: the data folder ${dataDir}, and ${others.join(', ')}. Select one by setting SLUICE_DATA_DIR or DATABASE_URL to the value that its service uses. \`npx sluice help\` shows how to call a command under systemd, compose and Kubernetes.`,
  );
}

function listOtherProcesses(processesDir: string, dataDir: string): string[] {
  const pids = readFolder(processesDir).filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const folder = join(processesDir, pid);
    if (
      !read(join(folder, 'cmdline'))
        .split('\0')
        .some((word) => /server\/src\/(product\/)?main\.ts$/.test(word))
    )
      return [];
    const variables = new Map(
      read(join(folder, 'environ'))
        .split('\0')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
    );
    const hasDatabase = variables.get('DATABASE_URL') || variables.get('DATABASE_URL_FILE');
    const ownDir = resolve(readLink(join(folder, 'cwd')), variables.get('SLUICE_DATA_DIR') || './data');
    if (!hasDatabase && ownDir === dataDir) return [];
    return [
      `the running process ${pid} (${hasDatabase ? 'with a separate database' : `data folder ${ownDir}`})`,
    ];
  });
}

/** Processes may exit while their files are read. Files of other accounts are not readable. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '/';
  }
}
