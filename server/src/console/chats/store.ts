import { randomUUIDv7 } from 'node:crypto';
import type { UpdateChatBody } from '@sluice/contract';
import { and, asc, desc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { containsText } from '#db/contains-text.ts';
import { chats, chatMessages as messages } from '#db/schema/chats.ts';
import { allowances, taskAssignments, tasks } from '#db/schema/tasks.ts';
import type { TenantTransaction } from '#db/tenant.ts';

/** Owner of chats. Queries only return chats of their owner. */
export interface Owner {
  readonly tenantId: number;
  readonly userId: number;
}

const ofOwner = ({ tenantId, userId }: Owner) =>
  and(eq(chats.tenantId, tenantId), eq(chats.userId, userId), isNull(chats.archivedAt));

/** Returns at most `listedMax` unarchived chats, pinned chats first. */
export function selectChats(tx: TenantTransaction, owner: Owner, condition?: SQL) {
  const tokens = sql<string>`(SELECT coalesce(sum(${messages.tokensUsed}), 0) FROM ${messages}
    WHERE ${messages.tenantId} = ${owner.tenantId} AND ${messages.chatId} = ${chats.id})`;
  return tx
    .select({
      id: chats.id,
      title: chats.title,
      pinnedAt: chats.pinnedAt,
      updatedAt: chats.updatedAt,
      taskId: chats.taskId,
      taskTitle: tasks.title,
      isApiAccess: tasks.isDummyTask,
      leafId: chats.leafId,
      tokensUsed: tokens.mapWith(Number),
    })
    .from(chats)
    .leftJoin(tasks, and(eq(tasks.id, chats.taskId), eq(tasks.tenantId, owner.tenantId)))
    .where(and(ofOwner(owner), condition))
    .orderBy(sql`${chats.pinnedAt} DESC NULLS LAST`, desc(chats.updatedAt), desc(chats.id))
    .limit(listedMax);
}

const listedMax = 1_000;

export type ChatRow = Awaited<ReturnType<typeof selectChats>>[number];

export async function findChat(tx: TenantTransaction, owner: Owner, id: string) {
  const [row] = await selectChats(tx, owner, eq(chats.id, id));
  return row;
}

export async function findTaskChat(tx: TenantTransaction, owner: Owner, taskId: number) {
  const [latest] = await tx
    .select({ id: chats.id })
    .from(chats)
    .where(and(ofOwner(owner), eq(chats.taskId, taskId)))
    .orderBy(desc(chats.updatedAt), desc(chats.id))
    .limit(1);
  return latest && findChat(tx, owner, latest.id);
}

/** Maximum message length for normalization before a search. Sorting many accents takes quadratic time. */
const normalizedLengthMax = 5_000;

const excerptLength = { before: 12, total: 140 };

/**
 * Ignores case and accents. `excerpt` is the text around the match in the latest matching message; `null` if no
 * message matches.
 */
export async function searchChats(tx: TenantTransaction, owner: Owner, text: string, ofTask?: SQL) {
  const content = sql`CASE WHEN length(${messages.content}) > ${normalizedLengthMax} THEN ${messages.content}
    ELSE normalize(${messages.content}, NFC) END`;
  const at = sql`position(search_key(${text}) in search_key(${content}))`;
  // Correct the position by the change in length, because folding may change the length of the text before the match.
  const start = sql`2 * ${at} - length(search_key(left(${content}, ${at}))) - ${excerptLength.before}`;
  const found = await tx
    .selectDistinctOn([messages.chatId], {
      chatId: messages.chatId,
      excerpt: sql<string>`substr(${content}, greatest(1, ${start}), ${excerptLength.total})`,
      isCut: sql<boolean>`${start} > 1`,
    })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .where(and(ofOwner(owner), eq(messages.tenantId, owner.tenantId), containsText(text, messages.content)))
    .orderBy(messages.chatId, desc(messages.createdAt));
  const excerpts = new Map(found.map(({ chatId, ...part }) => [chatId, formatExcerpt(part)]));
  const isNamed = containsText(text, chats.title, tasks.title);
  const condition = excerpts.size === 0 ? isNamed : or(isNamed, inArray(chats.id, [...excerpts.keys()]));
  const rows = await selectChats(tx, owner, and(ofTask, condition));
  return rows.map((row) => ({ ...row, excerpt: excerpts.get(row.id) ?? null }));
}

const cutWord = new RegExp(`^\\S{0,${excerptLength.before - 1}}\\s+`);

/** Formats an excerpt on one line. It starts with a whole word, and with an ellipsis if there is text before it. */
function formatExcerpt({ excerpt, isCut }: { excerpt: string; isCut: boolean }): string {
  const text = isCut ? `…${excerpt.replace(cutWord, '')}` : excerpt;
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns `false` if there is no such chat. */
export async function changeChat(
  tx: TenantTransaction,
  owner: Owner,
  id: string,
  { title, is_pinned }: UpdateChatBody,
): Promise<boolean> {
  const changed = await tx
    .update(chats)
    .set({
      title: title ?? sql`${chats.title}`,
      pinnedAt: is_pinned === undefined ? sql`${chats.pinnedAt}` : is_pinned ? sql`now()` : null,
    })
    .where(and(ofOwner(owner), eq(chats.id, id)))
    .returning({ id: chats.id });
  return changed.length > 0;
}

export async function insertChat(
  tx: TenantTransaction,
  { tenantId, userId }: Owner,
  taskId: number | null,
): Promise<string> {
  const id = randomUUIDv7();
  await tx.insert(chats).values({ id, tenantId, userId, taskId });
  return id;
}

export function selectKeptChats(
  tx: TenantTransaction,
  { tenantId, userId }: Owner,
  before: string | undefined,
  most: number,
) {
  const isBehind = before === undefined ? undefined : lt(chats.id, before);
  return tx
    .select()
    .from(chats)
    .where(and(eq(chats.tenantId, tenantId), eq(chats.userId, userId), isBehind))
    .orderBy(desc(chats.id))
    .limit(most);
}

/** Returns `false` if there is no such chat. */
export async function markArchived(tx: TenantTransaction, owner: Owner, id: string): Promise<boolean> {
  const archived = await tx
    .update(chats)
    .set({ archivedAt: sql`now()` })
    .where(and(ofOwner(owner), eq(chats.id, id)))
    .returning({ id: chats.id });
  return archived.length > 0;
}

/** Updates the time of the last change, and sets a title if the chat does not have one. */
export async function touchChat(
  tx: TenantTransaction,
  tenantId: number,
  id: string,
  title?: string,
): Promise<void> {
  await tx
    .update(chats)
    .set({ updatedAt: sql`now()`, ...(title === undefined ? {} : { title: orGiven(title) }) })
    .where(and(eq(chats.tenantId, tenantId), eq(chats.id, id)));
}

const orGiven = (title: string) => sql`CASE ${chats.title} WHEN '' THEN ${title} ELSE ${chats.title} END`;

export function selectMessages(tx: TenantTransaction, tenantId: number, chatId: string) {
  return tx
    .select()
    .from(messages)
    .where(and(eq(messages.tenantId, tenantId), eq(messages.chatId, chatId)))
    .orderBy(asc(messages.createdAt), desc(messages.isUser));
}

export type MessageRow = typeof messages.$inferSelect;

/**
 * Selects the branch that ends with a leaf. If `onlyFrom` is given, only changes the chat if this is its current
 * leaf.
 */
export async function setLeaf(
  tx: TenantTransaction,
  { tenantId, chatId, leafId }: { tenantId: number; chatId: string; leafId: string | null },
  onlyFrom?: string,
): Promise<void> {
  const isThis = and(eq(chats.tenantId, tenantId), eq(chats.id, chatId));
  const isEnd = onlyFrom === undefined ? undefined : eq(chats.leafId, onlyFrom);
  await tx.update(chats).set({ leafId }).where(and(isThis, isEnd));
}

export interface NewMessage {
  readonly id: string;
  readonly tenantId: number;
  readonly chatId: string;
  readonly parentId: string | null;
}

/** Inserts a pending answer. Returns `false` while another answer in the chat is being written. */
export async function insertPendingAnswer(
  tx: TenantTransaction,
  answer: NewMessage & { readonly model: string },
): Promise<boolean> {
  const written = await tx
    .insert(messages)
    .values({ ...answer, isUser: false, content: '', status: 'pending' })
    .onConflictDoNothing()
    .returning({ id: messages.id });
  return written.length > 0;
}

export async function insertQuestion(
  tx: TenantTransaction,
  question: NewMessage & { readonly content: string },
): Promise<void> {
  await tx.insert(messages).values({ ...question, isUser: true });
}

type Change = Partial<Omit<typeof messages.$inferInsert, 'id' | 'tenantId' | 'chatId'>>;

export async function changeMessage(
  tx: TenantTransaction,
  tenantId: number,
  id: string,
  change: Change,
): Promise<void> {
  await tx
    .update(messages)
    .set({ writtenAt: sql`now()`, ...change })
    .where(and(eq(messages.tenantId, tenantId), eq(messages.id, id)));
}

export async function deleteMessages(
  tx: TenantTransaction,
  tenantId: number,
  ids: readonly string[],
): Promise<void> {
  await tx.delete(messages).where(and(eq(messages.tenantId, tenantId), inArray(messages.id, [...ids])));
}

/** Finds a task that is or was assigned to the user. Includes the usage of the latest assignment. */
export async function findOwnTask(tx: TenantTransaction, { tenantId, userId }: Owner, taskId: number) {
  const [row] = await tx
    .select({
      title: tasks.title,
      description: tasks.description,
      category: tasks.category,
      tokenLimit: tasks.tokenLimit,
      used: sql`coalesce(${allowances.settled}, 0)`.mapWith(Number),
      isOpen: sql<boolean>`${taskAssignments.status} = 'active' AND ${tasks.isActive}`,
    })
    .from(taskAssignments)
    .innerJoin(tasks, and(eq(tasks.id, taskAssignments.taskId), isNull(tasks.deletedAt)))
    .leftJoin(
      allowances,
      and(eq(allowances.kind, 'task_tokens'), eq(allowances.subjectId, taskAssignments.id)),
    )
    .where(
      and(
        eq(taskAssignments.tenantId, tenantId),
        eq(taskAssignments.userId, userId),
        eq(taskAssignments.taskId, taskId),
      ),
    )
    .orderBy(desc(taskAssignments.id))
    .limit(1);
  return row;
}

export async function announceStop(tx: TenantTransaction, chatId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_notify('sluice_changes', ${`chat_stops:${chatId}`})`);
}

/** Acquires an advisory lock until the transaction ends, so that concurrent calls create only one chat. */
export async function lockOwner(tx: TenantTransaction, { tenantId, userId }: Owner): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('chats'), ${userId}::int # ${tenantId}::int)`);
}
