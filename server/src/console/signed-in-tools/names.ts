import { toolNames } from '@sluice/contract';
import type { Tool } from './store.ts';

interface Described {
  readonly clientId: string;
  readonly deviceName: string;
}

/** Returns the name of a tool, derived from its unverified client id. */
export function toolNameOf({ clientId }: Pick<Described, 'clientId'>): string {
  const known = Object.hasOwn(toolNames, clientId) ? toolNames[clientId] : undefined;
  return known ?? (clientId === '' ? 'Unnamed tool' : clientId);
}

const keyNameMax = 100;

/** Returns the name of a tool's keys. */
export function nameTool(tool: Pick<Tool, keyof Described>): string {
  const { deviceName } = tool;
  const name = deviceName === '' ? toolNameOf(tool) : `${toolNameOf(tool)} on ${deviceName}`;
  return name.slice(0, keyNameMax).toWellFormed();
}
