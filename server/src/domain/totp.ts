import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Parameters supported by every authenticator app. Many apps ignore other values. */
const stepMs = 30_000;
const digits = 6;
/** RFC 4226 recommends a secret of 160 bits. */
const secretBytes = 20;
/** Number of accepted steps before and after the current step, because the clocks of phones differ. */
const stepsAround = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Generates a TOTP secret in base32 without padding. */
export function makeTotpSecret(): string {
  return encodeBase32(randomBytes(secretBytes));
}

/** Authenticator apps read the URL from a QR code. */
export function formatOtpauthUrl({ secret, account }: { secret: string; account: string }): string {
  const parameters = new URLSearchParams({
    secret,
    issuer: 'Sluice',
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(stepMs / 1_000),
  });
  return `otpauth://totp/Sluice:${encodeURIComponent(account)}?${parameters}`;
}

/** Computes the code of a time step (RFC 6238, HMAC-SHA-1). */
export function computeTotp(secret: string, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** length).padStart(length, '0');
}

export function totpStepOf(nowMs: number): number {
  return Math.floor(nowMs / stepMs);
}

/** Checks the current step and its neighbors in constant time. Returns `null` for a wrong code. */
export function findTotpStep(secret: string, code: string, nowMs: number): number | null {
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let distance = -stepsAround; distance <= stepsAround; distance += 1) {
    const step = totpStepOf(nowMs) + distance;
    if (step < 0) continue;
    const expected = Buffer.from(computeTotp(secret, step));
    if (given.length === expected.length && timingSafeEqual(given, expected)) found = step;
  }
  return found;
}

/** Encodes bytes in base32. The number of bytes must be a multiple of five. */
function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((group) => alphabet.charAt(Number.parseInt(group, 2))).join('');
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
