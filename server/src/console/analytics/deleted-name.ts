import { type SQL, sql } from 'drizzle-orm';

/**
 * Returns SQL for the name of a deleted object, such as `Payments (deleted)`, from its last audit entry. The result is
 * NULL once the retention period of the audit log has passed. Users are excluded, since deleting a user removes the
 * name from reports.
 */
export function selectDeletedName(tenantId: number, objectType: 'team' | 'llm_provider', id: SQL): SQL {
  return sql`(SELECT entry.object_name || ' (deleted)' FROM audit_entries entry
    WHERE entry.tenant_id = ${tenantId} AND entry.object_type = ${objectType} AND entry.object_id = ${id}::text
    ORDER BY entry.id DESC LIMIT 1)`;
}
