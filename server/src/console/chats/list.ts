import type { Chat } from '@sluice/contract';
import { eq } from 'drizzle-orm';
import { chats } from '#db/schema/chats.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { selectChats } from './store.ts';
import { toChat } from './to-chat.ts';

export function listChats({ inTenant, principal }: SignedInContext, taskId?: number): Promise<Chat[]> {
  const condition = taskId === undefined ? undefined : eq(chats.taskId, taskId);
  return inTenant(async (tx) => (await selectChats(tx, principal, condition)).map(toChat));
}
