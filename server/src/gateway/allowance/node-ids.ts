import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which nodes a run has been: kept on disk with its journal, so that what a killed one held can be released. */
export interface NodeIds {
  add(nodeId: string): void;
  read(): string[];
}

export function createNodeIds(journalDir: string): NodeIds {
  const path = join(journalDir, 'nodes');
  return {
    add: (nodeId) => appendFileSync(path, `${nodeId}\n`, { mode: 0o600 }),
    // The last line may be cut off by a crash; its node was never made known then.
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(isNodeId) : []),
  };
}

function isNodeId(line: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(line);
}
