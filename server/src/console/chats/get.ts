import type { ChatWithMessages } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { findBranch, groupSiblings } from './branch.ts';
import { selectImages } from './images-store.ts';
import { requireChat } from './require-chat.ts';
import { selectMessages } from './store.ts';
import { toChat, toChatMessage } from './to-chat.ts';

/** Returns a chat with the messages of the chosen branch. */
export function getChat({ inTenant, principal }: SignedInContext, id: string): Promise<ChatWithMessages> {
  return inTenant(async (tx) => {
    const row = await requireChat(tx, principal, id);
    const rows = await selectMessages(tx, principal.tenantId, id);
    const images = await selectImages(tx, principal.tenantId, id);
    const siblings = groupSiblings(rows);
    const messages = findBranch(rows, row.leafId).map((one) => toChatMessage(one, { siblings, images }));
    return { ...toChat(row), messages };
  });
}
