import { z } from 'zod';
import { decimalNumber } from './decimal-number.ts';
import { id } from './ids.ts';

export const pageLimitMax = 200;

export const pageSkip = decimalNumber(z.int().min(0).max(1_000_000));

export const pageLimit = decimalNumber(z.int().min(1).max(pageLimitMax));

/**
 * Id of a row, for lists sorted newest first. Only older rows are returned and counted, so that pages neither repeat
 * nor skip rows while new rows arrive.
 */
export const pageBefore = id.optional();

/** The response header `X-Total-Count` contains the total. */
export const pageQuery = (limitDefault: number) => ({
  skip: pageSkip.default(0),
  limit: pageLimit.default(limitDefault),
});

/** Like `pageQuery`, but the number of rows to skip is named `offset`. */
export const offsetQuery = (limitDefault: number) => ({
  offset: pageSkip.default(0),
  limit: pageLimit.default(limitDefault),
});
