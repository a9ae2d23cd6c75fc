import { ConsoleError } from '#errors/console-error.ts';

const lengthMax = 255;

/**
 * Returns the header `Idempotency-Key`; `undefined` if absent.
 * @throws ConsoleError 422 if it is empty, too long, unprintable or repeated.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && header.length <= lengthMax && /^[!-~]+$/.test(header)) return header;
  const problem = `A key has 1 to ${lengthMax} printable characters without spaces`;
  throw new ConsoleError(422, [{ loc: ['header', 'idempotency-key'], msg: problem, type: 'value_error' }]);
}
