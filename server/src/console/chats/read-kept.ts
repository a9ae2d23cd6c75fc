import type { ChatMessage } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { groupSiblings } from './branch.ts';
import { selectImages } from './images-store.ts';
import { toChatMessage } from './read.ts';
import { type Owner, selectKeptChats, selectMessages } from './store.ts';

/** Chat that retention has not deleted yet. It may be archived. */
export interface KeptChat {
  readonly id: string;
  readonly title: string;
  readonly task_id: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  readonly messages: readonly ChatMessage[];
}

const batchChats = 20;

export async function readKeptChats(
  tx: TenantTransaction,
  owner: Owner,
  before: string | undefined,
): Promise<KeptChat[]> {
  const rows = await selectKeptChats(tx, owner, before, batchChats);
  const chats: KeptChat[] = [];
  for (const row of rows) {
    const messages = await selectMessages(tx, owner.tenantId, row.id);
    const around = {
      siblings: groupSiblings(messages),
      images: await selectImages(tx, owner.tenantId, row.id),
    };
    chats.push({
      id: row.id,
      title: row.title,
      task_id: row.taskId,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      archived_at: row.archivedAt?.toISOString() ?? null,
      messages: messages.map((message) => toChatMessage(message, around)),
    });
  }
  return chats;
}
