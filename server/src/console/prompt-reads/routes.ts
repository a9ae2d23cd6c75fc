import type { promptReadsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { listPromptReads } from './list.ts';

export function createPromptReadsHandlers(): Handlers<typeof promptReadsRoutes> {
  return { listPromptReads: read(listPromptReads, ({ query }) => query) };
}
