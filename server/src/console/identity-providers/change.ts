import {
  type createIdentityProviderBody,
  type IdentityProvider,
  isPlainLine,
  type updateIdentityProviderBody,
} from '@sluice/contract';
import type { z } from 'zod';
import { requireDomains } from '#console/domains/change.ts';
import { redirectUriOf } from '#console/sign-ins/start.ts';
import { reserveId } from '#db/reserve-id.ts';
import { identityProviders } from '#db/schema/identity-providers.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import { isPrivateKey, readPrivateKey } from '#openid/client-authentication.ts';
import { OpenIdError } from '#openid/openid-error.ts';
import type { Keyring } from '#platform/keyring.ts';
import { clientSecretPlace, sealSecret } from '#platform/seal-secret.ts';
import { fromMaps, toMaps } from './claim-maps.ts';
import {
  changeProvider,
  deleteProviderRow,
  insertProvider,
  lockProvider,
  type ProviderColumns,
  type ProviderRow,
  selectProviders,
} from './store.ts';

export interface ChangeDeps {
  readonly keyring: Pick<Keyring, 'sealingKey'>;
  readonly publicUrl: string;
}

export async function listIdentityProviders(
  deps: ChangeDeps,
  tx: TenantTransaction,
  { tenantId }: Author,
): Promise<IdentityProvider[]> {
  const rows = await selectProviders(tx, tenantId);
  return Promise.all(rows.map((row) => toIdentityProvider(deps, tx, row)));
}

/** The caller must have checked the issuer. */
export async function createIdentityProvider(
  deps: ChangeDeps,
  tx: TenantTransaction,
  author: Author,
  { client_secret: secret, callback_key: callbackKey, ...body }: z.output<typeof createIdentityProviderBody>,
): Promise<IdentityProvider> {
  await requireAllowed(tx, author, body);
  const { tenantId } = author;
  const mapping = await fromMaps(tx, tenantId, body, []);
  const host = new URL(body.issuer).hostname;
  const name = body.name ?? (isPlainLine(host) ? host.slice(0, 100) : 'Identity provider');
  const id = await reserveId(tx, identityProviders);
  const row = await insertProvider(tx, {
    id,
    sealedClientSecret: secret ? await sealClientSecret(deps, { tenantId, id }, secret) : null,
    ...toColumns(body),
    mapping,
    tenantId,
    name,
    issuer: body.issuer,
    clientId: body.client_id,
    ...(callbackKey !== undefined && { callbackKey }),
  });
  return toIdentityProvider(deps, tx, row);
}

/**
 * If the issuer changes, a stored client secret must be entered again or removed.
 * @throws ConsoleError 422 on `client_secret` otherwise
 */
export async function updateIdentityProvider(
  deps: ChangeDeps,
  tx: TenantTransaction,
  author: Author,
  { id, body: { client_secret: secret, ...body } }: UpdateInput,
): Promise<IdentityProvider> {
  const known = await requireProvider(tx, author, id);
  await requireAllowed(tx, author, { ...body, is_shared: body.is_shared ?? known.isShared });
  const movesSecret =
    body.issuer !== undefined && body.issuer !== known.issuer && known.sealedClientSecret !== null;
  if (movesSecret && secret === undefined)
    throw invalidField('client_secret', 'The issuer has changed. Enter the client secret again.');
  const changesMaps = body.role_map !== undefined || body.team_map !== undefined;
  const columns = {
    ...toColumns(body),
    ...(changesMaps && { mapping: await fromMaps(tx, author.tenantId, body, known.mapping) }),
    ...(secret === null && { sealedClientSecret: null }),
    ...(secret && { sealedClientSecret: await sealClientSecret(deps, known, secret) }),
  };
  const hasColumns = Object.values(columns).some((value) => value !== undefined);
  const row = hasColumns ? await changeProvider(tx, known, columns) : known;
  return toIdentityProvider(deps, tx, row);
}

export interface UpdateInput {
  readonly id: number;
  readonly body: z.output<typeof updateIdentityProviderBody>;
}

export async function deleteIdentityProvider(
  tx: TenantTransaction,
  author: Author,
  id: number,
): Promise<void> {
  await deleteProviderRow(tx, await requireProvider(tx, author, id));
}

/**
 * @throws ConsoleError 404 if the tenant has no such provider, 403 if the provider is shared and the caller is not an
 * operator
 */
export async function requireProvider(
  tx: TenantTransaction,
  author: Author,
  id: number,
): Promise<ProviderRow> {
  const row = await lockProvider(tx, author.tenantId, id);
  if (!row) throw notFound('Identity provider');
  requireMayShare(author, row.isShared);
  return row;
}

function requireMayShare({ role }: Author, isShared: boolean): void {
  if (!isShared || role === 'super_admin') return;
  throw new ConsoleError(
    403,
    'Only a super administrator may set up an identity provider for all organizations',
  );
}

async function requireAllowed(
  tx: TenantTransaction,
  author: Author,
  { is_shared: isShared = false, email_domains: names = [] }: z.output<typeof updateIdentityProviderBody>,
): Promise<void> {
  requireMayShare(author, isShared);
  await requireDomains(tx, author, names).catch((error: unknown) => {
    if (!(error instanceof ConsoleError) || error.status !== 422) throw error;
    throw invalidField('email_domains', error.message);
  });
}

function toColumns(
  body: Omit<z.output<typeof updateIdentityProviderBody>, 'client_secret'>,
): ProviderColumns {
  return {
    name: body.name,
    issuer: body.issuer,
    clientId: body.client_id,
    scopes: body.scopes,
    prompt: body.prompt,
    trustsEmails: body.trusts_emails,
    isEnabled: body.is_enabled,
    isShared: body.is_shared,
    emailDomains: body.email_domains,
    roleClaim: body.role_claim,
    teamClaim: body.team_claim,
    defaultRole: body.default_role,
    createsUsers: body.creates_users,
  };
}

async function sealClientSecret(
  { keyring: { sealingKey } }: ChangeDeps,
  { tenantId, id }: Pick<ProviderRow, 'tenantId' | 'id'>,
  secret: string,
): Promise<Buffer> {
  if (isPrivateKey(secret)) await readPrivateKey(secret).catch(refuseKey);
  return sealSecret(sealingKey, clientSecretPlace(tenantId, id), secret);
}

function refuseKey(error: unknown): never {
  if (!(error instanceof OpenIdError)) throw error;
  throw invalidField('client_secret', error.message);
}

export async function toIdentityProviderSettings(tx: TenantTransaction, row: ProviderRow) {
  return {
    kind: 'oidc' as const,
    name: row.name,
    issuer: row.issuer,
    client_id: row.clientId,
    scopes: row.scopes,
    prompt: row.prompt,
    trusts_emails: row.trustsEmails,
    is_enabled: row.isEnabled,
    is_shared: row.isShared,
    email_domains: row.emailDomains,
    role_claim: row.roleClaim,
    team_claim: row.teamClaim,
    ...(await toMaps(tx, row)),
    default_role: row.defaultRole,
    creates_users: row.createsUsers,
  };
}

async function toIdentityProvider(
  { publicUrl }: ChangeDeps,
  tx: TenantTransaction,
  row: ProviderRow,
): Promise<IdentityProvider> {
  return {
    id: row.id,
    ...(await toIdentityProviderSettings(tx, row)),
    has_client_secret: row.sealedClientSecret !== null,
    created_at: row.createdAt.toISOString(),
    redirect_uri: redirectUriOf(publicUrl, row),
    backchannel_logout_uri: `${publicUrl.replace(/\/$/, '')}/api/v1/auth/backchannel-logout/${row.id}`,
    jwks_uri: `${publicUrl.replace(/\/$/, '')}/api/v1/auth/oidc/${row.id}/jwks`,
  };
}
