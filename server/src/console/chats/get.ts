import type { ChatWithMessages } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { requireChat } from './require-chat.ts';
import { selectMessages } from './store.ts';
import { toChat, toChatMessage } from './to-chat.ts';

export function getChat({ inTenant, principal }: SignedInContext, id: string): Promise<ChatWithMessages> {
  return inTenant(async (tx) => {
    const chat = toChat(await requireChat(tx, principal, id));
    const rows = await selectMessages(tx, principal.tenantId, id);
    return { ...chat, messages: rows.map(toChatMessage) };
  });
}
