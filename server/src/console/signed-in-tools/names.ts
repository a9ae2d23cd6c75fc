import { toolNames } from '@sluice/contract';
import type { Tool } from './store.ts';

interface Described {
  readonly clientId: string;
  readonly deviceName: string;
}

export function toolNameOf({ clientId }: Pick<Described, 'clientId'>): string {
  const known = Object.hasOwn(toolNames, clientId) ? toolNames[clientId] : undefined;
  return known ?? (clientId === '' ? 'Unnamed tool' : clientId);
}

const keyNameMax = 100;

export function nameTool(tool: Pick<Tool, keyof Described>): string {
  const { deviceName } = tool;
  const name = deviceName === '' ? toolNameOf(tool) : `${toolNameOf(tool)} on ${deviceName}`;
  return name.slice(0, keyNameMax).toWellFormed();
}
