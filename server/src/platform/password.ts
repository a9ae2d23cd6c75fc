import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { foldPassword } from '@sluice/contract';
import { ConsoleError } from '#errors/console-error.ts';
import { createFairQueue, QueueFullError } from './fair-queue.ts';

/**
 * Hashes passwords as PHC strings of argon2id. A hash takes about 20 ms and 19 MiB outside the event loop. Callers
 * take turns by purpose and group. Hashes without a caller are for the program itself, for example at first start.
 */
export interface PasswordHasher {
  /**
   * Hashes a password in the form of `foldPassword`.
   * @throws ConsoleError 429 if too many hashes of the caller are waiting, 503 if too many are waiting in total
   */
  hash(password: string, caller?: HashCaller): Promise<string>;
  /**
   * Runs in constant time.
   * @throws ConsoleError like `hash`
   */
  verify(password: string, hash: string, caller?: HashCaller): Promise<boolean>;
}

/**
 * Caller of a hash. Sign-ins and password changes each get half of the capacity. Within a half, groups take turns,
 * and then the callers of a group.
 */
export interface HashCaller {
  readonly purpose: 'sign-in' | 'set-password';
  /** Tenant, or network of an unauthenticated caller. */
  readonly group: string;
  /** Caller within the group: a user, an invitation, or the account of a sign-in attempt. */
  readonly member: string;
}

/** Returns the hash caller for a user who sets a password, either the user's own or another user's. */
export function passwordSetter({ tenantId, userId }: { tenantId: number; userId: number }): HashCaller {
  return { purpose: 'set-password', group: `tenant:${tenantId}`, member: `user:${userId}` };
}

interface Cost {
  /** Memory in KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

const currentCost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const tagLength = 32;
const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const deriveTag = promisify(argon2);

/** Number of concurrent hashes. Two leave half of Node's thread pool to other work. */
const slots = 2;
/**
 * Maximum number of waiting hashes: in total, per purpose, per group and per caller. A full queue of one purpose
 * drains within about 3 s.
 */
const waitingMax = [480, 240, 80, 40];

export function createPasswordHasher(): PasswordHasher {
  const inTurn = createFairQueue({ slots, waitingMax });
  const derive = (caller: HashCaller, password: string, salt: Buffer, cost: Cost, length: number) =>
    inTurn([caller.purpose, caller.group, caller.member], () =>
      deriveTag('argon2id', { ...cost, message: password, nonce: salt, tagLength: length }),
    ).catch((error) => refuseWhenFull(error, caller));

  return {
    hash: async (password, caller = programCaller) => {
      const salt = randomBytes(16);
      const derived = await derive(caller, foldPassword(password), salt, currentCost, tagLength);
      return formatPhc(currentCost, salt, derived);
    },
    verify: async (password, hash, caller = programCaller) => {
      const known = parsePhc(hash);
      if (!known) return false;
      const { cost, salt, tag } = known;
      const matches = async (text: string) =>
        timingSafeEqual(tag, await derive(caller, text, salt, cost, tag.length));
      const folded = foldPassword(password);
      // Earlier versions hashed unfolded passwords.
      return (await matches(folded)) || (folded !== password && (await matches(password)));
    },
  };
}

const programCaller: HashCaller = { purpose: 'set-password', group: 'program', member: 'program' };

/** True if the cost of a hash differs from the current cost. The next sign-in then replaces the hash. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(formatCost(currentCost));
}

/** Returns a hash that matches no password, to verify passwords of unknown users at the same cost. */
export function makeUnmatchableHash(): string {
  return formatPhc(currentCost, randomBytes(16), randomBytes(tagLength));
}

/** Returns 79 bits, without characters that look alike, since users read it from a terminal and type it. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const makeGroup = () =>
    Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return Array.from({ length: 4 }, makeGroup).join('-');
}

function formatPhc(cost: Cost, salt: Buffer, tag: Buffer): string {
  return `${formatCost(cost)}${encode(salt)}$${encode(tag)}`;
}

function formatCost({ memory, passes, parallelism }: Cost): string {
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

/**
 * Throws a 429 if the queue of the caller or group is full, since other callers can still be served. Throws a 503
 * otherwise.
 */
function refuseWhenFull(error: unknown, { purpose }: HashCaller): never {
  if (!(error instanceof QueueFullError)) throw error;
  const [what, origin] =
    purpose === 'sign-in'
      ? ['sign-ins', 'your network']
      : ['password changes', 'your organization or network'];
  const [status, where] = error.depth > 1 ? [429, ` from ${origin}`] : [503, ''];
  throw new ConsoleError(status, `Too many ${what} at once${where}. Try again in a moment.`, 2);
}
