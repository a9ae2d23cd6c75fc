import { hostname } from 'node:os';
import type { Config } from './config.ts';

/** Returns the name by which operators know a node; `supervisorPid` tells nodes on any free port apart. */
export function nameNode({ http }: Pick<Config, 'http'>, supervisorPid: number): string {
  return `${hostname()}:${http.port === 0 ? supervisorPid : http.port}`;
}
