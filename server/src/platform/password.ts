import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ConsoleError } from '#errors/console-error.ts';
import { createFairQueue, QueueFullError } from '#platform/fair-queue.ts';

/**
 * Hashes are PHC strings of argon2id; each takes some 20 ms and 19 MiB outside the event loop. Those who ask take turns
 * by the path that names them; without one it is the program itself, as on a first run.
 */
export interface PasswordHasher {
  /** @throws ConsoleError 429 or 503 when too many hashes are waiting, of who asks or of all. */
  hash(password: string, asker?: HashAsker): Promise<string>;
  /** Takes the same time for each answer. @throws ConsoleError like `hash`. */
  verify(password: string, hash: string, asker?: HashAsker): Promise<boolean>;
}

/** Signing in and setting passwords get half of the hashing each; then groups take turns, then the callers of each. */
export interface HashAsker {
  readonly purpose: 'sign-in' | 'set-password';
  /** A tenant, or the network that a stranger comes from. */
  readonly group: string;
  /** Within the group: a person, an invitation, an account that is tried. */
  readonly caller: string;
}

/** Somebody of a tenant who sets a password, their own or another's. */
export function passwordSetter({ tenantId, userId }: { tenantId: number; userId: number }): HashAsker {
  return { purpose: 'set-password', group: `tenant:${tenantId}`, caller: `user:${userId}` };
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
const slots = 2;
/** In all, for one purpose, of a group, of a caller. A purpose that waits in full is done within some 3 s. */
const waitingMax = [480, 240, 80, 40];

export function createPasswordHasher(): PasswordHasher {
  const inTurn = createFairQueue({ slots, waitingMax });
  const derive = (asker: HashAsker, password: string, salt: Buffer, cost: Cost, length: number) =>
    inTurn([asker.purpose, asker.group, asker.caller], () =>
      deriveTag('argon2id', { ...cost, message: password, nonce: salt, tagLength: length }),
    ).catch((error) => refuseWhenFull(error, asker));

  return {
    hash: async (password, asker = theProgram) => {
      const salt = randomBytes(16);
      return formatPhc(currentCost, salt, await derive(asker, password, salt, currentCost, tagLength));
    },
    verify: async (password, hash, asker = theProgram) => {
      const known = parsePhc(hash);
      if (!known) return false;
      const { cost, salt, tag } = known;
      return timingSafeEqual(tag, await derive(asker, password, salt, cost, tag.length));
    },
  };
}

const theProgram: HashAsker = { purpose: 'set-password', group: 'program', caller: 'program' };

/** Whether a hash was made at another cost than today's, so that it should be made anew at the next sign-in. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(formatCost(currentCost));
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

/** Where the asker's own group or caller is full, others still get their turn: that is a 429. */
function refuseWhenFull(error: unknown, { purpose }: HashAsker): never {
  if (!(error instanceof QueueFullError)) throw error;
  const what = purpose === 'sign-in' ? 'sign-ins' : 'changes of passwords';
  const [status, where] = error.depth > 1 ? [429, ' from here'] : [503, ''];
  throw new ConsoleError(status, `Too many ${what} at once${where}. Try again in a moment.`, 2);
}
