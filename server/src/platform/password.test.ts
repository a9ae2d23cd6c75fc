import { describe, expect, it } from 'vitest';
import { ConsoleError } from '#errors/console-error.ts';
import {
  createPasswordHasher,
  generatePassword,
  type HashAsker,
  makeUnmatchableHash,
  needsRehash,
  type PasswordHasher,
  passwordSetter,
} from './password.ts';

const passwords = createPasswordHasher();
// A test vector of the reference implementation: 256 KiB, two passes.
const cheaperHash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

describe('a password hash', () => {
  it('is a PHC string of argon2id with at least 19 MiB and 2 passes', async () => {
    expect(await passwords.hash('correct horse')).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('accepts its password and no other', async () => {
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify('correct horse', hash)).toBe(true);
    expect(await passwords.verify('correct horse ', hash)).toBe(false);
    expect(await passwords.verify('', hash)).toBe(false);
  });

  it('takes a password of 128 characters whole, and as it was typed', async () => {
    const long = `${'Zürich 4 '.repeat(14)}aß`;
    expect(long).toHaveLength(128);
    const hash = await passwords.hash(long);
    expect(await passwords.verify(long, hash)).toBe(true);
    for (const other of [
      long.slice(0, -1),
      long.slice(0, 72),
      long.toLowerCase(),
      long.normalize('NFD'),
      ` ${long}`,
    ])
      expect(await passwords.verify(other, hash), other).toBe(false);
  });

  it('differs for the same password', async () => {
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'));
  });

  it('made at another cost still verifies, and asks to be made anew', async () => {
    expect(await passwords.verify('password', cheaperHash)).toBe(true);
    expect(needsRehash(cheaperHash)).toBe(true);
    expect(needsRehash(await passwords.hash('password'))).toBe(false);
  });

  it('that is no PHC string of ours matches nothing', async () => {
    for (const hash of ['', 'x', '$argon2i$v=19$m=256,t=1,p=1$c2FsdA$eA', '$2b$10$abcdefghijklmnopqrstuv']) {
      expect(await passwords.verify('x', hash), hash).toBe(false);
      expect(needsRehash(hash), hash).toBe(true);
    }
  });
});

describe('the unmatchable hash', () => {
  it('costs as much as a real one and matches nothing', async () => {
    const hash = makeUnmatchableHash();
    expect(needsRehash(hash)).toBe(false);
    expect(await passwords.verify('', hash)).toBe(false);
  });
});

describe('the hasher', () => {
  const setter = (tenantId: number, userId: number) => passwordSetter({ tenantId, userId });
  const signer = (network: string, account = 'mara'): HashAsker => ({
    purpose: 'sign-in',
    group: network,
    caller: account,
  });
  /** Asks at once for so many hashes, of a kind that costs little; answers what was refused. */
  const flood = async (hasher: PasswordHasher, count: number, askerOf: (place: number) => HashAsker) => {
    const asked = Array.from({ length: count }, (_, place) =>
      hasher.verify('guess', cheaperHash, askerOf(place)),
    );
    const outcomes = await Promise.allSettled(asked);
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  };

  it('refuses what one person asks for at once with 429 and a time to wait, and hashes on for others', async () => {
    const hasher = createPasswordHasher();
    const refused = flood(hasher, 60, () => setter(1, 1));
    const others = [hasher.hash('other', setter(1, 2)), hasher.hash('other', setter(2, 3))];
    const refusals = await refused;
    expect(refusals).toHaveLength(60 - 2 - 40);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(ConsoleError);
      expect(refusal).toMatchObject({
        status: 429,
        retryAfterSeconds: 2,
        detail: 'Too many changes of passwords at once from here. Try again in a moment.',
      });
    }
    await Promise.all(others);
  });

  it('lets a sign-in wait for two turns at most, however many people of a tenant set passwords', async () => {
    const hasher = createPasswordHasher();
    const ended: string[] = [];
    const note = (what: string) => () => void ended.push(what);
    const flooded = Array.from({ length: 100 }, (_, place) =>
      hasher.hash('flood', setter(1, place)).then(note('set'), note('refused')),
    );
    await hasher.hash('mine', signer('calm')).then(note('sign-in'));
    expect(ended.filter((what) => what === 'refused')).toHaveLength(100 - 2 - 80);
    // Two ran already, one had the turn before; another may end together with it.
    expect(ended.filter((what) => what === 'set').length).toBeLessThanOrEqual(4);
    await Promise.all(flooded);
  });

  it('says 503 once no more may wait of all', async () => {
    const refusals = await flood(createPasswordHasher(), 300, (place) => setter(place, place));
    expect(refusals.map(({ status }) => status)).toEqual(Array(300 - 2 - 240).fill(503));
  });

  it('bounds the sign-ins of one network, whatever accounts it tries, and not those of others', async () => {
    const hasher = createPasswordHasher();
    const refused = flood(hasher, 100, (place) => signer('loud', `account ${place}`));
    await hasher.hash('mine', signer('calm'));
    expect((await refused).map(({ status }) => status)).toEqual(Array(100 - 2 - 80).fill(429));
  });
});

describe('a generated password', () => {
  it('is four groups of characters that cannot be mistaken for each other, new each time', () => {
    const made = new Set(Array.from({ length: 200 }, generatePassword));
    expect(made.size).toBe(200);
    for (const password of made) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
  });
});
