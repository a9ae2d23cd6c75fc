import { randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** Session lifetime in milliseconds, the default of the sign-in policy. */
export const sessionLifetimeMs = 12 * 60 * 60 * 1000;

/** `tokenVersion` must equal the user's current version. */
export interface SessionClaims {
  userId: number;
  sessionId: string;
  tokenVersion: number;
  isFromProvider?: boolean;
}

export interface VerifiedClaims extends SessionClaims {
  readonly isFromProvider: boolean;
  readonly issuedAtMs: number;
}

const ownClaims = z.object({
  sub: z.string().regex(/^[1-9][0-9]{0,9}$/),
  sid: z.string(),
  ver: z.int(),
  idp: z.literal(true).optional(),
  iat: z.int(),
  exp: z.int(),
});

const issuer = 'sluice';
const audience = 'sluice-console';

export function signSessionToken(
  key: Uint8Array,
  claims: SessionClaims,
  nowMs: number,
  lifetimeMs = sessionLifetimeMs,
): Promise<string> {
  const { sessionId: sid, tokenVersion: ver, isFromProvider = false } = claims;
  return new SignJWT({ sid, ver, ...(isFromProvider && { idp: true }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(String(claims.userId))
    .setIssuedAt(Math.floor(nowMs / 1000))
    .setExpirationTime(Math.floor((nowMs + lifetimeMs) / 1000))
    .sign(key);
}

/** Returns the claims of a token that is genuine and not expired; otherwise returns `null` without a reason. */
export async function verifySessionToken(
  key: Uint8Array,
  token: string,
  nowMs: number,
): Promise<VerifiedClaims | null> {
  if (token.length > 2048) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      typ: 'JWT',
      issuer,
      audience,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: new Date(nowMs),
    });
    const claims = ownClaims.safeParse(payload);
    if (!claims.success) return null;
    const { sub, sid, ver, iat, idp: isFromProvider = false } = claims.data;
    return {
      userId: Number(sub),
      sessionId: sid,
      tokenVersion: ver,
      isFromProvider,
      issuedAtMs: iat * 1000,
    };
  } catch {
    return null;
  }
}

/** Returns the secret part of a mailed link: 256 bits, safe in a URL path. Only the hash of the secret is stored. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url');
}
