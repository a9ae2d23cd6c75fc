import { createHash } from 'node:crypto';
import { type ApiKey, apiKeyScopes, type LitellmKey, type litellmRoutes } from '@sluice/contract';
import {
  createNamedKey,
  type KeysKeyring,
  listApiKeysOfTenant,
  readApiKey,
  revokeApiKey,
  updateApiKey,
} from '#console/api-keys/named-keys.ts';
import { listBudgets } from '#console/budgets/read.ts';
import { createServiceAccount } from '#console/service-accounts/accounts.ts';
import { createTask } from '#console/tasks/change.ts';
import { requireTeam } from '#console/teams/read.ts';
import { lockTarget } from '#console/users/target.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isForeignApiKey } from '#domain/api-key.ts';
import type { Principal } from '#domain/principal.ts';
import { invalidField, notFound } from '#errors/console-error.ts';
import { requirePermission } from '#http/authorize.ts';
import type { RouteInput } from '#http/console-route.ts';
import type { Keyring } from '#platform/keyring.ts';
import { type LitellmLimits, listLimits, pickLimits, setLimits, showLimits, toNewLimits } from './limits.ts';
import {
  findOwnerState,
  findUserId,
  selectAccountsOfTeam,
  selectKeyIds,
  selectOwnerTeams,
  selectTeamsOf,
} from './store.ts';

type Input<Row extends keyof typeof litellmRoutes> = RouteInput<(typeof litellmRoutes)[Row]>;

const idPattern = /^[1-9][0-9]{0,9}$/;
const idMax = 2 ** 31 - 1;

/** Returns `null` if the text is not an id. */
export function readId(text: string): number | null {
  return idPattern.test(text) && Number(text) <= idMax ? Number(text) : null;
}

/** @throws ConsoleError 404 if the tenant has no user with this id or email */
export async function requireUserId(
  tx: TenantTransaction,
  { tenantId }: Principal,
  reference: string,
): Promise<number> {
  const id = readId(reference);
  const found = await findUserId(tx, tenantId, id === null ? { email: reference } : { id });
  if (found === undefined) throw notFound('User');
  return found;
}

/** @throws ConsoleError 404 if the caller does not manage a team with this id */
export async function requireTeamId(
  tx: TenantTransaction,
  author: Principal,
  reference: string,
): Promise<number> {
  const id = readId(reference);
  if (id === null) throw notFound('Team');
  await requireTeam(tx, author, id);
  return id;
}

export type LitellmKeyring = KeysKeyring & Pick<Keyring, 'hashForeignApiKey'>;

const digestPattern = /^[0-9a-f]{64}$/i;

function hashReference(keyring: LitellmKeyring, reference: string): Buffer {
  if (digestPattern.test(reference)) return keyring.hashForeignApiKey(reference);
  if (!isForeignApiKey(reference)) return keyring.hashApiKey(reference);
  return keyring.hashForeignApiKey(createHash('sha256').update(reference).digest('hex'));
}

/**
 * Returns the id of a key by its secret, or by its SHA-256 digest, which is LiteLLM's key id, if the key was imported.
 * An id is returned without a lookup.
 * @throws ConsoleError 404 if no key has this secret
 */
export async function requireKeyId(
  keyring: LitellmKeyring,
  tx: TenantTransaction,
  { tenantId }: Principal,
  reference: string,
): Promise<number> {
  const id = readId(reference);
  if (id !== null) return id;
  const [found] = await selectKeyIds(tx, tenantId, { keyHash: hashReference(keyring, reference) });
  if (found === undefined) throw notFound('API key');
  return found;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const yearsMax = 100;

/**
 * Returns the end of a LiteLLM duration such as `30d`, as an ISO 8601 instant.
 * @throws ConsoleError 422 on `duration` above `yearsMax` years
 */
export function expiresAfter(duration: string, nowMs = Date.now()): string {
  const [, digits = '', unit = ''] = /^(\d+)(\w+)$/.exec(duration) ?? [];
  const end = new Date(nowMs);
  if (unit === 'mo') end.setUTCMonth(end.getUTCMonth() + Number(digits));
  else end.setTime(nowMs + Number(digits) * (secondsOf[unit] ?? 0) * 1_000);
  if (!(end.getTime() < nowMs + yearsMax * 366 * 86_400_000))
    throw invalidField('duration', `A duration must be at most ${yearsMax} years`);
  return end.toISOString();
}

const teamKeysName = (teamName: string) => `Keys of ${teamName}`;

async function requireTeamAccount(tx: TenantTransaction, author: Principal, teamId: number): Promise<number> {
  const { name: teamName } = await requireTeam(tx, author, teamId);
  const name = teamKeysName(teamName);
  const accounts = await selectAccountsOfTeam(tx, author.tenantId, teamId);
  const present = accounts.find((account) => account.name === name);
  if (present) return present.id;
  requirePermission(author, 'users.write');
  const created = await createServiceAccount(tx, author, {
    name,
    team_id: teamId,
    role: 'user',
    scores_deviation: false,
  });
  return created.id;
}

async function chooseOwner(
  tx: TenantTransaction,
  author: Principal,
  { user_id: user, team_id: team }: Input<'generateLitellmKey'>['body'],
): Promise<number> {
  const teamId = team == null ? null : await requireTeamId(tx, author, team);
  if (user == null) return teamId === null ? author.userId : requireTeamAccount(tx, author, teamId);
  const userId = await requireUserId(tx, author, user);
  if (teamId === null) return userId;
  const memberships = await selectTeamsOf(tx, author.tenantId, userId);
  if (!memberships.some(({ id }) => id === teamId))
    throw invalidField('team_id', 'This user is not a member of the team');
  return userId;
}

/** Creates an API access task for an owner without a task, because requests of the `user` role require one. */
async function ensureTask(tx: TenantTransaction, author: Principal, userId: number): Promise<void> {
  const owner = await findOwnerState(tx, author.tenantId, userId);
  if (owner?.role !== 'user' || owner.hasTask) return;
  requirePermission(author, 'tasks.write');
  await createTask(tx, author, { is_dummy_task: true, user_id: userId });
}

interface KeyFields extends LitellmLimits {
  readonly key_alias?: string | null | undefined;
  readonly models?: string[] | null | undefined;
  readonly duration?: string | null | undefined;
  readonly metadata?: Record<string, string> | null | undefined;
}

export async function createKeyOf(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  { userId, fields }: { readonly userId: number; readonly fields: KeyFields },
): Promise<{ secret: string; key: LitellmKey }> {
  await lockTarget(tx, author, userId);
  await ensureTask(tx, author, userId);
  const { api_key: secret, key } = await createNamedKey(keyring, tx, author, {
    userId,
    body: {
      name: fields.key_alias ?? 'LiteLLM key',
      scopes: [...apiKeyScopes],
      models: fields.models ?? null,
      dialects: null,
      allowed_networks: null,
      task_id: null,
      labels: fields.metadata ?? {},
      expires_at: fields.duration == null ? null : expiresAfter(fields.duration),
    },
  });
  await setLimits(tx, author, { subject_type: 'api_key', subject_id: key.id }, toNewLimits(fields));
  return { secret, key: await showKey(tx, author, key) };
}

export async function generateKey(
  keyring: KeysKeyring,
  tx: TenantTransaction,
  author: Principal,
  body: Input<'generateLitellmKey'>['body'],
): Promise<LitellmKey & { key: string }> {
  const userId = await chooseOwner(tx, author, body);
  const { secret, key } = await createKeyOf(keyring, tx, author, { userId, fields: body });
  return { ...key, key: secret };
}

async function showKey(tx: TenantTransaction, author: Principal, key: ApiKey): Promise<LitellmKey> {
  const teams = await selectOwnerTeams(tx, author.tenantId, [key.user_id]);
  const limits = await listLimits(tx, author, { subject_type: 'api_key', subject_id: key.id });
  return toLitellmKey(key, teams.get(key.user_id), limits);
}

function toLitellmKey(
  key: ApiKey,
  teamId: number | undefined,
  limits: ReturnType<typeof pickLimits>,
): LitellmKey {
  return {
    token: String(key.id),
    token_id: String(key.id),
    key_name: key.masked_key,
    key_alias: key.name,
    user_id: teamId === undefined ? String(key.user_id) : null,
    team_id: teamId === undefined ? null : String(teamId),
    models: key.models ?? [],
    metadata: key.labels,
    ...showLimits(limits, key.spend_usd_month),
    blocked: key.state === 'revoked',
    expires: key.expires_at,
    created_at: key.created_at,
    created_by: key.created_by === null ? null : String(key.created_by),
    last_active: key.last_used_at,
  };
}

const listedKeysMax = 100;

export async function listKeysOf(
  tx: TenantTransaction,
  author: Principal,
  userId: number,
): Promise<LitellmKey[]> {
  const { body: keys } = await listApiKeysOfTenant(tx, author, {
    user_id: userId,
    state: 'usable',
    skip: 0,
    limit: listedKeysMax,
  });
  const teams = await selectOwnerTeams(tx, author.tenantId, [userId]);
  const { body: budgets } = await listBudgets(tx, author, {
    owner_id: userId,
    subject_type: 'api_key',
    skip: 0,
    limit: listedKeysMax * 10,
  });
  const limitsOf = (id: number) => pickLimits(budgets.filter(({ subject_id }) => subject_id === id));
  return keys.map((key) => toLitellmKey(key, teams.get(userId), limitsOf(key.id)));
}

export async function getKey(
  keyring: LitellmKeyring,
  tx: TenantTransaction,
  author: Principal,
  { key: reference }: Input<'getLitellmKey'>['query'],
): Promise<{ key: string; info: LitellmKey }> {
  const id = await requireKeyId(keyring, tx, author, reference);
  const info = await showKey(tx, author, await readApiKey(tx, author.tenantId, id));
  return { key: info.token, info };
}

export async function updateKey(
  keyring: LitellmKeyring,
  tx: TenantTransaction,
  author: Principal,
  {
    duration,
    key: reference,
    key_alias: name,
    metadata,
    models,
    ...limits
  }: Input<'updateLitellmKey'>['body'],
): Promise<LitellmKey & { key: string }> {
  const id = await requireKeyId(keyring, tx, author, reference);
  const key = await updateApiKey(keyring, tx, author, {
    id,
    body: {
      ...(name != null && { name }),
      ...(models !== undefined && { models }),
      ...(metadata != null && { labels: metadata }),
      ...(duration !== undefined && { expires_at: duration === null ? null : expiresAfter(duration) }),
    },
  });
  await setLimits(tx, author, { subject_type: 'api_key', subject_id: id }, limits);
  const shown = await showKey(tx, author, key);
  return { ...shown, key: shown.token };
}

/** Revokes all given keys. If a key is unknown, no key is revoked. */
export async function deleteKeys(
  keyring: LitellmKeyring,
  tx: TenantTransaction,
  author: Principal,
  { keys, key_aliases: names }: Input<'deleteLitellmKeys'>['body'],
): Promise<{ deleted_keys: string[] }> {
  const ids: number[] = [];
  for (const reference of keys ?? []) ids.push(await requireKeyId(keyring, tx, author, reference));
  for (const name of names ?? []) {
    const named = await selectKeyIds(tx, author.tenantId, { names: [name] });
    if (named.length === 0) throw notFound(`API key '${name}'`);
    ids.push(...named);
  }
  for (const id of [...new Set(ids)].toSorted((one, other) => one - other))
    await revokeApiKey(tx, author, id);
  return { deleted_keys: [...(keys ?? []), ...(names ?? [])] };
}

/** Revokes a key. Revocation is permanent, because keys cannot be suspended. */
export async function blockKey(
  keyring: LitellmKeyring,
  tx: TenantTransaction,
  author: Principal,
  { key: reference }: Input<'blockLitellmKey'>['body'],
): Promise<LitellmKey> {
  const id = await requireKeyId(keyring, tx, author, reference);
  return showKey(tx, author, await revokeApiKey(tx, author, id));
}
