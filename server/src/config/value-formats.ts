import { isIP } from 'node:net';
import { z } from 'zod';

const bytesPerUnit = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, kB: 1e3, MB: 1e6, GB: 1e9 };
const sizePattern = new RegExp(`^(\\d+)\\s*(${Object.keys(bytesPerUnit).join('|')})?$`);

export const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max));

export const flag = () =>
  z.enum(['0', '1', 'false', 'true']).transform((text) => text === '1' || text === 'true');

export const url = (...protocols: string[]) =>
  z.string().refine((text) => protocols.some((protocol) => URL.parse(text)?.protocol === `${protocol}:`));

/** A web address without what would break a path appended to it. */
export const webAddress = () =>
  url('http', 'https')
    .refine((text) => !/[?#]/.test(text))
    .transform((text) => text.replace(/\/+$/, ''));

export const byteSize = (min: number, max: number) =>
  z
    .string()
    .regex(sizePattern)
    .transform((text) => {
      const [, count, unit = 'B'] = sizePattern.exec(text) ?? [];
      // safe because the pattern only lets these units through
      return Number(count) * bytesPerUnit[unit as keyof typeof bytesPerUnit];
    })
    .pipe(z.int().min(min).max(max));

/** A comma list of addresses and networks; an address becomes the network of itself. */
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
