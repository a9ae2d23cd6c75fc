import { isIP } from 'node:net';
import { isPlainLine, parseEmail } from '@sluice/contract';
import { z } from 'zod';
import { parseDatabaseUrl } from '#platform/database-url.ts';

const bytesPerUnit = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, kB: 1e3, MB: 1e6, GB: 1e9 };
const sizePattern = new RegExp(`^(\\d+)\\s*(${Object.keys(bytesPerUnit).join('|')})?$`);

export const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max));

export const flag = () =>
  z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');

export const url = (...protocols: string[]) =>
  z.string().refine((text) => protocols.some((protocol) => URL.parse(text)?.protocol === `${protocol}:`));

/** The connection string may name several servers. */
export const databaseUrl = () => z.string().refine((text) => parseDatabaseUrl(text) !== null);

/** The connection string must name one server. */
export const serverUrl = () => z.string().refine((text) => parseDatabaseUrl(text)?.isPrimaryWanted === false);

/** Converts an email address to canonical form. */
export const emailAddress = () => z.string().transform((text, ctx) => parseEmail(text) ?? reject(ctx));

/** Converts `Name <address>` or only an email address to canonical form. */
export const sender = () =>
  z.string().transform((text, ctx) => {
    const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
    const parsed = parseEmail(address);
    if (parsed === null || !isPlainLine(name)) return reject(ctx);
    return name.trim() === '' ? parsed : `${name.trim()} <${parsed}>`;
  });

function reject(ctx: z.core.$RefinementCtx): never {
  ctx.addIssue({ code: 'custom' });
  return z.NEVER;
}

/**
 * Splits a list of secrets by commas if each part is long enough. Also keeps the whole text, since a single secret may
 * contain commas.
 */
export const secretList = (shortest: number) =>
  z
    .string()
    .min(shortest)
    .transform((text) => {
      const parts = text.split(',').map((part) => part.trim());
      return parts.length > 1 && parts.every(({ length }) => length >= shortest) ? [...parts, text] : [text];
    });

/** Rejects a query or fragment, since both would break appended paths. */
export const webAddress = () =>
  url('http', 'https')
    .refine((text) => !/[?#]/.test(text))
    .transform((text) => text.replace(/\/+$/, ''));

/** The URL has a database and an optional cluster. TLS is optional only for a loopback host. */
export const logStoreUrl = () =>
  url('http', 'https').refine((text) => {
    const { hostname, pathname, protocol, search, hash } = new URL(text);
    return (
      (protocol === 'https:' || isLoopback(hostname)) &&
      /^\/[A-Za-z_]\w{0,62}$/.test(pathname) &&
      /^(\?cluster=[\w.-]{1,62})?$/.test(search + hash)
    );
  });

/** The format is `s3://bucket/prefix?endpoint=URL&region=NAME`. For AWS, the region is sufficient. */
export const objectStore = () =>
  z.string().transform((text, ctx) => {
    const { hash, hostname: bucket, pathname, protocol, searchParams, username } = URL.parse(text) ?? {};
    const names = [...(searchParams?.keys() ?? [])];
    const region = searchParams?.get('region') ?? undefined;
    const endpoint = searchParams?.get('endpoint') ?? (region && `https://s3.${region}.amazonaws.com`);
    const prefix = pathname?.replace(/^\/+|\/+$/g, '');
    const isValid =
      protocol === 's3:' &&
      /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(bucket ?? '') &&
      /^[\w./-]{0,200}$/.test(prefix ?? '') &&
      names.every((name) => name === 'endpoint' || name === 'region') &&
      `${hash}${username}` === '' &&
      isSafeEndpoint(endpoint);
    if (!isValid || !bucket || prefix === undefined || !endpoint) return reject(ctx);
    return { bucket, prefix, endpoint: endpoint.replace(/\/+$/, ''), region: region ?? 'us-east-1' };
  });

function isSafeEndpoint(text: string | undefined): boolean {
  const { hostname = '', pathname, protocol, search, username } = URL.parse(text ?? '') ?? {};
  const isPlain = pathname === '/' && search === '' && username === '';
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)));
}

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

export const byteSize = (min: number, max: number) =>
  z
    .string()
    .regex(sizePattern)
    .transform((text) => {
      const [, count, unit = 'B'] = sizePattern.exec(text) ?? [];
      // safe because the pattern only matches these units
      return Number(count) * bytesPerUnit[unit as keyof typeof bytesPerUnit];
    })
    .pipe(z.int().min(min).max(max));

const msPerUnit = { ms: 1, s: 1e3, min: 60e3, h: 3600e3 };
const durationPattern = new RegExp(`^(\\d+)\\s*(${Object.keys(msPerUnit).join('|')})?$`);

/** Parses a duration to milliseconds. A number without a unit means seconds. */
export const duration = (minMs: number, maxMs: number) =>
  z
    .string()
    .regex(durationPattern)
    .transform((text) => {
      const [, count, unit = 's'] = durationPattern.exec(text) ?? [];
      // safe because the pattern only matches these units
      return Number(count) * msPerUnit[unit as keyof typeof msPerUnit];
    })
    .pipe(z.int().min(minMs).max(maxMs));

/** Schema of a number from 0 to 1. */
export const ratio = () =>
  z
    .string()
    .regex(/^(?:0|1)(?:\.\d{1,15})?$/)
    .transform(Number)
    .pipe(z.number().min(0).max(1));

const headerPattern = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]+)\s*$/;

/** Values are URL-encoded. */
export const headerList = () =>
  z
    .string()
    .refine((text) => text.split(',').every((pair) => headerPattern.test(pair) && isDecodable(pair)))
    .transform((text) =>
      Object.fromEntries(
        text.split(',').map((pair) => {
          const [, name = '', value = ''] = headerPattern.exec(pair) ?? [];
          return [name.toLowerCase(), decodeURIComponent(value)];
        }),
      ),
    );

function isDecodable(text: string): boolean {
  try {
    return !/[\r\n\0]/.test(decodeURIComponent(text));
  } catch {
    return false;
  }
}

/** Converts a single address to a network. */
export const networks = () =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .map(withPrefixLength),
    )
    .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])));

function withPrefixLength(text: string): string {
  const version = isIP(text);
  if (version === 0) return text;
  return `${text}/${version === 4 ? 32 : 128}`;
}
