import { isIP } from 'node:net';
import type { AuthenticatorTransport, PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { NewPasskeyJson, PasskeySignatureJson } from '@sluice/contract';
import type { Passkey } from '#console/sign-in-tickets/factors-store.ts';

/** Load the library on first use: few sign-ins need it, and every worker would parse it at startup. */
const loadLibrary = () => import('@simplewebauthn/server');

/** COSE algorithms ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257];

interface PasskeySite {
  readonly origin: string;
  /** Relying party id: the domain to which passkeys are bound. */
  readonly domain: string;
}

/**
 * Returns the site to which passkeys are bound; `null` if the public URL has an IP address, or is neither HTTPS nor
 * localhost.
 */
export function findPasskeySite(publicUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || (protocol !== 'https:' && !isLocal)) return null;
  return { origin, domain: hostname };
}

/** Returns the user handle stored in a user's passkeys. It contains no personal data. */
export const passkeyHandleOf = (userId: number) => new TextEncoder().encode(`user ${userId}`);

export async function createPasskeyOptions(
  { domain }: PasskeySite,
  user: { readonly userId: number; readonly name: string; readonly email: string },
  present: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: 'Sluice',
    rpID: domain,
    userID: passkeyHandleOf(user.userId),
    userName: user.email,
    userDisplayName: user.name,
    timeout: 5 * 60_000,
    attestationType: 'none',
    supportedAlgorithmIDs: [...algorithms],
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: present.map(({ credentialId }) => ({ id: credentialId })),
  });
}

export type NewPasskey = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount' | 'transports'>;

const transportNames: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Returns `null` if the response is not valid for this challenge and site. */
export async function verifyNewPasskey(
  { origin, domain }: PasskeySite,
  credential: NewPasskeyJson,
  expectedChallenge: string,
): Promise<NewPasskey | null> {
  const { attestationObject, clientDataJSON, transports = [] } = credential.response;
  try {
    if (!(await isWithoutCertificates(attestationObject))) return null;
    const { verifyRegistrationResponse } = await loadLibrary();
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        clientExtensionResults: {},
        response: { attestationObject, clientDataJSON },
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: domain,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      signCount: counter,
      transports: transportNames.filter((name) => transports.includes(name)),
    };
  } catch {
    return null;
  }
}

/**
 * Returns whether an attestation has a supported format without certificates. Sluice does not request certificates,
 * and the library would fetch their revocation lists from any URL.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
  const format = decoded.get('fmt');
  return (format === 'none' || format === 'packed') && decoded.get('attStmt').get('x5c') === undefined;
}

interface ExpectedSignature {
  readonly challenge: string;
  /** Whether the authenticator must have verified the user, for example by PIN or biometrics. */
  readonly isUserVerified: boolean;
}

/**
 * Verifies a signature and returns the passkey's new signature counter; `null` if the passkey did not sign this
 * challenge for this site. Also returns `null` if the counter did not increase, which indicates a copied passkey.
 */
export async function verifyPasskey(
  { origin, domain }: PasskeySite,
  signature: PasskeySignatureJson,
  { challenge, isUserVerified }: ExpectedSignature,
  { credentialId, publicKey, signCount, transports }: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...signature, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domain,
      requireUserVerification: isUserVerified,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter: signCount,
        transports: transports as AuthenticatorTransport[],
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
