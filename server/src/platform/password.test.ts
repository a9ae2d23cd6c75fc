import { describe, expect, it } from 'vitest';
import { ConsoleError } from '#errors/console-error.ts';
import { createPasswordHasher, generatePassword, makeUnmatchableHash, needsRehash } from './password.ts';

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
  it('refuses with 503 and a time to wait when too many hashes are waiting', async () => {
    const small = createPasswordHasher(1, 1);
    const running = [small.hash('one'), small.hash('two')];
    const refusal = await small.hash('three').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConsoleError);
    expect(refusal).toMatchObject({ status: 503, retryAfterSeconds: 2 });
    await Promise.all(running);
  });
});

describe('a generated password', () => {
  it('is four groups of characters that cannot be mistaken for each other, new each time', () => {
    const made = new Set(Array.from({ length: 200 }, generatePassword));
    expect(made.size).toBe(200);
    for (const password of made) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
  });
});
