import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

interface PasskeyPlace {
  readonly origin: string;
  readonly domain: string;
}

interface Signing extends Partial<PasskeyPlace> {
  readonly challenge: string;
  /** Signature counter. Defaults to one more than the last signature's. */
  readonly signCount?: number;
  /** Whether the user is verified by PIN or biometrics. Defaults to true. */
  readonly isUserVerified?: boolean;
  /** Stored user handle in base64url, which a discoverable passkey returns. */
  readonly userHandle?: string;
}

/** Creates a software authenticator that responds like a browser. Tests may use an authenticator for another site. */
export function createSoftwarePasskey(place: PasskeyPlace) {
  const { privateKey, coseKey } = generateKey();
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  let signCountLast = 0;
  const common = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  return {
    id,
    create(
      { challenge, ...other }: Signing,
      statement: readonly [string, CborValue] = ['none', cborMap([])],
    ) {
      const { origin, domain } = { ...place, ...other };
      const idLength = Buffer.of(0, credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), idLength, credentialId, coseKey.bytes]);
      const attestationObject = cborMap([
        ['fmt', statement[0]],
        ['attStmt', statement[1]],
        ['authData', authenticatorData(domain, 0x45, 0, attested)],
      ]).bytes;
      return {
        ...common,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign({ challenge, signCount = signCountLast + 1, isUserVerified = true, userHandle, ...other }: Signing) {
      const { origin, domain } = { ...place, ...other };
      signCountLast = signCount;
      const data = authenticatorData(domain, isUserVerified ? 0x05 : 0x01, signCount);
      const client = clientData('webauthn.get', challenge, origin);
      const signature = createSign('sha256').update(data).update(sha256(client)).sign(privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle !== undefined && { userHandle }),
        },
      };
    },
  };
}

function generateKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { privateKey, coseKey: encodePublicKey(x, y) };
}

const encodePublicKey = (x: string, y: string) =>
  cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);

function authenticatorData(
  domain: string,
  flags: number,
  signCount: number,
  rest: Buffer = Buffer.alloc(0),
): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(signCount);
  return Buffer.concat([sha256(domain), Buffer.of(flags), counter, rest]);
}

const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();

class Cbor {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

export type CborValue = Cbor | Buffer | string | number;

export function cborMap(entries: readonly (readonly [string | number, CborValue])[]): Cbor {
  const encoded = entries.flatMap(([key, value]) => [encodeCbor(key), encodeCbor(value)]);
  return new Cbor(Buffer.concat([cborHead(5, entries.length), ...encoded]));
}

export function cborArray(values: readonly CborValue[]): Cbor {
  return new Cbor(Buffer.concat([cborHead(4, values.length), ...values.map(encodeCbor)]));
}

function encodeCbor(value: CborValue): Buffer {
  if (value instanceof Cbor) return value.bytes;
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  const bytes = Buffer.from(value);
  return Buffer.concat([cborHead(typeof value === 'string' ? 3 : 2, bytes.length), bytes]);
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length);
  return length < 256
    ? Buffer.of((major << 5) | 24, length)
    : Buffer.of((major << 5) | 25, length >> 8, length & 255);
}
