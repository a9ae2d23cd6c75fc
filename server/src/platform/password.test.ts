import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConsoleError } from '#errors/console-error.ts';
import {
  createPasswordHasher,
  generatePassword,
  type HashCaller,
  makeUnmatchableHash,
  needsRehash,
  type PasswordHasher,
  passwordSetter,
} from './password.ts';

const passwords = createPasswordHasher();
const cheaperHash = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';

describe('password hashes', () => {
  it('hash returns a PHC string of argon2id with 19 MiB and 2 passes', async () => {
    expect(await passwords.hash('correct horse')).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
  });

  it('verify accepts only the password of the hash', async () => {
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify('correct horse', hash)).toBe(true);
    expect(await passwords.verify('correct horse ', hash)).toBe(false);
    expect(await passwords.verify('', hash)).toBe(false);
  });

  it('hash uses all 128 characters of a password and their case', async () => {
    const long = `${'Zürich 4 '.repeat(14)}aß`;
    expect(long).toHaveLength(128);
    const hash = await passwords.hash(long);
    expect(await passwords.verify(long, hash)).toBe(true);
    for (const other of [long.slice(0, -1), long.slice(0, 72), long.toLowerCase(), ` ${long}`])
      expect(await passwords.verify(other, hash), other).toBe(false);
  });

  it('verify accepts a password however its letters are composed, and with invisible characters', async () => {
    const hash = await passwords.hash('Zürich 4');
    for (const same of ['Zu\u0308rich 4', 'Zürich\u00a04', 'Zürich\u200b 4'])
      expect(await passwords.verify(same, hash), same).toBe(true);
    expect(await passwords.verify('Zurich 4', hash)).toBe(false);
  });

  it('verify accepts a password that an earlier version hashed as it was typed', async () => {
    const typed = 'Zu\u0308rich 4';
    const salt = Buffer.alloc(16, 7);
    const tag = argon2Sync('argon2id', {
      message: typed,
      nonce: salt,
      memory: 64,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
    const hash = `$argon2id$v=19$m=64,t=1,p=1$${saltText}$${tagText}`;
    expect(await passwords.verify(typed, hash)).toBe(true);
    expect(await passwords.verify('Zürich 4', hash)).toBe(false);
  });

  it('hash differs for the same password', async () => {
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'));
  });

  it('verify accepts a hash with another cost, and needsRehash returns true for it', async () => {
    expect(await passwords.verify('password', cheaperHash)).toBe(true);
    expect(needsRehash(cheaperHash)).toBe(true);
    expect(needsRehash(await passwords.hash('password'))).toBe(false);
  });

  it('verify rejects a string that is not a valid PHC string', async () => {
    for (const hash of ['', 'x', '$argon2i$v=19$m=256,t=1,p=1$c2FsdA$eA', '$2b$10$abcdefghijklmnopqrstuv']) {
      expect(await passwords.verify('x', hash), hash).toBe(false);
      expect(needsRehash(hash), hash).toBe(true);
    }
  });
});

describe('makeUnmatchableHash', () => {
  it('makeUnmatchableHash has the cost of a real hash and does not match an empty password', async () => {
    const hash = makeUnmatchableHash();
    expect(needsRehash(hash)).toBe(false);
    expect(await passwords.verify('', hash)).toBe(false);
  });
});

describe('createPasswordHasher', () => {
  const setter = (tenantId: number, userId: number) => passwordSetter({ tenantId, userId });
  const signer = (network: string, account = 'mara'): HashCaller => ({
    purpose: 'sign-in',
    group: network,
    member: account,
  });
  const flood = async (hasher: PasswordHasher, count: number, callerOf: (place: number) => HashCaller) => {
    const hashes = Array.from({ length: count }, (_, place) =>
      hasher.verify('guess', cheaperHash, callerOf(place)),
    );
    const outcomes = await Promise.allSettled(hashes);
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  };

  it('the hasher rejects too many requests of one user with 429 and a retry time, and serves others', async () => {
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
        detail: 'Too many password changes at once from your organization or network. Try again in a moment.',
      });
    }
    await Promise.all(others);
  });

  it("the hasher lets a sign-in wait for at most four hashes while a tenant's users set passwords", async () => {
    const hasher = createPasswordHasher();
    const ended: string[] = [];
    const note = (what: string) => () => void ended.push(what);
    const flooded = Array.from({ length: 100 }, (_, place) =>
      hasher.hash('flood', setter(1, place)).then(note('set'), note('refused')),
    );
    // A cheap hash, so that hardly any other hash finishes while this one runs.
    await hasher.verify('mine', cheaperHash, signer('calm'));
    expect(ended.filter((what) => what === 'refused')).toHaveLength(100 - 2 - 80);
    // Two hashes were running and one was next before the sign-in. A fourth may finish at the same time.
    expect(ended.filter((what) => what === 'set').length).toBeLessThanOrEqual(4);
    await Promise.all(flooded);
  });

  it('the hasher returns 503 once the total limit of waiting requests is reached', async () => {
    const refusals = await flood(createPasswordHasher(), 300, (place) => setter(place, place));
    expect(refusals.map(({ status }) => status)).toEqual(Array(300 - 2 - 240).fill(503));
  });

  it('the hasher limits the sign-ins of one network, regardless of the accounts that it tries, and not those of others', async () => {
    const hasher = createPasswordHasher();
    const refused = flood(hasher, 100, (place) => signer('loud', `account ${place}`));
    await hasher.hash('mine', signer('calm'));
    expect((await refused).map(({ status }) => status)).toEqual(Array(100 - 2 - 80).fill(429));
  });
});

describe('generatePassword', () => {
  it('generatePassword returns four groups of unambiguous characters, different each time', () => {
    const made = new Set(Array.from({ length: 200 }, generatePassword));
    expect(made.size).toBe(200);
    for (const password of made) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
  });
});
