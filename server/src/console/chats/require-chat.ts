import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { type ChatRow, findChat, type Owner } from './store.ts';

/**
 * Returns a chat.
 * @throws ConsoleError 404 if it is archived or belongs to another user.
 */
export async function requireChat(tx: TenantTransaction, owner: Owner, id: string): Promise<ChatRow> {
  const row = await findChat(tx, owner, id);
  if (!row) throw notFound('Chat');
  return row;
}
