import { formatCount } from '../../lib/format-number.ts';

/** How many rows there are on the server; beyond some number it only says "at least". */
export interface TotalCount {
  count: number;
  isExact: boolean;
}

/** Reads the header `X-Total-Count`: `18204`, or `10000+`. */
export function readTotalCount(header: string | null): TotalCount | null {
  const match = header?.match(/^(\d+)(\+?)$/);
  return match ? { count: Number(match[1]), isExact: match[2] === '' } : null;
}

/** `18,204`, or `10,000+`. */
export function formatTotal({ count, isExact }: TotalCount): string {
  return `${formatCount(count)}${isExact ? '' : '+'}`;
}
