import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { exportLogs } from '../../../server/src/console/logs/export.ts';
import { createRunInTenant } from '../../../server/src/db/tenant.ts';
import type { Principal } from '../../../server/src/domain/principal.ts';
import type { SignedInContext } from '../../../server/src/http/console-route.ts';
import type { FilledLog } from './stores.ts';

const rowsMax = 1_000_000;
const samples = 10;
const longestMs = 45_000;

/**
 * Exports all rows, limited to one million and 45 seconds, and reports the memory of this process during the export.
 */
export async function exportAll(log: FilledLog): Promise<string> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const usedMb = () => {
    collect();
    const { external, heapUsed } = process.memoryUsage();
    return (external + heapUsed) / 1e6;
  };
  const beganAtMs = performance.now();
  const { text } = await exportLogs(createContext(log), { format: 'jsonl' });
  let [rows, bytes] = [0, 0];
  const held: number[] = [];
  for await (const part of text) {
    rows += part.split('\n').length - 1;
    bytes += Buffer.byteLength(part);
    if (rows >= ((held.length + 1) * rowsMax) / samples) held.push(usedMb());
    if (rows >= rowsMax || performance.now() - beganAtMs > longestMs) break;
  }
  const seconds = (performance.now() - beganAtMs) / 1000;
  const figures = held.length > 0 ? held : [usedMb()];
  return [
    `export: ${rows} rows, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(0)} s;`,
    `memory held after each tenth of a million (MB): ${figures.map((mb) => mb.toFixed(1)).join(' ')}`,
  ].join(' ');
}

function createContext({ pool, admin, requestLog }: FilledLog): SignedInContext {
  const principal: Principal = admin;
  const inTenant = createRunInTenant(pool, requestLog.openTenant);
  const actor = {
    userId: principal.userId,
    action: 'exportLogs',
    requestId: crypto.randomUUID(),
    address: '',
  };
  const used: Pick<SignedInContext, 'principal' | 'inTenant'> = {
    principal,
    inTenant: (work) => inTenant(principal.tenantId, work, actor),
  };
  return used as SignedInContext;
}
