import { grantTypes, type signedInToolsRoutes, type ToolToken } from '@sluice/contract';
import { issueToolKey } from '#console/api-keys/tool-keys.ts';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import { attributeTo, type SystemDatabase } from '#db/system.ts';
import { isApiKey } from '#domain/api-key.ts';
import { OAuthError } from '#errors/oauth-error.ts';
import type { RequestContext, RouteInput } from '#http/console-route.ts';
import { makeLinkToken } from '#platform/tokens.ts';
import { hashDeviceCode, type SignedInToolsDeps } from './authorize-device.ts';
import { nameTool } from './names.ts';
import {
  changeCode,
  changeTool,
  type DeviceCode,
  deleteCode,
  findNamesOf,
  findSessionOf,
  findToolOfKey,
  lockDeviceCode,
  lockOpenSession,
  lockTool,
  type Tool,
} from './store.ts';

/** Lifetime of a tool's key in milliseconds. */
const keyMs = 60 * 60_000;
/** Number of seconds that each early poll adds to the interval (RFC 8628, section 3.5). */
const slowerSeconds = 5;
const intervalMax = 60;
/** Tolerance for varying network delays of polls. */
const jitterMs = 500;

type Form = RouteInput<typeof signedInToolsRoutes.issueToolToken>['form'];

type Outcome = ToolToken | OAuthError;

/** Unknown codes and tokens count against the IP address. */
export async function issueToolToken(
  deps: SignedInToolsDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  form: Form,
): Promise<ToolToken> {
  const outcome = await deps.database.transaction((tx) => redeem(deps, tx, ctx, form));
  if (!(outcome instanceof OAuthError)) return outcome;
  if (outcome.code === 'invalid_grant') await throttle.count(ctx.address);
  throw outcome;
}

function redeem(
  deps: SignedInToolsDeps,
  tx: SystemDatabase,
  ctx: RequestContext,
  { grant_type: grantType, client_id: clientId, device_code: code, refresh_token: token }: Form,
): Promise<Outcome> {
  if (grantType === grantTypes.deviceCode) {
    if (code === undefined) throw new OAuthError('invalid_request', 'device_code is missing');
    return redeemDeviceCode(deps, tx, ctx, { code, clientId });
  }
  if (grantType === grantTypes.refreshToken) {
    if (token === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing');
    return redeemRefreshToken(deps, tx, ctx, { token, clientId });
  }
  throw new OAuthError(
    'unsupported_grant_type',
    `Supported grant types are ${grantTypes.deviceCode} and ${grantTypes.refreshToken}.`,
  );
}

const unknownCode = () =>
  new OAuthError(
    'invalid_grant',
    'This device code is unknown or was already used. Start the sign-in again.',
  );

async function redeemDeviceCode(
  deps: SignedInToolsDeps,
  tx: SystemDatabase,
  ctx: RequestContext,
  { code, clientId }: { readonly code: string; readonly clientId: string },
): Promise<Outcome> {
  const row = await lockDeviceCode(tx, hashDeviceCode(deps.keyring, code));
  if (!row || row.clientId !== clientId) return unknownCode();
  const nowMs = deps.clock();
  if (row.expiresAt.getTime() <= nowMs) {
    return new OAuthError('expired_token', 'This code has expired. Start the sign-in again.');
  }
  const early = await findEarlyPoll(tx, row, nowMs);
  if (early) return early;
  if (row.state === 'denied') {
    return new OAuthError('access_denied', 'The user denied this sign-in.');
  }
  if (row.toolId === null) {
    return new OAuthError('authorization_pending', 'The user has not confirmed the code yet.');
  }
  const sessionId = await findSessionOf(tx, row.toolId);
  // Lock the session before the tool, like a sign-out does, to prevent deadlocks.
  const endsAt = sessionId && (await lockOpenSession(tx, sessionId));
  const tool = await lockTool(tx, { id: row.toolId });
  await deleteCode(tx, row.id);
  if (!tool || tool.revokedAt !== null || !endsAt) {
    return new OAuthError(
      'access_denied',
      'The session in which this sign-in was approved has ended. Start the sign-in again.',
    );
  }
  return issue(deps, tx, ctx, { ...tool, expiresAt: endsAt }, makeLinkToken());
}

/** If the poll is too early, increases the interval and returns `slow_down`. */
async function findEarlyPoll(
  tx: SystemDatabase,
  { id, polledAt, intervalSeconds }: DeviceCode,
  nowMs: number,
): Promise<OAuthError | null> {
  const isEarly = polledAt !== null && nowMs - polledAt.getTime() < intervalSeconds * 1_000 - jitterMs;
  const interval = isEarly ? Math.min(intervalMax, intervalSeconds + slowerSeconds) : intervalSeconds;
  await changeCode(tx, id, { polledAt: new Date(nowMs), intervalSeconds: interval });
  return isEarly ? new OAuthError('slow_down', `Wait ${interval} seconds between two polls.`) : null;
}

const refreshPrefix = 'slr_';

/** Returns the part that all refresh tokens of a tool share; `null` if the text is not a refresh token. */
const familyOf = (token: string) => /^slr_([\w-]{43})\.[\w-]{43}$/.exec(token)?.[1] ?? null;

const hashFamily = ({ keyring }: SignedInToolsDeps, family: string) =>
  keyring.hashLinkToken(`refresh family ${family}`);
const hashRefreshToken = ({ keyring }: SignedInToolsDeps, token: string) =>
  keyring.hashLinkToken(`refresh token ${token}`);

/**
 * Exchanges a refresh token. A reused token indicates that the token was copied, so the tool is signed out (RFC 9700,
 * section 4.14.2).
 */
async function redeemRefreshToken(
  deps: SignedInToolsDeps,
  tx: SystemDatabase,
  ctx: RequestContext,
  { token, clientId }: { readonly token: string; readonly clientId: string },
): Promise<Outcome> {
  const family = familyOf(token);
  const tool = family === null ? undefined : await lockTool(tx, { familyHash: hashFamily(deps, family) });
  if (family === null || !tool || tool.clientId !== clientId) {
    return new OAuthError('invalid_grant', 'This refresh token is unknown. Sign in again.');
  }
  if (tool.revokedAt !== null || tool.expiresAt.getTime() <= deps.clock()) {
    return new OAuthError(
      'invalid_grant',
      'This tool was signed out, or its session has ended. Sign in again.',
    );
  }
  if (!tool.refreshHash?.equals(hashRefreshToken(deps, token))) {
    await attributeTo(tx, { ...ctx.actor, userId: tool.userId });
    await changeTool(tx, tool.id, { revokedAt: new Date(deps.clock()) });
    return new OAuthError(
      'invalid_grant',
      'This refresh token was already used, so the tool was signed out. Sign in again.',
    );
  }
  return issue(deps, tx, ctx, tool, family);
}

async function issue(
  deps: SignedInToolsDeps,
  tx: SystemDatabase,
  ctx: RequestContext,
  tool: Tool,
  family: string,
): Promise<ToolToken> {
  const { id, tenantId, userId, taskId, expiresAt: toolEndsAt } = tool;
  const nowMs = deps.clock();
  const refreshToken = `${refreshPrefix}${family}.${makeLinkToken()}`;
  await attributeTo(tx, { ...ctx.actor, userId });
  await changeTool(tx, id, {
    familyHash: hashFamily(deps, family),
    refreshHash: hashRefreshToken(deps, refreshToken),
    expiresAt: toolEndsAt,
    lastUsedAt: new Date(nowMs),
    lastUsedAddress: ctx.address,
  });
  const expiresAt = new Date(Math.min(nowMs + keyMs, toolEndsAt.getTime()));
  const key = { tenantId, userId, taskId, toolId: id, name: nameTool(tool), expiresAt };
  const apiKey = await issueToolKey(deps.keyring, tx, key);
  const names = await findNamesOf(tx, tool);
  if (!names) throw new Error('a signed-in tool has no user or no task');
  return {
    access_token: apiKey,
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((expiresAt.getTime() - nowMs) / 1_000)),
    refresh_token: refreshToken,
    task: { id: taskId, title: names.taskTitle },
    user: { name: names.name, email: names.email },
  };
}

/**
 * Signs out the tool of a refresh token or task key. Unknown tokens count against the IP address but are not an error
 * (RFC 7009, section 2.2).
 */
export async function revokeToolToken(
  deps: SignedInToolsDeps,
  throttle: AddressThrottle,
  ctx: RequestContext,
  token: string,
): Promise<Record<string, never>> {
  const isKnown = await deps.database.transaction(async (tx) => {
    const by = await findToolBy(deps, tx, token);
    const tool = by && (await lockTool(tx, by));
    if (!tool) return false;
    await attributeTo(tx, { ...ctx.actor, userId: tool.userId });
    if (tool.revokedAt === null) await changeTool(tx, tool.id, { revokedAt: new Date(deps.clock()) });
    return true;
  });
  if (!isKnown) await throttle.count(ctx.address);
  return {};
}

async function findToolBy(deps: SignedInToolsDeps, tx: SystemDatabase, token: string) {
  const family = familyOf(token);
  if (family !== null) return { familyHash: hashFamily(deps, family) };
  const found = isApiKey(token) ? await findToolOfKey(tx, deps.keyring.hashApiKey(token)) : undefined;
  return found && found.toolId !== null ? { id: found.toolId } : null;
}
