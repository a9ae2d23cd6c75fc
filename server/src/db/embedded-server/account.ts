import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** User that runs the server's processes; `null` means the user of this process. */
export type Account = UserIds | null;
interface UserIds {
  uid: number;
  gid: number;
}
type NamedUser = UserIds & { name: string };

const rootUid = 0;
// User ids that Linux distributions and systemd do not reserve, and that exist in containers with 65,536 ids.
const reservedIds = { from: 60_578, to: 61_184 };

/**
 * PostgreSQL refuses to run as root. If Sluice runs as root, the account is the cluster's owner or else an unnamed id
 * used only for the cluster. Never `nobody`, which is shared with other services.
 */
export function chooseAccount(clusterDir: string): Account {
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const ownUid = process.getuid?.();
  if (ownUid !== rootUid) {
    if (owner && owner.uid !== ownUid) throw foreignClusterError(clusterDir, owner.uid);
    return null;
  }
  if (owner && owner.uid !== rootUid && !isNobody(owner.uid)) return { uid: owner.uid, gid: owner.gid };
  return reserveAccount();
}

/**
 * Returns a named account for initdb, which requires one. The account has no running processes that could interfere.
 */
export function findIdleAccount(): UserIds {
  const busy = listBusyUids();
  const idle = listNamedUsers().filter(({ uid }) => uid !== rootUid && !busy.has(uid));
  const [first] = [...idle.filter(({ uid }) => !isNobody(uid)), ...idle];
  if (!first) throw new Error('/etc/passwd lists no user that can run PostgreSQL: set DATABASE_URL');
  return { uid: first.uid, gid: first.gid };
}

/** Starts with the folder, so that the previous owner cannot change the contents in the meantime. */
export function handOver(dir: string, account: UserIds): void {
  lchownSync(dir, account.uid, account.gid);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) handOver(path, account);
    else lchownSync(path, account.uid, account.gid);
  }
}

function reserveAccount(): UserIds {
  const taken = new Set([...listBusyUids(), ...listNamedUsers().flatMap(({ uid, gid }) => [uid, gid])]);
  const ids = Array.from(
    { length: reservedIds.to - reservedIds.from },
    (_, index) => reservedIds.from + index,
  );
  const free = ids.filter((id) => !taken.has(id));
  const id = free[randomInt(Math.max(free.length, 1))] ?? reservedIds.from;
  return { uid: id, gid: id };
}

/** Whether the user id is that of the account `nobody`, or the kernel's overflow id. */
function isNobody(uid: number): boolean {
  return uid === 65_534 || listNamedUsers().some((user) => user.name === 'nobody' && user.uid === uid);
}

function listNamedUsers(): NamedUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', uid, gid] = /^([^:#]+):[^:]*:(-?\d+):(-?\d+):/.exec(line) ?? [];
      // Some systems list nobody as -2, which the kernel treats as an unsigned number.
      return uid === undefined ? [] : [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
    });
}

function listBusyUids(): Set<number> {
  const uids =
    process.platform === 'linux'
      ? readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .flatMap(readUids)
      : execFileSync('ps', ['-axo', 'uid='], { encoding: 'utf8' }).split('\n');
  return new Set(uids.map((uid) => Number(uid) >>> 0));
}

function readUids(pid: string): string[] {
  try {
    return (
      /^Uid:(.*)$/m
        .exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        ?.trim()
        .split(/\s+/) ?? []
    );
  } catch {
    return [];
  }
}

function foreignClusterError(clusterDir: string, uid: number): Error {
  return new Error(
    `the embedded database ${clusterDir} belongs to user id ${uid}: start Sluice as that user or as root`,
  );
}
