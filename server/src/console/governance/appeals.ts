import type { Appeal } from '@sluice/contract';
import { findCurrentBlock, recordScoreEvent } from '#console/blocks/records.ts';
import { liftBlock } from '#console/users/block.ts';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import {
  type AppealPage,
  type AppealRow,
  closeAppeal,
  findAppeal,
  insertAppeal,
  reopenDeniedAppeal,
  selectAppealPage,
  selectAppealsOf,
} from './appeals-store.ts';

/** Granting lifts the block, if it still exists, and lowers the score. Denying changes neither. */
export async function decideAppeal(
  tx: TenantTransaction,
  author: Principal,
  {
    appealId,
    ruling: { decision, note },
  }: { readonly appealId: number; readonly ruling: { decision: 'grant' | 'deny'; note: string } },
): Promise<Appeal> {
  const { tenantId, userId: actorId } = author;
  const { user_id: userId } = await readAppeal(tx, tenantId, appealId);
  if (userId === actorId) throw new ConsoleError(403, 'You cannot decide your own appeal');
  const target = await lockTarget(tx, author, userId);
  const status = decision === 'grant' ? 'granted' : 'denied';
  if (!(await closeAppeal(tx, appealId, { status, note, decidedBy: actorId }))) {
    throw new ConsoleError(409, 'This appeal has already been decided');
  }
  const { deviationScore: score, isBlocked } = target;
  if (decision === 'deny') {
    const event = { tenantId, userId, actorId, scoreBefore: score, scoreAfter: score, reason: note };
    await recordScoreEvent(tx, { ...event, kind: 'appeal_deny' });
  } else if (isBlocked) {
    await liftBlock(tx, author, target, { kind: 'appeal_grant', reason: note });
  }
  return readAppeal(tx, tenantId, appealId);
}

/** Each block can have one appeal. */
export async function createAppeal(
  tx: TenantTransaction,
  author: Principal,
  message: string,
): Promise<Appeal> {
  const { tenantId, userId } = author;
  const block = await findCurrentBlock(tx, userId);
  if (!block) throw new ConsoleError(409, 'Your account is not blocked');
  const id = await insertAppeal(tx, { tenantId, userId, scoreEventId: block.id, message });
  if (id === undefined) throw new ConsoleError(409, 'You have already appealed against this block');
  return readAppeal(tx, tenantId, id);
}

async function readAppeal(tx: TenantTransaction, tenantId: number, appealId: number): Promise<Appeal> {
  const row = await findAppeal(tx, tenantId, appealId);
  if (!row) throw notFound('Appeal');
  return toAppeal(row);
}

export async function listOwnAppeals(tx: TenantTransaction, author: Principal): Promise<Appeal[]> {
  const rows = await selectAppealsOf(tx, author.userId);
  return rows.map(toAppeal);
}

export async function listAppeals(
  tx: TenantTransaction,
  author: Principal,
  page: AppealPage,
): Promise<Appeal[]> {
  const rows = await selectAppealPage(tx, author.tenantId, page);
  return rows.map(toAppeal);
}

export async function reopenAppeal(
  tx: TenantTransaction,
  author: Principal,
  appealId: number,
): Promise<Appeal> {
  const { tenantId, userId: actorId } = author;
  const appeal = await findAppeal(tx, tenantId, appealId);
  if (!appeal) throw notFound('Appeal');
  if (appeal.userId === actorId) throw new ConsoleError(403, 'You cannot decide your own appeal');
  await lockTarget(tx, author, appeal.userId);
  const block = await findCurrentBlock(tx, appeal.userId);
  if (block?.id !== appeal.blockId) {
    throw new ConsoleError(409, 'The block of this appeal has already been lifted');
  }
  if (!(await reopenDeniedAppeal(tx, appealId))) throw new ConsoleError(409, 'This appeal was not denied');
  return readAppeal(tx, tenantId, appealId);
}

function toAppeal(row: AppealRow): Appeal {
  return {
    id: row.id,
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    status: row.status,
    message: row.message,
    created_at: row.createdAt.toISOString(),
    block: {
      reason: row.blockReason,
      score: row.blockScore,
      request_id: row.blockRequestId,
      created_at: row.blockedAt.toISOString(),
    },
    note: row.note,
    decided_at: row.decidedAt?.toISOString() ?? null,
  };
}
