import { randomUUIDv7 } from 'node:crypto';
import type { RouteRow } from '@sluice/contract';
import { kindsOfMoney } from './billed-objects.ts';
import type { Caller } from './callers.ts';
import { kindsOfSignIn } from './identity-objects.ts';
import { kindsOfMails } from './mailed-objects.ts';
import type { ObjectKind, Owner, Wanted } from './object-kind.ts';
import { passkey } from './own-factors.ts';
import { chat, chatAnswer, chatImage, kindsOfKeys, ownTask, session } from './own-objects.ts';
import { kindsOfScim } from './scim-objects.ts';
import { kindsOfShadow } from './shadow-objects.ts';
import { kindsOfTools } from './tool-objects.ts';
import {
  addBlockEvent,
  addMember,
  addTask,
  addTeam,
  ensureApiKey,
  type TestTenant,
  type World,
} from './world.ts';

const user: ObjectKind = {
  name: 'user',
  async make(world, { tenant, userId, owner, rowName }) {
    if (rowName !== 'createUserApiKey') await ensureApiKey(world.pool, tenant.id, userId);
    if (rowName === 'resetSecondFactor' && owner !== 'own') {
      await world.pool.query('UPDATE users SET has_second_factor = true WHERE id = $1', [userId]);
    }
    if (rowName === 'endApiKeyOverlap') await addFormerKey(world, tenant, userId);
    if (rowName === 'unblockUser' && owner !== 'own') {
      await world.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [userId]);
    }
    return String(userId);
  },
  missingId: () => '2147483647',
};

const requestLog: ObjectKind = {
  name: 'request log',
  async make({ pool }, { tenant, userId }) {
    const id = randomUUIDv7();
    await pool.query(
      `INSERT INTO request_logs (id, tenant_id, user_id, protocol, operation, model, status, http_status, is_stream,
         attempts, received_at, response_time_ms, usage_source)
       VALUES ($1, $2, $3, 'openai-chat', 'chat.completions', $4, 'success', 200, false, 1, now(), 1, 'provider')`,
      [id, tenant.id, userId, tenant.marker],
    );
    await pool.query(
      'INSERT INTO request_log_bodies (id, tenant_id, prompt, request_bytes, response_bytes) VALUES ($1, $2, $3, 0, 0)',
      [id, tenant.id, tenant.marker],
    );
    return id;
  },
  missingId: randomUUIDv7,
};

const comparison: ObjectKind = {
  name: 'comparison',
  async make({ pool }, { tenant, userId }) {
    const id = randomUUIDv7();
    await pool.query(
      'INSERT INTO llm_comparisons (id, tenant_id, user_id, prompt, is_blind) VALUES ($1, $2, $3, $4, true)',
      [id, tenant.id, userId, tenant.marker],
    );
    await pool.query(
      `INSERT INTO llm_comparison_results
         (id, tenant_id, comparison_id, position, provider_registry_id, provider_name, model_name, status, total_tokens)
       SELECT gen_random_uuid(), $1, $2, position, position, $3, $3, 'completed', 1 FROM generate_series(1, 2) position`,
      [tenant.id, id, tenant.marker],
    );
    return id;
  },
  missingId: randomUUIDv7,
  isHidden: (role, owner) => role === 'user' && owner === 'other user',
};

const auditEntry: ObjectKind = {
  name: 'audit entry',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      "INSERT INTO audit_entries (tenant_id, object_type, object_id, object_name) VALUES ($1, 'user', '1', $2) RETURNING id",
      [tenant.id, tenant.marker],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const appeal: ObjectKind = {
  name: 'appeal',
  async make(world, { tenant, userId, owner, rowName }) {
    const eventId = await addBlockEvent(world, userId);
    const { rows } = await world.pool.query<{ id: number }>(
      `INSERT INTO appeals (tenant_id, user_id, score_event_id, message) VALUES ($1, $2, $3, $4) RETURNING id`,
      [tenant.id, userId, eventId, tenant.marker],
    );
    const id = String(rows[0]!.id);
    if (rowName === 'reopenAppeal' && owner !== 'own') {
      await world.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [userId]);
      await world.pool.query("UPDATE appeals SET status = 'denied', decided_at = now() WHERE id = $1", [id]);
    }
    return id;
  },
  missingId: () => '2147483647',
};

const ownRequest: ObjectKind = { ...requestLog, isHidden: (_role, owner) => owner === 'other user' };

/** The instance is in maintenance and has a previous key, so that routes can end both. */
const llmProvider: ObjectKind = {
  name: 'provider instance',
  async make({ pool, sandboxRegistryId }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO llm_providers (tenant_id, provider_registry_id, provider_instance_name, maintenance_since,
         sealed_former_api_key, former_api_key_expires_at)
       VALUES ($1, $2, $3, now(), '\\x00', now() + interval '1 day') RETURNING id`,
      [tenant.id, sandboxRegistryId, `${tenant.marker}-${randomUUIDv7()}`],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const model: ObjectKind = {
  name: 'model',
  make: async (_world, { tenant: { models }, owner }) =>
    owner === 'other user' ? models.ungranted : models.granted,
  missingId: () => 'missing-model',
  isHidden: (role, owner) => role === 'user' && owner === 'other user',
};

const embedder: ObjectKind = {
  ...model,
  // A caller with access to all models could use the ungranted model, which returns no embeddings.
  make: async (_world, { tenant: { models }, owner, role }) =>
    owner === 'other user' && role === 'user' ? models.ungranted : models.embedding,
};

/** Team that the user administers. Other users with the role `user` do not see the team. */
const team: ObjectKind = {
  name: 'team',
  async make({ pool }, { tenant, userId }) {
    const { rows } = await pool.query<{ id: number }>(
      `WITH team AS (INSERT INTO teams (tenant_id, name) VALUES ($1, $2) RETURNING id)
       INSERT INTO team_members (tenant_id, team_id, user_id, role) SELECT $1, id, $3, 'admin' FROM team RETURNING team_id AS id`,
      [tenant.id, `${tenant.marker}-${randomUUIDv7()}`, userId],
    );
    return String(rows[0]!.id);
  },
  join: ({ pool }, id, tenant, userId) =>
    pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
      tenant.id,
      Number.parseInt(id, 10),
      userId,
    ]),
  missingId: () => '2147483647',
  isHidden: (role, owner) => role === 'user' && owner === 'other user',
};

const teamMember: ObjectKind = {
  ...team,
  name: 'team member',
  async make(world, wanted) {
    const teamId = await team.make(world, wanted);
    const { userId } = await addMember(world, wanted.tenant, 'user');
    await world.pool.query('INSERT INTO team_members (tenant_id, team_id, user_id) VALUES ($1, $2, $3)', [
      wanted.tenant.id,
      teamId,
      userId,
    ]);
    return `${teamId}/members/${userId}`;
  },
  missingId: () => '2147483647/members/2147483647',
};

/** The grant is for a new instance, so that the user's other grants remain unchanged. */
const userGrant: ObjectKind = {
  name: 'user grant',
  async make(world, wanted) {
    const instanceId = await addGrantable(world, wanted);
    await world.pool.query(
      `INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
       VALUES ($1, $2, $3, '{sandbox-normal}')`,
      [wanted.tenant.id, wanted.userId, instanceId],
    );
    return `${wanted.userId}/providers/${instanceId}`;
  },
  missingId: () => '2147483647/providers/2147483647',
};

const teamGrant: ObjectKind = {
  name: 'team grant',
  async make(world, wanted) {
    const instanceId = await addGrantable(world, wanted);
    const teamId = await addTeam(world, wanted.tenant);
    await world.pool.query(
      `INSERT INTO team_provider_access (tenant_id, team_id, llm_provider_id, allowed_models)
       VALUES ($1, $2, $3, '{sandbox-normal}')`,
      [wanted.tenant.id, teamId, instanceId],
    );
    return `${teamId}/providers/${instanceId}`;
  },
  missingId: () => '2147483647/providers/2147483647',
};

async function addGrantable(world: World, wanted: Wanted): Promise<string> {
  const id = await llmProvider.make(world, wanted);
  const models = "enabled_models = '{sandbox-normal,sandbox-echo}'";
  await world.pool.query(`UPDATE llm_providers SET ${models} WHERE id = $1`, [id]);
  return id;
}

const blacklistEntry: ObjectKind = {
  name: 'blacklist entry',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      'INSERT INTO blacklist_entries (tenant_id, provider_key, reason) VALUES ($1, $2, $3) RETURNING id',
      [tenant.id, randomUUIDv7(), tenant.marker],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

/** Plans have no owner. All tenants are offered the same plans. */
const plan: ObjectKind = {
  name: 'plan',
  make: async (_world, { owner }) => (owner === 'other tenant' ? 'gold' : 'pro'),
  missingId: () => 'silver',
};

/** Vendors have no owner. All tenants see the vendors of the registry. */
const vendor: ObjectKind = {
  name: 'vendor',
  make: async ({ sandboxRegistryId }, { owner }) =>
    owner === 'other tenant' ? '2147483646' : String(sandboxRegistryId),
  missingId: () => '2147483647',
};

/** The registry belongs to the platform. A user who may change one vendor may change all vendors. */
const registryEntry: ObjectKind = {
  name: 'registry entry',
  async make({ pool }, { owner, rowName }) {
    if (owner === 'other tenant' && rowName === 'getProviderRegistryEntry') return '2147483646';
    const { rows } = await pool.query<{ id: number }>(
      "INSERT INTO provider_registry (provider_key, display_name, icon) VALUES ($1, 'A vendor', '') RETURNING id",
      [randomUUIDv7()],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

/** Not an object. The path parameter is one of two fixed words without an owner. */
const flag: ObjectKind = {
  name: 'flag',
  make: async (_world, { owner }) => (owner === 'other tenant' ? 'neither' : 'false'),
  missingId: () => 'perhaps',
};

const webhookEvent: ObjectKind = {
  name: 'webhook event',
  async make({ pool }, { tenant }) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO webhook_events (event_id, event_type, payload)
       VALUES (gen_random_uuid(), 'charge.refunded', jsonb_build_object('note', $1::text)) RETURNING id`,
      [tenant.marker],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

/** Tenant without callers, so that it can be suspended. */
const otherTenant: ObjectKind = {
  name: 'tenant',
  async make({ pool }, { tenant, rowName }) {
    const { rows } = await pool.query<{ id: number }>(
      'INSERT INTO tenants (name, slug, status) VALUES ($1, gen_random_uuid(), $2) RETURNING id',
      [tenant.marker, rowName === 'reactivateTenant' ? 'suspended' : 'active'],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const task: ObjectKind = {
  name: 'task',
  make: async (world, { tenant }) => String(await addTask(world, tenant)),
  missingId: () => '2147483647',
};

const taskAssignment: ObjectKind = {
  name: 'task assignment',
  async make(world, { tenant, userId }) {
    const { rows } = await world.pool.query<{ id: number }>(
      'INSERT INTO task_assignments (tenant_id, task_id, user_id) VALUES ($1, $2, $3) RETURNING id',
      [tenant.id, await addTask(world, tenant), userId],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
};

const job: ObjectKind = {
  name: 'job',
  async make({ pool }) {
    await pool.query(
      "INSERT INTO job_schedules (name, next_at) VALUES ('check-leases', now()) ON CONFLICT DO NOTHING",
    );
    return 'check-leases';
  },
  missingId: () => 'no-such-job',
};

const ownAssignment: ObjectKind = { ...taskAssignment, isHidden: (_role, owner) => owner === 'other user' };

/** Kinds of objects by path prefix up to the last parameter. One id fills all parameters of the path. */
const kindsByPrefix: Readonly<Record<string, ObjectKind>> = {
  '/admin/users/{id}': user,
  '/user/second-factor/passkeys/{id}': passkey,
  '/credits/admin/recharge/{userId}': user,
  '/credits/admin/refund/{userId}': user,
  '/credits/settings/spending/{flag}': flag,
  '/admin/teams/{id}': team,
  '/admin/teams/{id}/members/{userId}': teamMember,
  '/admin/provider-access/users/{userId}': user,
  '/admin/provider-access/users/{userId}/providers/{providerId}': userGrant,
  '/admin/provider-access/teams/{teamId}/providers/{providerId}': teamGrant,
  ...kindsOfMoney,
  '/admin/blacklist/{id}': blacklistEntry,
  '/admin/tasks/{id}': task,
  '/admin/task-assignments/{id}': taskAssignment,
  ...kindsOfMails,
  '/admin/jobs/{name}': job,
  '/compare/{id}': comparison,
  '/chats/{id}': chat,
  '/chats/{id}/messages/{messageId}': chatAnswer,
  '/chats/{id}/images/{imageId}': chatImage,
  '/chats/task/{id}': ownTask,
  '/admin/logs/{id}': requestLog,
  '/admin/billing/webhooks/events/{id}': webhookEvent,
  '/requests/{id}': ownRequest,
  '/user/tasks/{id}': ownAssignment,
  ...kindsOfKeys,
  '/user/logs/{id}': ownRequest,
  '/admin/governance/appeals/{id}': appeal,
  '/admin/audit-log/{id}': auditEntry,
  '/auth/sessions/{id}': session,
  ...kindsOfTools,
  '/billing/plans/{id}': plan,
  '/llm-providers/service-managed/{id}': vendor,
  '/llm-providers/{id}': llmProvider,
  '/provider-registry/{id}': registryEntry,
  '/models/{id}': model,
  '/tenants/{id}': otherTenant,
  ...kindsOfScim,
  ...kindsOfShadow,
  ...kindsOfSignIn,
};

/** Returns the kind of object in a route's path; `null` for a path without parameters. */
export function objectKindOf(rowName: string, { path, permission }: RouteRow): ObjectKind | null {
  if (!path.includes('{')) return null;
  if (permission === 'embeddings.create') return embedder;
  const kind = kindsByPrefix[path.slice(0, path.lastIndexOf('}') + 1)];
  if (kind) return kind;
  throw new Error(
    `the access matrix cannot create the object of ${rowName} in ${path}: add it to server/test/access/objects.ts`,
  );
}

export async function makeId(
  world: World,
  kind: ObjectKind,
  { caller, owner, rowName }: { caller: Caller; owner: Owner; rowName: string },
): Promise<string> {
  if (owner === 'missing') return kind.missingId();
  const others = caller.tenant === world.home ? world.foreign : world.home;
  const tenant = owner === 'other tenant' ? others : caller.tenant;
  const userId = (owner === 'own' ? caller.userId : null) ?? (await addMember(world, tenant, 'user')).userId;
  const id = await kind.make(world, { tenant, userId, owner, rowName, role: caller.role });
  if (owner === 'other user' && caller.joinsTeams && caller.userId !== null) {
    await kind.join?.(world, id, tenant, caller.userId);
  }
  return id;
}

async function addFormerKey(world: World, tenant: TestTenant, userId: number): Promise<void> {
  await world.pool.query(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, superseded_at, expires_at)
     VALUES ($1, $2, 'former', uuid_send(gen_random_uuid()), 'last', '{models}', now(), now() + interval '1 day')`,
    [tenant.id, userId],
  );
}
