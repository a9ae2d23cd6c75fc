import { readFileSync, statSync } from 'node:fs';

/** The user that the server's processes run as; null = the user of this process. */
export type Account = { uid: number; gid: number } | null;

const rootUid = 0;
const nobodyId = 65_534;

/**
 * PostgreSQL refuses to run as root. Root hands it to whoever owns the cluster already, else to `nobody`:
 * the one unprivileged user that exists everywhere and that initdb can look up.
 */
export function chooseAccount(clusterDir: string): Account {
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  const ownUid = process.getuid?.();
  if (ownUid !== rootUid) {
    if (owner && owner.uid !== ownUid) throw foreignClusterError(clusterDir, owner.uid);
    return null;
  }
  if (owner && owner.uid !== rootUid) return { uid: owner.uid, gid: owner.gid };
  return findNobody();
}

function findNobody(): { uid: number; gid: number } {
  const [, uid, gid] = /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  // Some systems write nobody as -2, which is an unsigned number to the kernel.
  return { uid: Number(uid ?? nobodyId) >>> 0, gid: Number(gid ?? nobodyId) >>> 0 };
}

function foreignClusterError(clusterDir: string, uid: number): Error {
  return new Error(
    `the embedded database ${clusterDir} belongs to user id ${uid}: start Sluice as that user or as root`,
  );
}
