import { createHash } from 'node:crypto';
import { S3mini, S3ServiceError } from 's3mini';

export interface ObjectStoreConfig {
  readonly bucket: string;
  /** Prefix of all object names, without leading or trailing slashes. May be empty. */
  readonly prefix: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
}

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Objects below a bucket prefix. Names have no leading slash. If a method fails, it rejects with an `ObjectStoreError`.
 */
export interface ObjectStore {
  /** Writes an object, or replaces an existing object as a whole. */
  put(name: string, bytes: Uint8Array, contentType?: string): Promise<void>;
  /** Returns an object or a range of it; `null` if there is no object with this name. */
  get(name: string, range?: ByteRange): Promise<Buffer | null>;
  delete(name: string): Promise<void>;
}

/** Thrown when the object storage cannot be reached or rejects a request. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  /** Copy of the message as an own property, so that it is logged. */
  readonly reason = this.message;
}

const defaultTimeouts = { putMs: 30_000, otherMs: 10_000 };

/** The client connects on first use. */
export function openObjectStore(
  { bucket, prefix, endpoint, ...access }: ObjectStoreConfig,
  { putMs, otherMs } = defaultTimeouts,
): ObjectStore {
  const client = new S3mini({
    endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    region: access.region,
    accessKeyId: access.accessKeyId,
    secretAccessKey: access.secretKey,
    fetch: (url, init) => {
      const timeoutMs = init?.method === 'PUT' ? putMs : otherMs;
      return fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    },
  });
  const keyOf = (name: string) => (prefix === '' ? name : `${prefix}/${name}`);
  return {
    async put(name, bytes, contentType = 'application/octet-stream') {
      const checksum = { 'x-amz-checksum-sha256': createHash('sha256').update(bytes).digest('base64') };
      await explaining(() =>
        client.putObject(keyOf(name), Buffer.from(bytes), contentType, undefined, checksum),
      );
    },
    get: (name, range) =>
      explaining(async () => {
        const end = range && range.offset + range.length;
        const response = await client
          .getObjectRaw(keyOf(name), !range, range?.offset, end)
          .catch(nullIfMissing);
        if (!response) return null;
        const bytes = Buffer.from(await response.arrayBuffer());
        if (range && bytes.length !== range.length)
          throw new ObjectStoreError('The object storage returned a different range than requested.');
        return bytes;
      }),
    async delete(name) {
      await explaining(() => client.deleteObject(keyOf(name)).catch(nullIfMissing));
    },
  };
}

/**
 * Returns `null` for a missing object. Servers also return 404 for unknown buckets and access keys, which must not
 * count as a missing object.
 */
function nullIfMissing(error: unknown): null {
  if (error instanceof S3ServiceError && codeOf(error) === 'NoSuchKey') return null;
  throw error;
}

/** The S3 client itself reads the code only from responses of the media type `application/xml`. */
const codeOf = ({ body, code }: S3ServiceError) => /<Code>(\w+)<\/Code>/.exec(body ?? '')?.[1] ?? code;

/** Removes bodies and URLs from errors, since they may contain access keys. */
async function explaining<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ObjectStoreError) throw error;
    if (error instanceof S3ServiceError)
      throw new ObjectStoreError(`The object storage returned ${error.status} (${codeOf(error)}).`);
    throw new ObjectStoreError(`The object storage cannot be reached (${reasonOf(error)}).`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const causes = [error, error.cause].filter((cause) => cause instanceof Error);
  const code = causes.map((cause) => Reflect.get(cause, 'code')).find((value) => typeof value === 'string');
  return code ?? error.name;
}
