import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ConsoleError } from '#errors/console-error.ts';
import { createSemaphore, SemaphoreFullError } from '#platform/semaphore.ts';

/** Hashes are PHC strings of argon2id; each takes some 20 ms and 19 MiB outside the event loop. */
export interface PasswordHasher {
  /** @throws ConsoleError 503 when too many hashes are waiting. */
  hash(password: string): Promise<string>;
  /** Takes the same time for each answer. @throws ConsoleError 503 when too many hashes are waiting. */
  verify(password: string, hash: string): Promise<boolean>;
}

interface Cost {
  /** In KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

const currentCost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const tagLength = 32;
const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const deriveTag = promisify(argon2);

/** Two at once leave half of Node's thread pool to everything else. */
export function createPasswordHasher(slots = 2, waitingMax = 200): PasswordHasher {
  const inTurn = createSemaphore(slots, waitingMax);
  const derive = (password: string, salt: Buffer, cost: Cost, length: number) =>
    inTurn(() => deriveTag('argon2id', { ...cost, message: password, nonce: salt, tagLength: length })).catch(
      refuseWhenFull,
    );

  return {
    hash: async (password) => {
      const salt = randomBytes(16);
      return formatPhc(currentCost, salt, await derive(password, salt, currentCost, tagLength));
    },
    verify: async (password, hash) => {
      const known = parsePhc(hash);
      if (!known) return false;
      return timingSafeEqual(known.tag, await derive(password, known.salt, known.cost, known.tag.length));
    },
  };
}

/** Whether a hash was made at another cost than today's, so that it should be made anew at the next sign-in. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(describeCost(currentCost));
}

/** A hash that no password has, at today's cost: what an unknown user's password is held against. */
export function makeUnmatchableHash(): string {
  return formatPhc(currentCost, randomBytes(16), randomBytes(tagLength));
}

/** A password to read from a terminal and type: 79 bits, no characters that look alike. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const makeGroup = () =>
    Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return Array.from({ length: 4 }, makeGroup).join('-');
}

function formatPhc(cost: Cost, salt: Buffer, tag: Buffer): string {
  return `${describeCost(cost)}${encode(salt)}$${encode(tag)}`;
}

function describeCost({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;
}

function parsePhc(hash: string): { cost: Cost; salt: Buffer; tag: Buffer } | null {
  const [, memory, passes, parallelism, salt, tag] = phcPattern.exec(hash) ?? [];
  if (!memory || !passes || !parallelism || !salt || !tag) return null;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof SemaphoreFullError)) throw error;
  throw new ConsoleError(503, 'Too many sign-ins at once. Try again in a moment.', 2);
}
