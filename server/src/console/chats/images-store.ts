import { randomUUIDv7 } from 'node:crypto';
import type { chatImageTypes, PromptPrivacy } from '@sluice/contract';
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { chatImages as images, chatMessages as messages } from '#db/schema/chats.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export interface Picture {
  readonly name: string;
  readonly mediaType: (typeof chatImageTypes)[number];
  readonly bytes: Buffer;
}

/** Stores only placeholders unless the tenant stores full prompts. */
export async function insertImages(
  tx: TenantTransaction,
  { tenantId, messageId }: { tenantId: number; messageId: string },
  pictures: readonly Picture[],
): Promise<void> {
  if (pictures.length === 0) return;
  const isKept = (await findPromptPrivacy(tx, tenantId)) === 'full';
  // Sort the ids, because images are ordered by id and ids created in the same millisecond have a random order.
  const ids = pictures.map(() => randomUUIDv7()).toSorted();
  const rows = pictures.map(({ bytes, ...picture }, place) => ({
    ...picture,
    id: ids[place] ?? randomUUIDv7(),
    tenantId,
    messageId,
    bytes: isKept ? bytes : null,
  }));
  await tx.insert(images).values(rows);
}

async function findPromptPrivacy(tx: TenantTransaction, tenantId: number): Promise<PromptPrivacy> {
  const [tenant] = await tx
    .select({ promptPrivacy: tenants.promptPrivacy })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return tenant?.promptPrivacy ?? 'metadata';
}

export function selectImages(tx: TenantTransaction, tenantId: number, chatId: string) {
  return tx
    .select({
      id: images.id,
      messageId: images.messageId,
      name: images.name,
      isKept: sql<boolean>`${images.bytes} IS NOT NULL`,
    })
    .from(images)
    .innerJoin(messages, eq(messages.id, images.messageId))
    .where(and(eq(images.tenantId, tenantId), eq(messages.chatId, chatId)))
    .orderBy(asc(images.id));
}

export type ImageRow = Awaited<ReturnType<typeof selectImages>>[number];

export function selectImageSizes(tx: TenantTransaction, tenantId: number, messageIds: readonly string[]) {
  return tx
    .select({ id: images.id, messageId: images.messageId, size: sql<number>`length(${images.bytes})` })
    .from(images)
    .where(
      and(eq(images.tenantId, tenantId), inArray(images.messageId, [...messageIds]), isNotNull(images.bytes)),
    )
    .orderBy(asc(images.id));
}

export async function selectPictures(
  tx: TenantTransaction,
  tenantId: number,
  ids: readonly string[],
): Promise<(Picture & { readonly messageId: string })[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select()
    .from(images)
    .where(and(eq(images.tenantId, tenantId), inArray(images.id, [...ids])))
    .orderBy(asc(images.id));
  return rows.flatMap(({ bytes, ...row }) => (bytes ? [{ ...row, bytes }] : []));
}

export async function findPicture(tx: TenantTransaction, tenantId: number, chatId: string, id: string) {
  const [row] = await tx
    .select({ mediaType: images.mediaType, bytes: images.bytes })
    .from(images)
    .innerJoin(messages, eq(messages.id, images.messageId))
    .where(and(eq(images.tenantId, tenantId), eq(images.id, id), eq(messages.chatId, chatId)));
  return row;
}
