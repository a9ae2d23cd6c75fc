import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';

/** Which nodes a journal slot has been: kept on disk beside it, so that what a killed one held can be released. */
export interface NodeIds {
  add(nodeId: string): void;
  read(): string[];
  forget(): void;
}

export function createNodeIds(slotDir: string): NodeIds {
  const path = `${slotDir}.nodes`;
  return {
    add: (nodeId) => appendFileSync(path, `${nodeId}\n`, { mode: 0o600 }),
    // The last line may be cut off by a crash; its node was never made known then.
    read: () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(isNodeId) : []),
    forget: () => rmSync(path, { force: true }),
  };
}

function isNodeId(line: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(line);
}
