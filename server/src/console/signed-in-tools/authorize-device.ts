import { randomInt } from 'node:crypto';
import {
  type deviceAuthorization,
  devicePagePath,
  formatUserCode,
  type signedInToolsRoutes,
  userCodeLength,
  userCodeLetters,
} from '@sluice/contract';
import type { z } from 'zod';
import { holdLock } from '#console/advisory-lock.ts';
import type { AddressThrottle } from '#console/auth/attempt-throttle.ts';
import type { SystemDatabase } from '#db/system.ts';
import { networkOf } from '#domain/caller-network.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { RequestContext, RouteInput } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import { makeLinkToken } from '#platform/tokens.ts';
import { countCodes, deleteExpiredCodes, insertCode } from './store.ts';

export interface SignedInToolsDeps {
  readonly database: SystemDatabase;
  readonly keyring: Pick<Keyring, 'hashLinkToken' | 'hashApiKey'>;
  readonly clock: Clock;
  readonly publicUrl: string;
}

const lifetimeSeconds = 600;
/** Minimum number of seconds between two polls. */
export const pollSeconds = 5;
/** Maximum number of pending codes per network. */
const pendingMax = 20;
/** Maximum number of stored codes in the installation. */
const codesMax = 10_000;
/** Time for which expired codes are kept, so that polls return `expired_token` instead of `invalid_grant`. */
const rememberedMs = 60 * 60_000;

export const hashDeviceCode = ({ hashLinkToken }: Pick<Keyring, 'hashLinkToken'>, code: string) =>
  hashLinkToken(`device code ${code}`);
export const hashUserCode = ({ hashLinkToken }: Pick<Keyring, 'hashLinkToken'>, code: string) =>
  hashLinkToken(`user code ${code}`);

export async function authorizeDevice(
  deps: SignedInToolsDeps,
  throttle: AddressThrottle,
  { address, userAgent }: RequestContext,
  form: RouteInput<typeof signedInToolsRoutes.authorizeDevice>['form'],
): Promise<z.infer<typeof deviceAuthorization>> {
  await throttle.count(address);
  const { keyring, clock, database } = deps;
  const deviceCode = makeLinkToken();
  const userCode = Array.from({ length: userCodeLength }, () =>
    userCodeLetters.charAt(randomInt(userCodeLetters.length)),
  ).join('');
  await database.transaction(async (tx) => {
    await holdLock(tx, 'deviceCodes', 0);
    const nowMs = clock();
    await requireRoom(tx, networkOf(address), new Date(nowMs));
    const isNew = await insertCode(tx, {
      deviceCodeHash: hashDeviceCode(keyring, deviceCode),
      userCodeHash: hashUserCode(keyring, userCode),
      clientId: form.client_id,
      deviceName: form.device_name,
      taskTitle: form.task ?? null,
      address,
      network: networkOf(address),
      userAgent,
      intervalSeconds: pollSeconds,
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + lifetimeSeconds * 1_000),
    });
    if (!isNew) throw new ConsoleError(503, 'No unused code was found. Please retry.', 1);
  });
  const page = `${deps.publicUrl.replace(/\/$/, '')}${devicePagePath}`;
  const shown = formatUserCode(userCode);
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: lifetimeSeconds,
    interval: pollSeconds,
  };
}

async function requireRoom(tx: SystemDatabase, network: string, now: Date): Promise<void> {
  await deleteExpiredCodes(tx, new Date(now.getTime() - rememberedMs));
  const { pendingOfNetwork, all } = await countCodes(tx, network, now);
  if (pendingOfNetwork >= pendingMax) {
    throw new ConsoleError(
      429,
      `Limit for unconfirmed codes reached: ${pendingOfNetwork} of ${pendingMax} for your network. Confirm one, or wait until one expires.`,
      60,
    );
  }
  if (all < codesMax) return;
  // Only delete codes that expired some time ago, because polls of recently expired codes need the right error.
  await deleteExpiredCodes(tx, now);
  if ((await countCodes(tx, network, now)).all >= codesMax) {
    throw new ConsoleError(503, 'Too many tools are signing in at the moment. Please try again later.', 60);
  }
}
