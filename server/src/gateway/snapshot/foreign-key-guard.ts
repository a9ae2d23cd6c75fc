import { networkOf } from '#domain/caller-network.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import type { Clock } from '#platform/clock.ts';
import { dropOldest } from '#platform/drop-oldest.ts';

/** Maximum number of different unknown keys that a network may try per window on one worker. */
const unknownMax = 20;
const windowMs = 10 * 60_000;
/** Maximum number of tracked networks, and of tracked keys with their networks. The oldest are dropped. */
const networksMax = 10_000;
const usedMax = 50_000;

interface Attempts {
  readonly keys: Set<string>;
  readonly untilMs: number;
}

/** Limits attempts to guess keys of other gateways, which have no checksum and may be short. */
export interface ForeignKeyGuard {
  /**
   * Returns the result of `recognize`, and counts an unknown key. Repetitions of one key count once, and a key that
   * the network has used before is exempt from the limit.
   * @throws GatewayError if the network has tried too many different unknown keys
   */
  check<Found>(address: string, keyHash: string, recognize: () => Found | null): Found | null;
}

export function createForeignKeyGuard(clock: Clock): ForeignKeyGuard {
  const attempts = new Map<string, Attempts>();
  const used = new Set<string>();
  const findAttempts = (network: string): Attempts | undefined => {
    const found = attempts.get(network);
    if (!found || found.untilMs > clock()) return found;
    attempts.delete(network);
    return undefined;
  };
  const count = (network: string, keyHash: string): void => {
    const found = findAttempts(network);
    if (found) return void found.keys.add(keyHash);
    attempts.set(network, { keys: new Set([keyHash]), untilMs: clock() + windowMs });
    dropOldest(attempts, networksMax);
  };
  return {
    check(address, keyHash, recognize) {
      const network = networkOf(address);
      const use = `${network} ${keyHash}`;
      const waitMs = used.has(use) ? 0 : findWait(findAttempts(network), keyHash, clock());
      if (waitMs > 0) throw tooManyError(waitMs);
      const found = recognize();
      if (!found) count(network, keyHash);
      else if (!used.has(use)) {
        used.add(use);
        dropOldest(used, usedMax);
      }
      return found;
    },
  };
}

function findWait(attempts: Attempts | undefined, keyHash: string, nowMs: number): number {
  if (!attempts || attempts.keys.size < unknownMax || attempts.keys.has(keyHash)) return 0;
  return attempts.untilMs - nowMs;
}

function tooManyError(retryAfterMs: number): GatewayError {
  return new GatewayError(
    'invalid_api_key',
    `Too many unknown API keys came from your network: ${unknownMax} in 10 minutes. Try again later, or check the key that your clients send.`,
    { status: 429, retryAfterMs },
  );
}
