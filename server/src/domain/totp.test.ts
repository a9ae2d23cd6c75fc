import { describe, expect, it } from 'vitest';
import { computeTotp, findTotpStep, formatOtpauthUrl, makeTotpSecret, totpStepOf } from './totp.ts';

/** SHA-1 secret `12345678901234567890` of RFC 6238, appendix B, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('computeTotp', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('computeTotp returns the code of RFC 6238 for second %d', (second, code) => {
    expect(computeTotp(secret, totpStepOf(second * 1_000), 8)).toBe(code);
    expect(computeTotp(secret, totpStepOf(second * 1_000))).toBe(code.slice(2));
  });

  it.each(
    Array.from(
      ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'],
      (code, count) => [count, code] as const,
    ),
  )('computeTotp returns the HOTP value of RFC 4226 for counter %d', (count, code) => {
    expect(computeTotp(secret, count)).toBe(code);
  });
});

describe('findTotpStep', () => {
  const nowMs = 1_234_567_890_000;
  const step = totpStepOf(nowMs);

  it.each([
    [-2, null],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, null],
  ])('findTotpStep for a code that is %d steps away returns %s', (distance, expected) => {
    expect(findTotpStep(secret, computeTotp(secret, step + distance), nowMs)).toBe(expected);
  });

  it.each(['', '00592', '0059240', '00592a', '００５９２４'])('findTotpStep rejects %j', (code) => {
    expect(findTotpStep(secret, code, nowMs)).toBeNull();
  });

  it('findTotpStep accepts a code in the first step of the epoch', () => {
    expect(findTotpStep(secret, computeTotp(secret, 0), 0)).toBe(0);
  });
});

describe('a new secret', () => {
  it('makeTotpSecret returns 160 random bits in base32', () => {
    const secrets = Array.from({ length: 50 }, makeTotpSecret);
    for (const made of secrets) expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
  });

  it('formatOtpauthUrl contains the issuer and the account, and escapes them', () => {
    const url = new URL(formatOtpauthUrl({ secret, account: 'a&b=c?@one.test' }));
    expect(url.protocol).toBe('otpauth:');
    expect(decodeURIComponent(url.pathname)).toContain('Sluice:a&b=c?@one.test');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret,
      issuer: 'Sluice',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
