import type { SignedInTool } from '@sluice/contract';
import { readUser } from '#console/users/read.ts';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author, Principal } from '#domain/principal.ts';
import { notFound } from '#errors/console-error.ts';
import { toolNameOf } from './names.ts';
import { revokeToolRow, selectTools } from './store.ts';

type ToolRow = Awaited<ReturnType<typeof selectTools>>[number];

export async function listSignedInTools(tx: TenantTransaction, author: Principal): Promise<SignedInTool[]> {
  return (await selectTools(tx, author)).map(toSignedInTool);
}

export async function readTool(tx: TenantTransaction, author: Principal, id: number): Promise<SignedInTool> {
  const [row] = await selectTools(tx, author, id);
  if (!row) throw notFound('Signed-in tool');
  return toSignedInTool(row);
}

/**
 * Signs out one of the caller's tools and revokes its keys.
 * @throws ConsoleError 404 if the tool was signed out, has expired or belongs to another user
 */
export async function revokeSignedInTool(
  tx: TenantTransaction,
  author: Principal,
  id: number,
): Promise<void> {
  if (!(await revokeToolRow(tx, author, id))) throw notFound('Signed-in tool');
}

/** @throws ConsoleError 404 for a user of another tenant */
export async function listUserSignedInTools(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  userId: number,
): Promise<SignedInTool[]> {
  await readUser(tx, tenantId, userId);
  return (await selectTools(tx, { tenantId, userId })).map(toSignedInTool);
}

/**
 * Signs out a user's tool and revokes its keys.
 * @throws ConsoleError 403 for a user with a higher role, 404 for a user of another tenant or if the user has no such
 * signed-in tool
 */
export async function revokeUserSignedInTool(
  tx: TenantTransaction,
  author: Author,
  { userId, toolId }: { readonly userId: number; readonly toolId: number },
): Promise<void> {
  await lockTarget(tx, author, userId);
  if (!(await revokeToolRow(tx, { tenantId: author.tenantId, userId }, toolId)))
    throw notFound('Signed-in tool');
}

function toSignedInTool({ tool, taskTitle }: ToolRow): SignedInTool {
  return {
    id: tool.id,
    tool_name: toolNameOf(tool),
    device_name: tool.deviceName,
    address: tool.address,
    user_agent: tool.userAgent,
    task_id: tool.taskId,
    task_title: taskTitle,
    created_at: tool.createdAt.toISOString(),
    last_used_at: tool.lastUsedAt?.toISOString() ?? null,
    last_used_address: tool.lastUsedAddress,
    expires_at: tool.expiresAt.toISOString(),
  };
}
