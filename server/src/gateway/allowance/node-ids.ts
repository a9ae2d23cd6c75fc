import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Node ids of a run, stored next to its journal, so that leases of a killed node can be released. */
export interface NodeIds {
  add(nodeId: string): void;
  read(): string[];
}

export function createNodeIds(journalDir: string): NodeIds {
  const path = join(journalDir, 'nodes');
  return {
    add: (nodeId) => appendFileSync(path, `${nodeId}\n`, { mode: 0o600 }),
    // A crash may truncate the last line; its node was never registered.
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(isNodeId) : []),
  };
}

function isNodeId(line: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(line);
}
