import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootstrapRole } from './access.ts';
import { type Account, chooseAccount, findIdleAccount, handOver } from './account.ts';
import { type Binaries, locatePackage, prepareBinaries } from './binaries.ts';

export interface Cluster {
  dir: string;
  account: Account;
  binaries: Binaries;
}

const run = promisify(execFile);

export const clusterDirOf = (dataDir: string) => join(dataDir, 'postgres');

/** Creates the cluster on the first start. Does not start a server. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const dir = clusterDirOf(dataDir);
  const account = chooseAccount(dir);
  const cluster = { dir, account, binaries: await prepareBinaries(locatePackage(), dataDir, account) };
  if (existsSync(dir)) checkVersion(cluster);
  else await initialize(cluster);
  // Repeat the change of owner on every start: a previous start may have been killed during the change, and files
  // restored by root belong to root.
  if (account) handOver(dir, account);
  return cluster;
}

/**
 * Returns the arguments that locate the cluster. If another account runs the server, it may be unable to access the
 * cluster's path (under /root, or mode 700). The server then inherits the folder as its working directory, which root
 * has entered.
 */
export function clusterArguments({ dir, account }: Pick<Cluster, 'dir' | 'account'>): string[] {
  return ['-D', account && process.platform === 'linux' ? '/proc/self/cwd' : dir];
}

function checkVersion({ dir, binaries }: Cluster): void {
  const versionFile = join(dir, 'PG_VERSION');
  if (!existsSync(versionFile))
    throw new Error(`${dir} exists but is not a PostgreSQL cluster: move it elsewhere`);
  const version = readFileSync(versionFile, 'utf8').trim();
  if (version === binaries.majorVersion) return;
  throw new Error(
    `the embedded database ${dir} was created by PostgreSQL ${version}, but this Sluice includes PostgreSQL ` +
      `${binaries.majorVersion}: start it with the Sluice version that created it, or move its data with pg_dump`,
  );
}

/** Creates the cluster under a temporary name and renames it, so that a killed start leaves no partial cluster. */
async function initialize({ dir, account, binaries }: Cluster): Promise<void> {
  const draftDir = `${dir}.new`;
  rmSync(draftDir, { recursive: true, force: true });
  mkdirSync(draftDir, { recursive: true, mode: 0o700 });
  const maker = account && findIdleAccount();
  if (maker) chownSync(draftDir, maker.uid, maker.gid);
  const libcLocale = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';
  await run(
    join(binaries.dir, 'initdb'),
    [
      ...clusterArguments({ dir: draftDir, account: maker }),
      `--username=${bootstrapRole}`,
      '--auth=peer',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${libcLocale}`,
      '--data-checksums',
      '--no-instructions',
    ],
    { ...maker, cwd: draftDir, env: {} },
  );
  // Change the owner before the rename, because the next start reads the owner from the folder.
  if (account) handOver(draftDir, account);
  renameSync(draftDir, dir);
}
