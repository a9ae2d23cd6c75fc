import { apiKeyScopes } from '@sluice/contract';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { apiKeys } from '#db/schema/api-keys.ts';
import type { Keyring } from '#platform/keyring.ts';
import { storeNewKey } from './issue.ts';

/** Time for which a tool's previous key remains valid, because other processes may still use it. */
const overlapSeconds = 60;

interface ToolKey {
  readonly tenantId: number;
  readonly userId: number;
  readonly toolId: number;
  readonly taskId: number;
  readonly name: string;
  readonly expiresAt: Date;
}

/**
 * Creates a task key for a locked tool and returns its secret. The tool's previous keys expire after an overlap
 * period.
 */
export async function issueToolKey(
  keyring: Pick<Keyring, 'hashApiKey'>,
  tx: NodePgDatabase,
  key: ToolKey,
): Promise<string> {
  await tx
    .update(apiKeys)
    .set({
      supersededAt: sql`now()`,
      expiresAt: sql`least(${apiKeys.expiresAt}, now() + make_interval(secs => ${overlapSeconds}))`,
    })
    .where(and(eq(apiKeys.toolId, key.toolId), isNull(apiKeys.supersededAt), isNull(apiKeys.revokedAt)));
  const created = await storeNewKey(keyring, tx, {
    ...key,
    kind: 'task',
    scopes: apiKeyScopes,
    createdBy: key.userId,
  });
  if (!created) throw new Error('the hash of the new key already exists');
  return created.apiKey;
}
