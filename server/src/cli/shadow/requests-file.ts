import { createReadStream } from 'node:fs';
import { z } from 'zod';
import type { ShadowedRequest } from '#gateway/shadow/judge.ts';
import { readJsonLines } from './json-lines.ts';

/** Recorded request of another gateway, before matching with that gateway's log. */
export interface RecordedRequest extends Omit<ShadowedRequest, 'usage'> {
  readonly requestId: string | null;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in lowercase hexadecimal');

const line = z
  .object({
    time: z.iso.datetime({ offset: true }),
    path: z.string().startsWith('/').max(2_000),
    headers: z.record(z.string(), z.string()).default({}),
    /**
     * API key as sent by the client. `key_sha256` replaces the key if only its hash was stored. Both are omitted if
     * `headers` contains the key.
     */
    key: z.string().max(500).optional(),
    key_sha256: digest.optional(),
    address: z.string().max(100).default(''),
    request_id: z.string().max(200).optional(),
    body: z.union([z.string(), z.record(z.string(), z.unknown())]),
  })
  .transform(({ body, headers, key, ...rest }) => ({
    ...rest,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    headers: {
      ...lowerCase(headers),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
  }));

const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** `-` means standard input. */
export async function* readRequests(
  path: string,
  input: NodeJS.ReadableStream,
): AsyncGenerator<RecordedRequest> {
  const source = path === '-' ? input : createReadStream(path);
  const shown = path === '-' ? 'standard input' : path;
  for await (const row of readJsonLines(source, line, shown)) {
    yield {
      receivedAtMs: Date.parse(row.time),
      path: row.path,
      headers: row.headers,
      address: row.address,
      keyDigest: row.key_sha256 ?? null,
      body: row.body,
      hasPrompt: true,
      requestId: row.request_id ?? null,
    };
  }
}
