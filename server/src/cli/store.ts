import { type SQL, sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';

/**
 * Returns the id of the tenant with this slug, or of the only tenant if there is no slug.
 * @throws Error with a message for the operator
 */
export async function requireTenantId(system: SystemDatabase, slug: string | undefined): Promise<number> {
  const { rows } = await system.execute<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM tenants WHERE ${slug ?? null}::text IS NULL OR slug = ${slug ?? null} ORDER BY id LIMIT 2`,
  );
  const [tenant] = rows;
  if (!tenant)
    throw new Error(slug ? `There is no tenant ${slug}.` : 'There is no tenant yet. Start Sluice once.');
  if (rows.length > 1) throw new Error('There are several tenants. Select one with --tenant.');
  return tenant.id;
}

const ofTenant = (slug: string | undefined): SQL =>
  sql`(${slug ?? null}::text IS NULL OR t.slug = ${slug ?? null})`;

export async function selectPeople(system: SystemDatabase, slug: string | undefined) {
  const { rows } = await system.execute<{
    id: number;
    email: string;
    name: string;
    role: string;
    tenant: string;
    is_active: boolean;
    is_blocked: boolean;
  }>(sql`SELECT u.id, u.email, u.name, r.name AS role, t.slug AS tenant, u.is_active, u.is_blocked
    FROM users u JOIN roles r ON r.id = u.role_id JOIN tenants t ON t.id = u.tenant_id
    WHERE ${ofTenant(slug)} ORDER BY t.id, u.id`);
  return rows;
}

export async function selectValidKeys(system: SystemDatabase, slug: string | undefined) {
  const { rows } = await system.execute<{
    id: number;
    email: string;
    name: string;
    kind: string;
    tenant: string;
    last4: string;
    scopes: string[];
    expires_at: string | null;
    last_used_at: string | null;
  }>(sql`SELECT k.id, u.email, k.name, k.kind, t.slug AS tenant, k.last4, k.scopes, to_json(k.expires_at) #>> '{}' AS expires_at,
      to_json(k.last_used_at) #>> '{}' AS last_used_at
    FROM api_keys k JOIN users u ON u.id = k.user_id JOIN tenants t ON t.id = k.tenant_id
    WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND ${ofTenant(slug)}
    ORDER BY t.id, k.id`);
  return rows;
}

export async function selectInstances(system: SystemDatabase, slug: string | undefined) {
  const { rows } = await system.execute<{
    id: number;
    tenant_id: number;
    name: string;
    provider: string;
    tenant: string;
    endpoint: string | null;
    is_active: boolean;
    has_key: boolean;
    enabled_models: string[];
  }>(sql`SELECT p.id, p.tenant_id, p.provider_instance_name AS name, r.provider_key AS provider, t.slug AS tenant,
      p.api_endpoint AS endpoint, p.is_active, p.sealed_api_key IS NOT NULL AS has_key, p.enabled_models
    FROM llm_providers p JOIN provider_registry r ON r.id = p.provider_registry_id JOIN tenants t ON t.id = p.tenant_id
    WHERE ${ofTenant(slug)} ORDER BY t.id, p.id`);
  return rows;
}
