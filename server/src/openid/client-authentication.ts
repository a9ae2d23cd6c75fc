import type { ClientKey } from '@sluice/contract';
import { importJWK, type JWK } from 'jose';
import * as openid from 'openid-client';
import { OpenIdError } from './openid-error.ts';

/** True for a JSON Web Key. */
export const isPrivateKey = (secret: string) => secret.startsWith('{');

const algorithmsOfCurves = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512', Ed25519: 'Ed25519' };
/**
 * Allowed signing algorithms. All are asymmetric: with HMAC, each holder of the client secret could sign tokens, and
 * `none` has no signature.
 */
export const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
];
const rsaBytesMin = 256;

/**
 * Reads a private key for `private_key_jwt` (RFC 7523).
 * @throws OpenIdError unless it is a JSON Web Key with the private part of an RSA, EC or Ed25519 key.
 */
export async function readPrivateKey(text: string): Promise<openid.PrivateKey> {
  try {
    // safe because each member is checked below or by the import
    const jwk = JSON.parse(text) as JWK;
    const { kty, crv, kid, n = '' } = jwk;
    const alg = jwk.alg ?? (kty === 'RSA' ? 'RS256' : Reflect.get(algorithmsOfCurves, crv ?? ''));
    const isStrong = kty !== 'RSA' || Buffer.from(n, 'base64url').length >= rsaBytesMin;
    if (typeof jwk.d !== 'string' || !signingAlgorithms.includes(alg) || !isStrong) throw unusable();
    const key = await importJWK(jwk, alg);
    if (key instanceof Uint8Array) throw unusable();
    return { key, ...(typeof kid === 'string' && { kid }) };
  } catch (error) {
    throw error instanceof OpenIdError ? error : unusable();
  }
}

/**
 * Public members of RSA, EC and Ed25519 keys (RFC 7518, section 6), and the members with which a provider selects a
 * key.
 */
const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'alg'];

/**
 * Returns the public part of a client's private key, with which a provider verifies the client; `null` for any other
 * secret.
 * @throws OpenIdError if the key is unusable
 */
export async function publishClientKey(secret: string | null): Promise<ClientKey | null> {
  if (secret === null || !isPrivateKey(secret)) return null;
  await readPrivateKey(secret);
  // safe because readPrivateKey has parsed the same text
  const members = Object.entries(JSON.parse(secret) as Record<string, unknown>);
  const texts = members.flatMap(([name, value]) =>
    publicMembers.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(texts), use: 'sig' };
}

// The cause is omitted, since its message may quote the key.
const unusable = () =>
  new OpenIdError(
    'invalid',
    'A private key must be a JSON Web Key with its private part: RSA of at least 2,048 bits, EC or Ed25519',
  );

/**
 * Returns the authentication method of a client at the token endpoint: a JWT signed by its private key, its secret,
 * or only PKCE for a public client.
 */
export async function authenticateClient(
  { token_endpoint: tokenEndpoint, token_endpoint_auth_methods_supported: methods }: openid.ServerMetadata,
  secret: string | null,
): Promise<openid.ClientAuth> {
  if (secret === null) return openid.None();
  if (isPrivateKey(secret)) {
    return openid.PrivateKeyJwt(await readPrivateKey(secret), {
      // The audience is the token endpoint (OpenID Connect Core, section 9), since several providers accept no other
      // audience.
      [openid.modifyAssertion]: (_header, payload) => {
        if (tokenEndpoint !== undefined) payload.aud = tokenEndpoint;
      },
    });
  }
  const isPosted = (methods ?? ['client_secret_basic']).includes('client_secret_post');
  return isPosted ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret);
}
