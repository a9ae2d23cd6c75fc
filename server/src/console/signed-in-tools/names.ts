import { toolNames } from '@sluice/contract';
import type { Tool } from './store.ts';

interface Described {
  readonly clientId: string;
  readonly deviceName: string;
}

/** Returns the name of a tool by its client id, which is not verified. */
export const toolNameOf = ({ clientId }: Pick<Described, 'clientId'>) =>
  toolNames[clientId] ?? (clientId === '' ? 'Unnamed tool' : clientId);

const keyNameMax = 100;

/** Returns the name of a tool's keys. */
export function nameTool(tool: Pick<Tool, keyof Described>): string {
  const { deviceName } = tool;
  return (deviceName === '' ? toolNameOf(tool) : `${toolNameOf(tool)} on ${deviceName}`).slice(0, keyNameMax);
}
