import { join } from 'node:path';
import { readCommandLine } from '../programs/process-table.ts';
import { startProgram } from '../programs/program.ts';
import { findFreePort, untilListening, untilPrinted } from '../programs/readiness.ts';
import type { Surroundings, Target } from './subject.ts';

const script = new URL('../../../server/src/main.ts', import.meta.url);
// Its journal is shipped to the database at least every second.
const settleMs = 2_000;

/** Starts Sluice as on a first run, on an empty data folder, with the key that it prints. */
export async function startSluice({ resources, dir, options }: Surroundings): Promise<Target> {
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    SLUICE_DATA_DIR: join(dir, 'sluice'),
    SLUICE_ADMIN_PASSWORD: 'benchmark-password',
    SLUICE_WORKERS: String(options.workers),
  };
  const { pid, child, expect } = startProgram(resources, { name: 'Sluice', script, env });
  const [, key] = await expect(untilPrinted(child, /Authorization: Bearer (slc_\w+)/i));
  await expect(untilListening(port));
  return {
    url: `http://127.0.0.1:${port}/api/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    pid,
    partOf: nameParts(pid),
    settleMs,
  };
}

/** The parts that users would call the gateway, each apart. */
function nameParts(supervisorPid: number): Target['partOf'] {
  return (entry, tree) => {
    if (entry.pid === supervisorPid) return 'supervisor';
    if (entry.name === 'postgres') return 'postgresql';
    // The sandbox that it brings plays a provider, and is no part of the gateway.
    if (readCommandLine(entry.pid).includes('sandbox/')) return null;
    const workers = tree.filter(({ parentPid, name }) => parentPid === supervisorPid && name !== 'postgres');
    return `worker ${workers.findIndex(({ pid }) => pid === entry.pid) + 1}`;
  };
}
