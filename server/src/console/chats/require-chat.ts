import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import { type ChatRow, findChat, type Owner } from './store.ts';

/** @throws ConsoleError 404 for one that is archived, and for another person's. */
export async function requireChat(tx: TenantTransaction, owner: Owner, id: string): Promise<ChatRow> {
  const row = await findChat(tx, owner, id);
  if (!row) throw notFound('Chat');
  return row;
}
