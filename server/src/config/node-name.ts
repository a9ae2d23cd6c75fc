import { hostname } from 'node:os';
import type { Config } from './config.ts';

/** Returns the name of a node for operators; `supervisorPid` distinguishes nodes on any free port. */
export function nameNode({ http }: Pick<Config, 'http'>, supervisorPid: number): string {
  return `${hostname()}:${http.port === 0 ? supervisorPid : http.port}`;
}
