import type { ChatWithMessages } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findLatestLeaf } from './branch.ts';
import { getChat } from './get.ts';
import { setLeaf } from './store.ts';
import { beingWritten, readWholeChat } from './write-turn.ts';

/**
 * Chooses a branch.
 * @throws ConsoleError 404 for a message that is not in the chat; 409 while an answer is being written.
 */
export async function chooseChatBranch(
  ctx: SignedInContext,
  { id, messageId }: { id: string; messageId: string },
): Promise<ChatWithMessages> {
  const { rows } = await readWholeChat({ ...ctx, readInTenant: ctx.inTenant }, id);
  if (!rows.some((row) => row.id === messageId)) throw notFound('Message');
  if (rows.some(({ status }) => status === 'pending')) throw beingWritten();
  const leafId = findLatestLeaf(rows, messageId);
  const { tenantId } = ctx.principal;
  await ctx.inTenant((tx) => setLeaf(tx, { tenantId, chatId: id, leafId }));
  return getChat(ctx, id);
}
